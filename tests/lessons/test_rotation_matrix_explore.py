"""Notebook 03: its explorables, read back."""

import math

import numpy as np
import pytest
from drawing import drawn
from references import row, shift

from helpers.lessons.rotation_matrix import explore


def laboratory(**params):
    """The three rows, the matrix and the sentence, as the chart draws them."""
    marks = drawn(explore.laboratory, **params)
    cells = [m for m in marks if m.keys() == {"column", "row", "value"}]
    cells.sort(key=lambda cell: cell["column"])
    rows = {
        name: [cell["value"] for cell in cells if cell["row"] == name]
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
        sine, cosine = row(pos + k, 8)[2 * int(hand["pair"]) :][:2]
        there = [hand["hub_x"] + 56 * sine, hand["hub_y"] - 56 * cosine]
        assert [hand["after_x"], hand["after_y"]] == pytest.approx(there, abs=1e-6)
        assert [ring["goal_x"], ring["goal_y"]] == pytest.approx(there, abs=1e-6)


def test_a_wrong_matrix_is_seen_in_the_laboratory():
    transpose, garbage = explore.MATRICES[1:]
    rows, matrix, sentence, _ = laboratory(matrix=transpose, pos=6, k=4)
    np.testing.assert_allclose(matrix, np.transpose(shift(4, 8)), atol=1e-9)
    np.testing.assert_allclose(rows[explore.ROWS[1]], row(2, 8), atol=1e-9)
    assert sentence.endswith("the rows differ")
    *_, from_0, _ = laboratory(matrix=garbage, pos=0, k=4)
    *_, from_1, _ = laboratory(matrix=garbage, pos=1, k=4)
    assert from_0.endswith("the rows agree")
    assert from_1.endswith("the rows differ")


@pytest.mark.parametrize(("start", "turn"), [(20, 57), (-90, 180), (45, -45)])
def test_the_numbers_beside_the_hands_are_their_product(start, turn):
    marks = drawn(explore.turned, start=start, turn=turn)
    a, b, c, d, *pairs = [m["value"] for m in marks if {"right", "value"} <= m.keys()]
    (sine, cosine), turned = pairs[:2], pairs[2:]
    assert turned == pytest.approx([a * sine + b * cosine, c * sine + d * cosine])
    whole = math.radians(start + turn)
    assert turned == pytest.approx([math.sin(whole), math.cos(whole)], abs=1e-9)
    (tip,) = [m for m in marks if m.keys() == {"after_x", "after_y"}]
    assert tip["after_x"] == pytest.approx(120 + 100 * math.sin(whole), abs=1e-3)
