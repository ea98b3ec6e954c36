"""What notebook 06 states, computed again at other settings: seeds, bases, data."""

import math

import numpy as np
import pytest
import torch
from defined import cells, definitions
from references import row

from helpers import PositionalEncoding, corners
from helpers.lessons import encoder_decoder
from helpers.training import Training, batches

NOTEBOOK = definitions("encoder_decoder")
NONE, PLACES = "without positions", "with positions"
MASK, TABLE = "causal mask instead", "learned table"


def walks(count, seed):
    points, directions = corners.square_sequences(count, seed=seed)
    return torch.tensor(points).float(), torch.tensor(directions).float()


LEARNED, HELD_OUT = walks(1024, 1), walks(1000, 2)


def run(model, loss, data, seed, positions, *, base=10, lr, epochs=6):
    if positions:
        model.add_positions = PositionalEncoding(32, 0.0, 8, base=base)
    training = Training(model, NOTEBOOK[loss], batches(*data), lr=lr, seed=seed)
    return training.run(epochs, bar=False).model


def trained(seed, positions=True, *, data=LEARNED, lr=0.007, **details):
    """A model of section 5, by default trained on the notebook's walks."""
    torch.manual_seed(seed)
    model = NOTEBOOK["EncoderDecoder"](positions)
    return run(model, "corner_loss", data[:1], seed, positions, lr=lr, **details)


def direction(kind, seed, *, lr=0.003, **details):
    """A model of section 7."""
    torch.manual_seed(seed)
    model = NOTEBOOK["direction_model"](kind)
    return run(model, "direction_loss", LEARNED, seed, kind == PLACES, lr=lr, **details)


def accuracy(model, points=HELD_OUT[0]):
    return NOTEBOOK["accuracy"](model, points, HELD_OUT[1])


def error(model):
    points = HELD_OUT[0]
    missed = NOTEBOOK["continue_path"](model, points[:, :2]) - points[:, 2:]
    return missed.square().mean().sqrt().item()


def still_right(model, mirror=False):
    """The share at the right corner when the encoder gets the points exchanged.

    Or at the corner across from point 1, with ``mirror``.
    """
    points = HELD_OUT[0]
    guess = NOTEBOOK["next_point"](model, points[:, [1, 0]], points[:, 1:2])
    return NOTEBOOK["share_at"](-points[:, 1] if mirror else points[:, 2], guess)


@cells("3a2ac283")
def test_two_by_two_by_hand():
    query = torch.tensor([[math.log(3) * 2**0.5, 0.0]])
    output, weights = NOTEBOOK["attend"](query, torch.eye(2), 10 * torch.eye(2))
    assert weights[0].tolist() == pytest.approx([0.75, 0.25])
    assert output[0].tolist() == pytest.approx([7.5, 2.5])


@pytest.mark.parametrize("d_k", [16, 900])
@cells("50b5f7d4")
def test_scores_grow_like_the_root_of_the_width(d_k):
    rng = np.random.default_rng(d_k)
    scores = (rng.normal(size=(4000, d_k)) * rng.normal(size=(4000, d_k))).sum(axis=1)
    assert scores.std() / d_k**0.5 == pytest.approx(1, abs=0.05)


@cells("48311e62")
def test_base_10_tells_two_positions_apart_in_more_columns():
    for base, changed in ((10, 22), (10_000, 6)):
        step = np.subtract(row(1, 32, base), row(0, 32, base))
        assert (abs(step) > 0.1).sum() == changed


@cells("852b5ec2")
def test_every_test_walk_leaks_as_the_stub_stands():
    names = {"corners": corners, "torch": torch, "batches": batches}
    exec(encoder_decoder.find_the_leak.stub, names)
    sets = [next(iter(loader))[0] for loader in names["find_the_leak"](16, 5)]
    train, test = (sorted(walks.flatten(1).tolist()) for walks in sets)
    assert train == test


