"""Notebook 08: what it says of its models, recomputed with other seeds, text and steps.

The models are those of the notebook, made by its own cells with other settings.
"""

from functools import cache

import numpy as np
import pytest
import torch
from stored import code_cells, notebook_of

from helpers.encoding import angular_speeds
from helpers.lessons import language_model
from helpers.lessons.language_model.ntk_base import ntk_base

# The cells that define something which the tests use.
CELLS = (
    *("import math", "text =", "def encoded", "cut =", "yardsticks =", "class NoCode"),
    *("class Layer", "class LanguageModel", "class Sinusoidal", "class Training"),
    *("def loss_by_place", "def last_loss", "def attention", "def cost"),
    "def with_reach",
)


class Shop:
    """The notebook's definitions, under other settings, and models trained with them."""

    def __init__(self, begin, end, steps=400, seed=7):
        self.names, self.seed = {}, seed
        for cell in code_cells(notebook_of("language_model")):
            if any(part in cell.source for part in CELLS):
                source = cell.source.replace("renderer.use();", "")
                exec(compile(source, "<08>", "exec"), self.names)
            if "def encoded" in cell.source:
                ids = self.encoded(self.text)
                begin, end = (int(part * len(ids)) for part in (begin, end))
                self.names["unseen"] = ids[begin:end]
                self.names["learn"] = torch.cat([ids[:begin], ids[end:]])
        self.names["removed"] = language_model.without_head.reference
        self.names["STEPS"] = steps

    def __getattr__(self, name):
        return self.names[name]

    @cache  # noqa: B019
    def model(self, code, base=10_000):
        training = self.Training(self.names[code], self.seed)
        if base != 10_000:
            training.model.code.theta = speeds(base)
        while len(training.losses) < self.STEPS:
            training.step()
        return training.model

    @cache  # noqa: B019
    def loss(self, code, length=64, start=0):
        return self.loss_by_place(self.model(code), length, start)

    @cache  # noqa: B019
    def looks(self, code):
        return self.by_offset(self.model(code))

    def with_speeds(self, theta, measure, *more):
        rotary = self.model("Rotary")
        kept, rotary.code.theta = rotary.code.theta, theta
        found = measure(rotary, *more)
        rotary.code.theta = kept
        return found


def speeds(base):
    return torch.tensor(angular_speeds(16, base)).float()


@cache
def shop(kind):
    if kind == "another text":
        return Shop(0, 0.1)
    return Shop(0.9, 1, steps=800, seed=8)


ADDED = ("Sinusoidal", "Learned")
CODES = (*ADDED, "Rotary")
TWICE = "twice the steps"
both = pytest.mark.parametrize("kind", ["another text", TWICE])
slow = pytest.mark.slow


@slow
def test_what_each_code_is_worth():
    """“Without a code, the model ends a little below pairs, so it has learned something
    from the characters before the last one. Every code lowers the loss further, and
    after these 400 steps **rotary is lowest**.”
    """
    text = shop("another text")
    letters, pairs = text.yardsticks.values()
    loss = {code: text.loss(code).mean() for code in ("NoCode", *CODES)}
    assert letters - pairs > 0.5 > pairs - loss["NoCode"] > 0
    assert max(loss[code] for code in ADDED) < loss["NoCode"] - 0.1
    assert loss["Rotary"] < min(loss[code] for code in ADDED) - 0.05


@slow
def test_longer_training_brings_sinusoidal_nearer():
    """“(If you train twice as long, the sinusoidal model comes nearer to it.)”"""
    gap = {
        kind: (shop(kind).loss("Sinusoidal") - shop(kind).loss("Rotary")).mean()
        for kind in ("another text", TWICE)
    }
    assert gap[TWICE] < 0.7 * gap["another text"]


@slow
def test_who_notices_a_shuffle():
    """“The model without a code hardly notices the shuffle, and every other model does.”
    “Shuffled characters raise the loss of every model with a code, and hardly that of the
    model without one.”
    """
    text = shop("another text")
    rise = {
        code: text.last_loss(text.model(code), True) - text.last_loss(text.model(code))
        for code in ("NoCode", *CODES)
    }
    assert rise.pop("NoCode") < 0.1
    assert min(rise.values()) > 0.15


