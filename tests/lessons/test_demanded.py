"""An answer that is right but for one demand of its exercise's text is not accepted.

Beside those of the corpus, which hold others.
"""

import numpy as np
import pytest
from references import distance

from helpers.encoding import angular_speeds, encode_with_periods
from helpers.lessons import distances, formula, log_space, rotation_matrix

right_table = log_space.broadcast_table.reference
first_equal = log_space.first_equal_rows.reference
look_back = rotation_matrix.look_back_weights.reference


def first_fall_before_130(d_model):
    curve = [distance(k, d_model) for k in range(130)]
    return next(k for k in range(1, 130) if curve[k + 1] < curve[k])


IGNORED = {
    formula.encode_with_periods: {
        "a list or an array": lambda n, b: encode_with_periods(n, b + []),
        "any real period": lambda n, b: encode_with_periods(n, np.array(b).astype(int)),
        "equal periods": lambda n, b: encode_with_periods(n, list(dict.fromkeys(b))),
    },
    formula.angular_speeds: {
        "the smallest width": lambda d: np.geomspace(
            1, angular_speeds(d)[-1], max(d // 2, 2)
        ),
    },
    log_space.broadcast_table: {
        "as many rows as columns": lambda n, d: (
            right_table(n, d) if n != d else right_table(n, d).T
        ),
    },
    log_space.first_equal_rows: {
        "every digit": lambda t: first_equal(t.float()),
        "in their order": lambda t: first_equal(t.sort(dim=1).values),
    },
    rotation_matrix.look_back_weights: {
        "first rows like all others": lambda t, k, b: (
            look_back(t, k, b) * (np.arange(len(t)) >= k)[:, None]
        ),
    },
    distances.distance_from_offset: {
        "enough decimals": lambda k, d: round(distance(k, d), 4),
    },
    distances.first_fall: {"wider than 130 offsets": first_fall_before_130},
}


@pytest.mark.usefixtures("status_only")
@pytest.mark.parametrize(
    ("task", "demand"),
    [(task, demand) for task, ignored in IGNORED.items() for demand in ignored],
    ids=lambda part: getattr(part, "name", part),
)
def test_an_answer_that_ignores_one_demand_is_not_accepted(task, demand):
    assert task.judge(IGNORED[task][demand]).status == "incorrect"
