"""Notebook 08: its pictures hold what they are given, and say what is seen."""

import numpy as np
import pytest

from helpers.lessons.language_model import pictures


def test_shifted_puts_each_target_below_the_input_before_it():
    picture = pictures.shifted("ab c")
    texts = {(t.get_text(), *t.get_position()) for t in picture.axes[0].texts}
    for place, (character, following) in enumerate(zip("ab␣", "b␣c", strict=True)):
        assert (character, place + 0.5, 1.4 + 0.4) in texts
        assert (following, place + 0.5, 0.4) in texts
    assert "Inputs: a, b and ␣. Targets below them: b, ␣ and c." in picture.alt


def test_losses_are_means_of_ten_and_ranked_by_unseen_text():
    histories = {"one": np.arange(40.0), "two": np.arange(40.0)[::-1]}
    yardsticks = {"letters": 3.0, "pairs": 2.0}
    picture = pictures.losses(histories, {"one": 2.5, "two": 1.0}, yardsticks)
    first, second, *rules = picture.axes[0].lines
    assert first.get_ydata().tolist() == [4.5, 14.5, 24.5, 34.5]
    assert second.get_xdata().tolist() == [5, 15, 25, 35]
    assert [rule.get_ydata()[0] for rule in rules] == [3.0, 2.0]
    assert "from the highest loss to the lowest: one and two." in picture.alt
    assert "Below both lines: two." in picture.alt
    other = pictures.losses(histories, {"one": 0.5, "two": 1.0}, yardsticks)
    assert "to the lowest: two and one. Below both lines: two and one." in other.alt


def test_heads_have_a_panel_each_and_tell_who_looks_back():
    weights = {
        f"layer {n}, head {h}": np.full(20, 0.05) for n in (1, 2) for h in (0, 1)
    }
    weights["layer 2, head 1"] = np.eye(20)[1]
    picture = pictures.heads(weights)
    assert [ax.get_title(loc="left") for ax in picture.axes] == list(weights)
    heights = [bar.get_height() for bar in picture.axes[3].patches]
    assert heights == [0, 1, 0, 0, 0, 0, 0, 0, 0]
    assert "one place back for: layer 2, head 1." in picture.alt


def test_removed_puts_cost_against_look_and_compares_the_two():
    look = {"layer 1, head 0": 0.1, "layer 1, head 1": 0.2, "layer 2, head 0": 0.7}
    costs = dict(zip(look, (0.1, 0.0, 0.5), strict=True))
    picture = pictures.removed(look, costs)
    first, second = picture.axes[0].lines[:2]
    assert first.get_xydata().tolist() == [[0.1, 0.1], [0.2, 0.0]]
    assert second.get_xydata().tolist() == [[0.7, 0.5]]
    assert "most without layer 2, head 0. It is the head" in picture.alt
    costs["layer 1, head 1"] = 0.6
    assert "layer 1, head 1. It is not the head" in pictures.removed(look, costs).alt


def test_one_head_says_where_each_curve_has_its_top():
    picture = pictures.one_head({"kept": np.eye(12)[1], "divided": np.eye(12)[4]})
    assert "kept, 1 back; divided, 4 back." in picture.alt
    assert picture.axes[0].lines[1].get_ydata().tolist() == np.eye(10)[4].tolist()


def test_along_the_text_tells_level_from_rise():
    level, late, early = np.full((3, 128), 1.5)
    late[100:], early[64:] = 3, 3
    picture = pictures.along_the_text({"level": level, "late": late, "early": early})
    told = "level, about level all the way; late, level for a while, then rises; early"
    assert f"{told}, rises at once" in picture.alt
    line = picture.axes[0].lines[2]
    assert line.get_ydata().tolist() == 4 * [1.5] + 4 * [3]
    assert line.get_xdata().tolist() == list(range(8, 128, 16))


@pytest.mark.parametrize(("grow", "told"), [(0, "keeps"), (0.02, "changes")])
def test_decays_tell_the_top_and_whether_the_band_keeps_its_width(grow, told):
    offsets = np.arange(300)
    many = np.random.default_rng(0).normal(size=(200, 300)) * (1 + grow * offsets)
    picture = pictures.decays(offsets, {"top": -np.abs(offsets - 40), "many": many})
    assert "top, highest at offset 40; many, a band that " + told in picture.alt
    assert len(picture.axes[0].lines) == 1 + 1 + 3  # zero, the top, three of the many
