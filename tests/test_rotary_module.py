"""The shipped rotation: against plain loops in float64, and where models put it."""

from functools import partial

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from references import adjacent, batch, halves, turned_by_hand
from torch import nn
from torch.testing import assert_close

from helpers import RotaryEncoding, to_halves, to_interleaved

PARTNERS = {"halves": halves, "interleaved": adjacent}
both_layouts = pytest.mark.parametrize("layout", PARTNERS)


def by_hand(x, positions, layout="halves", base=10_000, rotary_dim=None):
    """Every row in plain loops, float64; positions of shape (batch, length)."""
    expected = x.double().numpy().copy()
    for b, h in np.ndindex(*x.shape[:2]):
        rows = expected[b, h, :, :rotary_dim]
        rows[:] = turned_by_hand(
            rows, positions[b].tolist(), PARTNERS[layout], sign=-1, base=base
        )
    return torch.from_numpy(expected)


@given(
    st.sampled_from(sorted(PARTNERS)),
    st.sampled_from([10_000, 500_000, 7]),
    st.sampled_from([torch.float64, torch.float32, torch.bfloat16, torch.float16]),
    st.tuples(*[st.integers(1, 4)] * 3),
    st.sampled_from([2, 4, 8]),
    st.sampled_from([0, 2, 6]),
    st.integers(0, 50) | st.none(),
)
@settings(max_examples=60)
def test_it_is_the_rotation_of_published_models(
    layout, base, dtype, sizes, rotary_dim, rest, start
):
    d_head = rotary_dim + rest
    x = batch(*sizes, d_head, dtype=dtype)
    module = RotaryEncoding(d_head, 60, base=base, layout=layout, rotary_dim=rotary_dim)
    ids = torch.randint(0, 60, sizes[::2])
    where = {"positions": ids}
    if start is not None:
        ids[:] = torch.arange(start, start + sizes[2])
        where = {"start": start}
    kept = x.clone()
    result = module(x, **where)
    assert result.dtype == dtype and result.data_ptr() != x.data_ptr()
    assert torch.equal(x, kept)
    expected = by_hand(x, ids, layout, base, rotary_dim)
    # Half a step of the dtype, and the table's float32.
    step = torch.finfo(dtype).eps / 2 + 2e-7
    assert_close(result.double(), expected, atol=step * 6, rtol=0)
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


@pytest.mark.filterwarnings("ignore")  # of torch's own making
@both_layouts
def test_it_can_be_differentiated_twice_and_forwards(layout):
    module = RotaryEncoding(8, 50, layout=layout, rotary_dim=6).double()
    x = batch(2, 2, 3, 8, dtype=torch.float64).requires_grad_()
    turned = partial(module, positions=torch.tensor([[4, 9, 0], [1, 1, 40]]))
    assert torch.autograd.gradcheck(turned, x, check_forward_ad=True)
    assert torch.autograd.gradgradcheck(turned, x)


def test_speeds_of_a_scaled_model():
    x, speeds = batch(1, 2, 5, 8), 10_000.0 ** (-np.arange(4) / 4)
    halved, plain = RotaryEncoding(8, speeds=speeds / 2), RotaryEncoding(8)
    assert_close(halved(x[:, :, :1], start=6), plain(x[:, :, :1], start=3))
    plain.speeds = halved.speeds
    plain.reset_parameters()
    assert torch.equal(plain(x), halved(x))


def test_reordered_weights_give_the_same_scores():
    """Also for keys that have fewer heads than queries, and for biases."""
    x, shares = batch(2, 7, 12), (4, 2)
    maps = [nn.Linear(12, 8 * heads) for heads in shares]

    def scores(layout):
        module = RotaryEncoding(8, 50, layout=layout)
        heads = (m(x).unflatten(-1, (-1, 8)).transpose(1, 2) for m in maps)
        q, k = (module(one, start=11) for one in heads)
        return q @ k.repeat_interleave(2, 1).mT

    def reorder(change):
        for layer, heads in zip(maps, shares, strict=True):
            for parameter in layer.parameters():
                parameter.data = change(parameter.data, heads)

    expected, before = scores("interleaved"), maps[0].weight.clone()
    assert not torch.allclose(scores("halves"), expected, atol=0.01)
    reorder(to_halves)
    assert_close(scores("halves"), expected, atol=1e-5, rtol=0)
    reorder(to_interleaved)
    assert torch.equal(maps[0].weight, before)
