"""Notebook 02: its explorable, read back."""

import pytest
import torch
from drawing import drawn

from helpers.lessons.log_space import explore


@pytest.mark.parametrize("here", [0, 256, 2048, 4095])
def test_stored_positions_are_those_of_the_hardware(here):
    marks = drawn(explore.stored_positions, here=here)
    lines = [m for m in marks if "kept" in m]
    assert len(lines) >= 3 * 17
    numbers = {"float32": set(), "float16": set(), "bfloat16": set()}
    for line in lines:
        number = torch.tensor(int(line["position"]))
        stored = number.to(getattr(torch, line["format"])).item()
        assert line["stored"] == stored
        assert line["kept"] == ("kept" if stored == number else "moved")
        assert line["moved_to"] == stored - here
        numbers[line["format"]].add(stored)
    counted = [m["counted"] for m in marks if "counted" in m]
    there = f"{len(lines) // 3} positions"
    assert counted == [f"{there},|{len(left)} numbers" for left in numbers.values()]
