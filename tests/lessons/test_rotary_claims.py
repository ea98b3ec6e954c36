"""What notebook 07 states, computed again at other settings."""

import math
from functools import cache

import numpy as np
import pandas as pd
import pytest
import torch
from defined import cells, definitions
from references import halves, turned_by_hand

from helpers.encoding import angular_speeds, positional_encoding
from helpers.lessons.engine.by_parts import by_parts

CONSTANTS = ("A", "B", "FILLERS", "SLOPES", "ONE_SIDED", "ahead")
NOTEBOOK = definitions("rotary", CONSTANTS)
# As section 6 adds them.
NOTEBOOK["SLOPES"] |= {"ALiBi's slopes": [1 / 16, 1 / 256], "no slope": [0.0, 0.0]}
NOTEBOOK["ONE_SIDED"] += ["ALiBi's slopes", "no slope"]
slow = pytest.mark.slow
share_right, right_by_offset = NOTEBOOK["share_right"], NOTEBOOK["right_by_offset"]


@cache
def trained(code, seeds=(20, 21), **options):
    return NOTEBOOK["trained"](code, seeds=seeds, **options)


def yes(readers, offsets, length=64):
    """The share of yes, by reader and offset."""
    given = NOTEBOOK["share_yes"]
    return np.array([given(reader, offsets, length) for reader in readers])


def spread(scores):
    """Largest difference between scores with the same offset."""
    return max(np.ptp(np.diagonal(scores, k)) for k in range(-31, 32))


@cells(
    "ce464c37", "97bca58e", "key_before", "e017043c", "along-anti-diagonals", "notes"
)
def test_only_rotating_alike_keeps_the_step():
    both = np.random.default_rng(7).normal(scale=2, size=(2, 1, 64))
    query, key = both.repeat(32, axis=1)
    places = range(1000, 1032)
    turned = turned_by_hand(query, places)
    scores, mixed, opposite = (
        turned @ turned_by_hand(key, places, **how).T
        for how in ({}, {"partner": halves}, {"sign": -1})
    )
    table = positional_encoding(1032, 64)[1000:]
    added = (query + table) @ (key + table).T
    assert spread(scores) < 1e-9
    assert spread(opposite[:, ::-1]) < 1e-9
    assert min(map(spread, (added, mixed, opposite))) > 1
    pos, j = np.unravel_index(scores.argmax(), scores.shape)
    assert j - pos == 21


@pytest.mark.parametrize(
    ("task", "truth"),
    [("sequences", lambda a, b: a < b), ("neighbours", lambda a, b: b == a + 1)],
)
@cells("6f760d35", "c8c08aa5")
def test_the_questions_are_what_they_say(task, truth):
    tokens, answer = NOTEBOOK[task](1000, 12, torch.Generator().manual_seed(0))
    found = [tokens == token for token in (0, 1)]
    assert all((marked.sum(1) == 1).all() for marked in found)
    a, b = (marked.int().argmax(1) for marked in found)
    assert (answer == truth(a, b)).all()
    assert 0.4 < answer.float().mean() < 0.6


@cells("ed6bb10a", "mirror")
@pytest.mark.parametrize(
    ("code", "alike"), [("none", True), ("linear bias", True), ("rotary", False)]
)
def test_mirror_images_look_the_same_to_a_symmetric_code(code, alike):
    tokens, _ = NOTEBOOK["sequences"](50, 23, torch.Generator().manual_seed(1))
    torch.manual_seed(1)
    reader = NOTEBOOK["Reader"](code)
    mirrored = reader(tokens.flip(-1))
    assert torch.allclose(reader(tokens), mirrored, atol=1e-4) == alike


@cells("5b88c2c2", "other-bases", "past_half_a_turn", "809e6340")
def test_the_hands_that_a_base_makes_right_or_alike():
    sines = np.sin(np.arange(1, 16)[:, None] * angular_speeds(16))
    assert (sines > 0).all(axis=0).argmax() == 2
    assert sines[:, 3:].max() < 0.5
    turns = 19 * angular_speeds(16)[:2] / math.tau
    assert turns == pytest.approx([3.02, 0.96], abs=0.005)


@cells("a84fa728", "fcf16698")
def test_hands_that_complete_no_turn_in_131_072_positions():
    llama_3 = torch.tensor(angular_speeds(128, 500_000))
    slower = by_parts(llama_3, 8192, 8, 1, 4)
    for speeds, count in ((llama_3, 15), (slower, 25)):
        assert (131_072 * speeds < math.tau).sum() == count