@slow
@both
def test_who_notices_where_counting_begins(kind):
    """“Both added codes also notice where counting begins, although the text is the same,
    because position 64 has a row that training never showed them. For rotary nothing has
    changed, because its scores depend on offsets alone.”
    “When we count from 64 on, rotary's loss stays, and the loss of both added codes rises.”
    """
    codes = CODES if kind == "another text" else ("Sinusoidal", "Rotary")
    for code in codes:
        rise = shop(kind).loss(code, start=64) - shop(kind).loss(code)
        assert rise.mean() > 0.3 if code in ADDED else np.abs(rise).max() < 1e-3


@slow
def test_the_first_predictions_stay():
    """“All four models meet demand 2. What they predict for the first 64 characters does
    not depend on how many follow.”
    “The predictions for the first 64 characters stay the same when 256 are read.”
    """
    text = shop("another text")
    ids = text.unseen[:250][None]
    for code in ("NoCode", *CODES):
        model = text.model(code)
        with torch.no_grad():
            assert torch.allclose(model(ids)[:, :64], model(ids[:, :64]), atol=1e-4)


@slow
@both
def test_where_look_back_heads_grow(kind):
    """“**Look-back heads have grown by themselves.**” “Every model with a code has such a
    head, and the model without one has none. The strongest is in layer 1 for the added
    codes, and in layer 2 for rotary.” “Look-back heads grow in every model with a code.”
    """
    codes = CODES if kind == "another text" else ("Sinusoidal", "Rotary")
    for code in codes:
        looks = shop(kind).looks(code)
        most = max(looks, key=lambda head: looks[head][1])
        assert looks[most][1] > 0.3
        assert most.startswith("layer 2" if code == "Rotary" else "layer 1")
    if kind == "another text":
        assert max(w[1] for w in shop(kind).looks("NoCode").values()) < 0.2


@slow
def test_the_heads_that_are_missed():
    """“On average, look-back heads are missed more than the others. With other seeds,
    widths, bases and texts the difference was sometimes small, but it always had this
    sign. Which single head is missed most varies from model to model. In this model, no
    single head is worth as much as the whole code.”
    """
    usual = []
    for kind, base in [
        ("another text", 10_000),
        ("another text", 100_000),
        (TWICE, 10_000),
    ]:
        text = shop(kind)
        model = text.model("Rotary", base)
        back = {head: w[1] for head, w in text.by_offset(model).items()}
        heads = [(layer, head) for layer in model.layers for head in range(4)]
        costs = dict(zip(back, [text.cost(model, *one) for one in heads], strict=True))
        dear, cheap = (
            np.mean([costs[head] for head in back if (back[head] > 0.4) == looks])
            for looks in (True, False)
        )
        assert dear > cheap
        assert max(costs.values()) < (text.loss("NoCode") - text.loss("Rotary")).mean()
        usual.append(back[max(costs, key=costs.get)] > 0.4)
    assert not all(usual)  # as in the notebook it is


@slow
def test_a_target_one_place_back_is_found():
    """“After 200 steps the rotary model's loss is below 0.2 nats, and without a code it
    is still above 1.”
    """
    text = Shop(0.4, 0.5)
    right = text.cut
    text.names["cut"] = lambda *window: right(*window)[::-1]
    end = {}
    for code in ("Rotary", "NoCode"):
        training = text.Training(text.names[code], seed=9)
        end[code] = np.mean([training.step() for _ in range(200)][-10:])
    assert end["Rotary"] < 0.2 < 1 < end["NoCode"]


@slow
@both
def test_where_the_loss_rises(kind):
    """“The added codes fail as soon as positions are new. Rotary keeps its level a little
    longer, because the first new offsets are close to known ones, and then its loss rises
    too. In the end it is worse than the model without a code.”
    """
    codes = CODES if kind == "another text" else ("Sinusoidal", "Rotary")
    for code in codes:
        far = shop(kind).loss(code, 256).reshape(16, 16).mean(axis=1)
        rise = far[4:] - far[:4].mean()
        if code in ADDED:
            assert rise[0] > 0.3
        else:
            assert rise[:2].max() < 0.2 < 0.4 < rise[4]
    if kind == "another text":  # rotary is the last of its codes
        end = shop(kind).loss("NoCode", 256)[-32:].mean()
        assert far[-2:].mean() > end + 0.2


