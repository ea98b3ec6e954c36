"""Notebook 03: its explorables, read back."""

import math

import numpy as np
import pytest
from drawing import drawn
from references import row, shift

from helpers.lessons.rotation_matrix import explore

RIGHT, TRANSPOSED = explore.MATRICES


@pytest.mark.parametrize("matrix", explore.MATRICES)
@pytest.mark.parametrize(("pos", "k"), [(4, 3), (9, -4), (2, -30), (100, 50), (0, 0)])
def test_the_laboratory_turns_rows(matrix, pos, k):
    marks = drawn(explore.laboratory, matrix=matrix, pos=pos, k=k)
    by = k if matrix == explore.MATRICES[0] else -k
    places = pos, pos + by, pos + k
    wanted = {name: row(p, 8) for name, p in zip(explore.ROWS, places, strict=True)}
    wanted |= dict(enumerate(shift(by, 8)))  # the rows of the matrix
    cells = [m for m in marks if m.keys() == {"column", "row", "value"}]
    assert len(cells) == 3 * 8 + 4 * 4
    for cell in cells:
        value = wanted[cell["row"]][int(cell["column"])]
        assert cell["value"] == pytest.approx(value, abs=1e-9)
    (sentence,) = [m["shown"] for m in marks if "shown" in m]
    assert sentence.endswith("the rows agree" if by == k else "the rows differ")
    for name, place in zip(("before", "after", "goal"), places, strict=True):
        tips = [(m[f"{name}_x"], m[f"{name}_y"]) for m in marks if f"{name}_x" in m]
        hands = np.reshape(row(place, 8), (4, 2)) * [62, -62]
        hubs = [(95 + 190 * pair, 94) for pair in range(4)]
        np.testing.assert_allclose(tips, hubs + hands, atol=1e-6)


@pytest.mark.parametrize("turn", [90, 180, -45])
def test_the_numbers_below_the_dial_are_those_of_the_hand(turn):
    marks = drawn(explore.turned, turn=turn)
    whole = math.asin(0.6) + math.radians(turn)
    (said,) = [m["said"] for m in marks if "said" in m]
    told = [float(part) for part in said.strip("()").replace("−", "-").split(", ")]
    assert told == pytest.approx([math.sin(whole), math.cos(whole)], abs=6e-3)
    (tip,) = [m for m in marks if m.keys() == {"after_x", "after_y"}]
    there = 140 + 100 * math.sin(whole), 130 - 100 * math.cos(whole)
    assert (tip["after_x"], tip["after_y"]) == pytest.approx(there, abs=1e-3)
