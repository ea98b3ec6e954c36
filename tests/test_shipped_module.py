"""The shipped module: its table against the formula, its forward pass, its place."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from references import row
from torch import nn
from torch._dynamo.utils import counters

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


def batch(*shape, dtype=torch.float32):
    return torch.linspace(-3, 3, math.prod(shape), dtype=dtype).reshape(shape)


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
    with torch.random.fork_rng(devices=[]):
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
    rows = [[row(int(n), 8) for n in ids] for ids in positions.expand(3, 5)]
    assert torch.allclose(result, torch.tensor(rows), atol=1e-7)


def test_a_table_made_on_the_meta_device_gets_its_values():
    """Nothing in a checkpoint fills a buffer that is not persistent."""
    state = nn.Sequential(PositionalEncoding(8), nn.Linear(8, 8)).state_dict()
    assert list(state) == ["1.weight", "1.bias"]
    with torch.device("meta"):
        model = nn.Sequential(PositionalEncoding(8), nn.Linear(8, 8))
    model.load_state_dict(state, assign=True)
    with pytest.raises(RuntimeError, match=r"call the module's reset_parameters\(\)"):
        model(batch(1, 5, 8))
    model[0].reset_parameters()
    assert torch.equal(model[0].table, sinusoidal_table(5000, 8))
    assert not list(model[0].parameters())


def test_values_that_were_lost_come_back():
    """What empties or rounds a table: `to_empty()` once more, and half precision."""
    module, expected = PositionalEncoding(8), sinusoidal_table(5000, 8)
    assert torch.equal(module.to_empty(device="cpu").table, expected)
    assert module.half()(torch.zeros(1, 3, 8)).dtype == torch.float32
    assert torch.equal(module.float().table, expected)
    module.table.zero_()
    module.reset_parameters()
    assert torch.equal(module.table, expected)
    exact = sinusoidal_table(5000, 8, dtype=torch.float64)
    assert torch.equal(module.double().table, exact)


@pytest.mark.filterwarnings("default")  # of torch's own making
@pytest.mark.parametrize("by_row", [False, True])
def test_forty_steps_need_two_graphs(by_row):
    """This backend traces like any other and needs no C++ compiler."""
    module, x = PositionalEncoding(8, scale_input=True).eval(), batch(2, 1, 8)
    torch.compiler.reset()
    graphs = counters["stats"]["unique_graphs"]
    compiled = torch.compile(module, backend="aot_eager", fullgraph=True)
    for step in range(40):
        where = {"start": step}
        if by_row:
            where = {"positions": torch.tensor([[step], [step + 7]])}
        assert torch.equal(compiled(x, **where), module(x, **where))
    assert counters["stats"]["unique_graphs"] - graphs <= 2


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("wrong", [-1, 10])
def test_compiled_code_refuses_a_position_without_a_row(wrong):
    module = PositionalEncoding(8, max_len=10).eval()
    compiled = torch.compile(module, backend="eager", fullgraph=True)
    with pytest.raises(IndexError, match="out of range"):
        compiled(batch(2, 1, 8), positions=torch.tensor([[0], [wrong]]))


@pytest.mark.filterwarnings("default")
def test_export_with_a_length_that_varies():
    module, length = PositionalEncoding(8).eval(), torch.export.Dim("length", max=60)
    ids = torch.randint(0, 5000, (2, 9))
    made = torch.export.export(
        module,
        (batch(2, 5, 8),),
        {"positions": ids[:, :5].contiguous()},
        dynamic_shapes={"x": {1: length}, "positions": {1: length}},
    )
    x = batch(2, 9, 8)
    assert torch.equal(made.module()(x, positions=ids), module(x, positions=ids))
