"""Notebook 08: its explorables, read back as they are drawn."""

import numpy as np
import pytest
from drawing import drawn

from helpers.lessons.language_model import explore

LINE = "a b cd"
RNG = np.random.default_rng(8)
WEIGHTS = {name: np.tril(RNG.uniform(size=(6, 6))) for name in ("one", "two")}
PLACES = {"kept": np.repeat([1.0, 2.0], 64), "slower": np.repeat([1.5, 1.0], 64)}


def heads():
    return explore.heads(LINE, WEIGHTS)


def remedies():
    return explore.remedies(PLACES)


@pytest.mark.parametrize("place", [0, 3, 5])
def test_the_weights_shown_are_those_of_the_place(place):
    marks = drawn(heads, place=place)
    shown = [mark for mark in marks if "places back" in mark]
    assert len(shown) == 2 * (place + 1)
    for mark in shown:
        wanted = WEIGHTS[mark["head"]][place, place - int(mark["places back"])]
        assert mark["weight"] == pytest.approx(wanted, abs=0.0051)


def test_every_head_has_the_line_and_spaces_can_be_seen():
    letters = [mark["character"] for mark in drawn(heads) if "character" in mark]
    assert letters[:6] == ["a", "␣", "b", "␣", "c", "d"]
    assert len(letters) == 2 * len(LINE)
    assert "6 characters, once for each of 2 heads" in heads().description


@pytest.mark.parametrize("remedy", PLACES)
def test_one_remedy_is_shown_with_its_mean(remedy):
    marks = drawn(remedies, remedy=remedy)
    dots = [mark["loss"] for mark in marks if "loss" in mark]
    assert dots == PLACES[remedy].reshape(-1, 16).mean(axis=1).tolist()
    said = f"{PLACES[remedy].mean():.2f} nats, mean of all places'"
    assert {f"Title text '{remedy}": said} in marks
