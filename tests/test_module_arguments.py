"""The shipped module: what a wrong argument or a wrong input gets."""

import math
from decimal import Decimal

import numpy as np
import pytest
import torch

from helpers import PositionalEncoding, sinusoidal_table
from helpers.encoding import positional_encoding

# What `helpers.encoding` refuses too is tested by `test_both_doors_say_the_same`.
BUILT_WRONG = [
    *((ValueError, "d_model", {"d_model": value}) for value in (7, 0, -8)),
    *((TypeError, "d_model", {"d_model": value}) for value in (8.0, "8", True, None)),
    *((ValueError, "max_len", {"max_len": value}) for value in (0, -1)),
    *((TypeError, "max_len", {"max_len": value}) for value in (10.0, "10", False)),
    *((ValueError, "dropout", {"dropout": value}) for value in (-0.1, 5000, math.nan)),
    *((TypeError, "dropout", {"dropout": value}) for value in ("0.1", True, None)),
    *((ValueError, "base", {"base": value}) for value in (0, -1.0, math.inf, 10**400)),
]
FED_WRONG = [
    (ValueError, 10, torch.zeros(2, 11, 8)),
    (ValueError, 10, torch.zeros(2, 5, 1)),
    (ValueError, 10, torch.zeros(2, 5, 16)),
    (ValueError, 10, torch.zeros(5, 8)),
    (ValueError, 10, torch.zeros(1, 2, 5, 8)),
    (TypeError, 10, torch.zeros(2, 5, 8, dtype=torch.long)),
    (TypeError, 10, torch.zeros(2, 5, 8, dtype=torch.bool)),
    (TypeError, 10, np.zeros((2, 5, 8))),
    (TypeError, 10, None),
]


def is_one_sentence_on(name, raised):
    said = str(raised.value)
    assert said.startswith(name) and "\n" not in said and len(said) < 100


@pytest.mark.parametrize(("error", "name", "wrong"), BUILT_WRONG)
def test_a_wrong_argument_gets_one_sentence(error, name, wrong):
    with pytest.raises(error) as raised:
        PositionalEncoding(**{"d_model": 8, **wrong})
    is_one_sentence_on(name, raised)
    if name != "dropout":
        wrong = {"d_model": 8, "max_len": 10, **wrong}
        with pytest.raises(error) as raised:
            sinusoidal_table(wrong.pop("max_len"), wrong.pop("d_model"), **wrong)
        is_one_sentence_on(name, raised)


@pytest.mark.parametrize(("error", "max_len", "x"), FED_WRONG)
@pytest.mark.parametrize("train", [False, True])
def test_a_wrong_input_gets_one_sentence(error, max_len, x, train):
    with pytest.raises(error) as raised:
        PositionalEncoding(8, max_len=max_len).train(train)(x)
    is_one_sentence_on("x ", raised)


@pytest.mark.parametrize(
    ("error", "start"),
    [(ValueError, -1), (ValueError, 46), (TypeError, 1.0), (TypeError, "1")],
)
def test_a_start_that_does_not_fit_gets_one_sentence(error, start):
    with pytest.raises(error, match=r"^(x|start) ") as raised:
        PositionalEncoding(8, max_len=50)(torch.zeros(2, 5, 8), start=start)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("dtype", [torch.int64, torch.complex64, "float32", float])
def test_a_table_holds_floats(dtype):
    with pytest.raises(TypeError) as raised:
        sinusoidal_table(5, 8, dtype=dtype)
    is_one_sentence_on("dtype", raised)


ODD_NUMBERS = [
    *(Decimal(10), 10, 10.0, np.float32(10), torch.tensor(10.0), np.array(10.0)),
    *(True, "10", b"10", None, [10], np.array([10.0]), 1j, math.nan, 0, -3),
]


@pytest.mark.parametrize("value", ODD_NUMBERS, ids=repr)
def test_both_doors_say_the_same(value):
    """`helpers.encoding` and `helpers.module` take and refuse the same arguments."""

    def said(call):
        try:
            return np.asarray(call()).round(6).tolist()
        except (TypeError, ValueError) as error:
            return f"{type(error).__name__}: {error}"

    assert said(lambda: positional_encoding(5, 8, value)) == said(
        lambda: sinusoidal_table(5, 8, base=value, dtype=torch.float64)
    )
    for sizes in ((value, 8), (5, value)):
        assert said(lambda sizes=sizes: positional_encoding(*sizes)) == said(
            lambda sizes=sizes: sinusoidal_table(*sizes, dtype=torch.float64)
        )


def test_numbers_of_numpy_are_numbers():
    module = PositionalEncoding(np.int64(8), np.float32(0.5), np.int32(10), base=100)
    assert module.table.shape == (10, 8)
    assert sinusoidal_table(5, 8, base=np.float64(10)).shape == (5, 8)
