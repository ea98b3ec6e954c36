"""Notebook 03: its pictures and the laboratory, read back and by their texts."""

import math

import numpy as np
import pytest
from drawing import drawn
from references import row, shift

from helpers import encoding
from helpers.explore import rotation_matrix as explore
from helpers.pictures import rotation_matrix as pictures

# The pictures


def test_hands_point_at_sine_and_cosine():
    picture = pictures.hands(np.array(row(1, 8)), np.array(row(4, 8)), pos=1, k=3)
    assert len(picture.axes) == 4
    for pair, ax in enumerate(picture.axes):
        before, after = ax.lines[1:]
        for hand, pos in ((before, 1), (after, 4)):
            tip = [hand.get_xdata()[1], hand.get_ydata()[1]]
            np.testing.assert_allclose(tip, row(pos, 8)[2 * pair : 2 * pair + 2])
    titles = [ax.get_title(loc="left") or ax.get_title() for ax in picture.axes]
    assert titles == [
        f"pair {pair}: {3 / 10**pair:.3f} rad" for pair in range(4)
    ]  # at width 8 the speeds are 1, 0.1, 0.01 and 0.001
    assert "position 1" in picture.alt
    assert "position 4" in picture.alt


def test_the_matrix_is_drawn_and_written():
    picture = pictures.matrix(encoding.rotation_matrix(3, 8), "$M_3$")
    ax = picture.axes[0]
    np.testing.assert_allclose(ax.images[0].get_array(), shift(3, 8), atol=1e-12)
    written = {t.get_position(): t.get_text() for t in ax.texts}
    assert len(written) == 16
    for (column, line), text in written.items():
        value = float(text.replace("−", "-"))
        assert value == pytest.approx(shift(3, 8)[line][column], abs=6e-4)
    assert len(ax.patches) == 4
    assert not pictures.matrix(encoding.rotation_matrix(3, 64), "wide").axes[0].texts


def test_misses_show_every_starting_position():
    worst = {"right": np.zeros(5), "garbage": np.array([0, 1, 2, 3, 4.0])}
    right, garbage = pictures.misses(worst).axes[0].lines
    assert (right.get_ydata() > 0).all()  # zeros are lifted onto the axis
    np.testing.assert_allclose(garbage.get_ydata()[1:], [1, 2, 3, 4])


def test_drift_draws_both_ways_and_the_fit():
    steps = np.array([10, 100, 1000])
    walked, jumped = np.array([1e-6, 1e-5, 1e-4]), np.array([2e-7, 1e-7, 2e-7])
    ax = pictures.drift(steps, walked, jumped, 1e-7 * steps).axes[0]
    fit, dots, squares = ax.lines
    np.testing.assert_allclose(fit.get_ydata(), 1e-7 * steps)
    np.testing.assert_allclose(dots.get_ydata(), walked)
    np.testing.assert_allclose(squares.get_ydata(), jumped)
    shown = [text.get_text() for text in ax.get_legend().get_texts()]
    assert shown == [
        "fit: the same for every step",
        "walking, step by step",
        "one jump",
    ]


def test_recovered_matrices_stand_beside_the_true_ones():
    true, found = np.array(shift(3, 4)), np.eye(4)
    axes = pictures.recovered({"width 4": (true, found)}, "$M_3$").axes
    assert axes[0].get_title(loc="left") == "width 4: $M_3$"
    for ax, entries in zip(axes, (true, found, found - true), strict=False):
        np.testing.assert_allclose(ax.images[0].get_array(), entries)


def test_singular_values_are_drawn_by_width():
    lines = pictures.singular_values({8: [3.0, 1.0], 16: [2.0, 0.0]}, 50).axes[0].lines
    np.testing.assert_allclose(lines[0].get_ydata(), [3, 1])
    assert lines[1].get_ydata()[1] > 0


def test_attention_is_drawn_as_given():
    weights = np.eye(9, k=-2)
    picture = pictures.attention(weights, k=2)
    left, right = picture.axes[:2]
    np.testing.assert_array_equal(left.images[0].get_array(), weights)
    heights = [bar.get_height() for bar in right.patches]
    np.testing.assert_array_equal(heights, weights[4])


def test_sharpness_reads_values_off():
    ax = pictures.sharpness([0, 5, 10], [0.0, 0.99119, 0.99996], read=(5, 10)).axes[0]
    assert [t.get_text() for t in ax.texts] == ["0.991", "0.99996"]


