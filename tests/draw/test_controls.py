"""Controls as they are written into a specification; browser/ has them in the hand."""

from importlib import import_module

import altair as alt
import pytest
from drawing import drawn

from helpers.draw.controls import PLAY, clock, player, unpacked

CHARTS = [
    "formula.bits",
    "rotation_matrix.turned",
    "distances.explorer",
    "rotary.signs",
]


def signals(params):
    """What Altair makes of parameters: as in a chart, but for its numbering."""
    spec = alt.Chart().mark_point().add_params(*params).to_dict()
    return {p["name"]: p for p in unpacked(spec["params"])}


@pytest.mark.parametrize("name", CHARTS)
def test_every_control_keeps_its_keys_to_itself(name):
    area, chart = name.split(".")
    made = getattr(import_module(f"helpers.lessons.{area}.explore"), chart)()
    bound = [p["bind"] for p in unpacked(made.to_dict()["params"]) if "bind" in p]
    assert bound
    for bind in bound:
        assert bind["input"] in ("RANGE", "number", "RADIO", "hidden", "TEXT", "button")
        assert bind["data-lm-suppress-shortcuts"] == "true"
        assert ("form" in bind) == (bind["input"] != "RADIO")


def test_nothing_plays_by_itself():
    made = signals(player("pos", 0, 0, 9, "position", 5))
    assert made["pos_play"]["value"] == PLAY
    assert not drawn(clock("pos").add_params(alt.param(name="pos_play", value=PLAY)))
