"""Notebook 02: its explorables, read back and by their texts."""

import torch
from drawing import drawn
from hypothesis import example, given, settings
from hypothesis import strategies as st

from helpers.lessons.log_space import explore


@settings(max_examples=5, deadline=None)
@given(here=st.integers(0, 4999))
@example(here=256)
@example(here=2048)
@example(here=4095)
def test_stored_positions_are_those_of_the_hardware(here):
    lines = [m for m in drawn(explore.stored_positions, here=here) if "kept" in m]
    assert len(lines) >= 3 * 17
    for line in lines:
        number = torch.tensor(int(line["position"]))
        stored = number.to(getattr(torch, line["format"])).item()
        assert line["stored"] == stored
        assert line["kept"] == ("kept" if stored == number else "moved")
        assert line["moved_to"] == stored - here


def test_the_explorable_counts_what_is_left():
    marks = drawn(explore.stored_positions, here=300)
    counted = [m["counted"] for m in marks if "counted" in m]
    stored = {round(p / 2) * 2 for p in range(284, 317)}  # half to even, as Python does
    for said, numbers in zip(counted, (33, 33, len(stored)), strict=True):
        assert said == f"33 positions, {numbers} numbers"
