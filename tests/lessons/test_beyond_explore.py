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
    line, column = np.divmod(np.arange(25), 5)
    apart = np.subtract.outer(np.arange(25), np.arange(25))
    heads = {"column": apart % 5 == 0, "nearby": abs(apart) == 5}
    for head, weights in heads.items():
        marks = drawn(explore.patches(heads), head=head, query=patch)
        cells = pd.DataFrame(mark for mark in marks if "state" in mark)

        # The image, then the sequence.
        states = np.where(weights[patch], "seen", "")
        states[patch] = "asks"
        assert cells["state"].tolist() == [*states, *states]

        # Their cells lie where they belong, seen from the first.
        corners = cells[["left", "upper"]].to_numpy()
        image, sequence = (some - some[0] for some in np.split(corners, 2))
        assert np.allclose(image, 38 * np.transpose([column, line]))
        assert np.allclose(sequence, np.outer(range(25), [32, 0]))

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
    (said,) = (str(mark) for mark in marks if head in str(mark))
    shown = np.array(re.findall(r"\d\.\d{3}", said), float)
    errors = ((line - TARGET) ** 2).reshape(-1, 2).mean(axis=0)
    assert shown == pytest.approx(errors, abs=1e-3)

    at = "turns per unit (square-root scale)"
    waves = pd.DataFrame(mark for mark in network if at in mark)
    wanted = np.zeros(257)
    wanted[[0, 5]] = 0.02 * slowest_shown, 1 + 0.1 * fastest
    assert waves[at].tolist() == list(range(257))
    assert waves["size of the wave"].tolist() == pytest.approx(wanted, abs=1e-3)
