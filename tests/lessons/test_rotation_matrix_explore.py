"""Notebook 03: its explorables, read back."""

import numpy as np
import pytest
from drawing import drawn, values
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

    (sentence,) = values(marks, "shown")
    assert sentence.endswith("the rows agree" if by == k else "the rows differ")

    # The hands: x to the right, y down.
    hubs = [(87, 94), (261, 94), (435, 94), (609, 94)]
    for name, numbers in zip(("before", "after", "goal"), rows, strict=True):
        tips = [values(marks, f"{name}_{axis}") for axis in "xy"]
        hands = np.reshape(numbers, (4, 2)) * [62, -62]
        assert np.transpose(tips) == pytest.approx(hubs + hands, abs=1e-6)


@pytest.mark.parametrize(
    ("turn", "sine", "cosine"), [(90, 0.8, -0.6), (180, -0.6, -0.8), (-90, -0.8, 0.6)]
)
def test_the_product_beside_the_dial_is_the_pair_of_the_hand(turn, sine, cosine):
    marks = drawn(explore.turned, turn=turn)
    made = np.reshape(values(marks, "value", "upper", "lower"), (4, 2)).T
    assert made[:, 2] == pytest.approx([0.6, 0.8])
    assert made[:, 3] == pytest.approx([sine, cosine])
    assert made[:, :2] @ made[:, 2] == pytest.approx(made[:, 3])
    there = {"after_x": 140 + 100 * sine, "after_y": 130 - 100 * cosine}
    assert pytest.approx(there, abs=1e-3) in marks
    (begin,), (end,) = (values(marks, name, "hub_x") for name in ("begin", "end"))
    assert end - begin == pytest.approx(np.radians(turn), abs=1e-6)
