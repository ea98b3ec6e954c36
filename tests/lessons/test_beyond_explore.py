"""Notebook 09: its explorable, read back as it is drawn."""

import re

import numpy as np
import pandas as pd
import pytest
from drawing import drawn

from helpers.lessons.beyond import explore

X = np.arange(512) / 512
TARGET = np.sin(2 * np.pi * 5 * X)
SWEEP = {
    (high, low): TARGET * (1 + 0.1 * high) + 0.01 * low
    for high in range(7)
    for low in range(high + 1)
}


def fields():
    return explore.fields(X, TARGET, SWEEP)


@pytest.mark.parametrize("patch", [0, 12, 19])
def test_both_views_mark_where_a_head_looks(patch):
    line, place = np.divmod(np.arange(25), 5)
    column = np.equal.outer(place, place) / 5
    nearby = np.abs(np.subtract.outer(np.arange(25), np.arange(25))) == 5
    heads = {"column": column, "below": nearby * 1.0}
    for head, weights in heads.items():
        marks = drawn(explore.patches(heads), head=head, query=patch)
        cells = [m for m in marks if "state" in m]
        for image in (cells[:25], cells[25:]):
            assert image[patch]["state"] == "asks"
            seen = [n for n, cell in enumerate(image) if cell["state"] == "seen"]
            assert seen == [n for n in np.flatnonzero(weights[patch]) if n != patch]
        corners = [(m["left"], m["upper"]) for m in cells]
        apart = np.diff(corners[:25], axis=0)
        assert np.allclose(apart[line[1:] == line[:-1]], [38, 0])
        assert np.allclose(apart[4::5], [-4 * 38, 38])
        assert np.allclose(np.diff(corners[25:], axis=0), [32, 0])
        far = max(abs(np.flatnonzero(weights[patch]) - patch))
        assert any(f"up to {far} tokens away" in str(mark) for mark in marks)


@pytest.mark.parametrize(("fastest", "slowest"), [(4, 1), (6, 6), (2, 5)])
def test_the_sliders_choose_the_line_its_errors_and_its_spectrum(fastest, slowest):
    slowest_shown = min(fastest, slowest)
    line = SWEEP[fastest, slowest_shown]
    marks = drawn(fields, fastest=fastest, slowest=slowest)
    network = [mark for mark in marks if "network" in mark]
    dots = pd.DataFrame(mark for mark in network if "value" in mark)
    places = (512 * dots["x"]).round().astype(int)

    assert len(places) == 64
    assert (places % 2 == 0).all()
    assert dots["value"].tolist() == pytest.approx(line[places], abs=2e-3)

    head = f"Title text '{'Slowest' if slowest > fastest else 'Hands'}"
    said = next(f"{key} {m[key]}" for m in marks for key in m if head in key)
    errors = ((line - TARGET) ** 2).reshape(-1, 2).mean(axis=0)
    shown = [float(number) for number in re.findall(r"\d\.\d{3}", said)]
    assert shown == pytest.approx(errors, abs=1e-3)

    at = "turns per unit (square-root scale)"
    waves = pd.DataFrame(mark for mark in network if at in mark)
    wanted = np.zeros(257)
    wanted[[0, 5]] = 0.02 * slowest_shown, 1 + 0.1 * fastest
    assert waves[at].tolist() == list(range(257))
    assert waves["size of the wave"].tolist() == pytest.approx(wanted, abs=1e-3)
