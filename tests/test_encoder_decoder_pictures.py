"""Notebook 06: its pictures and the explorable maps, read back and by their texts."""

import math

import numpy as np
import pytest
from drawing import drawn
from matplotlib.colors import to_rgb

from helpers import corners
from helpers.explore import encoder_decoder as explore
from helpers.look import contrast
from helpers.pictures import encoder_decoder as pictures
from helpers.pictures.style import BAD, GOOD

# --- the pictures ------------------------------------------------------------------


def test_numbers_on_cells_are_readable_whatever_the_colour():
    signed = np.linspace(-3, 3, 40).reshape(5, 8)
    shares = np.linspace(0, 1, 40).reshape(5, 8)
    names = list("abcdefgh")
    for picture in (
        pictures.attention_steps(signed, shares, signed, signed),
        pictures.attention_maps({"all": (shares[None], names[:5], names)}),
    ):
        for ax in picture.axes:
            (image,) = ax.images
            for text in ax.texts:
                column, row = text.get_position()
                ground = image.to_rgba(image.get_array())[row, column, :3]
                assert contrast(ground, to_rgb(text.get_color())) >= 4.5
                assert text.get_fontsize() >= 8


def test_attention_steps_show_the_numbers():
    scores = np.array([[0.5, -1.0], [2.0, 0.25]])
    exp = [[math.exp(s) for s in row] for row in scores]
    weights = np.array([[e / sum(row) for e in row] for row in exp])
    value = np.array([[1.0, 2.0, 3.0], [-1.0, 0.0, 4.0]])
    picture = pictures.attention_steps(scores, weights, value, weights @ value)
    assert [ax.get_title(loc="left") for ax in picture.axes] == [
        "scores  (2, 2)",
        "weights  (2, 2)",
        "value  (2, 3)",
        "output  (2, 3)",
    ]
    shown = [float(text.get_text()) for text in picture.axes[1].texts]
    assert shown == pytest.approx(weights.ravel(), abs=0.005)
    limits = picture.axes[0].images[0].get_clim()
    assert limits == (-2.0, 2.0)


def test_masks_say_look_where_looking_is_allowed():
    mask = np.array([[True, False], [True, True]])
    picture = pictures.masks({"causal": mask, "padding": np.array([[True, False]] * 2)})
    words = [text.get_text() for text in picture.axes[0].texts]
    assert words == ["look", "–", "look", "look"]
    assert "itself and what is before it" in picture.alt
    assert "keys 0" in picture.alt


def test_the_model_names_the_shapes():
    texts = [text.get_text() for text in pictures.corner_model(24).axes[0].texts]
    assert texts.count("(batch, 2, 24)") == 9
    assert texts.count("(batch, 2, 2)") == 3
    assert texts.count("+ positions") == 2


def test_squares_are_numbered_where_the_points_are():
    points, directions = corners.square_sequences(3, seed=5)
    picture = pictures.squares(points, directions)
    for ax, path, clockwise in zip(picture.axes, points, directions, strict=True):
        assert ax.get_title() == ("clockwise" if clockwise else "counter-clockwise")
        numbers = [text for text in ax.texts if text.get_text()]
        assert [text.get_text() for text in numbers] == ["0", "1", "2", "3"]
        assert [text.get_position() for text in numbers] == list(map(tuple, path))


def test_predictions_are_crosses_and_the_truth_is_rings():
    seen, truth, guess = np.random.default_rng(0).normal(size=(3, 10, 2, 2))
    picture = pictures.predicted_squares(seen, truth, guess)
    assert len(picture.axes) == 10
    for n, ax in enumerate(picture.axes):
        lines = {line.get_label(): line.get_xydata() for line in ax.lines}
        assert np.array_equal(lines["true"], truth[n])
        assert np.array_equal(lines["predicted"], guess[n])


def test_the_loss_picture_draws_both_curves_and_the_floor():
    history = {"train": [1.0, 0.1, 0.02], "valid": [0.8, 0.09, 0.03]}
    ax = pictures.losses(history, floor=0.01).axes[0]
    lines = {line.get_label(): list(line.get_ydata()) for line in ax.lines}
    assert lines["training"] == history["train"]
    assert lines["held out"] == history["valid"]
    assert set(lines["noise"]) == {0.01}
    written = [text.get_text() for text in ax.get_legend().get_texts()]
    assert written == ["training", "held out", "noise"]
    assert ax.get_yscale() == "log"


