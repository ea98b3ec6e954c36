"""Exercise 2.4: the first row that equals an earlier one."""

import torch

CASES = [
    (torch.tensor([[0.0, 1.0], [0.8, 0.5], [0.9, -0.4], [0.8, 0.5]]),),
    (torch.tensor([[0.0, 1.0], [0.8, 0.5], [0.8, 0.5], [0.0, 1.0]]),),
    (torch.tensor([[0.0, 1.0, 0.0], [0.0, 1.0, 0.01], [0.0, 1.0, 0.02]]),),
    (torch.tensor([[1.0, 2.0], [1.0, 2.0 + 2**-20], [1.0, 3.0], [2.0, 1.0]]),),
    (torch.tensor([[2.0, 2.0, 5.0], [1.0, 1.0, 5.0], [2.0, 2.0, 5.0]]),),
    (torch.tensor([[3.0, 3.0], [3.0, 3.0], [3.0, 3.0], [3.0, 3.0]]),),
    (torch.tensor([[4.0, 1.0]]),),
    (1 - torch.tensor([[0, 0], [0, 2**-40], [0, 0]], dtype=torch.float64),),
    (torch.tensor([[0.0, 1.0], [-0.0, 1.0]]),),
    (torch.tensor([[0.0, 1.0], [1e-30, 1.0]]),),  # its square is 0 in float32
]


def first_equal_rows(table):
    seen = {}
    for q, row in enumerate(table.tolist()):
        if tuple(row) in seen:
            return seen[tuple(row)], q
        seen[tuple(row)] = q
    return None


def draw(rng):
    """Rows of few different numbers, so that some agree, in part, nearly or wholly."""
    n = rng.integers(1, 12)
    columns = rng.integers(1, 5)
    rows = torch.tensor(rng.integers(-2, 3, size=(n, columns)))
    if rng.random() < 0.3:
        return (rows,)
    rows = rows.double() * 0.7
    if n > 1 and rng.random() < 0.5:  # nearly equal is not equal
        p, q = rng.choice(n, 2, replace=False)
        rows[q] = rows[p] + 2.0**-40
    return (rows if rng.random() < 0.7 else rows.float(),)


def words(table):
    """A small table with all its digits: what is nearly equal must not look equal."""
    rows = ", ".join(f"[{', '.join(map(str, row))}]" for row in table.numpy())
    if len(rows) > 72:
        return f"`table` of shape `{tuple(table.shape)}`"
    return f"`table=[{rows}]`"


def smallest_p(table):
    rows = table.tolist()
    p = next((p for p, row in enumerate(rows) if row in rows[p + 1 :]), None)
    return None if p is None else (p, rows.index(rows[p], p + 1))


def first_in_sorted_order(table):
    rows = table.tolist()
    repeated = [row for row in rows if rows.count(row) > 1]
    places = [n for n, row in enumerate(rows) if row == min(repeated, default=None)]
    return tuple(places[:2]) if places else None
