"""Notebook 08: its pictures hold what they are given, and say what is seen."""

import numpy as np
import pytest
from drawing import shows

from helpers.lessons.language_model import pictures


def test_shifted_puts_each_target_below_the_input_before_it():
    picture = pictures.shifted("ab c")
    texts = {(t.get_text(), *t.get_position()) for t in picture.axes[0].texts}
    for place, (character, following) in enumerate(zip("ab␣", "b␣c", strict=True)):
        assert (character, place + 0.5, 1.4 + 0.4) in texts
        assert (following, place + 0.5, 0.4) in texts
    assert "Inputs: a, b and ␣. Targets below them: b, ␣ and c." in picture.alt


def test_losses_are_means_of_ten_and_ranked_by_their_ends():
    up, means = np.arange(40.0), np.array([4.5, 14.5, 24.5, 34.5])
    rises = pictures.losses({"one": up, "two": up[::-1]})
    told = ["Two ends lowest, one highest. ", "to the lowest: one and two."]
    shows(rises, means, means[::-1], says=told)
    falls = pictures.losses({"one": up[::-1], "two": up})
    shows(falls, means[::-1], means, says=["to the lowest: two and one."])


def test_heads_have_a_panel_each_and_tell_who_looks_back():
    weights = {"layer 1, head 0": np.full(20, 0.05), "layer 1, head 1": np.eye(20)[1]}
    drawn = [means[:9] for means in weights.values()]
    shows(pictures.heads(weights), *drawn, says=["place back for: layer 1, head 1."])


def test_removed_puts_cost_against_look_and_compares_the_two():
    look = {"layer 1, head 0": 0.1, "layer 1, head 1": 0.2, "layer 2, head 0": 0.7}
    costs = dict(zip(look, (0.1, 0.0, 0.5), strict=True))
    told = "most without layer 2, head 0. It is the head"
    shows(pictures.removed(look, costs), [0.1, 0.0], [0.5], says=[told])
    costs["layer 1, head 1"] = 0.6
    shows(pictures.removed(look, costs), says=["layer 1, head 1. It is not the head"])


def test_one_head_says_where_each_curve_has_its_top():
    kept, divided = np.eye(12)[1], np.eye(12)[4]
    picture = pictures.one_head({"kept": kept, "divided": divided})
    told = ["head stays sharp. ", "kept, 1 back; divided, 4 back."]
    shows(picture, kept[:10], divided[:10], says=told)
    blurred = pictures.one_head({"kept": kept, "other": kept, "divided": divided / 4})
    shows(blurred, says=["With divided, the head is blurred. "])
    assert blurred.axes[0].get_title("left") == "With divided, the head is blurred"


def test_along_the_text_tells_level_from_rise():
    level, late, early = np.full((3, 128), 1.5)
    late[100:], early[64:] = 3, 3
    picture = pictures.along_the_text({"level": level, "late": late, "early": early})
    told = "level, about level all the way; late, level for a while, then rises; early"
    shows(picture, 4 * [1.5] + 4 * [3], says=[f"{told}, rises at once"])


@pytest.mark.parametrize(("grow", "told"), [(0, "keeps"), (0.02, "changes")])
def test_decays_tell_the_top_and_whether_the_band_keeps_its_width(grow, told):
    offsets = np.arange(300)
    many = np.random.default_rng(0).normal(size=(200, 300)) * (1 + grow * offsets)
    top = -np.abs(offsets - 40)
    picture = pictures.decays(offsets, {"top": top, "many": many})
    told = f"top, highest at offset 40; many, a band that {told}"
    shows(picture, top, *many[:3], says=["score is at offset 40. ", told])
    picture = pictures.decays(offsets, {"top": top, "other": -offsets})
    shows(picture, top, -offsets, says=["offset 0 and 40, as the key chooses. "])