# A code, and at how many of the lengths 16, 24, 32 and 64 it knows the order.
@slow
@cells("ed6bb10a", "891a467b", "3ee814b7", "60028ec3", "what_extrapolates", "notes")
@pytest.mark.parametrize(
    ("code", "count"),
    [
        ("learned", 1),
        ("sinusoidal", 1),
        ("rotary", 3),
        ("one-sided bias", 4),
        ("no slope", 4),
    ],
)
def test_who_can_tell_the_order(code, count):
    readers = trained(code, base=10_000)
    means = [share_right(readers, n).mean() for n in (16, 24, 32, 64)]
    assert min(means[:count]) > 0.9
    assert max(means[count:], default=0) < 0.9
    share = NOTEBOOK["by_place"](readers)
    assert share[:8, :8].mean() > 0.9
    if count == 1:
        assert means[1] < 0.85
        assert share[5:8, 8:].mean() < 0.4
    else:
        near = np.tri(32, k=6) * np.tri(32, k=6).T == 1
        assert share[near].mean() > 0.95
        assert (share[~near].mean() > 0.9) == (count == 4)
    if count == 4:
        worst = share_right(readers, 512).min()
        assert worst > 0.95 if code == "no slope" else worst < 0.8


# The best pair at a base; offsets at which most readers are right, and most are wrong.
@slow
@cells("a7d4953c", "in-the-bands", "5b88c2c2", "adbd6297", "efd8c40e", "notes")
@pytest.mark.parametrize(
    ("base", "pair", "right", "wrong"),
    [
        (1_000, 2, [31, 32, 33, 34], []),  # before the band ends
        (10_000, 2, [26, 27], []),
        (1_000_000, 1, [*range(1, 16), 44], range(21, 31)),
    ],
)
def test_one_hand_carries_the_order(base, pair, right, wrong):
    readers = trained("rotary", base=base)
    share = np.mean([right_by_offset(reader) for reader in readers], axis=0)
    grey = (np.arange(1, 64) // (math.pi / angular_speeds(16, base)[pair])) % 2 == 1
    assert share[~grey].mean() > 0.8
    assert share[grey].mean() < share[~grey].mean() - 0.2
    alone = NOTEBOOK["alone"](readers)
    assert alone.argmax() == pair
    assert alone.max() > 0.8
    assert max(share[offset - 1] for offset in right) > 0.9
    assert all(share[offset - 1] < 0.5 for offset in wrong)


@slow
@cells("in-the-bands", "notes")
def test_where_fast_hands_outvote_the_one_that_carries_the_order():
    readers = trained("rotary", range(4))  # these are the notebook's
    assert np.mean([right_by_offset(reader)[17 - 1] for reader in readers]) < 0.6
    for reader in readers:
        reader.speeds = reader.speeds * (torch.arange(8) > 1)
        assert right_by_offset(reader)[17 - 1] > 0.9


@slow
@cells("3ee814b7", "slope-costs", "slope-agrees", "notes")
@pytest.mark.parametrize("seeds, all_near", [(range(4), True), (range(10, 13), False)])
def test_a_slope_uses_up_the_lead_over_the_own_key(seeds, all_near):
    readers, before = trained("one-sided bias", seeds), np.arange(4, 512, 4)
    lost = before[np.argmax(yes(readers, -before, 512) > 0.5, axis=1)]
    later = lost - [16 * NOTEBOOK["lead"](reader) for reader in readers]
    assert later.max() < 25 and (not all_near or abs(later).max() <= 10)


@slow
@cells("slope-agrees", "notes")
def test_with_other_seeds_the_flat_slope_looks_for_b():
    assert share_right(trained("ALiBi's slopes", range(10, 12)), 512).mean() > 0.95


@slow
@cells("5b88c2c2", "932991ec", "neither-true-nor-false")
def test_neighbours_use_the_fast_hands_and_are_fooled_where_they_come_round():
    task = NOTEBOOK["neighbours"]
    readers = trained("rotary", task=task, steps=240)
    alone = NOTEBOOK["alone"](readers, task)
    assert set(alone.argsort()[-2:]) == {0, 1}
    assert share_right(readers, 64, task).mean() > 0.85
    offsets = np.r_[-63:0, 1:64]
    said = pd.Series(yes(readers, offsets).mean(axis=0), index=offsets)
    assert said[abs(offsets) < 16].loc[lambda share: share > 0.5].index.tolist() == [1]
    assert said[[-18, 20]].min() > 0.6
