"""Notebook 06: its pictures, read back, and what their texts tell."""

from collections import Counter

import numpy as np
import pytest
from drawing import shows
from references import rows
from seen import titles, words

from helpers import corners
from helpers.lessons.encoder_decoder import pictures

WITHOUT, PLACES = "without positions", "with positions"


def arrows(ax):
    return [text.arrow_patch for text in ax.texts if hasattr(text, "arrow_patch")]


def test_attention_steps_show_the_numbers():
    scores, weights = np.array([[[0.5, -1], [2, 0.25]], [[0.82, 0.18], [0.85, 0.15]]])
    matrices = scores, weights, rows(2, 3), rows(2, 3, 1)
    picture = pictures.attention_steps(*matrices)
    shows(
        picture, *matrices, says=["Query 1 gives 85% of its weight to key 0, so row 1"]
    )
    assert words(picture.axes[1]) == ["0.82", "0.18", "0.85", "0.15"]


def test_the_model_names_the_shapes():
    counts = Counter(words(pictures.corner_model(24).axes[0]))
    shown = {"(batch, 2, 24)": 9, "(batch, 2, 2)": 3, "+ positions": 2}
    assert shown.items() <= counts.items()


def test_squares_are_numbered_where_the_points_are():
    points, directions = corners.square_sequences(3, seed=5)
    points[1, 2] = 1.3, 1.4  # 0.5 off its corner, the others less
    picture = pictures.squares(points, directions)

    shows(picture, told=["noise puts a point up to 0.50 off its corner"])
    named = ["clockwise" if d else "counter-clockwise" for d in directions]
    assert titles(picture)[1:] == named
    for ax, path in zip(picture.axes, points.tolist(), strict=True):
        assert words(ax) == ["0", "1", "2", "3"]
        places = [t.get_position() for t in ax.texts if t.get_text()]
        assert places == list(map(tuple, path))
        dashes = [arrow.get_linestyle() for arrow in arrows(ax)]
        assert dashes == ["solid", "--", "--"]


def test_predictions_are_crosses_the_truth_is_rings_and_the_right_ones_are_counted():
    given, truth = np.ones((2, 4, 2, 2))
    guess = 1.2 * truth
    guess[1:, 0] = -1
    picture = pictures.predicted_squares(given, truth, guess)
    for n, ax in enumerate(picture.axes[:4]):
        rings, crosses = (line.get_xydata() for line in ax.lines[-2:])
        assert (rings == truth[n]).all()
        assert (crosses == guess[n]).all()
    shows(picture, told=["In 1 of 4 squares"])


@pytest.mark.parametrize(
    "floor, told", [(0.01, "Both losses"), (0.02, "Not both losses")]
)
def test_losses_draw_both_curves_and_the_floor(floor, told):
    history = {"train": [1.0, 0.1, 0.012], "valid": [0.04, 0.035, 0.03]}
    picture = pictures.losses(history, floor)
    shows(picture, *history.values(), [floor, floor], told=[f"{told} end above"])
    labels = {t.get_text().strip(): t.get_position() for t in picture.axes[0].texts}
    # At the first epoch they differ most.
    assert labels["training"] == (1, 1.0)
    assert labels["held out"] == (1, 0.04)


@pytest.mark.parametrize(
    "second, told",
    [([0.12, 0.11], "overlap"), ([0.13, 0.15], "do not overlap")],
)
def test_every_seed_has_its_dot_over_the_noise(second, told):
    errors = {WITHOUT: [0.11, 0.118], PLACES: second}
    told = f"errors {WITHOUT} and {PLACES} {told}"
    shows(pictures.ablation_dots(errors, floor=0.1), *errors.values(), told=[told])


def test_every_share_has_its_dot_and_its_mean():
    back = f"{PLACES}, backwards"
    shares = {WITHOUT: [0.47, 0.53], PLACES: [1.0, 0.999], back: [0.0, 0.3]}
    picture = pictures.share_strips(shares, "right ones", chance=0.5)
    (ax,) = picture.axes

    dots = [line for line in ax.lines if line.get_marker() == "o"]
    assert [line.get_xdata().tolist() for line in dots] == list(shares.values())
    assert {"mean 0.50", "mean 1.00", "mean 0.15", "chance"} <= set(words(ax))
    said = (
        f"{WITHOUT}, between 0.4 and 0.6; {PLACES}, between 0.9 and 1; "
        f"{back}, between 0 and 0.4"
    )
    shows(picture, told=[f"Right ones: fewest “{back}”"], says=[said])


def test_every_seed_has_its_curve():
    chance, learned = [[0.5, 0.5], [0.4, 0.5]], [[0.5, 1.0], [0.6, 0.94]]
    picture = pictures.accuracy_curves({WITHOUT: chance, PLACES: learned})
    told = f"end: {WITHOUT}, between 0.4 and 0.6; {PLACES}, between 0.9 and 1"
    shows(picture, *chance, *learned, told=[told])


def test_an_arrow_for_each_weight_and_where_most_of_them_goes():
    weights = np.array([[[0.9, 0.1], [0.25, 0.75]], [[0.2, 0.8], [0, 1]]])
    picture = pictures.attention_arrows("cross", weights, ["q", "r"], ["one", "two"])
    shows(picture, told=["q looks most at one or two; r looks most at two"])
    for ax, head in zip(picture.axes, weights, strict=True):
        wide = np.array([arrow.get_linewidth() for arrow in arrows(ax)])
        assert np.allclose(wide - 0.6, 7 * head.ravel())
        ends = {t.get_text(): t.get_position()[0] for t in ax.texts if t.get_text()}
        told = [text.xy[0] for text in ax.texts if hasattr(text, "arrow_patch")]
        assert told == [ends["one"], ends["two"]] * 2
        assert {f"{weight:.0%}" for weight in head.ravel()} <= set(words(ax))
