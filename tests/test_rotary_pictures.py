"""Notebook 07: its pictures and its explorables, read back and by their texts."""

import json
import math
import re

import numpy as np
import pytest
from drawing import drawn
from matplotlib.colors import to_rgb
from references import adjacent, halves, rows

from helpers.exercises import rotary
from helpers.explore import rotary as explore
from helpers.look import contrast
from helpers.pictures import rotary as pictures

LENGTHS = (16, 24, 32, 64)

# The pictures


def test_score_maps_hold_the_scores_on_one_scale_and_say_which_is_striped():
    striped = 9 * np.subtract.outer(np.arange(6.0), np.arange(6.0))
    maps = {"one": striped, "two": rows(6, 6)}
    picture = pictures.score_maps(maps)
    limits = set()
    for ax, scores in zip(picture.axes[:2], maps.values(), strict=True):
        image = ax.images[0]
        assert np.array_equal(image.get_array(), scores)
        limits.add(image.get_clim())
    assert limits == {(-45, 45)}
    assert "Constant along every diagonal: one." in picture.alt
    swapped = pictures.score_maps(dict(zip(maps, reversed(maps.values()), strict=True)))
    assert "Constant along every diagonal: two." in swapped.alt


def test_by_offset_puts_each_score_above_its_offset():
    scores = rows(5, 5)
    picture = pictures.by_offset({"scores": scores})
    line = picture.axes[0].lines[0]
    seen = sorted(
        zip(line.get_xdata().tolist(), line.get_ydata().tolist(), strict=True)
    )
    wanted = [(j - p, float(scores[p, j])) for p in range(5) for j in range(5)]
    assert seen == sorted(wanted)
    striped = np.subtract.outer(np.arange(5.0), np.arange(5.0))
    both = pictures.by_offset({"a cloud": scores, "a curve": striped})
    assert both.axes[0].get_ylim() == both.axes[1].get_ylim()
    assert "a cloud: the dots of one offset spread" in both.alt
    assert "a curve: the dots of one offset coincide" in both.alt


def test_layouts_colour_the_two_columns_of_a_pair_alike():
    picture = pictures.layouts(8)
    colours = [tuple(box.get_facecolor()) for box in picture.axes[0].patches]
    first, second = colours[:8], colours[8:16]
    for i in range(4):
        for row, partner in ((first, adjacent), (second, halves)):
            one, two = partner(i, 8)
            assert row[one] == row[two]
    assert len(set(first)) == 4
    assert "split halves: columns 0 and 4 are pair 0" in picture.alt
    assert "adjacent columns: columns 0 and 1 are pair 0" in picture.alt


def test_the_order_task_is_drawn_as_it_is():
    tokens = np.array([[5, 0, 3, 1], [1, 2, 9, 0]])
    picture = pictures.order_task(tokens, [True, False], a=0, b=1)
    texts = [text.get_text() for text in picture.axes[0].texts]
    assert texts == ["3", "A", "1", "B", "A first", "B", "0", "7", "A", "B first"]
    assert "A 1, B 3: A first. A 3, B 0: B first." in picture.alt


def made_up():
    return {
        "weak": {length: np.array([0.5, 0.52, 0.48]) for length in LENGTHS},
        "strong": {length: np.array([0.99, 0.97, 1.0]) for length in LENGTHS},
        "fading": {length: np.array([16, 15.8, 15.6]) / length for length in LENGTHS},
    }


def test_extrapolation_shows_every_seed_and_the_mean():
    results = made_up()
    picture = pictures.extrapolation(results)
    for ax, (name, lengths) in zip(picture.axes, results.items(), strict=True):
        assert ax.get_title(loc="left") == name
        mean, dots = ax.lines[2], ax.lines[3:]
        wanted = [sum(lengths[length]) / 3 for length in LENGTHS]
        assert mean.get_ydata() == pytest.approx(wanted)
        for seed, line in enumerate(dots):
            assert line.get_ydata() == pytest.approx(
                [lengths[n][seed] for n in LENGTHS]
            )
        assert len(dots) == 3
    assert "At 64 every seed is above 0.9 for: strong." in picture.alt
    assert "At 16 every seed is above 0.9 for: strong and fading." in picture.alt


