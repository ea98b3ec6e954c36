"""The hands that write the table: what is drawn at a position, read back."""

import pytest
from drawing import drawn
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
    dropped = [m["value"] for m in marks if {"wave", "column"} <= m.keys()]
    assert dropped == pytest.approx(table[now], abs=6e-5)
    tips = [m for m in marks if m.keys() == {"tip_x", "tip_y", "pair"}]
    assert len(tips) == 8
    for tip in tips:
        pair, wanted = int(tip["pair"]), row(pos, 16)
        across, up = (tip["tip_x"] - 95 * (pair + 0.5)) / 34, (58 - tip["tip_y"]) / 34
        assert [across, up] == pytest.approx(wanted[2 * pair : 2 * pair + 2], abs=2e-4)


def test_it_opens_in_the_middle_with_rows_left_to_write():
    marks = drawn(hands_write_the_table)
    rows = [m["position"] for m in marks if {"position", "column"} <= m.keys()]
    assert max(rows) == 20