def dots(ax):
    """The heights of the dots of every column, and their colours."""
    rows = [line for line in ax.lines if line.get_marker() == "o"]
    return [list(r.get_ydata()) for r in rows], [r.get_color() for r in rows]


def test_every_seed_has_its_dot():
    errors = {
        "without positions": [0.11, 0.12, 0.13],
        "with positions": [0.1, 0.2, 0.3],
        "learned table": [0.2, 0.2, 0.2],
    }
    heights, colours = dots(pictures.ablation_dots(errors, floor=0.1).axes[0])
    assert heights == list(errors.values())
    assert colours[:2] == [BAD, GOOD] and len(set(colours)) == 3
    shares = {"with positions": [0.5, 0.4], "with positions, shuffled": [1.0, 0.9]}
    ax = pictures.share_dots(shares, ylabel="accuracy", chance=0.5).axes[0]
    heights, colours = dots(ax)
    assert heights == list(shares.values()) and colours == [GOOD, GOOD]
    hollow = [line.get_markerfacecolor() == "none" for line in ax.lines[:2]]
    assert hollow == [False, True]
    assert set(ax.lines[2].get_ydata()) == {0.5}


def test_every_seed_has_its_curve():
    curves = {
        "without positions": [[0.5, 0.5], [0.4, 0.5]],
        "with positions": [[0.5, 1.0], [0.6, 0.9]],
    }
    ax = pictures.accuracy_curves(curves).axes[0]
    lines = ax.lines[:-1]
    drawn_lines = [list(line.get_ydata()) for line in lines]
    assert drawn_lines == [line for name in curves for line in curves[name]]
    assert [line.get_color() for line in lines] == [BAD, BAD, GOOD, GOOD]
    named = {line.get_label(): line.get_color() for line in lines}
    assert named["without positions"] == BAD and named["with positions"] == GOOD


def test_the_decoder_starts_and_ends_where_it_should():
    given = np.array([[1.0, -1.0], [-1.0, -1.0]])
    panels = {
        "from the last": (given, given[1], np.array([-1.0, 1.0])),
        "from the first": (given, given[0], np.array([1.0, 1.0])),
    }
    picture = pictures.next_corner(panels)
    for ax, (title, (_, start, end)) in zip(picture.axes, panels.items(), strict=True):
        ring, cross = ax.lines[-2:]
        assert ring.get_xydata().tolist() == [start.tolist()]
        assert cross.get_xydata().tolist() == [end.tolist()]
        assert ax.get_title() == title
        numbers = {t.get_text(): t.get_position() for t in ax.texts if t.get_text()}
        assert numbers == {"0": (1.0, -1.0), "1": (-1.0, -1.0)}
    assert "from the lower left corner the arrow leads to the upper left" in picture.alt
    assert "from the lower right corner the arrow leads to the upper right" in (
        picture.alt
    )


# --- what a text alternative says, it has read from the data: draw the opposite -----


def test_the_text_on_predictions_counts_them():
    given, truth = np.ones((2, 4, 2, 2))
    assert (
        "In all 4 both crosses" in pictures.predicted_squares(given, truth, truth).alt
    )
    guess = truth.copy()
    guess[1:] = -1
    alt = pictures.predicted_squares(given, truth, guess).alt
    assert "In 1 of 4 both crosses" in alt and "further than 0.25" in alt
    far = pictures.predicted_squares(given, truth, 5 * truth).alt
    assert "further than" not in far


def test_the_text_on_a_prediction_names_the_corner():
    given = np.array([[1.0, -1.0], [-1.0, -1.0]])
    alt = pictures.next_corner({"a": (given, given[1], given[0])}).alt
    assert "point 0 at the lower right corner and point 1 at the lower left" in alt
    assert alt.endswith("the arrow leads to the lower right corner.")
    lost = pictures.next_corner({"a": (given, given[1], np.zeros(2))}).alt
    assert "leads to no corner (0.0, 0.0)" in lost


