"""Notebook 03: its pictures, read back, and their texts for data and their opposite."""

import math

import numpy as np
import pytest
from drawing import shows
from references import row, shift
from seen import titles, words

from helpers.lessons.rotation_matrix import pictures

M_3 = np.array(shift(3, 8))


def test_hands_point_at_sine_and_cosine_and_say_how_far_they_turn():
    picture = pictures.hands(np.array(row(1, 8)), np.array(row(4, 8)), pos=1, k=3)
    for pair, ax in enumerate(picture.axes):
        for hand, pos in zip(ax.lines[1:], (1, 4), strict=True):
            tip = [hand.get_xdata()[1], hand.get_ydata()[1]]
            np.testing.assert_allclose(tip, row(pos, 8)[2 * pair : 2 * pair + 2])
    # At width 8 the speeds are 1, 0.1, 0.01 and 0.001.
    assert titles(picture) == [f"pair {i}: {3 / 10**i:.3f} rad" for i in range(4)]
    told = pictures.hands(np.array(row(4, 4)), np.array(row(1, 4)), pos=4, k=-3).alt
    assert "the hand at position 4 dashed, the hand at position 1 solid" in told
    assert "turn by −3.000, −0.030 radians" in told


def test_the_matrix_is_drawn_and_written_and_says_what_is_outside_its_blocks():
    picture = pictures.matrix(M_3, "$M_3$")
    shown = [text for text in picture.axes[0].texts if text.get_visible()]
    written = {text.get_position(): text.get_text() for text in shown}
    assert len(written) == 16
    for (column, line), text in written.items():
        assert text.replace("−", "-") == f"{M_3[line][column]:.3f}"
    assert "zeros elsewhere" in picture.alt
    assert "zeros elsewhere" not in pictures.matrix(M_3 + 0.1, "M").alt


@pytest.mark.parametrize(
    ("errors", "told"),
    [
        ([1e-16, 0, 1e-16, 0], "stays at the level of rounding everywhere"),
        ([0, 1, 2, 3], "is exact from position 0 and misses from every other"),
        ([1, 0, 0, 1], "misses from 2 of 4 positions"),
    ],
)
def test_misses_say_from_where_a_matrix_arrives(errors, told):
    picture = pictures.misses({"M": np.array(errors, float)})
    shows(picture, errors, says=[f"M {told}"])
    assert (picture.axes[0].lines[0].get_ydata() > 0).all()  # zeros are on the axis


def test_drift_draws_both_ways_and_the_fit_and_says_what_grows():
    steps = np.array([10, 100, 1000])
    growing, level = steps / 1e3, np.full(3, 1e-3)
    told = "Walking grows in proportion to them", "meets the dots. One jump stays level"
    picture = pictures.drift(steps, growing, level, growing)
    shows(picture, growing, growing, level, says=told)
    opposite = pictures.drift(steps, level, growing**2, growing)
    far = "misses the dots. One jump grows with them, not in proportion"
    shows(opposite, says=["Walking stays level", far])


def test_recovered_matrices_stand_beside_the_true_ones_and_say_where_they_differ():
    last, first = M_3.copy(), M_3.copy()
    last[6:], first[:2] = 0, 0
    picture = pictures.recovered({"width 8": (M_3, last), "b": (M_3, M_3)}, "$M_3$")
    told = "width 8, blank in the first pairs' rows", "b, blank."
    shows(picture, M_3, last, last - M_3, M_3, M_3, 0 * M_3, says=told)
    shows(pictures.recovered({"c": (M_3, first)}, "M"), says=["1 of 4 pairs"])


def test_attention_is_drawn_as_given_and_says_where_its_queries_look():
    back, said = np.eye(9, k=-2), "of 7 queries the largest weight is on the position 2"
    shows(pictures.attention(back, k=2), back, back[4], says=[f"for 7 {said} back"])
    told = f"for 0 {said} back", "the tallest bar is at 6, with the weight 1.00"
    shows(pictures.attention(np.eye(9, k=2), k=2), says=told)


def test_sharpness_reads_values_off():
    up = pictures.sharpness([0, 5, 10], [0.0, 0.99119, 0.99996], read=(5, 10))
    assert [text.strip() for text in words(up.axes[0])] == ["0.991", "0.99996"]
    shows(up, says=["The curve rises all the way. Read off: β = 5: 0.991"])
    down = pictures.sharpness([0, 5, 10], [0.5, 0.2, 0.1], read=(5,))
    shows(down, says=["The curve rises and falls. Read off: β = 5: 0.200"])


def test_heads_with_words_are_drawn_with_their_names():
    means = {"one": [1.0, 0.5], "other": [0.9, 0.8]}
    told = "one, from 1.00 to 0.50; other, from 0.90 to 0.80"
    shows(pictures.with_words([0, 0.1], means), *means.values(), says=[told])


def test_one_sine_has_two_futures():
    marked, angles = (math.pi / 6, 5 * math.pi / 6), np.linspace(0, 6, 50)
    picture = pictures.same_sine(angles, 2, 1.0, marked)
    now, later = [[0.5], [0.5]], [[math.sin(a + 2)] for a in marked]
    told = "of one height", "from 0.50 to 0.58 and from 0.50 to −1.00"
    shows(picture, *now, *later, says=told)
    other = pictures.same_sine(angles, 2, 1.0, (0.1, 2.0))
    shows(other, says=["of different heights"])


def test_blocks_of_the_rotated_table_are_named():
    table = np.array([row(pos, 6) for pos in range(20)])
    ax = pictures.turned_blocks(table, size=5).axes[0]
    np.testing.assert_array_equal(ax.images[0].get_array(), table)
    names = {t.get_text(): t.get_position()[1] for t in ax.texts if t.get_text()}
    wanted = {f"rotated by $M_{{{k}}}$": k + 2.5 for k in (5, 10, 15)}
    assert names == {"sine and cosine": 2.5} | wanted
