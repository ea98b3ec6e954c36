"""Notebook 03: its explorables, read back."""

import numpy as np
import pytest
from drawing import drawn
from references import row, shift

from helpers.lessons.rotation_matrix import explore


@pytest.mark.parametrize(
    ("matrix", "pos", "k", "by"),
    [
        (0, 4, 3, 3),
        (0, 9, -30, -30),
        (1, 100, 50, -50),
        (1, 7, 0, 0),
    ],
)
def test_the_laboratory_turns_rows(matrix, pos, k, by):
    matrix = explore.MATRICES[matrix]
    marks = drawn(explore.laboratory, matrix=matrix, pos=pos, k=k)
    places = pos, pos + by, pos + k
    rows = [row(place, 8) for place in places]

    # The three rows, and the blocks of the matrix.
    wanted = dict(zip(explore.ROWS, rows, strict=True))
    wanted |= dict(enumerate(shift(by, 8)))
    cells = [m for m in marks if m.keys() == {"column", "row", "value"}]

    assert len(cells) == 3 * 8 + 4 * 4
    for cell in cells:
        value = wanted[cell["row"]][int(cell["column"])]
        assert cell["value"] == pytest.approx(value, abs=1e-9)

    (sentence,) = [m["shown"] for m in marks if "shown" in m]
    assert sentence.endswith("the rows agree" if by == k else "the rows differ")

    # The hands: x to the right, y down.
    hubs = [(87 + 174 * pair, 94) for pair in range(4)]
    for name, numbers in zip(("before", "after", "goal"), rows, strict=True):
        tips = [(m[f"{name}_x"], m[f"{name}_y"]) for m in marks if f"{name}_x" in m]
        hands = np.reshape(numbers, (4, 2)) * [62, -62]
        assert np.array(tips) == pytest.approx(hubs + hands, abs=1e-6)


@pytest.mark.parametrize(
    ("turn", "sine", "cosine"), [(90, 0.8, -0.6), (180, -0.6, -0.8), (-90, -0.8, 0.6)]
)
def test_the_product_beside_the_dial_is_the_pair_of_the_hand(turn, sine, cosine):
    marks = drawn(explore.turned, turn=turn)
    cells = [m["value"] for m in marks if {"value", "upper", "lower"} <= m.keys()]
    made = np.reshape(cells, (4, 2)).T
    assert made[:, 2] == pytest.approx([0.6, 0.8])
    assert made[:, 3] == pytest.approx([sine, cosine])
    assert made[:, :2] @ made[:, 2] == pytest.approx(made[:, 3])
    (tip,) = [m for m in marks if m.keys() == {"after_x", "after_y"}]
    there = {"after_x": 140 + 100 * sine, "after_y": 130 - 100 * cosine}
    assert tip == pytest.approx(there, abs=1e-3)
    (arc,) = [m for m in marks if {"begin", "end", "hub_x"} <= m.keys()]
    assert arc["end"] - arc["begin"] == pytest.approx(np.radians(turn), abs=1e-6)