def test_one_sine_has_two_futures():
    marked = math.pi / 6, 5 * math.pi / 6
    wave, plane = pictures.same_sine(np.linspace(0, 6, 50), 2, 1.0, marked).axes
    futures = [line.get_ydata()[0] for line in plane.lines[1:]]
    np.testing.assert_allclose(futures, [math.sin(a + 2) for a in marked])
    heights = [line.get_ydata()[0] for line in wave.lines[1:]]
    np.testing.assert_allclose(heights, [0.5, 0.5])


def test_blocks_of_the_turned_table_are_framed():
    table = np.array([row(pos, 6) for pos in range(20)])
    ax = pictures.turned_blocks(table, size=5).axes[0]
    np.testing.assert_array_equal(ax.images[0].get_array(), table)
    assert [frame.get_y() for frame in ax.patches[:4]] == [0, 5, 10, 15]
    names = [text.get_text() for text in ax.texts if text.get_text()]
    assert names == ["sine and cosine", "$M_{5}$", "$M_{10}$", "$M_{15}$"]


def test_heads_with_words_are_drawn_with_their_names():
    means = {"one": [1.0, 0.5], "other": [0.9, 0.8]}
    picture = pictures.with_words([0, 0.1], means)
    ax = picture.axes[0]
    for line, (name, weights) in zip(ax.lines, means.items(), strict=True):
        assert line.get_label() == name
        np.testing.assert_array_equal(line.get_ydata(), weights)
    assert len({line.get_marker() for line in ax.lines}) == 2  # colour is not alone
    assert "one: from 1.00 to 0.50; other: from 0.90 to 0.80" in picture.alt


# Text alternatives say what is drawn: draw the opposite, read the text


def test_hands_say_how_far_they_turn():
    told = pictures.hands(np.array(row(4, 4)), np.array(row(1, 4)), pos=4, k=-3).alt
    assert "the hand at position 4 dashed, the hand at position 1 solid" in told
    assert "turn by −3.000, −0.030 radians" in told


def test_a_matrix_says_what_is_outside_its_blocks():
    blocks = np.array(shift(3, 8))
    assert "zeros elsewhere" in pictures.matrix(blocks, "M").alt
    assert "zeros elsewhere" not in pictures.matrix(blocks + 0.1, "M").alt


def test_misses_say_from_where_a_matrix_arrives():
    worst = {
        "good": np.full(4, 1e-16),
        "bad": np.array([0, 1.0, 1, 1]),
        "worse": np.ones(4),
        "mixed": np.array([1.0, 0, 0, 1]),
    }
    told = {n: pictures.misses({n: errors}).alt for n, errors in worst.items()}
    assert "good stays at the level of rounding everywhere" in told["good"]
    assert "bad is exact from position 0 and misses from every" in told["bad"]
    assert "worse misses from every position" in told["worse"]
    assert "mixed misses from 2 of 4 positions" in told["mixed"]


def test_drift_says_what_grows():
    steps = np.array([10, 100, 1000])
    growing, level = 1e-7 * steps, np.full(3, 1e-7)
    usual = pictures.drift(steps, growing, level, growing).alt
    assert "Walking grows in proportion to them" in usual
    assert "meets the dots" in usual
    assert "One jump stays level" in usual
    opposite = pictures.drift(steps, level, growing**2, growing).alt
    assert "Walking stays level" in opposite
    assert "misses the dots" in opposite
    assert "One jump grows with them, not in proportion" in opposite


def test_recovered_matrices_say_where_they_differ():
    true = np.array(shift(3, 8))
    last = true.copy()
    last[6:] = 0
    told = pictures.recovered({"a": (true, true), "b": (true, last)}, "M").alt
    assert "a, blank; b, blank in the rows of the first pairs" in told
    first = true.copy()
    first[:2] = 0
    assert "1 of 4 pairs" in pictures.recovered({"c": (true, first)}, "M").alt


def test_singular_values_say_how_many_are_rounding():
    told = pictures.singular_values({8: [3.0, 1.0], 16: [2.0, 1e-15]}, 50).alt
    assert "width 8: 2 directions, none of them at the level of rounding" in told
    assert "width 16: 2 directions, 1 of them at the level of rounding" in told


