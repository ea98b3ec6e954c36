"""What notebook 07 states, computed again at other settings."""

import math

import numpy as np
import pytest
import torch
from defined import cells, definitions
from references import halves, row, rows, turned_by_hand

from helpers.encoding import angular_speeds

CONSTANTS = ("A", "B", "FILLERS", "SLOPES", "ONE_SIDED", "ahead")
NOTEBOOK = definitions("rotary", CONSTANTS)
# As section 6 adds them.
NOTEBOOK["SLOPES"] |= {"ALiBi's slopes": [1 / 16, 1 / 256], "no slope": [0.0, 0.0]}
NOTEBOOK["ONE_SIDED"] += ["ALiBi's slopes", "no slope"]
SEEDS = range(20, 23)

trained, share_right = NOTEBOOK["trained"], NOTEBOOK["share_right"]


def yes(readers, offsets, length=64):
    """The share of yes, by reader and offset."""
    given = NOTEBOOK["share_yes"]
    return np.array([given(reader, offsets, length) for reader in readers])


def spread(scores):
    """Largest difference between scores with the same offset."""
    n = len(scores)
    return max(np.ptp(np.diagonal(scores, k)) for k in range(1 - n, n))


@pytest.mark.parametrize("start", [0, 3, 1000])
@cells("ce464c37", "97bca58e", "key_before", "notes")
def test_rotating_keeps_the_step_and_adding_does_not(start):
    places = range(start, start + 32)
    q, k = np.random.default_rng(7).normal(scale=2, size=(2, 64))
    query, key = (turned_by_hand(np.tile(x, (32, 1)), places) for x in (q, k))
    scores = query @ key.T
    assert spread(scores) < 1e-9
    assert scores[[3, 13], [13, 3]].round(1).tolist() == [17.5, -3.2]
    pos, j = np.unravel_index(scores.argmax(), scores.shape)
    assert j - pos == 21
    table = np.array([row(place, 64) for place in places])
    assert spread(table @ table.T) < 1e-9 and spread((q + table) @ (k + table).T) > 1


@cells("809e6340")
def test_only_the_sine_parts_tell_the_sides_apart():
    for seed in range(3):
        q, k = rows(2, 2, seed)
        c, s = q @ k, q[0] * k[1] - q[1] * k[0]
        for angle in (0.3, -2.0):
            cosine, sine = np.cos(angle), np.sin(angle)
            turned = np.array([[cosine, sine], [-sine, cosine]])
            assert q @ turned @ k == pytest.approx(c * cosine + s * sine)
            assert k @ turned @ k == pytest.approx(k @ turned.T @ k)
            assert abs(q @ turned @ k - q @ turned.T @ k) > 1e-3


@cells("e017043c", "along-anti-diagonals")
def test_mixed_layouts_and_opposite_directions():
    query, key = (np.tile(rows(1, 64, seed), (30, 1)) for seed in (1, 2))
    places = range(7, 37)
    one = turned_by_hand(query, places)
    opposite = one @ turned_by_hand(key, places, sign=-1).T
    assert spread(one @ turned_by_hand(key, places, halves).T) > 1
    assert spread(opposite) > 1 and spread(opposite[:, ::-1]) < 1e-9


@cells("ed6bb10a", "mirror")
def test_mirror_images_look_the_same_to_a_symmetric_code():
    tokens, _ = NOTEBOOK["sequences"](50, 23, torch.Generator().manual_seed(1))
    for code, alike in (("none", True), ("linear bias", True), ("rotary", False)):
        torch.manual_seed(1)
        reader = NOTEBOOK["Reader"](code)
        mirrored = reader(tokens.flip(-1))
        assert torch.allclose(reader(tokens), mirrored, atol=1e-4) == alike


@cells("notes")
def test_counts_of_places():
    for length, share, guessed in ((32, 73, 86), (64, 42, 71)):
        apart = abs(np.subtract.outer(range(length), range(length)))
        near = np.mean(apart[apart > 0] < 16)
        assert [round(100 * near), round(50 + 50 * near)] == [share, guessed]


@cells("5b88c2c2", "other-bases", "past_half_a_turn", "809e6340")
def test_turns():
    offsets = np.arange(1, 16)[:, None]
    sines = np.sin(offsets * angular_speeds(16))
    assert (sines > 0).all(axis=0).tolist() == [False] * 2 + [True] * 6
    assert sines[:, 3:].max() < 0.5
    at_a_million = np.sin(offsets * angular_speeds(16, 1_000_000))
    assert (at_a_million[:, 1] > 0).all() and at_a_million[:, 2].max() < 0.5
    turns = 19 * angular_speeds(16)[:2] / math.tau
    assert turns.round(2).tolist() == [3.02, 0.96]
    assert math.pi / angular_speeds(16)[2] == pytest.approx(31.4, abs=0.05)


@cells("a84fa728", "fcf16698")
def test_hands_that_complete_no_turn_in_131_072_positions():
    # Llama 3.1's scaling as its configuration tells it, in wavelengths
    factor, low, high, length = 8, 1, 4, 8192
    speeds = angular_speeds(128, 500_000)
    smooth = (length / (math.tau / speeds) - low) / (high - low)
    smooth = smooth.clip(0, 1)
    llama_31 = (1 - smooth) * speeds / factor + smooth * speeds
    for given, count in ((angular_speeds(128), 0), (speeds, 15), (llama_31, 25)):
        assert (131_072 * given < math.tau).sum() == count