def test_where_right_says_how_right_each_part_is():
    place = np.arange(0, 64, 2)
    inside = (place[:, None] < 16) & (place < 16)
    near = np.abs(place[:, None] - place) < 20
    maps = {"square": inside * 1.0, "band": near * 1.0, "all": np.ones((32, 32))}
    picture = pictures.where_right(maps)
    assert np.array_equal(picture.axes[1].images[0].get_array(), near)
    said = picture.alt
    assert "square: share right 1.00 inside, 0.00 both later and near" in said
    assert "band: share right 1.00 inside, 1.00 both later and near" in said
    assert (
        "all: share right 1.00 inside, 1.00 both later and near each other, 1.00"
        in said
    )
    dark = pictures.where_right({"none": np.zeros((32, 32))})
    assert "none: share right 0.00 inside" in dark.alt


def test_reach_draws_the_shares_and_the_bands_of_one_hand():
    offset = np.arange(1, 64)
    square = {100: (offset // 20) % 2 == 0, 200: np.ones(63)}
    measured = {base: np.array([share, share * 1.0]) for base, share in square.items()}
    picture = pictures.reach(measured, {100: (1, 20.0), 200: (2, 31.5)})
    assert [ax.get_ylim() for ax in picture.axes] == [picture.axes[0].get_ylim()] * 2
    for ax, share in zip(picture.axes, square.values(), strict=True):
        assert np.array_equal(ax.lines[-1].get_xdata(), offset)
        assert np.array_equal(ax.lines[-1].get_ydata(), share)
    bands = [
        patch.get_extents().transformed(picture.axes[0].transData.inverted())
        for patch in picture.axes[0].patches
    ]
    assert [(band.x0, band.x1) for band in bands] == [
        pytest.approx((20, 40)),
        pytest.approx((60, 63.5)),
    ]
    assert (
        "Base 100, pair 1, half turn 20.0: 1.00 outside the bands, 0.00" in picture.alt
    )
    opposite = pictures.reach({100: 1 - measured[100]}, {100: (1, 20.0)})
    assert "0.00 outside the bands, 1.00 inside" in opposite.alt


def test_stopped_hands_shows_every_number_and_names_the_lowest():
    shares = {"one": np.array([1, 0.6, 0.93]), "two": np.array([0.5, 1, 1])}
    picture = pictures.stopped_hands(shares)
    ax = picture.axes[0]
    assert np.array_equal(ax.images[0].get_array(), list(shares.values()))
    assert [text.get_text() for text in ax.texts] == [
        f"{value:.2f}" for row in shares.values() for value in row
    ]
    assert "one, pair 1 (0.60); two, pair 0 (0.50)." in picture.alt


def test_drift_shows_its_numbers():
    picture = pictures.drift(
        2 ** np.arange(4), {"wide": [1e-9] * 4, "half": [9] * 4}, 3
    )
    lines = picture.axes[0].lines[1:]
    assert [list(line.get_ydata()) for line in lines] == [[1e-9] * 4, [9] * 4]
    assert "typical score for: half." in picture.alt


def test_text_in_boxes_is_readable():
    tokens = np.array([[5, 0, 3, 1], [1, 2, 9, 0]])
    for picture in (
        pictures.layouts(8),
        pictures.order_task(tokens, [True, False], a=0, b=1),
    ):
        (ax,) = picture.axes
        for text in ax.texts:
            x, y = text.get_position()
            box = [
                b
                for b in ax.patches
                if b.get_x() < x < b.get_x() + b.get_width()
                and b.get_y() < y < b.get_y() + b.get_height()
            ]
            ground = box[0].get_facecolor() if box else "#ffffff"
            assert contrast(to_rgb(text.get_color()), ground) >= 4.5
            assert text.get_fontsize() >= 8


def test_no_line_of_drift_is_told_by_colour_alone():
    names = ["one", "two", "three", "four", "five"]
    picture = pictures.drift(2 ** np.arange(4), {name: [1] * 4 for name in names}, 3)
    lines = picture.axes[0].lines[1:]
    assert len({line.get_marker() for line in lines}) == len(names)


# The explorables


def hands_drawn(pos, k, mode):
    marks = drawn(explore.hands, pos=pos, k=k, mode=mode)
    (score,) = {mark["score"] for mark in marks if "said" in mark}
    parts = [m["contribution to the score"] for m in marks if "pair" in m and _part(m)]
    return score, parts


def _part(mark):
    return "contribution to the score" in mark


@pytest.mark.parametrize(("pos", "k"), [(3, 4), (50, -7)])
@pytest.mark.parametrize("mode", explore.MODES)
def test_the_hands_score_as_computed_by_hand(pos, k, mode):
    score, parts = hands_drawn(pos, k, mode)
    wanted = []
    for i, (q, s) in enumerate(zip(explore._QUERY, explore._KEY, strict=True)):
        here, there = (p / 10_000 ** (i / 4) for p in (pos, pos + k))
        if mode == explore.MODES[0]:  # clockwise: the direction grows with the angle
            wanted.append(math.cos((q + here) - (s + there)))
        else:
            query = math.sin(q) + math.sin(here), math.cos(q) + math.cos(here)
            key = math.sin(s) + math.sin(there), math.cos(s) + math.cos(there)
            wanted.append(query[0] * key[0] + query[1] * key[1])
    assert parts == pytest.approx(wanted, abs=1e-4)
    assert score == pytest.approx(sum(wanted), abs=1e-4)


def test_moving_both_changes_no_score_only_when_rotated():
    rotated, added = (
        [hands_drawn(pos, 5, mode)[0] for pos in (3, 90)] for mode in explore.MODES
    )
    assert rotated == pytest.approx([rotated[0]] * 2, abs=1e-5)
    assert max(added) - min(added) > 0.5


@pytest.mark.parametrize(
    ("base", "trained", "carrier"),
    [
        (10_000, 16, 2),
        (10_000, 8, 1),
        (1_000, 16, 2),
        (100_000, 16, 1),
        (1_000_000, 16, 1),
    ],
)
def test_the_strips_are_the_sines_and_the_carrier_is_the_fastest_right_one(
    base, trained, carrier
):
    marks = drawn(explore.signs, base=base, trained=trained)
    strips = [mark for mark in marks if "sine" in mark]
    assert len(strips) == 8 * 63
    half = rotary.half_turns.reference(16, base)
    for mark in strips:
        pair = int(mark["hand"][-1])
        assert mark["half turn"] == pytest.approx(half[pair], rel=0.05)
        wanted = math.sin(mark["offset"] * math.pi / half[pair])
        assert mark["sine"] == pytest.approx(wanted, abs=0.006)
    told = [mark["said"] for mark in marks if "said" in mark]
    assert [said.startswith("←") for said in told].index(True) == carrier
    for pair, said in enumerate(told):
        weights = {k: trained - k for k in range(1, trained)}
        right = sum(
            w for k, w in weights.items() if math.sin(k * math.pi / half[pair]) > 0
        )
        percent = float(re.search(r"(\d+)% right", said)[1])
        assert percent == pytest.approx(100 * right / sum(weights.values()), abs=0.51)
        assert f"half turn {half[pair]:,.1f}" in said


@pytest.mark.parametrize(("base", "power"), [(10_000, 12), (10_000, 17), (500_000, 17)])
def test_turns_within_a_context(base, power):
    marks = drawn(explore.turns, base=base, power=power)
    dots = [mark for mark in marks if "pair i" in mark]
    assert len(dots) == 64
    slow = 0
    for dot in dots:
        wanted = 2**power / base ** (2 * dot["pair i"] / 128) / (2 * math.pi)
        assert dot["turns within the context"] == pytest.approx(wanted, rel=1e-4)
        slow += wanted < 1
    said = [dot["goes_round"] for dot in dots]
    assert said.count("never goes round") == slow
    shape = explore.turns().to_dict()["layer"][1]["encoding"]["shape"]["scale"]
    assert len(set(shape["range"])) == len(shape["domain"]) == 2


def test_the_explorables_are_small():
    for chart in (explore.hands(), explore.turns(), explore.signs()):
        assert len(json.dumps(chart.to_dict())) < 60_000