def test_attention_says_where_its_queries_look():
    back, ahead = np.eye(9, k=-2), np.eye(9, k=2)
    assert "for 7 of 7 queries" in pictures.attention(back, k=2).alt
    assert "position 2 back" in pictures.attention(back, k=2).alt
    assert "for 7 of 7 queries" in pictures.attention(ahead, k=-2).alt
    assert "position 2 ahead" in pictures.attention(ahead, k=-2).alt
    assert "for 0 of 7 queries" in pictures.attention(ahead, k=2).alt
    assert (
        "the tallest bar is at 6, with the weight 1.00"
        in pictures.attention(ahead, 2).alt
    )


def test_sharpness_says_what_is_read_off():
    up = pictures.sharpness([0, 5, 10], [0.0, 0.99119, 0.99996], read=(5,)).alt
    down = pictures.sharpness([0, 5, 10], [0.5, 0.2, 0.1], read=(5,)).alt
    assert "rises all the way. Read off: β = 5: 0.991" in up
    assert "rises all the way" not in down
    assert "β = 5: 0.200" in down


def test_one_sine_says_its_futures():
    wave = np.linspace(0, 6, 50)
    two = pictures.same_sine(wave, 2, 1.0, (math.pi / 6, 5 * math.pi / 6)).alt
    assert "of one height" in two
    assert "from 0.50 to 0.58 and from 0.50 to −1.00" in two
    assert "of different heights" in pictures.same_sine(wave, 2, 1.0, (0.1, 2.0)).alt


# The laboratory


def laboratory(**params):
    """The three rows, the matrix and the sentence, as the chart draws them."""
    marks = drawn(explore.laboratory, **params)
    cells = [m for m in marks if set(m) == {"column", "row", "value"}]
    rows = {
        name: [
            c["value"]
            for c in sorted(cells, key=lambda c: c["column"])
            if c["row"] == name
        ]
        for name in explore.ROWS
    }
    matrix = np.zeros((8, 8))
    for cell in cells:
        if not isinstance(cell["row"], str):
            matrix[int(cell["row"]), int(cell["column"])] = cell["value"]
    (sentence,) = [m["shown"] for m in marks if "shown" in m]
    return rows, matrix, sentence, marks


@pytest.mark.parametrize(("pos", "k"), [(4, 3), (9, -4), (2, -30), (100, 50), (0, 0)])
def test_the_laboratory_turns_rows(pos, k):
    rows, matrix, sentence, marks = laboratory(pos=pos, k=k)
    before, made, wanted = rows.values()
    np.testing.assert_allclose(before, row(pos, 8), atol=1e-9)
    np.testing.assert_allclose(made, row(pos + k, 8), atol=1e-9)
    np.testing.assert_allclose(wanted, row(pos + k, 8), atol=1e-9)
    np.testing.assert_allclose(matrix, shift(k, 8), atol=1e-9)
    assert sentence.endswith("the rows agree")
    after = [m for m in marks if "after_x" in m]
    goal = [m for m in marks if "goal_x" in m]
    for hand, ring in zip(after, goal, strict=True):
        assert hand["after_x"] == pytest.approx(ring["goal_x"], abs=1e-9)
        assert hand["after_y"] == pytest.approx(ring["goal_y"], abs=1e-9)
        sine, cosine = row(pos + k, 8)[2 * int(hand["pair"]) :][:2]
        assert hand["after_x"] == pytest.approx(hand["pair"] + 0.5 + 0.41 * sine)
        assert hand["after_y"] == pytest.approx(0.41 * cosine)


def test_a_wrong_matrix_is_seen_in_the_laboratory():
    transpose, garbage = explore.MATRICES[1:]
    rows, matrix, sentence, _ = laboratory(matrix=transpose, pos=6, k=4)
    np.testing.assert_allclose(matrix, np.transpose(shift(4, 8)), atol=1e-9)
    np.testing.assert_allclose(rows["matrix times PE[pos]"], row(2, 8), atol=1e-9)
    assert sentence.endswith("the rows differ")
    *_, from_0, _ = laboratory(matrix=garbage, pos=0, k=4)
    *_, from_1, _ = laboratory(matrix=garbage, pos=1, k=4)
    assert from_0.endswith("the rows agree")
    assert from_1.endswith("the rows differ")