def test_the_text_on_losses_says_whether_they_fall():
    history = {"train": [1.0, 0.012], "valid": [0.04, 0.03]}
    alt = pictures.losses(history, floor=0.01).alt
    assert "the training loss falls by more than a factor of ten and ends just" in alt
    assert "the held-out loss hardly falls and ends far above the line" in alt
    rising = {"train": [0.005, 0.006], "valid": [1.0, 2.0]}
    alt = pictures.losses(rising, floor=0.01).alt
    assert "the training loss does not fall and ends below the line" in alt


def test_the_text_on_maps_names_the_masked_ones():
    maps = some_maps(2)
    assert "Nothing but 0" not in pictures.attention_maps(maps).alt
    weights = np.array([[[1.0, 0.0], [0.5, 0.5]]] * 2)
    maps["decoder self-attention"] = (weights, *maps["decoder self-attention"][1:])
    alt = pictures.attention_maps(maps).alt
    assert alt.endswith("right of the diagonal: decoder self-attention.")


def test_the_text_on_dots_gives_their_range():
    close = {"without positions": [0.111, 0.118], "with positions": [0.115, 0.12]}
    alt = pictures.ablation_dots(close, floor=0.1).alt
    assert "without positions: between 0.1 and 0.15" in alt
    assert "The columns overlap; no dots lie at or below" in alt
    apart = {"without positions": [0.31, 0.38], "with positions": [0.09, 0.12]}
    alt = pictures.ablation_dots(apart, floor=0.1).alt
    assert "without positions: between 0.3 and 0.4" in alt
    assert "The columns do not overlap; 1 dot lies at or below" in alt
    shares = {"a": [0.47, 0.53], "b": [1.0, 0.999], "c": [0.0, 0.3]}
    alt = pictures.share_dots(shares, ylabel="share", chance=0.5).alt
    assert "a: between 0.4 and 0.6; b: between 0.9 and 1; c: between 0 and 0.4" in alt
    assert "0.5, which is chance" in alt
    assert "chance" not in pictures.share_dots(shares, ylabel="share").alt


def test_the_text_on_curves_gives_their_ends():
    curves = {"without positions": [[0.5, 1.0]], "with positions": [[1.0, 0.5]]}
    alt = pictures.accuracy_curves(curves).alt
    assert "without positions: between 0.9 and 1" in alt
    assert "with positions: between 0.4 and 0.6" in alt


# --- the maps ----------------------------------------------------------------------


def some_maps(step):
    """Two heads; decoder and cross maps have ``step`` queries."""
    given, inputs = ["point 0", "point 1"], ["point 1", "point 2"][:step]
    draw = np.random.default_rng(step)
    return {
        "encoder self-attention": (draw.dirichlet([1, 1], (2, 2)), given, given),
        "decoder self-attention": (
            draw.dirichlet([1] * step, (2, step)),
            inputs,
            inputs,
        ),
        "cross-attention": (draw.dirichlet([1, 1], (2, step)), inputs, given),
    }


def test_the_map_picture_shows_every_head():
    maps = some_maps(2)
    picture = pictures.attention_maps(maps)
    images = [ax.images[0].get_array() for ax in picture.axes]
    expected = [maps[name][0][head] for head in (0, 1) for name in maps]
    assert np.allclose(images, expected)


def two_steps():
    return explore.attention_maps([some_maps(1), some_maps(2)])


@pytest.mark.parametrize("step", [1, 2])
@pytest.mark.parametrize("head", [0, 1])
def test_the_sliders_choose_the_map(step, head):
    for name, (weights, queries, keys) in some_maps(step).items():
        marks = drawn(two_steps, shown_map=name, shown_head=head, shown_step=step)
        found = {
            (mark["query"], mark["key"]): mark["weight"]
            for mark in marks
            if {"map", "weight"} <= mark.keys()
        }
        expected = {
            (queries[q], keys[k]): round(float(weights[head, q, k]), 2)
            for q in range(len(queries))
            for k in range(len(keys))
        }
        assert found == pytest.approx(expected)
