"""The shipped module: its table against the formula, its forward pass, its place."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import PositionalEncoding, sinusoidal_table
from helpers.encoding import positional_encoding
from helpers.module import BLOCK


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
        table, module = sinusoidal_table(200, 16), PositionalEncoding(16, max_len=200)
    finally:
        torch.set_default_dtype(before)
    assert table.dtype == module.table.dtype == torch.float32
    assert torch.equal(table, expected) and torch.equal(module.table, expected)


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


def batch(*shape, dtype=torch.float32):
    return torch.linspace(-3, 3, math.prod(shape), dtype=dtype).reshape(shape)


@pytest.mark.parametrize("train", [False, True])
@pytest.mark.parametrize("scale_input", [False, True])
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32, torch.float64])
def test_the_input_keeps_its_values_and_gives_the_dtype(dtype, scale_input, train):
    module = PositionalEncoding(8, scale_input=scale_input).train(train)
    x = batch(2, 5, 8, dtype=dtype)
    kept = x.clone()
    result = module(x)
    assert result.dtype == dtype and torch.equal(x, kept)
    assert result.data_ptr() != x.data_ptr()
    assert torch.equal(module.table, sinusoidal_table(5000, 8))
    if not train:
        exactly = (8**0.5 if scale_input else 1) * x.double() + module.table[:5]
        step = torch.finfo(dtype).eps
        assert torch.allclose(result.double(), exactly, rtol=2 * step, atol=2 * step)


@given(st.integers(0, 40), st.integers(1, 10))
@settings(max_examples=20)
def test_fed_piece_by_piece_is_fed_at_once(start, length):
    module = PositionalEncoding(8, max_len=50, scale_input=True).eval()
    x = batch(2, 50, 8)
    piece = module(x[:, start : start + length], start=start)
    assert torch.equal(piece, module(x)[:, start : start + length])


def test_survivors_are_scaled_and_everything_else_is_zero():
    x = torch.arange(128.0).reshape(2, 4, 16)
    module = PositionalEncoding(16, dropout=0.2)
    summed = x + module.table[:4]
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        result = module(x)
    kept = result != 0
    assert torch.equal(result[kept], summed[kept] * 1.25)
    assert 0.6 < kept.float().mean() < 0.95
    assert torch.equal(module.eval()(x), summed)


def test_nothing_to_learn_and_nothing_to_save():
    """So weights load into a model of another length."""
    module = PositionalEncoding(8)
    assert not list(module.parameters()) and not module.state_dict()
    assert [name for name, _ in module.named_buffers()] == ["table"]


def test_the_table_follows_the_model():
    module = PositionalEncoding(8).to(torch.float16).eval()
    assert module.table.dtype == torch.float16
    for other in (torch.float16, torch.float32):
        assert module(torch.zeros(1, 3, 8, dtype=other)).dtype == other


@pytest.mark.filterwarnings("default")  # of torch's own making
def test_compile_without_a_break():
    # The eager backend traces like any other and needs no C++ compiler.
    module = PositionalEncoding(8, scale_input=True).eval()
    compiled = torch.compile(module, backend="eager", fullgraph=True)
    x = batch(2, 5, 8)
    for start in (0, 3, 17):
        assert torch.equal(compiled(x, start=start), module(x, start=start))
