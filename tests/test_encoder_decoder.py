"""Notebook 06: its own definitions against PyTorch's, its experiments and its data."""

import ast
import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from stored import NOTEBOOKS, code_cells
from torch import nn

from helpers import PositionalEncoding, corners
from helpers.exercises import encoder_decoder as exercises
from helpers.training import Training, batches

NOTEBOOK = next(path for path in NOTEBOOKS if path.stem.startswith("06"))
EXERCISES = {task.name for task in exercises.EXERCISES}


@pytest.fixture(scope="module")
def written():
    """The imports, functions and classes that the notebook's cells define."""
    kept = []
    for cell in code_cells(NOTEBOOK):
        for node in ast.parse(cell.source).body:
            imported = isinstance(node, (ast.Import, ast.ImportFrom))
            defined = isinstance(node, (ast.FunctionDef, ast.ClassDef))
            if imported or (defined and node.name not in EXERCISES):
                kept.append(node)
    namespace = {"__name__": "notebook_06"}
    exec(compile(ast.Module(kept, type_ignores=[]), str(NOTEBOOK), "exec"), namespace)
    return namespace


def normal(*shape, seed=0):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


# --- attention ---------------------------------------------------------------------


@settings(max_examples=25, deadline=None)
@given(
    batch=st.integers(1, 3),
    heads=st.integers(1, 3),
    queries=st.integers(1, 6),
    keys=st.integers(1, 6),
    width=st.integers(1, 9),
    seed=st.integers(0, 999),
)
def test_attention_is_pytorchs(written, batch, heads, queries, keys, width, seed):
    query = normal(batch, heads, queries, width, seed=seed)
    key, value = normal(2, batch, heads, keys, width, seed=seed + 1)
    mask = normal(queries, keys, seed=seed + 2) > 0
    mask[:, 0] = True  # somebody to look at, in every row
    theirs = nn.functional.scaled_dot_product_attention(query, key, value, mask)
    ours, weights = written["attend"](query, key, value, mask)
    assert torch.allclose(ours, theirs, atol=1e-5)
    assert torch.allclose(weights.sum(dim=-1), torch.ones(()), atol=1e-5)
    assert (weights.masked_select(~mask) == 0).all()
    solution = exercises.attention.reference(query, key, value, mask)
    assert torch.allclose(solution, theirs, atol=1e-5)


def test_the_causal_mask_is_pytorchs(written):
    for size in (1, 2, 5):
        theirs = nn.Transformer.generate_square_subsequent_mask(size) == 0
        assert torch.equal(written["look_back"](size), theirs)
        assert torch.equal(exercises.causal_mask.reference(size), theirs)


def give_weights(ours, theirs):
    """Copy a layer of several heads into PyTorch's."""
    three = ours.query, ours.key, ours.value
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([linear.weight for linear in three]))
        theirs.in_proj_bias.copy_(torch.cat([linear.bias for linear in three]))
        theirs.out_proj.load_state_dict(ours.out.state_dict())


@pytest.mark.parametrize("heads", [1, 2, 4])
@pytest.mark.parametrize("masked", [False, True])
def test_heads_are_pytorchs(written, heads, masked):
    torch.manual_seed(heads)
    ours = written["MultiHeadAttention"](16, heads)
    theirs = nn.MultiheadAttention(16, heads, batch_first=True)
    give_weights(ours, theirs)
    asking, asked = normal(3, 5, 16), normal(3, 7, 16, seed=1)
    mask = torch.ones(5, 7, dtype=torch.bool).tril() if masked else None
    hidden = ~mask if masked else None  # PyTorch: True where looking is forbidden
    output, weights = theirs(
        asking, asked, asked, attn_mask=hidden, average_attn_weights=False
    )
    assert torch.allclose(ours(asking, asked, mask), output, atol=1e-5)
    assert torch.allclose(ours.weights, weights, atol=1e-5)


