"""The shipped rotation: against plain loops, published code, and float64."""

import copy
import math

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


def batch(*shape, dtype=torch.float32, seed=0):
    generator = torch.Generator().manual_seed(seed)
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
@settings(max_examples=60, deadline=None)
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
    """The error in steps of the dtype at the length of the pair; 0.5 is rounding once."""
    module, length = RotaryEncoding(16, 10**6 + 1, layout=layout), 64
    for last in (10**2, 10**4, 10**6):
        positions = torch.linspace(last - 99, last, length).long()[None]
        x = batch(1, 2, length, 16, dtype=dtype)
        error = module(x, positions=positions).double() - by_hand(x, positions, layout)
        pairs = x.double().view(1, 2, length, 8, 2)
        if layout == "halves":
            pairs = x.double().view(1, 2, length, 2, 8).mT
        size = pairs.norm(dim=-1, keepdim=True).expand_as(pairs)
        size = size.mT.flatten(3) if layout == "halves" else size.flatten(3)
        assert (error.abs() / size).max() < steps * torch.finfo(dtype).eps


def test_the_model_may_be_bfloat16_but_the_table_stays_finer():
    module, x = RotaryEncoding(16, 5000), batch(1, 2, 9, 16, dtype=torch.bfloat16)
    expected = module(x, start=4000)
    module.to(torch.bfloat16)
    assert module.table.dtype == torch.float32
    assert torch.equal(module(x, start=4000), expected)
    error = module.double()(x.double(), start=4000) - by_hand(
        x, torch.arange(4000, 4009)[None]
    )
    assert module.table.dtype == torch.float64 and error.abs().max() < 1e-11


@both_layouts
def test_scores_depend_on_the_offset_alone(layout):
    module = RotaryEncoding(16, 9000, layout=layout).double()
    q, k = batch(2, 1, 1, 1, 16, dtype=torch.float64)

    def score(pos, j):
        return module(q, start=pos) @ module(k, start=j).mT

    assert abs(score(8000, 8003) - score(2, 5)) < 1e-10
    assert abs(score(8000, 8003) - score(2, 6)) > 1e-3


@both_layouts
def test_the_gradient_is_the_rotation_back(layout):
    module = RotaryEncoding(8, 50, layout=layout, rotary_dim=6).double()
    x = batch(2, 2, 3, 8, dtype=torch.float64).requires_grad_()
    where = {"positions": torch.tensor([[4, 9, 0], [1, 1, 40]])}
    assert torch.autograd.gradcheck(lambda x: module(x, **where), x)
    assert torch.autograd.gradgradcheck(lambda x: module(x, **where), x)
    (gradient,) = torch.autograd.grad(module(x, **where).square().sum(), x)
    assert torch.allclose(gradient, 2 * x)  # turned there and back
    with torch.no_grad():
        assert torch.equal(module(x, **where), module(x.detach(), **where))


@pytest.mark.filterwarnings("ignore")  # of torch.func's own making
def test_a_gradient_for_each_sample():
    module, x = RotaryEncoding(8), batch(3, 2, 4, 8)
    loss = lambda one: module(one[None], start=5).pow(3).sum()  # noqa: E731
    each = torch.func.vmap(torch.func.grad(loss))(x)
    for one, gradient in zip(x, each, strict=True):
        alone = one.clone().requires_grad_()
        loss(alone).backward()
        assert torch.allclose(alone.grad, gradient)
    tangent = torch.func.jvp(lambda x: module(x, start=5), (x,), (x,))[1]
    assert torch.allclose(tangent, module(x, start=5))


def test_speeds_of_a_scaled_model():
    x, speeds = batch(1, 2, 5, 8), 10_000.0 ** (-np.arange(4) / 4)
    scaled = RotaryEncoding(8, speeds=speeds / [1, 1, 2, 4])
    plain = RotaryEncoding(8)
    assert torch.equal(RotaryEncoding(8, speeds=speeds)(x), plain(x))
    columns = torch.tensor([0, 1, 4, 5])
    assert torch.equal(scaled(x)[..., columns], plain(x)[..., columns])
    halved = RotaryEncoding(8, speeds=speeds / 2)
    assert torch.allclose(halved(x[:, :, :1], start=6), plain(x[:, :, :1], start=3))
    plain.speeds = scaled.speeds
    plain.reset_parameters()
    assert torch.equal(plain(x), scaled(x))
    still = RotaryEncoding(8, speeds=torch.zeros(4))
    assert torch.equal(still(x, start=77), x)


