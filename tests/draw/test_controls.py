"""Controls as they are written into a specification; browser/ has them in the hand."""

from importlib import import_module

import altair as alt
import pytest
from drawing import drawn

from helpers.draw.controls import PLAY, choice, clock, controls, player, power, wired
from helpers.lessons import AREAS

CHARTS = {
    "formula": ["bits", "dial_explorer"],
    "log_space": ["stored_positions"],
    "rotation_matrix": ["turned", "laboratory"],
    "distances": ["explorer"],
    "rotary": ["hands", "signs", "turns"],
}


def signals(params):
    """What Altair makes of parameters: as in a chart, but for its numbering."""
    spec = alt.Chart().mark_point().add_params(*params).to_dict()
    return {p["name"]: p for p in wired(spec["params"])}


@pytest.mark.parametrize("name", [f"{a}.{n}" for a in CHARTS for n in CHARTS[a]])
def test_every_control_keeps_its_keys_to_itself(name):
    area, chart = name.split(".")
    assert area in AREAS
    made = getattr(import_module(f"helpers.lessons.{area}.explore"), chart)()
    bound = [p["bind"] for p in wired(made.to_dict()["params"]) if "bind" in p]
    assert bound
    for bind in bound:
        assert bind["input"] in ("RANGE", "number", "RADIO", "hidden", "TEXT", "button")
        assert bind["data-lm-suppress-shortcuts"] == "true"
        assert ("form" in bind) == (bind["input"] != "RADIO")


def test_slider_and_box_hold_one_number():
    made = signals(controls("pos", 3, 0, 70, "position"))
    slider, box = made["pos_drag"]["bind"], made["pos_type"]["bind"]
    for end, value in {"min": 0, "max": 70, "step": 1}.items():
        assert slider[end] == box[end] == value
    assert (slider["input"], box["input"]) == ("RANGE", "number")
    assert box["signal"] == "pos_drag"
    assert "position" in slider["name"] and "position" in box["aria-label"]


def test_texts_are_radio_buttons_and_numbers_stops():
    made = signals(choice("c", "b", ["a", "b"], "which"))
    assert made["c"]["value"] == "b"
    marked = [made[f"c_{n}"]["bind"] for n in (0, 1)]
    assert [bind["name"] for bind in marked] == ["a", "b"]
    assert ["checked" in bind for bind in marked] == [False, True]
    made = signals(choice("c", 20, [10, 20, 3000], "how many"))
    assert made["c"]["expr"] == "[10, 20, 3000][c_drag]"
    assert made["c_said"]["expr"] == '["10", "20", "3,000"][c_drag]'
    assert (made["c_drag"]["value"], made["c_drag"]["bind"]["max"]) == (1, 2)
    with pytest.raises(ValueError):
        choice("c", 3, [1, 2], "how many")


def test_powers_are_written_as_powers():
    assert power(4, 6) == "4⁶ = 4,096"
    assert power(2, 10) == "2¹⁰ = 1,024"


def test_nothing_plays_by_itself():
    made = signals(player("pos", 0, 0, 9, "position"))
    assert made["pos_play"]["value"] == PLAY
    assert not drawn(clock("pos").add_params(alt.param(name="pos_play", value=PLAY)))
