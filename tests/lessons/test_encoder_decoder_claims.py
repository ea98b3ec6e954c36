"""What notebook 06 states, computed again with other seeds and other walks."""

from functools import cache

import numpy as np
import pytest
import torch
from defined import cells, definitions

from helpers import corners

NOTEBOOK = definitions("encoder_decoder")
NONE, PLACES = "without positions", "with positions"
MASK, TABLE = "causal mask instead", "learned table"
slow = pytest.mark.slow


def walks(count, seed):
    points, directions = corners.square_sequences(count, seed=seed)
    return torch.tensor(points).float(), torch.tensor(directions).float()


WALKS, TURNS = walks(1000, 2)
NOTEBOOK["train"], NOTEBOOK["turns"] = walks(1024, 1)
NOTEBOOK.update(held_out=WALKS, other_turns=TURNS, point_1=WALKS[:, 1:2])
NOTEBOOK["exchanged"] = WALKS[:, [1, 0]]
share_at, still_right = NOTEBOOK["share_at"], NOTEBOOK["after_exchange"]


@cache
def trained(seed, positions, base):
    """A training of section 5 that is done."""
    return NOTEBOOK["start"](positions, seed, base).run(6, bar=False)


@cells("718bdad7", "299114a4", "abb712bc")
@pytest.mark.parametrize("kind", [NONE, PLACES, MASK, TABLE])
def test_what_can_tell_a_walk_from_its_reversal(kind):
    torch.manual_seed(3)
    model, points = NOTEBOOK["direction_model"](kind), torch.randn(60, 4, 2)
    same = torch.allclose(model(points), model(points.flip(1)), atol=1e-5)
    assert same == (kind == NONE)


@pytest.mark.parametrize(("seed", "positions"), [(42, True), (43, False)])
@cells("87ded78d", "7407d132", "48054bad", "cc8d344c", "abb712bc")
def test_what_one_trained_model_shows(seed, positions):
    training = trained(seed, positions, 10)
    model, seen = training.model, training.history
    assert seen["valid"][0] < seen["train"][0]
    assert seen["valid"][-1] < min(1.2 * seen["train"][-1], 0.02)

    crosses, rings = NOTEBOOK["continue_path"](model, WALKS[:, :2]), WALKS[:, 2:]
    corner, ring = ((crosses - to).norm(dim=2) for to in (rings.sign(), rings))
    assert (corner < ring).float().mean() > 0.7
    for start, other in ((0, 1), (1, 0)):  # without, across from the other point
        guess = NOTEBOOK["next_point"](model, WALKS[:, :2], WALKS[:, [start]])
        assert positions or share_at(-WALKS[:, other], guess) > 0.99
    assert model.decoder.cross_attention.weights[:, :, 0, 0].mean() > 0.5


@slow
@cells("forty-eight-pairs")
def test_in_pairs_positions_help_by_a_few_per_cent_at_most():
    without, places = (
        np.array([NOTEBOOK["error"](trained(s, kind, 10).model) for s in range(20, 26)])
        for kind in (False, True)
    )
    assert without.mean() == pytest.approx(places.mean(), rel=0.05)
    assert places.max() > without.min()
    assert without.max() > places.min()


@slow
@cells("87a86d94", "across-from-point-1", "abb712bc")
def test_not_needed_is_not_not_used():
    point_1, point_2 = WALKS[:, 1], WALKS[:, 2]
    assert still_right(trained(20, False, 10).model, point_2) > 0.99

    def mean(base, point):
        models = [trained(seed, True, base).model for seed in (20, 21, 22)]
        return np.mean([still_right(model, point) for model in models])

    still = [mean(base, point_2) for base in (10, 100, 10_000)]

    assert still == sorted(still)
    assert still[0] < 0.4
    assert still[2] > 0.5
    assert mean(10, -point_1) > 0.8 * (1 - still[0])

    # At the first place, although it is point 1 itself.
    looks = trained(20, True, 10).model.decoder.cross_attention.weights
    assert looks[:, :, 0, 0].mean() > 0.5


@slow
@cells("299114a4", "4a87c173", "abb712bc")
@pytest.mark.parametrize("kind", [NONE, PLACES, MASK, TABLE])
def test_the_direction_needs_a_carrier_of_order(kind):
    model = NOTEBOOK["start_direction"](kind, 10).run(6, bar=False).model
    right = NOTEBOOK["accuracy"](model, WALKS, TURNS)
    assert 0.42 < right < 0.58 if kind == NONE else right > 0.98
    if kind == PLACES:
        assert NOTEBOOK["accuracy"](model, WALKS.flip(1), TURNS) < 0.05
