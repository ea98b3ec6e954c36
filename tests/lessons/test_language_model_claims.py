"""Notebook 08: what it prints and says of its models, on three variants of the text.

Its text differs from Python to Python, so what is printed and said must hold for texts
like it: its claims are tested on two others. That it prints the same elsewhere is seen
where the notebooks run on other Pythons.
"""

import math
from functools import partial
from pydoc_data.topics import topics

import numpy as np
import pandas as pd
import pytest
import torch
from defined import cells, definitions

CONSTANTS = ("text", "characters", "number", "train", "unseen", "theta")
SIZES = ("WIDTH", "HEADS", "STEPS", "BATCH", "LENGTH", "RATE")
ADDED = ["Sinusoidal", "Learned"]
CODES = [*ADDED, "Rotary"]
pytestmark = pytest.mark.slow


def shorter():
    """About a tenth less text: every eighth topic is missing."""
    return {name: topics[name] for n, name in enumerate(topics) if n % 8 != 2}


def reordered():
    """The topics from last to first, so that others are unseen."""
    return dict(reversed(topics.items()))


class Lesson:
    """What the notebook defines, for another text."""

    def __init__(self, text):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("pydoc_data.topics.topics", text)
            self.__dict__ = definitions("language_model", (*CONSTANTS, *SIZES))

    def trained(self, code, **buffers):
        training = self.Training(getattr(self, code), self.seed)
        vars(training.model.code).update(buffers)
        training.run(code)
        return training.model

    def loss_of_pairs(self, ids):
        """The loss of the yardstick that has counted all pairs."""
        counts = np.full(2 * [len(self.characters)], 0.1)
        np.add.at(counts, (self.train[:-1], self.train[1:]), 1)
        chances = counts / counts.sum(axis=1, keepdims=True)
        return -np.log(chances[ids[:-1], ids[1:]]).mean()