def give_feed_forward(ours, theirs):
    theirs.linear1.load_state_dict(ours.feed_forward[0].state_dict())
    theirs.linear2.load_state_dict(ours.feed_forward[2].state_dict())
    for number, norm in enumerate(ours.norms, start=1):
        norm.weight.data = 1 + 0.1 * normal(len(norm.weight), seed=number)
        getattr(theirs, f"norm{number}").load_state_dict(norm.state_dict())


def test_the_encoder_layer_is_pytorchs(written):
    torch.manual_seed(0)
    ours = written["EncoderLayer"](16, 2)
    theirs = nn.TransformerEncoderLayer(16, 2, 64, dropout=0.0, batch_first=True)
    give_weights(ours.self_attention, theirs.self_attn)
    give_feed_forward(ours, theirs)
    x = normal(3, 5, 16)
    assert torch.allclose(ours(x), theirs(x), atol=1e-5)


def test_the_decoder_layer_is_pytorchs(written):
    torch.manual_seed(0)
    ours = written["DecoderLayer"](16, 2)
    theirs = nn.TransformerDecoderLayer(16, 2, 64, dropout=0.0, batch_first=True)
    give_weights(ours.self_attention, theirs.self_attn)
    give_weights(ours.cross_attention, theirs.multihead_attn)
    give_feed_forward(ours, theirs)
    x, memory, mask = (
        normal(3, 5, 16),
        normal(3, 7, 16, seed=1),
        torch.ones(5, 5).tril(),
    )
    mask = mask.bool()
    expected = theirs(x, memory, tgt_mask=~mask)
    assert torch.allclose(ours(x, memory, mask), expected, atol=1e-5)


# --- the models --------------------------------------------------------------------


@pytest.mark.parametrize("positions", [False, True])
def test_no_future_leaks(written, positions):
    torch.manual_seed(1)
    model = written["EncoderDecoder"](positions)
    source, target = normal(4, 2, 2), normal(4, 6, 2, seed=1)
    before = model(source, target)
    for changed in range(6):
        other = target.clone()
        other[:, changed] += 3.0
        after = model(source, other)
        assert torch.equal(after[:, :changed], before[:, :changed])
        assert not torch.allclose(after[:, changed], before[:, changed], atol=1e-3)


@pytest.mark.parametrize("positions", [False, True])
def test_only_positions_tell_the_order_of_the_given_points(written, positions):
    torch.manual_seed(1)
    model = written["EncoderDecoder"](positions)
    source, target = normal(8, 2, 2), normal(8, 2, 2, seed=1)
    same = torch.allclose(
        model(source, target), model(source.flip(1), target), atol=1e-5
    )
    assert same != positions


KINDS = (
    "without positions",
    "with positions",
    "causal mask instead",
    "learned table",
)


@pytest.mark.parametrize("kind", KINDS)
def test_what_tells_the_direction(written, kind):
    torch.manual_seed(1)
    model = written["direction_model"](kind)
    points = normal(50, 4, 2)
    for order in ([3, 2, 1, 0], [1, 0, 2, 3], [2, 3, 0, 1]):
        same = torch.allclose(model(points), model(points[:, order]), atol=1e-5)
        assert same == (kind == "without positions")


def same_start(*models):
    """Whether models have the same parameters, those of a learned table apart."""
    named = [dict(model.named_parameters()) for model in models]
    for parameters in named:
        parameters.pop("add_positions.table", None)
    return all(
        named[0].keys() == other.keys()
        and all(torch.equal(named[0][name], other[name]) for name in other)
        for other in named[1:]
    )


def test_the_models_differ_in_one_part_only(written):
    made = []
    for positions in (False, True):
        torch.manual_seed(5)
        made.append(written["EncoderDecoder"](positions))
    assert same_start(*made)
    made = []
    for kind in KINDS:
        torch.manual_seed(5)
        made.append(written["direction_model"](kind))
    assert same_start(*made)
    assert [len(list(m.parameters())) for m in made[:3]] == [
        len([*made[0].parameters()])
    ] * 3
    assert not same_start(made[0], written["direction_model"]("without positions"))


