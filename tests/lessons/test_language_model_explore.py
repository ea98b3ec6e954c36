"""Notebook 08: its explorable, read back as it is drawn."""

import numpy as np
import pytest
from drawing import drawn, values

from helpers.lessons.language_model import explore

PLACES = {"kept": np.repeat([1.0, 2.0], 64), "slower": np.repeat([1.5, 1.0], 64)}


def remedies():
    return explore.remedies(PLACES)


@pytest.mark.parametrize("remedy", PLACES)
def test_one_remedy_is_shown_with_its_mean(remedy):
    marks = drawn(remedies, remedy=remedy)
    places = PLACES[remedy]
    assert values(marks, "loss") == places.reshape(-1, 16).mean(axis=1).tolist()
    said = f"{places.mean():.2f} nats, mean of all places'"
    assert {f"Title text 'Loss {remedy}": said} in marks
