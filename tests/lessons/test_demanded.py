"""An answer that is right but for one demand of its exercise's text is not accepted."""

import math

import numpy as np
import pytest
import torch
from references import distance, row, shift

from helpers import encoding
from helpers.lessons import distances, formula, log_space, rotation_matrix

right_table = log_space.broadcast_table.reference


def one_row(pos, d_model, odd=()):
    if d_model in odd or d_model % 2 and not odd:
        raise ValueError("odd")
    return row(pos, d_model - d_model % 2)


def a_call_for_every_row(max_len, d_model):
    if max_len == 1:
        return right_table(1, d_model)
    before = a_call_for_every_row(max_len - 1, d_model)
    return torch.cat([before, right_table(max_len, d_model)[-1:]])


def found_in_a_table(furthest):
    """Looks the row up in a table of this length, and then the one before."""

    def answer(given, k):
        table = encoding.positional_encoding(furthest, len(given))
        pos = int(np.abs(table - given).sum(axis=1).argmin())
        return row(pos - k, len(given)) if pos >= k else table[0]

    return answer


def head(table, k, beta, highest=math.inf):
    scores = beta * table @ np.array(shift(k, table.shape[1])) @ table.T
    scores = np.minimum(scores, highest)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def nothing_before_0(table, k, beta):
    weights = head(table, k, beta)
    weights[: max(k, 0)] = 0
    return weights


def of_products(table):
    squares = (table**2).sum(axis=1)
    squares = squares[:, None] + squares - 2 * table @ table.T
    return np.sqrt(np.maximum(squares, 0) if table.dtype == np.float32 else squares)


def first_fall_before(last):
    def answer(d_model):
        curve = [distance(k, d_model) for k in range(last)]
        return next(k for k in range(1, last) if curve[k + 1] < curve[k])

    return answer


IGNORED = {
    formula.encode_with_bases: {
        "a list or an array": lambda n, b: encoding.encode_with_bases(n, b + []),
        "any real period": lambda n, b: encoding.encode_with_bases(
            n, np.asarray(b).astype(int)
        ),
        "equal periods": lambda n, b: encoding.encode_with_bases(
            n, list(dict.fromkeys(b))
        ),
    },
    formula.angular_speeds: {
        "the smallest width": lambda d: np.geomspace(
            1, encoding.angular_speeds(d)[-1], max(d // 2, 2)
        ),
    },
    formula.encode_position: {
        "position 0": lambda pos, d: one_row(pos or 1, d),
        "an error at every odd width": lambda pos, d: one_row(pos, d, odd=(5,)),
    },
    log_space.broadcast_table: {
        "no call for every row": a_call_for_every_row,
        "as many rows as columns": lambda n, d: (
            right_table(n, d) if n != d else right_table(n, d).T
        ),
        "one position": lambda n, d: right_table(n, d).squeeze(0),
    },
    log_space.interleave: {
        "their precision": lambda s, c: torch.stack([s, c], dim=2).flatten(1).float(),
    },
    log_space.first_equal_rows: {
        "every digit": lambda t: log_space.first_equal_rows.reference(t.float()),
        "in their order": lambda t: log_space.first_equal_rows.reference(
            t.sort(dim=1).values
        ),
    },
    rotation_matrix.full_rotation: {
        "any even width": lambda k, d: shift(k, d) if d in (2, 8) else np.eye(d),
        "any k": lambda k, d: np.linalg.matrix_power(shift(1, d), max(k, 0)),
        "shape (d_model, d_model)": lambda k, d: [shift(k, d)],
    },
    rotation_matrix.step_back: {
        "any position": found_in_a_table(1000),
        "before position 0": found_in_a_table(30_000),
        "shape (d_model,)": lambda given, k: [shift(-k, len(given)) @ given],
    },
    rotation_matrix.look_back_weights: {
        "no other scale": lambda t, k, b: head(t, k, b / t.shape[1] ** 0.5),
        "no clipping": lambda t, k, b: head(t, k, b, highest=700),
        "first rows like all others": nothing_before_0,
    },
    distances.distance_matrix: {
        "five decimals": lambda t: of_products(t.astype(np.float32)),
        "no nan": of_products,
    },
    distances.distance_from_offset: {
        "enough decimals": lambda k, d: round(distance(k, d), 4),
    },
    distances.first_fall: {
        f"wider than {last} offsets": first_fall_before(last) for last in (20, 130)
    },
}


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
@pytest.mark.usefixtures("status_only")
@pytest.mark.parametrize(
    ("task", "demand"),
    [
        pytest.param(task, demand, id=f"{task.name}: {demand}")
        for task, ignored in IGNORED.items()
        for demand in ignored
    ],
)
def test_an_answer_that_ignores_one_demand_is_not_accepted(task, demand):
    assert task.judge(IGNORED[task][demand]).status == "incorrect"