def test_step_by_step_is_teacher_forcing_on_its_own_predictions(written):
    torch.manual_seed(2)
    model = written["EncoderDecoder"]()
    source = normal(5, 2, 2)
    path = written["continue_path"](model, source)
    forced = model(source, torch.cat([source[:, 1:], path[:, :1]], dim=1))
    assert torch.allclose(path, forced, atol=1e-5)


def test_every_verdict_of_the_experiments_is_the_expected_one():
    said = "".join(
        output.text
        for cell in code_cells(NOTEBOOK)
        for output in cell.outputs
        if output.output_type == "stream"
    )
    for verdict in (
        "sequences in both: 0",
        "without positions, every seed ≤ 0.58: True",
        "with positions, every seed ≥ 0.99: True",
        "causal mask instead, every seed ≥ 0.99: True",
        "learned table, every seed ≥ 0.99: True",
        "with positions, shuffled, every seed ≤ 0.58: True",
        "still right, mean of the seeds below 0.25: True",
        "gone across, mean of the seeds above 0.5: True",
        "without positions: the same logit: True",
        "with positions: the same logit: False",
        "the two groups overlap: True",
        "means differ by less than 0.01: True",
        "earlier outputs unchanged: True",
        "last output changed: True",
        "first prediction unchanged: True",
        "agrees with PyTorch: True",
        "agrees with nn.MultiheadAttention: True",
        "notices the exchange: False",
    ):
        assert verdict in said


# --- what the text says of other settings: slow, run by `make rerun` ----------------


@pytest.fixture(scope="module")
def trained(written):
    """Train a model of the notebook; returns it and the held-out walks."""
    points, directions = corners.square_sequences(1024, seed=1)
    walks, turns = (torch.tensor(a).float() for a in (points, directions))
    points, directions = corners.square_sequences(1000, seed=2)
    held_out, other_turns = (torch.tensor(a).float() for a in (points, directions))

    def corner_model(seed, epochs=6, *, lr=0.007, base=10, d_model=32, positions=True):
        torch.manual_seed(seed)
        model = written["EncoderDecoder"](positions, d_model, 2 if d_model > 2 else 1)
        if positions:
            model.add_positions = PositionalEncoding(d_model, 0.0, 8, base=base)
        run = Training(model, written["corner_loss"], batches(walks), lr=lr, seed=seed)
        return run.run(epochs, bar=False).model

    def direction(kind, seed, epochs=6, *, lr=0.003, base=10):
        torch.manual_seed(seed)
        model = written["direction_model"](kind)
        if kind == "with positions":
            model.add_positions = PositionalEncoding(32, 0.0, 8, base=base)
        loss = written["direction_loss"]
        run = Training(model, loss, batches(walks, turns), lr=lr, seed=seed)
        model = run.run(epochs, bar=False).model
        return written["accuracy"](model, held_out, other_turns)

    return corner_model, direction, held_out


def error(written, model, held_out):
    missed = written["continue_path"](model, held_out[:, :2]) - held_out[:, 2:]
    return missed.square().mean().sqrt().item()


@pytest.mark.slow
def test_two_columns_learn_nothing_and_base_10_000_as_much_as_10(written, trained):
    corner_model, _, held_out = trained
    assert error(written, corner_model(0, 12, d_model=2), held_out) > 0.9
    assert error(written, corner_model(0, 12, d_model=8), held_out) < 0.13
    for base in (10, 10_000):
        errors = [
            error(written, corner_model(s, base=base), held_out) for s in range(5)
        ]
        assert min(errors) > 0.1 and max(errors) < 0.13


