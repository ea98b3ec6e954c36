"""The shipped rotation: against plain loops in float64, and where models put it."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from references import adjacent, halves, turned_by_hand
from torch import nn
from torch._dynamo.utils import counters

from helpers import RotaryEncoding, to_halves, to_interleaved

PARTNERS = {"halves": halves, "interleaved": adjacent}
both_layouts = pytest.mark.parametrize("layout", PARTNERS)


def batch(*shape, dtype=torch.float32):
    generator = torch.Generator().manual_seed(0)
    return torch.randn(*shape, generator=generator, dtype=torch.float64).to(dtype)


def by_hand(x, positions, layout="halves", base=10_000, rotary_dim=None):
    """Every row in plain loops, float64; positions of shape (batch, length)."""
    expected = x.double().numpy().copy()
    width = rotary_dim or x.shape[-1]
    for b, h in np.ndindex(*x.shape[:2]):
        rows, ids = expected[b, h, :, :width], positions[b].tolist()
        expected[b, h, :, :width] = turned_by_hand(
            rows, ids, PARTNERS[layout], sign=-1, base=base
        )
    return torch.from_numpy(expected)


@given(
    st.data(),
    st.sampled_from(sorted(PARTNERS)),
    st.sampled_from([10_000, 500_000, 7]),
    st.sampled_from([torch.float64, torch.float32, torch.bfloat16, torch.float16]),
)
@settings(max_examples=60)
def test_it_is_the_rotation_of_published_models(data, layout, base, dtype):
    batch_size, heads, length, pairs = (data.draw(st.integers(1, 4)) for _ in range(4))
    rotary_dim = 2 * data.draw(st.integers(1, pairs))
    x = batch(batch_size, heads, length, 2 * pairs, dtype=dtype)
    module = RotaryEncoding(
        2 * pairs, 60, base=base, layout=layout, rotary_dim=rotary_dim
    )
    start = data.draw(st.integers(0, 50))
    ids = torch.arange(start, start + length).repeat(batch_size, 1)
    where = {"start": start}
    if data.draw(st.booleans()):
        ids = torch.randint(0, 60, (batch_size, length))
        where = {"positions": ids}
    kept = x.clone()
    result = module(x, **where)
    expected = by_hand(x, ids, layout, base, rotary_dim)
    assert result.dtype == dtype and result.shape == x.shape and torch.equal(x, kept)
    assert result.data_ptr() != x.data_ptr()
    # Half a step of the dtype, and the table's float32.
    step = torch.finfo(dtype).eps / 2 + 2e-7
    assert (result.double() - expected).abs().max() < step * 6
    assert torch.equal(result[..., rotary_dim:], x[..., rotary_dim:])


@both_layouts
@pytest.mark.parametrize(
    ("dtype", "steps"), [(torch.float32, 1.5), (torch.bfloat16, 0.51)]
)
def test_far_positions_are_as_accurate_as_near_ones(layout, dtype, steps):
    """The error in steps of the dtype; 0.5 is rounding once."""
    module = RotaryEncoding(16, 10**6 + 1, layout=layout)
    x = torch.full((1, 2, 64, 16), 0.7, dtype=dtype)  # each pair has a length of 0.99
    for last in (10**2, 10**4, 10**6):
        positions = torch.linspace(last - 99, last, 64).long()[None]
        error = module(x, positions=positions).double() - by_hand(x, positions, layout)
        assert error.abs().max() < steps * torch.finfo(dtype).eps


def test_the_model_may_be_bfloat16_but_the_table_stays_finer():
    module, x = RotaryEncoding(16, 5000), batch(1, 2, 9, 16, dtype=torch.bfloat16)
    expected = module(x, start=4000)
    module.to(torch.bfloat16)
    assert module.table.dtype == torch.float32
    assert torch.equal(module(x, start=4000), expected)
    result = module.double()(x.double(), start=4000)
    error = result - by_hand(x, torch.arange(4000, 4009)[None])
    assert module.table.dtype == torch.float64 and error.abs().max() < 1e-11


@pytest.mark.filterwarnings("ignore")  # of torch.func's own making
@both_layouts
def test_the_gradient_is_the_rotation_back(layout):
    module = RotaryEncoding(8, 50, layout=layout, rotary_dim=6).double()
    x = batch(2, 2, 3, 8, dtype=torch.float64).requires_grad_()
    where = {"positions": torch.tensor([[4, 9, 0], [1, 1, 40]])}
    assert torch.autograd.gradcheck(lambda x: module(x, **where), x)
    assert torch.autograd.gradgradcheck(lambda x: module(x, **where), x)
    # Of each sample by itself, as torch.func has it: turned there and back.
    squared = torch.func.grad(lambda one: module(one[None]).square().sum())
    assert torch.allclose(torch.func.vmap(squared)(x.detach()), 2 * x)
    tangent = torch.func.jvp(module, (x.detach(),), (x.detach(),))[1]
    assert torch.allclose(tangent, module(x))


def test_speeds_of_a_scaled_model():
    x, speeds = batch(1, 2, 5, 8), 10_000.0 ** (-np.arange(4) / 4)
    scaled = RotaryEncoding(8, speeds=speeds / [1, 1, 2, 4])
    plain = RotaryEncoding(8)
    columns = torch.tensor([0, 1, 4, 5])
    assert torch.equal(scaled(x)[..., columns], plain(x)[..., columns])
    halved = RotaryEncoding(8, speeds=speeds / 2)
    assert torch.allclose(halved(x[:, :, :1], start=6), plain(x[:, :, :1], start=3))
    plain.speeds = scaled.speeds
    plain.reset_parameters()
    assert torch.equal(plain(x), scaled(x))


@pytest.mark.parametrize("heads", [1, 4])
def test_reordered_weights_give_the_same_scores(heads):
    """Also for keys that have fewer heads than queries, and for biases."""
    shares, x = (heads, max(1, heads // 2)), batch(2, 7, 12)
    maps = [nn.Linear(12, 8 * n) for n in shares]

    def scores(maps, layout):
        module = RotaryEncoding(8, 50, layout=layout)
        q, k = (m(x).unflatten(-1, (-1, 8)).transpose(1, 2) for m in maps)
        k = k.repeat_interleave(heads // shares[1], 1)
        return module(q, start=11) @ module(k, start=11).mT

    def reorder(change):
        for layer, n in zip(maps, shares, strict=True):
            for parameter in layer.parameters():
                parameter.data = change(parameter.data, n)

    expected, before = scores(maps, "interleaved"), maps[0].weight.clone()
    assert not torch.allclose(scores(maps, "halves"), expected, atol=0.01)
    reorder(to_halves)
    assert torch.allclose(scores(maps, "halves"), expected, atol=1e-5)
    reorder(to_interleaved)
    assert torch.equal(maps[0].weight, before)


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("by_row", [False, True])
def test_forty_steps_need_two_graphs(by_row):
    """This backend traces like any other, gradients too, and needs no C++ compiler."""
    module, x = RotaryEncoding(8, 64), batch(2, 2, 1, 8).requires_grad_()
    torch.compiler.reset()
    graphs = counters["stats"]["unique_graphs"]
    compiled = torch.compile(module, backend="aot_eager", fullgraph=True)
    for step in range(40):
        where = {"start": step}
        if by_row:
            where = {"positions": torch.tensor([[step], [step + 7]])}
        result = compiled(x, **where)
        assert torch.allclose(result, module(x, **where), atol=1e-6)
        (gradient,) = torch.autograd.grad(result.square().sum(), x)
        assert torch.allclose(gradient, 2 * x)
    assert counters["stats"]["unique_graphs"] - graphs <= 2


@pytest.mark.filterwarnings("default")
def test_export_with_a_length_that_varies():
    module, length = RotaryEncoding(8, 64), torch.export.Dim("length", max=60)
    made = torch.export.export(
        module, (batch(2, 3, 5, 8),), dynamic_shapes={"x": {2: length}}
    )
    x = batch(2, 3, 9, 8)
    assert torch.equal(made.module()(x), module(x))


def test_a_table_made_on_the_meta_device_gets_its_values():
    with torch.device("meta"):
        module = RotaryEncoding(8, 64)
        assert module(torch.zeros(1, 1, 3, 8)).is_meta
    with pytest.raises(RuntimeError, match="meta device"):
        module(batch(1, 1, 3, 8))
    module.to_empty(device="cpu")
    assert not module.state_dict() and not list(module.parameters())
    assert torch.equal(module.table, RotaryEncoding(8, 64).table)
