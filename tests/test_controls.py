"""Controls as they are written into a specification; browser/ has them in the hand."""

import pytest

from helpers import encoding
from helpers.explore import distances, formula, log_space, rotary, rotation_matrix
from helpers.explore.controls import choice, controls
from helpers.explore.renderer import portable

CHARTS = {
    "dial explorer": formula.dial_explorer,
    "sinusoids": lambda: formula.sinusoids(encoding.positional_encoding(20, 8)),
    "stored positions": log_space.stored_positions,
    "laboratory": rotation_matrix.laboratory,
    "explorer": distances.explorer,
    "hands": rotary.hands,
    "signs": rotary.signs,
    "turns": rotary.turns,
}


def bindings(chart):
    """Every control of a chart, as {signal: [binding, …]}."""
    found = {}
    for param in portable(chart.to_dict())["params"]:
        bind = param.get("bind")
        if isinstance(bind, dict):
            found.setdefault(bind.get("signal", param["name"]), []).append(bind)
    return found


@pytest.mark.parametrize("name", CHARTS)
def test_every_control_keeps_its_keys_to_itself(name):
    for binds in bindings(CHARTS[name]()).values():
        for bind in binds:
            assert bind["input"] in ("RANGE", "number")
            assert bind["data-lm-suppress-shortcuts"] == "true"


def test_slider_and_box_hold_one_number():
    slider, box = bindings(formula.dial_explorer(furthest=70))["pos_drag"]
    for end, value in {"min": 0, "max": 70, "step": 1}.items():
        assert slider[end] == box[end] == value
    assert (slider["input"], box["input"]) == ("RANGE", "number")
    assert "position" in slider["name"] and "position" in box["aria-label"]


def test_texts_to_choose_from_are_listed_and_numbers_are_not():
    (drag, chosen) = choice("c", "b", ["a", "b"], "which")
    assert (drag.param.value, chosen.param.expr) == (2, "['a', 'b'][c_drag - 1]")
    assert drag.param.bind.name.strip() == "which: 1 a, 2 b"
    (drag, _) = choice("c", 2, [1, 2], "how many")
    assert drag.param.bind.name.strip() == "how many"
    with pytest.raises(ValueError):
        choice("c", 3, [1, 2], "how many")


def test_names_of_one_control_go_together():
    names = [param.name for param in controls("n", 2, 0, 9, "number")]
    assert names == ["n_drag", "n_type", "n"]
