"""Notebook 08: what it prints and says of its models, on three variants of the text.

Its text differs from Python to Python, so what is printed and said must hold for texts
like it: its claims are tested on two others. That it prints the same elsewhere is seen
where the notebooks run on other Pythons.
"""

from pydoc_data.topics import topics

import numpy as np
import pytest
import torch
from defined import cells, definitions

CONSTANTS = ("text", "characters", "number", "train", "unseen", "theta")
SIZES = ("WIDTH", "HEADS", "STEPS", "BATCH", "LENGTH", "RATE")
ADDED = ("Sinusoidal", "Learned")
CODES = (*ADDED, "Rotary")
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

    def trained(self, code, base=10_000):
        training = self.Training(getattr(self, code), self.seed)
        if code == "Rotary":
            training.model.code.theta = self.speeds(base)
        while len(training.losses) < self.STEPS:
            training.step()
        return training.model

    def loss_of_pairs(self, ids):
        """The loss of the yardstick that has counted all pairs."""
        counts = np.full(2 * [len(self.characters)], 0.1)
        np.add.at(counts, (self.train[:-1], self.train[1:]), 1)
        chances = counts / counts.sum(axis=1, keepdims=True)
        return -np.log(chances[ids[:-1], ids[1:]]).mean()


@pytest.fixture(scope="module", params=[shorter, reordered], ids=lambda v: v.__name__)
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
    bases = {factor: made.base_for(10_000, factor, 16) for factor in (4, 8)}
    made.larger = {factor: made.speeds(base) for factor, base in bases.items()}
    return made


def look_back_head(lesson, code):
    """The head that looks one place back most, and its weights by offset."""
    heads = lesson.by_offset(lesson.models[code])
    return max(heads.items(), key=lambda head: head[1][1])


@cells("0509399c")
def test_the_unseen_text_is_easier():
    lesson = Lesson(shorter())
    seen, unseen = map(lesson.loss_of_pairs, (lesson.train, lesson.unseen))
    assert seen > unseen + 0.05


@cells("rotary-lowest", "466377f5")
def test_what_each_code_is_worth(lesson):
    pairs = lesson.loss_of_pairs(lesson.unseen)
    loss = {code: places.mean() for code, places in lesson.near.items()}
    assert 0 < pairs - loss["NoCode"] < 0.5
    assert max(loss[code] for code in ADDED) < loss["NoCode"] - 0.1
    assert loss["Rotary"] < min(loss[code] for code in ADDED) - 0.05


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
        head, weights = look_back_head(lesson, code)
        assert weights[1] > 0.3
        assert head.startswith("layer 2" if code == "Rotary" else "layer 1")
    assert look_back_head(lesson, "NoCode")[1][1] < 0.2


@cells("1985663d")
def test_the_heads_that_are_missed(lesson, monkeypatch):
    part = lesson.unseen[: len(lesson.unseen) // 3]
    monkeypatch.setitem(lesson.__dict__, "unseen", part)
    back = np.array([w[1] for w in lesson.by_offset(lesson.rotary).values()])
    heads = [(layer, head) for layer in lesson.rotary.layers for head in range(4)]
    costs = np.array([lesson.cost(lesson.rotary, *one) for one in heads])
    assert costs[back > 0.3].mean() > costs[back <= 0.3].mean()
    assert back.argsort()[-2:].min() >= 4  # the strongest are in layer 2
    # Not so on the reordered text, as the lesson says.
    alike = np.corrcoef(costs[4:], back[4:])[0, 1]
    assert alike > 0.3 or lesson.name == "reordered"


def rise(losses):
    """By which the loss is higher than at the first 64 places, in each 16 of the rest."""
    far = losses.reshape(16, 16).mean(axis=1)
    return far[4:] - far[:4].mean()


@cells("8a40f632", "notes")
def test_where_the_loss_rises(lesson):
    rotary = rise(lesson.far["Rotary"])
    assert min(rise(lesson.far[code])[0] for code in ADDED) > 0.3
    assert rotary[:2].max() < 0.2 < 0.4 < rotary[4]
    none, *ends = (lesson.far[code][-32:].mean() for code in ("NoCode", *CODES))
    assert min(ends) > none + 0.2
    none = lesson.near["NoCode"]  # within the trained length
    assert none[-16:].mean() > none[8:24].mean() + 0.02
    if lesson.name == "shorter":
        other = lesson.loss_by_place(lesson.trained("Rotary", 100_000), 256)
        assert rise(other)[1] > 0.4


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
    turns = 63 * theta / (2 * np.pi)
    assert turns[2] > 1 > 0.35 > turns[3] > 0.3 > turns[4]
    slower = [theta[3] / speeds[3] for speeds in lesson.larger.values()]
    assert [f"{times:.1f}" for times in slower] == ["1.8", "2.4"]


@cells("2a2a4c8e", "466377f5")
def test_what_becomes_of_the_look_back_head(lesson):
    head, looks = look_back_head(lesson, "Rotary")
    fast, others = torch.tensor([[4] * 2 + [1] * 6, [1] * 2 + [4] * 6])
    divided, larger, without_fast, without_others = (
        lesson.with_speeds(speeds, lesson.by_offset)[head]
        for speeds in (
            lesson.theta / 4,
            lesson.larger[4],
            lesson.theta / fast,
            lesson.theta / others,
        )
    )
    assert divided.max() < 0.5 * looks[1]
    assert divided[1:8].sum() > 0.7
    assert np.sum(divided > divided.max() / 3) in range(4, 9)
    assert larger.argmax() == 1
    assert larger[1] > 0.8 * looks[1]
    assert without_fast[1] < 0.5 * looks[1]
    assert without_others[1] > 0.7 * looks[1]


@cells("617726a8", "window-or-slower")
def test_a_window_serves_rotary_and_a_narrow_one_serves_no_code(lesson):
    def seeing(reach, code, length=256):
        model = lesson.models[code]
        return lesson.with_reach(model, reach, lesson.loss_by_place, length)

    change = {
        code: seeing(64, code).mean() - lesson.near[code].mean() for code in CODES
    }
    assert change["Rotary"] < 0.05
    assert min(change[code] for code in ADDED) > 0.3
    best = min(
        lesson.with_speeds(speeds, lesson.loss_by_place, 256).mean()
        for speeds in (lesson.theta / 4, *lesson.larger.values())
    )
    assert change["Rotary"] + lesson.near["Rotary"].mean() < best
    assert seeing(4, "Rotary").mean() < best + 0.1
    wide = lesson.near["NoCode"], lesson.far["NoCode"]
    assert seeing(4, "NoCode").mean() < min(map(np.mean, wide)) - 0.03
    rises = [
        losses[32:].mean() - losses[8:16].mean()
        for losses in (lesson.near["NoCode"], seeing(4, "NoCode", 64))
    ]
    assert rises[1] < rises[0] / 2  # most of the rise is gone
