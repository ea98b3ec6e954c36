"""The hands that write the table: what is drawn at a position, read back."""

import math

import pytest
from drawing import drawn

from helpers.draw.hands import hands_write_the_table


def wave(pos, column, d_model):
    angle = pos / 10_000 ** (2 * (column // 2) / d_model)
    return math.cos(angle) if column % 2 else math.sin(angle)


@pytest.mark.parametrize(("pos", "now"), [(0, 0), (13, 13), (40.5, 40), (47, 47)])
def test_the_tips_drop_their_values_and_the_table_has_every_row_so_far(pos, now):
    marks = drawn(hands_write_the_table, step=pos)
    cells = [m for m in marks if {"position", "column"} <= m.keys()]
    assert len(cells) == 16 * (now + 1)
    for cell in cells:
        expected = wave(cell["position"], cell["column"], 16)
        assert cell["value"] == pytest.approx(expected, abs=6e-5)
    row = {m["column"]: m["value"] for m in marks if {"wave", "column"} <= m.keys()}
    assert row == {c: pytest.approx(wave(now, c, 16), abs=6e-5) for c in range(16)}
    tips = {m["pair"]: m for m in marks if m.keys() == {"tip_x", "tip_y", "pair"}}
    for pair, tip in tips.items():
        middle = 100 * (pair + 0.5)
        assert tip["tip_x"] == pytest.approx(
            middle + 34 * wave(pos, 2 * pair, 16), abs=5e-3
        )
        assert tip["tip_y"] == pytest.approx(
            58 - 34 * wave(pos, 2 * pair + 1, 16), abs=5e-3
        )
    assert len(tips) == 8


def test_its_description_is_of_what_it_draws():
    def words(*sizes):
        return hands_write_the_table(*sizes).to_dict()["description"]

    assert "At 47, pair 0 has turned 7.48 times and pair 7 0.0024 times" in words()
    assert "2 clock dials" in words(4, 30) and "pair 1 0.046 times" in words(4, 30)