@slow
def test_another_base_reaches_less_far():
    """“(How far rotary reaches depends on the base, as in notebook 07. A model trained at
    base 100 000 failed sooner.)”
    """
    text = shop("another text")
    far = text.loss_by_place(text.model("Rotary", 100_000), 256)
    blocks = far.reshape(16, 16).mean(axis=1)
    assert blocks[5] - blocks[:4].mean() > 0.4


@slow
@both
def test_what_the_remedies_save_and_cost(kind):
    """“With factor 8, the larger base saves most of what was lost, and costs less than a
    tenth of a nat at the first 64 places. Dividing costs more than half a nat even there.”
    """
    text = shop(kind)
    as_trained, theta = text.loss("Rotary", 256), speeds(10_000)
    larger = speeds(ntk_base(10_000, 8, 16))
    rescued = text.with_speeds(larger, text.loss_by_place, 256)
    divided = text.with_speeds(theta / 4, text.loss_by_place, 256)
    lost = as_trained.mean() - text.loss("Rotary").mean()
    assert as_trained.mean() - rescued.mean() > 0.6 * lost
    first = as_trained[:64].mean()
    assert rescued[:64].mean() - first < 0.1 < 0.5 < divided[:64].mean() - first


@slow
@both
def test_the_look_back_head_looks_four_back(kind):
    """“**The head that looked one place back now looks about four places back**, and no
    longer sharply. The larger base hardly changes the fast hands, so with it the head
    still finds its neighbour.” “When positions are divided, they look at another place,
    while a larger base hardly moves them.”
    """
    text = shop(kind)
    looks = text.looks("Rotary")
    head = max(looks, key=lambda head: looks[head][1])
    divided = text.with_speeds(speeds(10_000) / 4, text.by_offset)[head]
    larger = text.with_speeds(speeds(ntk_base(10_000, 4, 16)), text.by_offset)[head]
    assert 3 <= divided.argmax() <= 5
    assert divided.max() < 0.6 * looks[head][1]
    assert larger.argmax() == 1
    assert larger[1] > 0.8 * looks[head][1]


@slow
@both
def test_a_window_serves_rotary_alone(kind):
    """“In such a window, rotary meets no offset that training has not shown, and it reads
    on at its level. The window does not help the added codes, because the position itself
    is new to them. Of the three codes, only rotary meets demand 4.”
    “In a window of 64, rotary reads on at its level.”
    """
    codes = CODES if kind == "another text" else ("Sinusoidal", "Rotary")
    for code in codes:
        model, near = shop(kind).model(code), shop(kind).loss(code).mean()
        far = shop(kind).with_reach(model, 64, shop(kind).loss_by_place, 256).mean()
        assert far > near + 0.3 if code in ADDED else far < near + 0.05


@pytest.mark.parametrize(("width", "base"), [(64, 10_000), (256, 500_000), (96, 1000)])
def test_what_decays_and_what_does_not(width, base):
    """“Equal vectors, spread over all pairs, do lose score on the whole.”
    “The scores of independent vectors with mean 0 do not decay.” “**The rotation
    forces no decay.**”
    """
    angles = np.outer(np.arange(1000), angular_speeds(width, base))
    equal = np.cos(angles).sum(axis=1)
    means = [
        equal[part].mean() for part in (slice(0, 5), slice(20, 60), slice(200, 999))
    ]
    assert means == sorted(means, reverse=True)
    query, key = np.random.default_rng(3).normal(size=(2, 400, width, 1))
    a, b = query[:, 0::2, 0], query[:, 1::2, 0]
    c, d = key[:, 0::2, 0], key[:, 1::2, 0]
    scores = (a * c + b * d) @ np.cos(angles).T + (a * d - b * c) @ np.sin(angles).T
    near, far = scores[:, :100].std(), scores[:, -100:].std()
    assert 0.85 < far / near < 1.15
