"""Exercises of notebook 01: an answer that ignores one demand of the text is wrong."""

import numpy as np
import pytest

from helpers.encoding import angular_speeds, encode_with_bases, positional_encoding
from helpers.lessons import formula


def one_row(pos, d_model):
    if d_model % 2:
        raise ValueError("odd")
    return positional_encoding(pos + 1, d_model)[pos]


def raises_for_five(pos, d_model):
    if d_model == 5:
        raise ValueError("odd")
    return one_row(pos, d_model - d_model % 2)


IGNORED = {
    "a list or an array": (
        "encode_with_bases",
        lambda n, bases: encode_with_bases(n, bases + []),
    ),
    "periods that are not whole": (
        "encode_with_bases",
        lambda n, bases: encode_with_bases(n, np.asarray(bases).astype(int)),
    ),
    "equal periods count twice": (
        "encode_with_bases",
        lambda n, bases: encode_with_bases(n, list(dict.fromkeys(bases))),
    ),
    "the smallest width": (
        "angular_speeds",
        lambda d: np.geomspace(1, angular_speeds(d)[-1], max(d // 2, 2)),
    ),
    "position 0": ("encode_position", lambda pos, d: one_row(pos or 1, d)),
    "every odd width raises": ("encode_position", raises_for_five),
}


@pytest.mark.usefixtures("status_only")
@pytest.mark.parametrize("demand", IGNORED)
def test_an_answer_that_ignores_one_demand_is_not_accepted(demand):
    name, answer = IGNORED[demand]
    assert getattr(formula, name).judge(answer).status == "incorrect"