@pytest.mark.slow
def test_how_many_are_misled_by_an_exchange_depends(written, trained):
    corner_model, _, held_out = trained

    def still_right(**setting):
        shares = []
        for seed in range(5):
            model = corner_model(seed, **setting)
            with torch.no_grad():
                memory = model.encode(held_out[:, :2].flip(dims=[1]))
                guess = model.decode(held_out[:, 1:2], memory)
            right = (guess.sign() == held_out[:, 2:3].sign()).all(dim=-1)
            shares.append(right.float().mean().item())
        return shares

    assert min(still_right(positions=False)) > 0.99
    assert max(still_right(lr=0.005)) < 0.75
    assert np.mean(still_right(base=100)) < 0.6
    assert np.mean(still_right(base=10_000)) > 0.6


@pytest.mark.slow
@pytest.mark.parametrize("lr", [0.002, 0.005])
def test_the_direction_is_found_at_other_learning_rates(trained, lr):
    _, direction, _ = trained
    for kind in KINDS[1:]:
        assert min(direction(kind, seed, 8, lr=lr) for seed in (10, 11, 12)) > 0.98
    assert 0.42 < direction(KINDS[0], 10, 8, lr=lr) < 0.58


@pytest.mark.slow
def test_a_learning_rate_of_0_02_is_too_large_for_some(trained):
    _, direction, _ = trained
    assert min(direction(KINDS[1], s, 8, lr=0.02) for s in (10, 11, 12)) < 0.97


@pytest.mark.slow
def test_base_10_000_finds_the_direction_later(trained):
    _, direction, _ = trained
    assert min(direction(KINDS[1], s, 12, base=10_000) for s in range(3)) > 0.98
    assert np.mean([direction(KINDS[1], s, 3, base=10_000) for s in range(3)]) < 0.9


# --- the data ----------------------------------------------------------------------


def test_points_are_noisy_corners_in_the_direction_that_is_said():
    points, directions = corners.square_sequences(400, noise=0.1, seed=3)
    assert points.shape == (400, 4, 2)
    for path, clockwise in zip(np.sign(points), directions, strict=True):
        for (x, y), following in zip(path, path[1:], strict=False):
            assert tuple(following) == ((y, -x) if clockwise else (-y, x))
    off = np.abs(points) - 1
    assert abs(off.mean()) < 0.01
    assert abs(off.std() - 0.1) < 0.005


def test_all_eight_walks_occur_about_equally():
    points, directions = corners.square_sequences(4000, seed=1)
    starts = [tuple(start) for start in np.sign(points[:, 0])]
    walks = list(zip(starts, directions.tolist(), strict=True))
    counts = [walks.count(walk) for walk in set(walks)]
    assert len(counts) == 8
    assert min(counts) > 400


def test_without_noise_they_are_the_corners():
    points, _ = corners.square_sequences(20, length=9, noise=0.0, seed=0)
    assert points.shape == (20, 9, 2)
    assert set(np.abs(points).ravel()) == {1.0}
    assert np.array_equal(points[:, :5], points[:, 4:])


def test_the_same_seed_the_same_data_and_none_shared_between_seeds():
    first, again, other = (corners.square_sequences(500, seed=s)[0] for s in (1, 1, 2))
    assert np.array_equal(first, again)
    rows = {tuple(row.ravel()) for row in first}
    assert len(rows) == 500
    assert not rows & {tuple(row.ravel()) for row in other}


def test_ragged_walks_have_all_lengths_and_the_same_directions():
    walks, directions = corners.ragged_sequences(300, 2, 5, noise=0.0, seed=4)
    assert {len(walk) for walk in walks} == {2, 3, 4, 5}
    for walk, clockwise in zip(walks, directions, strict=True):
        (x, y), following = walk[0], walk[1]
        assert tuple(following) == ((y, -x) if clockwise else (-y, x))


@pytest.mark.parametrize(
    "make",
    [
        lambda: corners.square_sequences(0),
        lambda: corners.square_sequences(3, length=0),
        lambda: corners.square_sequences(3, noise=-0.1),
        lambda: corners.square_sequences(3, noise=math.nan),
        lambda: corners.ragged_sequences(3, 4, 2),
    ],
)
def test_impossible_data_is_refused(make):
    with pytest.raises(ValueError, match=r"at least 1|negative|below"):
        make()