@pytest.mark.parametrize("kind", [NONE, PLACES, MASK, TABLE])
@cells("718bdad7", "299114a4", "abb712bc")
def test_what_can_tell_a_walk_from_its_reversal(kind):
    torch.manual_seed(3)
    model, points = NOTEBOOK["direction_model"](kind), torch.randn(60, 4, 2)
    same = torch.allclose(model(points), model(points.flip(1)), atol=1e-5)
    assert same == (kind == NONE)


@cells("cc8d344c", "abb712bc")
def test_a_model_without_positions_starts_over_from_the_other_point():
    points = HELD_OUT[0]
    model = trained(31, positions=False)
    for start, other in ((1, 0), (0, 1)):  # it leads across from the other point
        guess = NOTEBOOK["next_point"](model, points[:, :2], points[:, [start]])
        assert NOTEBOOK["share_at"](-points[:, other], guess) > 0.99


@pytest.mark.parametrize(("seed", "positions"), [(42, True), (43, False)])
@cells("87ded78d", "7407d132", "48054bad")
def test_what_one_trained_model_shows(seed, positions):
    torch.manual_seed(seed)
    model, points = NOTEBOOK["EncoderDecoder"](positions), HELD_OUT[0]
    both = batches(LEARNED[0]), batches(points, size=250)
    run = Training(model, NOTEBOOK["corner_loss"], *both, lr=0.007, seed=seed)
    seen = run.run(6, bar=False).history
    assert seen["valid"][0] < seen["train"][0]
    assert seen["valid"][-1] < min(1.2 * seen["train"][-1], 0.02)
    crosses, rings = NOTEBOOK["continue_path"](model, points[:, :2]), points[:, 2:]
    off = [(crosses - to).norm(dim=2) for to in (rings.sign(), rings)]
    assert (off[0] < off[1]).float().mean() > 0.7
    with torch.no_grad():
        model(points[:, :2], points[:, 1:3])
    assert model.decoder.cross_attention.weights[:, :, 0, 0].mean() > 0.5


@pytest.mark.slow
@cells("forty-eight-pairs")
def test_in_pairs_positions_help_by_a_few_per_cent():
    fresh = [(seed, walks(1024, 2000 + seed)) for seed in range(24, 40)]
    without, places = (
        np.array([error(trained(seed, positions, data=data)) for seed, data in fresh])
        for positions in (False, True)
    )
    assert 7 <= (without > places).sum() <= 14
    assert 0 < without.mean() / places.mean() - 1 < 0.04
    assert places.max() > without.min()


@pytest.mark.slow
@cells("87a86d94", "across-from-point-1", "abb712bc")
def test_not_needed_is_not_not_used():
    seeds = (20, 21, 22)
    assert still_right(trained(20, positions=False)) > 0.99
    models = [trained(seed) for seed in seeds]
    shares = [[still_right(m, mirror) for m in models] for mirror in (False, True)]
    still, across = np.array(shares)
    assert still.mean() < 0.4 and still.max() - still.min() > 0.05
    assert across.mean() > 0.8 * (1 - still).mean()
    first = models[0].decoder.cross_attention.weights[:, :, 0].mean(dim=0)
    assert first[:, 0].min() > 0.5  # although it is point 1 itself
    other = {
        base: [still_right(trained(seed, base=base)) for seed in seeds]
        for base in (100, 10_000)
    }
    assert min(other[10_000]) > 0.5
    assert still.mean() < np.mean(other[100]) < np.mean(other[10_000])


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "lr"), [(10, 0.002), (11, 0.005)])
@cells("299114a4", "4a87c173", "abb712bc")
def test_the_direction_needs_a_carrier_of_order(seed, lr):
    backwards = HELD_OUT[0].flip(dims=[1])
    kinds = PLACES, MASK, TABLE, NONE
    places, *others, none = (direction(k, seed, epochs=8, lr=lr) for k in kinds)
    assert accuracy(places, backwards) < 0.05
    assert 0.42 < accuracy(none) < 0.58
    assert min(map(accuracy, [places, *others])) > 0.98
