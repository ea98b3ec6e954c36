"""The shipped modules: what a wrong argument or a wrong input gets."""

import math

import numpy as np
import pytest
import torch

from helpers import (
    PositionalEncoding,
    RotaryEncoding,
    sinusoidal_table,
    to_halves,
    to_interleaved,
)


def refused(error, name):
    """The error is raised, with one short sentence that begins with the name."""
    return pytest.raises(error, match=rf"\A{name} .{{,90}}\Z")


ADDED, ROTATED = (PositionalEncoding, "d_model"), (RotaryEncoding, "d_head")


@pytest.mark.parametrize(
    ("made", "error", "name", "values"),
    [
        (ADDED, ValueError, "d_model", (7, 0)),
        (ADDED, TypeError, "d_model", (8.0, "8", True, None)),
        (ADDED, ValueError, "dropout", (-0.1, 5000, math.nan)),
        (ADDED, TypeError, "dropout", ("0.1", True, None)),
        (ADDED, ValueError, "base", (-1.0, math.inf, 10**400)),
        (ADDED, ValueError, "max_len", (0,)),
        (ROTATED, ValueError, "d_head", (7, 0)),
        (ROTATED, ValueError, "layout", ("half", None)),
        (ROTATED, ValueError, "rotary_dim", (3, 0, 10)),
        (ROTATED, ValueError, "speeds", ([1.0], [1, 1, 1, math.nan], 1.0)),
        (ROTATED, TypeError, "speeds", ("fast", ["a"] * 4)),
    ],
)
def test_a_wrong_argument_gets_one_sentence(made, error, name, values):
    module, width = made
    for value in values:
        with refused(error, name):
            module(**{width: 8, name: value})


@pytest.mark.parametrize(
    ("module", "right", "wrong"),
    [
        (PositionalEncoding, (2, 5, 8), [(2, 5, 1), (5, 8), (1, 2, 5, 8), (2, 11, 8)]),
        (RotaryEncoding, (1, 2, 5, 8), [(2, 5, 8), (1, 2, 5, 4), (1, 2, 11, 8)]),
    ],
)
def test_a_wrong_input_gets_one_sentence(module, right, wrong):
    encode = module(8, max_len=10)
    for shape in wrong:
        with refused(ValueError, "x"):
            encode(torch.zeros(shape))
    for x in (torch.zeros(right).long(), np.zeros(right)):
        with refused(TypeError, "x"):
            encode(x)


@pytest.mark.parametrize(
    ("error", "name", "where"),
    [
        (ValueError, "x", {"start": 6}),
        (TypeError, "start", {"start": 1.0}),
        (TypeError, "positions", {"positions": [0, 1, 2, 3, 4]}),
        (TypeError, "positions", {"positions": torch.zeros(5)}),
        (TypeError, "positions", {"positions": torch.zeros(5).bool()}),
        *(
            (ValueError, "positions", {"positions": torch.zeros(shape).long()})
            for shape in ((), (4,), (3, 5), (2, 1, 5), (5, 2))
        ),
        *(
            (ValueError, "positions", {"positions": torch.tensor([0, 1, 2, 3, pos])})
            for pos in (-1, 10)
        ),
        (
            ValueError,
            "start and positions",
            {"start": 3, "positions": torch.arange(5)},
        ),
    ],
)
def test_positions_that_do_not_fit_get_one_sentence(error, name, where):
    with refused(error, name):
        PositionalEncoding(8, max_len=10)(torch.zeros(2, 5, 8), **where)


@pytest.mark.parametrize("dtype", [torch.int64, torch.complex64, "float32", float])
def test_a_table_holds_floats(dtype):
    with refused(TypeError, "dtype"):
        sinusoidal_table(5, 8, dtype=dtype)


@pytest.mark.parametrize("convert", [to_halves, to_interleaved])
def test_a_weight_that_does_not_fit_gets_one_sentence(convert):
    for weight in (torch.zeros(12, 3), torch.tensor(1.0), torch.zeros(0, 3)):
        with refused(ValueError, "weight"):
            convert(weight, 4)
    with refused(TypeError, "weight"):
        convert([1, 2], 1)
    with refused(ValueError, "heads"):
        convert(torch.zeros(8, 3), 0)
