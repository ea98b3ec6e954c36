"""The hands that write the table: what is drawn at a position, read back."""

import numpy as np
import pandas as pd
import pytest
from drawing import drawn, values
from references import row

from helpers.draw.hands import hands_write_the_table


@pytest.mark.parametrize(("pos", "now"), [(0, 0), (40.5, 40), (47, 47)])
def test_the_tips_drop_their_values_and_the_table_has_every_row_so_far(pos, now):
    marks = drawn(hands_write_the_table, step=pos)
    table = [row(position, 16) for position in range(now + 1)]
    cells = [m for m in marks if {"position", "column"} <= m.keys()]
    assert len(cells) == 16 * (now + 1)
    for cell in cells:
        value = table[int(cell["position"])][int(cell["column"])]
        assert cell["value"] == pytest.approx(value, abs=6e-5)

    dropped = values(marks, "value", "wave", "column")
    assert dropped == pytest.approx(table[now], abs=6e-5)

    tips = pd.DataFrame(m for m in marks if m.keys() == {"tip_x", "tip_y", "pair"})
    assert tips["pair"].tolist() == list(range(8))
    across = (tips["tip_x"] - 95 * (tips["pair"] + 0.5)) / 34
    hands = np.ravel([across, (58 - tips["tip_y"]) / 34], order="F")
    assert hands == pytest.approx(row(pos, 16), abs=2e-4)


def test_it_opens_in_the_middle_with_rows_left_to_write():
    marks = drawn(hands_write_the_table)
    assert max(values(marks, "position", "column")) == 20