@pytest.mark.parametrize("heads", [1, 2, 4])
@pytest.mark.parametrize("bias", [False, True])
def test_reordered_weights_give_the_same_scores(heads, bias):
    """Also for keys that have fewer heads than queries."""
    d_head, key_heads = 8, max(1, heads // 2)
    make = [nn.Linear(12, n * d_head, bias=bias).double() for n in (heads, key_heads)]
    x = batch(2, 7, 12, dtype=torch.float64)

    def scores(maps, layout):
        module = RotaryEncoding(d_head, 50, layout=layout).double()
        q, k = (m(x).unflatten(-1, (-1, d_head)).transpose(1, 2) for m in maps)
        k = k.repeat_interleave(heads // key_heads, 1)
        return module(q, start=11) @ module(k, start=11).mT

    def reordered(maps, change):
        maps = copy.deepcopy(maps)
        for layer, n in zip(maps, (heads, key_heads), strict=True):
            for parameter in layer.parameters():
                parameter.data = change(parameter.data, n)
        return maps

    interleaved, halved = scores(make, "interleaved"), reordered(make, to_halves)
    assert torch.allclose(scores(halved, "halves"), interleaved)
    assert not torch.allclose(scores(make, "halves"), interleaved, atol=0.01)
    back = reordered(halved, to_interleaved)
    for before, after in zip(make, back, strict=True):
        assert torch.equal(before.weight, after.weight)


def test_rows_are_reordered_within_each_head():
    rows = torch.arange(12)
    assert to_halves(rows, 2).tolist() == [0, 2, 4, 1, 3, 5, 6, 8, 10, 7, 9, 11]
    assert to_interleaved(rows, 2).tolist() == [0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11]


@pytest.mark.filterwarnings("ignore")  # of the package's own making
@both_layouts
def test_published_functions_agree(layout):
    pytest.importorskip("transformers", reason="pip install -e '.[published]'")
    from transformers import LlamaConfig
    from transformers.models.gptj import modeling_gptj as gptj
    from transformers.models.llama import modeling_llama as llama

    x = batch(2, 4, 7, 16)
    positions = torch.stack([torch.arange(7), torch.arange(90, 97)])
    if layout == "halves":
        config = LlamaConfig(hidden_size=64, num_attention_heads=4)
        cosine, sine = llama.LlamaRotaryEmbedding(config)(x, positions)
        expected, _ = llama.apply_rotary_pos_emb(x, x, cosine, sine)
    else:
        table = gptj.create_sinusoidal_positions(128, 16)
        sine, cosine = table[positions].chunk(2, -1)
        turned = gptj.apply_rotary_pos_emb(x.transpose(1, 2), sine, cosine)
        expected = turned.transpose(1, 2)
    result = RotaryEncoding(16, 128, layout=layout)(x, positions=positions)
    assert (result - expected).abs().max() < 3e-5  # their angles are float32


@pytest.mark.filterwarnings("ignore")  # of the package's own making
def test_a_published_model_gives_the_same_logits():
    """Its attention with this rotation in place of its own, prefill and padding."""
    pytest.importorskip("transformers", reason="pip install -e '.[published]'")
    from transformers import LlamaConfig, LlamaForCausalLM
    from transformers.models.llama import modeling_llama as llama

    config = LlamaConfig(
        hidden_size=64,
        num_attention_heads=4,
        num_key_value_heads=2,
        vocab_size=50,
        num_hidden_layers=2,
        intermediate_size=64,
    )
    model, module = LlamaForCausalLM(config).eval(), RotaryEncoding(16, 256)
    ids = torch.randint(0, 50, (2, 9), generator=torch.Generator().manual_seed(0))
    seen = torch.ones(2, 9, dtype=torch.long)
    seen[1, :4] = 0
    positions = (seen.cumsum(1) - 1).clamp(min=0)
    call = {"attention_mask": seen, "position_ids": positions}
    published = llama.apply_rotary_pos_emb
    with torch.no_grad():
        expected = model(ids, **call).logits
        llama.apply_rotary_pos_emb = lambda q, k, *_, **__: (
            module(q, positions=positions),
            module(k, positions=positions),
        )
        try:
            result = model(ids, **call).logits
        finally:
            llama.apply_rotary_pos_emb = published
    kept = seen.bool()
    assert torch.allclose(result[kept], expected[kept], atol=1e-4)


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
@pytest.mark.parametrize("by_row", [False, True])
@pytest.mark.parametrize("trains", [False, True])
def test_forty_steps_need_two_graphs(backend, by_row, trains):
    module = RotaryEncoding(8, 64)
    x = batch(2, 2, 1, 8).requires_grad_(trains)
    torch.compiler.reset()
    graphs = counters["stats"]["unique_graphs"]
    compiled = torch.compile(module, backend=backend, fullgraph=True)
    for step in range(40):
        where = {"start": step}
        if by_row:
            where = {"positions": torch.tensor([[step], [step + 7]])}
        result = compiled(x, **where)
        assert torch.allclose(result, module(x, **where), atol=1e-6)
        if trains:
            (gradient,) = torch.autograd.grad(result.square().sum(), x)
            assert torch.allclose(gradient, 2 * x)
    assert counters["stats"]["unique_graphs"] - graphs <= 2


@pytest.mark.filterwarnings("default")
@both_layouts
def test_export_with_a_length_that_varies(layout):
    module = RotaryEncoding(8, 64, layout=layout)
    length = torch.export.Dim("length", max=60)
    shapes = {"x": {2: length}}
    made = torch.export.export(module, (batch(2, 3, 5, 8),), dynamic_shapes=shapes)
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


def refused(error, name):
    """The error is raised, with one short sentence that begins with the name."""
    return pytest.raises(error, match=rf"\A{name} .{{,90}}\Z")


@pytest.mark.parametrize(
    ("error", "name", "value"),
    [
        *((ValueError, "d_head", value) for value in (7, 0)),
        (TypeError, "d_head", 8.0),
        (ValueError, "max_len", 0),
        (ValueError, "base", -1.0),
        *((ValueError, "layout", value) for value in ("half", None)),
        *((ValueError, "rotary_dim", value) for value in (3, 0, 10)),
        *((ValueError, "speeds", value) for value in ([1.0], [1, 1, 1, math.nan], 1.0)),
        *((TypeError, "speeds", value) for value in ("fast", ["a"] * 4)),
    ],
)
def test_a_wrong_argument_gets_one_sentence(error, name, value):
    with refused(error, name):
        RotaryEncoding(**{"d_head": 8, name: value})


@pytest.mark.parametrize(
    ("error", "x"),
    [
        *(
            (ValueError, torch.zeros(s))
            for s in ((2, 5, 8), (1, 2, 5, 4), (1, 2, 11, 8))
        ),
        (TypeError, torch.zeros(1, 2, 5, 8).long()),
        (TypeError, np.zeros((1, 2, 5, 8))),
    ],
)
def test_a_wrong_input_gets_one_sentence(error, x):
    with refused(error, "x"):
        RotaryEncoding(8, 10)(x)


@pytest.mark.parametrize("convert", [to_halves, to_interleaved])
def test_a_weight_that_does_not_fit_gets_one_sentence(convert):
    for weight in (torch.zeros(12, 3), torch.tensor(1.0), torch.zeros(0, 3)):
        with refused(ValueError, "weight"):
            convert(weight, 4)
    with refused(TypeError, "weight"):
        convert([1, 2], 1)
    with refused(ValueError, "heads"):
        convert(torch.zeros(8, 3), 0)