@pytest.fixture(
    scope="module", params=[pytest.param(shorter, marks=pytest.mark.weekly), reordered]
)
def lesson(request):
    made = Lesson(request.param())
    made.name, made.seed = request.param.__name__, 0
    if made.name == "shorter":  # another seed, and unseen is what the text begins with
        ids, made.seed = torch.cat([made.train, made.unseen]), 7
        made.unseen, made.train = ids.tensor_split([len(ids) // 10])
    made.models = {code: made.trained(code) for code in ("NoCode", *CODES)}
    made.near, made.far = (
        {code: made.loss_by_place(model, n) for code, model in made.models.items()}
        for n in (64, 256)
    )
    made.rotary = made.models["Rotary"]
    made.larger = {n: made.speeds(made.base_for(10_000, n, 16)) for n in (4, 8)}
    return made


def look_back_head(lesson, code):
    """The head that looks one place back most, and the share that it looks there."""
    heads = pd.DataFrame(lesson.by_offset(lesson.models[code]))
    return heads.loc[1].idxmax(), heads.loc[1].max()


@cells("0509399c")
def test_the_unseen_text_is_easier():
    lesson = Lesson(shorter())
    seen, unseen = map(lesson.loss_of_pairs, (lesson.train, lesson.unseen))
    assert seen > unseen + 0.05


@cells("rotary-lowest", "466377f5")
def test_what_each_code_is_worth(lesson):
    pairs = lesson.loss_of_pairs(lesson.unseen)
    loss = pd.DataFrame(lesson.near).mean()
    assert 0 < pairs - loss["NoCode"] < 0.5
    assert loss[ADDED].max() < loss["NoCode"] - 0.1
    assert loss["Rotary"] < loss[ADDED].min() - 0.05


@cells("ed566b3d")
def test_what_counting_from_64_does(lesson):
    moved = {
        code: lesson.loss_by_place(lesson.models[code], start=64) - lesson.near[code]
        for code in CODES
    }
    assert np.abs(moved["Rotary"]).max() < 1e-3
    assert moved["Sinusoidal"].mean() > moved["Learned"].mean() > 0.3


@cells("615f063b", "13900c2d", "3ca3c130", "466377f5")
def test_where_look_back_heads_grow(lesson):
    for code in CODES:
        head, share = look_back_head(lesson, code)
        assert share > 0.3
        assert head.startswith("layer 2" if code == "Rotary" else "layer 1")
    assert look_back_head(lesson, "NoCode")[1] < 0.2


@cells("1985663d")
def test_the_heads_that_are_missed(lesson, monkeypatch):
    monkeypatch.setattr(lesson, "unseen", lesson.unseen.tensor_split(3)[0])
    heads = pd.DataFrame({"back": pd.DataFrame(lesson.by_offset(lesson.rotary)).loc[1]})
    layers = [layer for layer in lesson.rotary.layers for _ in range(4)]
    heads["cost"] = [lesson.cost(lesson.rotary, layers[n], n % 4) for n in range(8)]
    missed = heads.groupby(heads["back"] > 0.3)["cost"].mean()
    assert missed[True] > missed[False]
    assert heads["back"].nlargest(2).index.str.startswith("layer 2").all()
    # Not so on the reordered text, as the lesson says.
    assert heads[4:].corr().loc["back", "cost"] > 0.3 or lesson.name == "reordered"


@cells("8a40f632", "notes")
def test_where_the_loss_rises(lesson):
    if lesson.name == "shorter":
        other = lesson.trained("Rotary", theta=lesson.speeds(100_000))
        lesson.far["base 100 000"] = lesson.loss_by_place(other, 256)
    far = pd.DataFrame(lesson.far)
    end = far[-32:].mean()
    assert end[CODES].min() > end["NoCode"] + 0.2
    rise = far.groupby(far.index // 16).mean() - far[:64].mean()  # row 4: at 64 to 79
    assert rise.loc[4, ADDED].min() > 0.3
    assert rise.loc[4:5, "Rotary"].max() < 0.2 < 0.4 < rise.loc[8, "Rotary"]
    assert lesson.name != "shorter" or rise.loc[5, "base 100 000"] > 0.4
    none = lesson.near["NoCode"]  # within the trained length
    assert none[-16:].mean() > none[8:24].mean() + 0.02


@cells("29350a43", "middle-hands", "second-question", "466377f5")
def test_what_the_remedies_save_and_cost(lesson):
    as_trained, theta, by_8 = lesson.far["Rotary"], lesson.theta, lesson.larger[8]
    lost = as_trained.mean() - lesson.near["Rotary"].mean()

    def saved_and_cost(speeds):
        change = lesson.with_speeds(speeds, lesson.loss_by_place, 256) - as_trained
        return -change.mean() / lost, change[:64].mean()

    saved, cost = saved_and_cost(by_8)
    assert saved > max(0.6, saved_and_cost(lesson.larger[4])[0])
    assert cost < 0.1 < 0.5 < saved_and_cost(theta / 4)[1]
    # Pairs that are slowed by 4, and between which shares that saves.
    for first, end, low, high in ((0, 3, -9, 0), (3, 4, 0.4, 1), (4, 8, -0.1, 0.1)):
        slower = theta.clone()
        slower[first:end] /= 4
        assert low < saved_and_cost(slower)[0] < high
    slower = [(theta / speeds)[3].item() for speeds in lesson.larger.values()]
    assert slower == pytest.approx([1.8, 2.4], abs=0.05)
    turns = (63 * theta / math.tau).tolist()
    assert turns[2] > 1 > 0.35 > turns[3] > 0.3


@cells("2a2a4c8e", "466377f5")
def test_what_becomes_of_the_look_back_head(lesson):
    head, share = look_back_head(lesson, "Rotary")
    divided, larger = (
        lesson.with_speeds(speeds, lesson.by_offset)[head]
        for speeds in (lesson.theta / 4, lesson.larger[4])
    )
    assert divided.max() < 0.5 * share
    assert divided[1:8].sum() > 0.7
    assert np.sum(divided > divided.max() / 3) in range(4, 9)
    assert larger.argmax() == 1
    assert larger[1] > 0.8 * share


@cells("617726a8", "window-or-slower")
def test_a_window_serves_rotary_and_a_narrow_one_serves_no_code(lesson):
    def seeing(reach, code, length=256):
        model = lesson.models[code]
        return lesson.with_reach(model, reach, lesson.loss_by_place, length)

    near, window = (
        pd.Series({code: losses(code).mean() for code in CODES})
        for losses in (lesson.near.get, partial(seeing, 64))
    )
    rise = window - near
    assert rise["Rotary"] < 0.05
    assert rise[ADDED].min() > 0.3
    best = min(
        lesson.with_speeds(speeds, lesson.loss_by_place, 256).mean()
        for speeds in (lesson.theta / 4, *lesson.larger.values())
    )
    assert window["Rotary"] < best
    assert seeing(4, "Rotary").mean() < best + 0.1
    none, far = lesson.near["NoCode"], lesson.far["NoCode"]
    assert seeing(4, "NoCode").mean() < min(none.mean(), far.mean()) - 0.03
    narrow, wide = (
        losses[32:].mean() - losses[8:16].mean()
        for losses in (seeing(4, "NoCode", 64), none)
    )
    assert narrow < wide / 2  # most of the rise is gone
