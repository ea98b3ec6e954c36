"""Notebook 08: its pictures hold what they are given, and say what is seen."""

import numpy as np
from drawing import shows

from helpers.lessons.language_model import pictures


def test_shifted_puts_each_target_below_the_input_before_it():
    picture = pictures.shifted("ab c")
    shows(picture, says=["Inputs: a, b and ␣. Targets below them: b, ␣ and c."])
    where = {text.get_position(): text.get_text() for text in picture.axes[0].texts}
    for n in range(3):
        assert where[n + 0.5, 1.4 + 0.4] == "ab␣"[n]
        assert where[n + 0.5, 0.4] == "b␣c"[n]


def test_losses_are_means_of_ten_and_ranked_by_their_ends():
    up, means = np.arange(40.0), np.array([4.5, 14.5, 24.5, 34.5])
    picture = pictures.losses({"one": up, "two": up[::-1]})
    shows(picture, means, means[::-1], told=["Two ends lowest, one highest"])


def test_heads_have_a_panel_each_and_tell_who_looks_back():
    weights = {"layer 1, head 0": np.full(20, 0.05), "layer 1, head 1": np.eye(20)[1]}
    shows(
        pictures.heads(weights),
        np.full(9, 0.05),
        np.eye(9)[1],
        told=["1 of 2 heads look one character back most; layer 1, head 1"],
    )


def test_removed_puts_cost_against_look_and_compares_the_two():
    look = {"layer 1, head 0": 0.1, "layer 1, head 1": 0.2, "layer 2, head 0": 0.7}
    picture = pictures.removed(look, dict(zip(look, (0.1, 0.0, 0.5), strict=True)))
    told = ["The loss rises most without layer 2, head 0"]
    shows(picture, [0.1], [0.0], [0.5], told=told)
    named = {t.get_text().strip(): t.get_position() for t in picture.axes[0].texts}
    assert named == {"1.0": (0.1, 0.1), "1.1": (0.2, 0.0), "2.0": (0.7, 0.5)}


def test_one_head_says_whether_it_stays_sharp():
    kept, moved = np.eye(12)[1], np.eye(12)[4]
    picture = pictures.one_head({"kept": kept, "divided": moved})
    shows(picture, kept[:10], moved[:10], told=["blurred with none"])
    blurred = pictures.one_head({"kept": kept, "other": kept, "divided": moved / 4})
    shows(blurred, told=["blurred with divided"])


def test_along_the_text_tells_level_from_rise():
    level, late, early = np.full((3, 128), 1.5)
    late[100:], early[64:] = 3, 3
    picture = pictures.along_the_text({"level": level, "late": late, "early": early})
    said = [
        "level, never far above its start; late, level for a while, then rises; "
        "early, rises at once"
    ]
    shows(picture, 4 * [1.5] + 4 * [3], says=said)
