"""The shipped module: what a wrong argument or a wrong input gets."""

import math

import numpy as np
import pytest
import torch

from helpers import PositionalEncoding, sinusoidal_table


def refused(error, name):
    """The error is raised, with one short sentence that begins with the name."""
    return pytest.raises(error, match=rf"\A{name} .{{,90}}\Z")


@pytest.mark.parametrize(
    ("error", "name", "value"),
    [
        *((ValueError, "d_model", value) for value in (7, 0)),
        *((TypeError, "d_model", value) for value in (8.0, "8", True, None)),
        *((ValueError, "dropout", value) for value in (-0.1, 5000, math.nan)),
        *((TypeError, "dropout", value) for value in ("0.1", True, None)),
        *((ValueError, "base", value) for value in (-1.0, math.inf, 10**400)),
        (ValueError, "max_len", 0),
    ],
)
def test_a_wrong_argument_gets_one_sentence(error, name, value):
    with refused(error, name):
        PositionalEncoding(**{"d_model": 8, name: value})


@pytest.mark.parametrize(
    ("error", "x"),
    [
        *((ValueError, torch.zeros(2, 5, width)) for width in (1, 16)),
        *((ValueError, torch.zeros(shape)) for shape in ((5, 8), (1, 2, 5, 8))),
        (ValueError, torch.zeros(2, 11, 8)),
        (TypeError, torch.zeros(2, 5, 8, dtype=torch.long)),
        (TypeError, np.zeros((2, 5, 8))),
    ],
)
@pytest.mark.parametrize("train", [False, True])
def test_a_wrong_input_gets_one_sentence(error, x, train):
    with refused(error, "x"):
        PositionalEncoding(8, max_len=10).train(train)(x)


@pytest.mark.parametrize(("error", "start"), [(ValueError, 6), (TypeError, 1.0)])
def test_a_start_that_does_not_fit_gets_one_sentence(error, start):
    with refused(error, "(x|start)"):
        PositionalEncoding(8, max_len=10)(torch.zeros(2, 5, 8), start=start)


@pytest.mark.parametrize(
    ("error", "positions"),
    [
        (TypeError, [0, 1, 2, 3, 4]),
        *(
            (TypeError, torch.zeros(5, dtype=kind))
            for kind in (torch.float32, torch.bool)
        ),
        *((ValueError, torch.zeros(s).long()) for s in ((), (4,), (3, 5), (2, 1, 5))),
        (ValueError, torch.zeros(5, 2).long()),
        *((ValueError, torch.tensor([0, 1, 2, 3, pos])) for pos in (-1, 10)),
    ],
)
def test_positions_that_do_not_fit_get_one_sentence(error, positions):
    with refused(error, "positions"):
        PositionalEncoding(8, max_len=10)(torch.zeros(2, 5, 8), positions=positions)


def test_start_and_positions_exclude_each_other():
    with refused(ValueError, "start and positions"):
        PositionalEncoding(8)(torch.zeros(2, 5, 8), start=3, positions=torch.arange(5))


@pytest.mark.parametrize("dtype", [torch.int64, torch.complex64, "float32", float])
def test_a_table_holds_floats(dtype):
    with refused(TypeError, "dtype"):
        sinusoidal_table(5, 8, dtype=dtype)
