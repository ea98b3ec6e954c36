"""Notebook 02: its explorable, read back."""

import pandas as pd
import pytest
import torch
from drawing import drawn, values

from helpers.lessons.log_space import explore


@pytest.mark.parametrize("here", [0, 256, 2048, 4095])
def test_stored_positions_are_those_of_the_hardware(here):
    marks = drawn(explore.stored_positions, here=here)
    lines = pd.DataFrame(m for m in marks if "kept" in m)
    assert lines["format"].nunique() == 3
    counted = []
    for form, some in lines.groupby("format", sort=False):
        numbers = torch.tensor(some["position"].to_numpy(), dtype=torch.int32)
        stored = numbers.to(getattr(torch, form)).double().numpy()
        assert (some["stored"] == stored).all()
        assert (some["moved_to"] == stored - here).all()
        assert ((some["kept"] == "kept") == (stored == some["position"])).all()
        assert len(some) >= 17
        counted.append(f"{len(some)} positions,|{len(set(stored))} numbers")
    assert values(marks, "counted") == counted
