"""Exercise 5.3: the rows of tokens that do not begin at position 0."""

import torch

from helpers.module import sinusoidal_table


def _case(rows, batch, length, d_model, start):
    x = torch.linspace(-3, 4, batch * length * d_model).reshape(batch, length, d_model)
    return sinusoidal_table(rows, d_model), x, start


# The last ones are too long. Of one row that is left, every token would get a copy.
CASES = [
    _case(10, 2, 1, 4, 7),
    _case(10, 3, 4, 6, 6),
    _case(9, 2, 4, 2, 0),
    _case(10, 2, 3, 4, 9),
    _case(1, 2, 5, 4, 0),
    _case(6, 1, 1, 2, 6),
]


def draw(rng):
    rows, batch, length = rng.integers(1, [40, 5, 12]).tolist()
    latest = rows - length  # at most; now and then it is a little too much
    start = max(latest - int(rng.choice([0, 0, 1, 7, -1, 1 - length])), 0)
    return _case(rows, batch, length, 2 * int(rng.integers(1, 6)), start)


def words(table, x, start):
    return (
        f"a table of {len(table)} rows, `x` of {x.shape[1]} tokens and `start={start}`"
    )


def add_rows(table, x, start):
    end = start + x.shape[1]
    if end > len(table):
        raise ValueError(f"{end} positions, but the table has {len(table)} rows")
    return x + table[start:end]
