"""The shipped module: its table against the formula, its forward pass, dropout, dtypes."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from references import batch

from helpers import PositionalEncoding, sinusoidal_table
from helpers.encoding import positional_encoding
from helpers.module import BLOCK

INTEGERS = [torch.uint8, torch.int16, torch.int32, torch.int64]


@pytest.mark.parametrize("size", [(5000, 512), (10**6 + 1, 4), (10**6 + 1, 12)])
def test_float32_is_at_its_floor(size):
    """Half the gap between float32 numbers below 1 is 2.98e-8."""
    error = sinusoidal_table(*size).numpy() - positional_encoding(*size)
    assert np.abs(error).max() < 3e-8


@pytest.mark.parametrize("dtype", [torch.float16, torch.float64])
def test_the_default_dtype_has_no_say(dtype):
    expected = sinusoidal_table(200, 16)
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        table = PositionalEncoding(16, max_len=200).table
    finally:
        torch.set_default_dtype(before)
    assert table.dtype == torch.float32 and torch.equal(table, expected)


@given(
    st.integers(1, 3 * BLOCK) | st.integers(16 * BLOCK - 1, 33 * BLOCK + 1),
    st.integers(1, 12).map(lambda pairs: 2 * pairs),
    st.sampled_from([10_000, 10, 500_000.0, 0.5]),
)
@settings(max_examples=60)
def test_the_table_is_the_formula_for_any_size_and_base(max_len, d_model, base):
    table = sinusoidal_table(max_len, d_model, base=base, dtype=torch.float64)
    expected = positional_encoding(max_len, d_model, base)
    # Angles grow as base < 1 makes the speeds grow; rounding them is all that differs.
    fastest = max(1.0, base ** (-(d_model - 2) / d_model))
    assert np.abs(table.numpy() - expected).max() < 1e-15 * (10 + max_len * fastest)
    assert table.shape == (max_len, d_model) and table.is_contiguous()


@pytest.mark.parametrize("scale_input", [False, True])
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32, torch.float64])
def test_the_input_keeps_its_values_and_gives_the_dtype(dtype, scale_input):
    module = PositionalEncoding(8, scale_input=scale_input)
    x = batch(2, 5, 8, dtype=dtype)
    kept = x.clone()
    for result in (module(x), module.eval()(x)):
        assert result.dtype == dtype and torch.equal(x, kept)
        assert result.data_ptr() != x.data_ptr()
    exactly = (8**0.5 if scale_input else 1) * x.double() + module.table[:5]
    step = torch.finfo(dtype).eps
    assert torch.allclose(result.double(), exactly, rtol=2 * step, atol=2 * step)
    # Fed from a position on, as a cache does, it is what it is when fed at once.
    piece = module(x[:, 2:4], start=2)
    assert torch.allclose(piece, result[:, 2:4], rtol=2 * step, atol=2 * step)


def test_survivors_are_scaled_and_everything_else_is_zero():
    x = torch.arange(128.0).reshape(2, 4, 16)
    module = PositionalEncoding(16, dropout=0.2)
    summed = x + module.table[:4]
    torch.manual_seed(0)
    result = module(x)
    kept = result != 0
    assert torch.equal(result[kept], summed[kept] * 1.25)
    assert 0.6 < kept.float().mean() < 0.95
    assert torch.equal(module.eval()(x), summed)


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("shape", [(5,), (1, 5), (3, 5)])
def test_every_token_gets_the_row_of_its_position(shape, dtype):
    positions = torch.randint(0, 50, shape).to(dtype)
    result = PositionalEncoding(8, max_len=50).eval()(
        torch.zeros(3, 5, 8), positions=positions
    )
    assert torch.equal(result, sinusoidal_table(50, 8)[positions.long().expand(3, 5)])
