"""What notebook 06 states, computed again with other seeds and other walks."""

import math

import numpy as np
import pytest
import torch
from defined import cells, definitions
from references import row

from helpers import corners
from helpers.lessons import encoder_decoder
from helpers.training import batches

NOTEBOOK = definitions("encoder_decoder")
NONE, PLACES = "without positions", "with positions"
MASK, TABLE = "causal mask instead", "learned table"


def walks(count, seed):
    points, directions = corners.square_sequences(count, seed=seed)
    return torch.tensor(points).float(), torch.tensor(directions).float()


WALKS, TURNS = walks(1000, 2)
NOTEBOOK["train"], NOTEBOOK["turns"] = walks(1024, 1)
NOTEBOOK.update(held_out=WALKS, other_turns=TURNS, point_1=WALKS[:, 1:2])
NOTEBOOK["exchanged"] = WALKS[:, [1, 0]]
next_point, share_at = NOTEBOOK["next_point"], NOTEBOOK["share_at"]


def trained(seed, positions=True, base=10):
    """A model of section 5, and its history."""
    training = NOTEBOOK["start"](positions, seed, base).run(6, bar=False)
    return training.model, training.history


def still_right(model, corner=WALKS[:, 2]):
    """The share at this corner when the encoder gets the points exchanged."""
    return NOTEBOOK["after_exchange"](model, corner)


@cells("3a2ac283")
def test_two_by_two_by_hand():
    query = torch.tensor([[math.log(3) * 2**0.5, 0.0]])
    output, weights = NOTEBOOK["attend"](query, torch.eye(2), 10 * torch.eye(2))
    assert weights[0].tolist() == pytest.approx([0.75, 0.25])
    assert output[0].tolist() == pytest.approx([7.5, 2.5])


@cells("50b5f7d4")
def test_scores_grow_like_the_root_of_the_width_and_one_takes_all():
    largest = []
    for d_k in (4, 64, 900):
        x, y = np.random.default_rng(d_k).normal(size=(2, 4000, d_k))
        scores = (x * y).sum(axis=1)
        assert scores.std() / d_k**0.5 == pytest.approx(1, abs=0.1)
        for divided in (scores, scores / d_k**0.5):
            rows = torch.tensor(divided).reshape(-1, 10).softmax(dim=1)
            largest.append(rows.amax(dim=1).mean().item())
    plain, after = largest[::2], largest[1::2]
    assert plain == sorted(plain) and plain[-1] > 0.9
    assert max(after) - min(after) < 0.05


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


@cells("718bdad7", "299114a4", "abb712bc")
def test_what_can_tell_a_walk_from_its_reversal():
    for kind in (NONE, PLACES, MASK, TABLE):
        torch.manual_seed(3)
        model, points = NOTEBOOK["direction_model"](kind), torch.randn(60, 4, 2)
        same = torch.allclose(model(points), model(points.flip(1)), atol=1e-5)
        assert same == (kind == NONE)


@pytest.mark.parametrize(("seed", "positions"), [(42, True), (43, False)])
@cells("87ded78d", "7407d132", "48054bad", "cc8d344c", "abb712bc")
def test_what_one_trained_model_shows(seed, positions):
    model, seen = trained(seed, positions)
    assert seen["valid"][0] < seen["train"][0]
    assert seen["valid"][-1] < min(1.2 * seen["train"][-1], 0.02)
    crosses, rings = NOTEBOOK["continue_path"](model, WALKS[:, :2]), WALKS[:, 2:]
    corner, ring = ((crosses - to).norm(dim=2) for to in (rings.sign(), rings))
    assert (corner < ring).float().mean() > 0.7
    for start, other in ((0, 1), (1, 0)):  # without, across from the other point
        guess = next_point(model, WALKS[:, :2], WALKS[:, [start]])
        assert positions or share_at(-WALKS[:, other], guess) > 0.99
    assert model.decoder.cross_attention.weights[:, :, 0, 0].mean() > 0.5


@pytest.mark.slow
@cells("forty-eight-pairs")
def test_in_pairs_positions_help_by_a_few_per_cent(monkeypatch):
    pairs = []
    for seed in range(24, 40):
        monkeypatch.setitem(NOTEBOOK, "train", walks(1024, 2000 + seed)[0])
        models = [trained(seed, positions)[0] for positions in (False, True)]
        pairs.append([NOTEBOOK["error"](model) for model in models])
    without, places = np.transpose(pairs)
    assert 7 <= (without > places).sum() <= 14
    assert 0 < without.mean() / places.mean() - 1 < 0.04
    assert places.max() > without.min()


@pytest.mark.slow
@cells("87a86d94", "across-from-point-1", "abb712bc")
def test_not_needed_is_not_not_used():
    assert still_right(trained(20, positions=False)[0]) > 0.99
    still = {}
    for base in (10, 100, 10_000):
        models = [trained(seed, base=base)[0] for seed in (20, 21, 22)]
        still[base] = np.array([still_right(model) for model in models])
        if base == 10:
            across = np.mean([still_right(m, -WALKS[:, 1]) for m in models])
            looks = models[0].decoder.cross_attention.weights[:, :, 0, 0]
    assert across > 0.8 * (1 - still[10].mean())
    assert looks.mean() > 0.5  # at the first place, although it is point 1 itself
    assert still[10].mean() < 0.4 and np.ptp(still[10]) > 0.05
    assert still[10].mean() < still[100].mean() < still[10_000].mean()
    assert still[10_000].min() > 0.5


@pytest.mark.slow
@pytest.mark.parametrize("seed", [10, 11])
@cells("299114a4", "4a87c173", "abb712bc")
def test_the_direction_needs_a_carrier_of_order(seed):
    for kind in (NONE, PLACES, MASK, TABLE):
        model = NOTEBOOK["start_direction"](kind, seed).run(6, bar=False).model
        ways = [NOTEBOOK["accuracy"](model, p, TURNS) for p in (WALKS, WALKS.flip(1))]
        assert ways[0] > 0.98 if kind != NONE else 0.42 < ways[0] < 0.58
        assert kind != PLACES or ways[1] < 0.05
