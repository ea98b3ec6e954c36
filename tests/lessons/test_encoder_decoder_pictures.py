"""Notebook 06: its pictures, read back, and their texts for data and their opposite."""

import numpy as np
import pytest
from drawing import shows
from seen import titles, words

from helpers import corners
from helpers.lessons.encoder_decoder import pictures

WITHOUT, PLACES = "without positions", "with positions"
LEARNED = f"{WITHOUT}, between 0.4 and 0.6; {PLACES}, between 0.9 and 1"


def test_attention_steps_show_the_numbers():
    scores = np.array([[0.5, -1.0], [2.0, 0.25]])
    weights = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    value = np.array([[1.0, 2.0, 3.0], [-1.0, 0.0, 4.0]])
    picture = pictures.attention_steps(scores, weights, value, weights @ value)
    shows(picture, scores, weights, value, weights @ value)
    shown = [float(text) for text in words(picture.axes[1])]
    assert shown == pytest.approx(weights.ravel(), abs=0.005)


def test_masks_say_look_where_looking_is_allowed():
    mask, padding = np.tri(2, dtype=bool), np.array([[True, False]] * 2)
    picture = pictures.masks({"causal": mask, "padding": padding, "odd": ~mask})
    assert words(picture.axes[0]) == ["look", "–", "look", "look"]
    assert "causal, every query sees itself and what is before it" in picture.alt
    assert "padding, every query sees keys 0" in picture.alt
    assert "odd, every query sees the keys marked 'look'" in picture.alt


def test_the_model_names_the_shapes():
    said = words(pictures.corner_model(24).axes[0])
    counts = [said.count(s) for s in ("(batch, 2, 24)", "(batch, 2, 2)", "+ positions")]
    assert counts == [9, 3, 2]


def test_squares_are_numbered_where_the_points_are():
    points, directions = corners.square_sequences(3, seed=5)
    picture = pictures.squares(points, directions)
    named = ["clockwise" if d else "counter-clockwise" for d in directions]
    assert titles(picture) == named
    assert picture.alt.endswith(f"{', '.join(named)}.")
    for ax, path in zip(picture.axes, np.asarray(points), strict=True):
        places = [text.get_position() for text in ax.texts if text.get_text()]
        assert words(ax) == ["0", "1", "2", "3"] and np.array_equal(places, path)


def test_predictions_are_crosses_the_truth_is_rings_and_the_right_ones_are_counted():
    given, truth = np.ones((2, 4, 2, 2))
    guess = truth.copy()
    guess[1:] = -1
    picture = pictures.predicted_squares(given, truth, guess)
    for n, ax in enumerate(picture.axes[:4]):
        lines = {line.get_label(): line.get_xydata() for line in ax.lines}
        assert np.array_equal(lines["true"], truth[n])
        assert np.array_equal(lines["predicted"], guess[n])
    assert "In 1 of 4 both crosses" in picture.alt
    far = pictures.predicted_squares(given, truth, 1.5 * truth).alt
    assert "In all 4 both" in far and "further than 0.75 from" in far


def test_the_decoder_starts_and_ends_where_it_should():
    given = np.array([[1.0, -1.0], [-1.0, -1.0]])
    panels = {
        "from the last": (given, given[1], np.array([-1.0, 1.0])),
        "from the first": (given, given[0], np.array([1.0, 1.0])),
    }
    picture = pictures.next_corner(panels)
    assert titles(picture) == list(panels)
    for ax, (_, start, end) in zip(picture.axes, panels.values(), strict=True):
        ring, cross = ax.lines[-2:]
        assert ring.get_xydata().tolist() == [[-1.0, 1.0]]  # across from point 0
        assert cross.get_xydata().tolist() == [end.tolist()]
        path, step = [t for t in ax.texts if not t.get_text()]
        assert [tuple(path.xy), tuple(step.xy)] == [(-1, -1), tuple(end)]
        assert step.get_position() == tuple(start)
    last, first = picture.alt.split("; from the first")
    assert "point 0 at the lower right corner to point 1 at the lower left" in last
    assert "leads to the upper left corner, which is the ringed corner" in last
    assert "leads to the upper right corner, which is not the ringed" in first
    lost = pictures.next_corner({"a": (given, given[1], np.zeros(2))}).alt
    assert "leads to no corner (0.0, 0.0)" in lost


def test_losses_draw_both_curves_and_the_floor_and_say_whether_they_fall():
    history = {"train": [1.0, 0.1, 0.012], "valid": [0.04, 0.035, 0.03]}
    told = (
        "training, falls by more than a factor of ten and ends just above the line; "
        "held out, hardly falls or rises and ends far above the line"
    )
    picture = pictures.losses(history, floor=0.01)
    shows(picture, *history.values(), [0.01, 0.01], says=[told])
    below = pictures.losses({"train": [0.02, 0.006], "valid": [1.0, 2.0]}, floor=0.01)
    told = "training, falls by more than a factor of two and ends below"
    shows(below, says=[told])


def test_every_seed_has_its_dot_over_the_noise():
    errors = {WITHOUT: [0.11, 0.118], PLACES: [0.11, 0.12], "learned table": [0.2, 0.2]}
    apart = "The columns do not overlap; no dots lie at or below"
    told = "without positions, between 0.1 and 0.15", apart
    shows(pictures.ablation_dots(errors, floor=0.1), *errors.values(), says=told)
    close = {WITHOUT: [0.11, 0.38], PLACES: [0.09, 0.12]}
    told = "The columns overlap; 1 dot lies at or below"
    shows(pictures.ablation_dots(close, floor=0.1), says=[told])


def test_every_share_has_its_dot_and_its_mean():
    back = f"{PLACES}, backwards"
    shares = {WITHOUT: [0.47, 0.53], PLACES: [1.0, 0.999], back: [0.0, 0.3]}
    picture = pictures.share_strips(shares, "right ones", chance=0.5)
    ax = picture.axes[0]
    dots = [line for line in ax.lines if line.get_marker() == "o"]
    assert [line.get_xdata().tolist() for line in dots] == list(shares.values())
    assert dots[1].get_color() == dots[2].get_color() != dots[0].get_color()
    assert [label.get_text() for label in ax.get_yticklabels()] == list(shares)
    assert {"mean 0.50", "mean 1.00", "mean 0.15"} <= set(words(ax))
    assert f"{LEARNED}; {back}, between 0 and 0.4" in picture.alt
    assert "0.5, which is chance" in picture.alt
    assert "chance" not in pictures.share_strips(shares, "right ones").alt


def test_every_seed_has_its_curve():
    chance, learned = [[0.5, 0.5], [0.4, 0.5]], [[0.5, 1.0], [0.6, 0.93]]
    picture = pictures.accuracy_curves({WITHOUT: chance, PLACES: learned})
    shows(picture, *chance, *learned, says=[LEARNED])


def test_the_map_picture_shows_every_head_and_names_the_masked_ones():
    draw, names = np.random.default_rng(2), ["point 0", "point 1"]
    maps = {name: (draw.dirichlet([1, 1], (2, 2)), names, names) for name in "ab"}
    drawn = [maps[name][0][head] for name in "ab" for head in (0, 1)]
    told = "right of the diagonal: "
    shows(pictures.attention_maps(maps), *drawn, says=[f"{told}none."])
    maps["b"] = (np.tril(maps["b"][0]), names, names)
    shows(pictures.attention_maps(maps), says=[f"{told}b."])
