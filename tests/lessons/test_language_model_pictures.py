"""Notebook 08: its pictures hold what they are given, and say what is seen."""

import numpy as np
from drawing import shows
from seen import titles

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
    for best, worst in (("one", "two"), ("two", "one")):
        picture = pictures.losses({worst: up, best: up[::-1]})
        told = f"{best.capitalize()} ends lowest, {worst} highest. "
        shows(picture, means, means[::-1], says=[told])


def test_heads_have_a_panel_each_and_tell_who_looks_back():
    weights = {"layer 1, head 0": np.full(20, 0.05), "layer 1, head 1": np.eye(20)[1]}
    drawn = [means[:9] for means in weights.values()]
    shows(pictures.heads(weights), *drawn, says=["place back for: layer 1, head 1."])


def test_removed_puts_cost_against_look_and_compares_the_two():
    look = {"layer 1, head 0": 0.1, "layer 1, head 1": 0.2, "layer 2, head 0": 0.7}
    costs = dict(zip(look, (0.1, 0.0, 0.5), strict=True))
    told = "The loss rises most without layer 2, head 0. "
    shows(pictures.removed(look, costs), [0.1, 0.0], [0.5], says=[told])


def test_one_head_says_where_each_curve_has_its_top():
    kept, divided = np.eye(12)[1], np.eye(12)[4]
    picture = pictures.one_head({"kept": kept, "divided": divided})
    shows(picture, kept[:10], divided[:10], says=["It stays sharp. "])
    blurred = pictures.one_head({"kept": kept, "other": kept, "divided": divided / 4})
    shows(blurred, says=["With divided, the head is blurred. "])
    assert titles(blurred)[0] == "With divided, the head is blurred"


def test_along_the_text_tells_level_from_rise():
    level, late, early = np.full((3, 128), 1.5)
    late[100:], early[64:] = 3, 3
    picture = pictures.along_the_text({"level": level, "late": late, "early": early})
    told = "level, about level all the way; late, level for a while, then rises; early"
    title = "rises at once for early. "
    shows(picture, 4 * [1.5] + 4 * [3], says=[title, f"{told}, rises at once"])