@cells("f26e12e6")
def test_half_precision():
    queries, keys = (np.tile(rows(1, 128, seed), (32, 1)) for seed in (5, 6))
    rotated = [turned_by_hand(x, range(32)) for x in (queries, keys)]
    NOTEBOOK.update(n=32, d_model=128, queries=queries, keys=keys)
    NOTEBOOK["rotated"], error = rotated[0] @ rotated[1].T, NOTEBOOK["error_at"]
    assert error(16, torch.bfloat16) < 1 < error(256, torch.bfloat16)
    assert error(256, torch.float16) < 1 < error(16_384, torch.float16)
    assert error(32_768, torch.float32) < 0.1
    last = [error(start, torch.bfloat16, True) for start in (0, 1024, 32_768)]
    assert max(last) < 0.1 and max(last) < 3 * min(last)


@pytest.mark.slow
@cells("ed6bb10a", "891a467b", "3ee814b7", "60028ec3", "what_extrapolates", "notes")
def test_who_can_tell_the_order():
    # At how many of the four lengths each of them knows the order.
    able = {"none": 0, "linear bias": 0, "learned": 1, "sinusoidal": 1, "rotary": 3}
    for code, count in (able | {"one-sided bias": 4, "no slope": 4}).items():
        readers = trained(code, seeds=SEEDS)
        means = [share_right(readers, n).mean() for n in (16, 24, 32, 64)]
        assert [mean > 0.9 for mean in means] == [n < count for n in range(4)], code
        if count == 4:
            worst = share_right(readers, 512).min()
            assert worst > 0.95 if code == "no slope" else worst < 0.8
        if count:
            share = NOTEBOOK["by_place"](readers)
            near = abs(np.subtract.outer(range(32), range(32))) < 7
            assert share[:8, :8].mean() > 0.9
            if count == 1:
                assert means[1] < 0.85 and share[5:8, 8:].mean() < 0.4
            else:
                assert share[near].mean() > 0.95
                assert (share[~near].mean() > 0.95) == (count == 4)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("base", "pair"), [(1_000, 2), (10_000, 2), (100_000, 1), (1_000_000, 1)]
)
@cells("a7d4953c", "in-the-bands", "5b88c2c2", "adbd6297", "efd8c40e", "notes")
def test_one_hand_carries_the_order(base, pair):
    readers = trained("rotary", seeds=SEEDS, base=base)
    after, before = (yes(readers, way * NOTEBOOK["ahead"]) for way in (1, -1))
    level = abs(after - before) < 0.1  # where half of the answers are right
    assert (abs(after - 0.5)[level] > 0.3).mean() > 0.9 and level.sum() > 5
    share = np.mean((after + 1 - before) / 2, axis=0)
    half = math.pi / angular_speeds(16, base)[pair]
    grey = (np.arange(1, 64) // half) % 2 == 1
    assert share[~grey].mean() > 0.8
    assert share[grey].mean() < share[~grey].mean() - 0.2
    alone = NOTEBOOK["alone"](readers)
    assert alone.argmax() == pair and alone.max() > 0.8
    if base == 1_000:
        assert share[30:34].max() > 0.8  # before the band ends
    if base == 10_000:
        assert share[25:27].min() > 0.9 > share[30] + 0.1
    if base == 1_000_000:
        assert share[:15].min() > 0.9 and share[20:30].max() < 0.5
        assert share[24 - 1] < 0.1 and share[44 - 1] > 0.9


@pytest.mark.slow
@cells("3ee814b7", "slope-costs", "slope-agrees", "notes")
def test_a_slope_uses_up_the_lead_over_the_own_key():
    before = np.arange(4, 512, 4)
    for seeds in (range(4), range(10, 18)):
        readers = trained("one-sided bias", seeds=seeds)
        lost = before[np.argmax(yes(readers, -before, 512) > 0.5, axis=1)]
        later = lost - [16 * NOTEBOOK["lead"](reader) for reader in readers]
        assert later.max() < 25 and (abs(later) < 25).sum() >= 4
    # Which head looks for B decides how far ALiBi's slopes reach.
    for seeds, far in ((range(4), False), (range(10, 14), True)):
        mean = share_right(trained("ALiBi's slopes", seeds=seeds), 512).mean()
        assert mean > 0.95 if far else mean < 0.8


@pytest.mark.slow
@cells("in-the-bands", "notes")
def test_where_fast_hands_outvote_the_one_that_carries_the_order():
    readers, right = trained("rotary", seeds=range(4)), NOTEBOOK["right_by_offset"]
    assert np.mean([right(reader)[17 - 1] for reader in readers]) < 0.6
    for reader in readers:
        reader.speeds = reader.speeds * (torch.arange(8) > 1)
        assert right(reader)[17 - 1] > 0.9


@pytest.mark.slow
@cells("5b88c2c2", "932991ec", "neither-true-nor-false")
def test_neighbours_use_the_fast_hands_and_are_fooled_where_they_come_round():
    task = NOTEBOOK["neighbours"]
    readers = trained("rotary", task, steps=240, seeds=SEEDS)
    alone = NOTEBOOK["alone"](readers, task)
    assert set(alone.argsort()[-2:]) == {0, 1}
    assert share_right(readers, 64, task).mean() > 0.85
    offsets = np.r_[-63:0, 1:64]
    said = dict(zip(offsets.tolist(), yes(readers, offsets).mean(axis=0), strict=True))
    assert [o for o in range(-15, 16) if o and said[o] > 0.5] == [1]
    assert min(said[-18], said[20]) > 0.6
