"""What section 6 of notebook 10 states of models that are trained otherwise."""

import copy

import numpy as np
import pytest
import torch
from defined import cells
from test_engine_claims import THETA, loss_at, one_seed, slow, text, trained

from helpers.lessons.engine import model


def learn_more(made, seed, steps=400, rate=3e-3):
    """Train a model further, on other windows than before."""
    learn, _, _ = text()
    made = made.train().requires_grad_(True)
    generator = torch.Generator().manual_seed(100 + seed)
    optimiser = torch.optim.AdamW(made.parameters(), rate, fused=True)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, steps)
    for _ in range(steps):
        starts = torch.randint(len(learn) - 64, (16,), generator=generator)
        some = learn[starts[:, None] + torch.arange(65)]
        optimiser.zero_grad()
        model.losses(made, some).mean().backward()
        optimiser.step()
        schedule.step()
    return made.eval().requires_grad_(False)


def losses_of(made):
    """The loss at 64 and at 256 characters."""
    unseen = text()[1]
    return [
        model.losses(made, model.windows(unseen, length, most)).mean().item()
        for length, most in ((64, 200), (256, 60))
    ]


@cells("dropped-and-slopes")
@slow
@one_seed
def test_a_code_that_is_dropped(seed):
    made = copy.deepcopy(trained(seed))
    made.set_speeds(torch.zeros(8))
    assert losses_of(made)[0] > 2.7
    short, long = losses_of(learn_more(made, seed))
    never, _ = losses_of(trained(seed, (0.0,) * 8))
    assert loss_at(64, seed, most=200) + 0.3 < short < never - 0.02
    assert long < short + 0.12


@cells("dropped-and-slopes")
@slow
@one_seed
def test_slopes_by_head(seed, monkeypatch):
    def with_slopes(slopes):
        def attention(self, x, rotary, positions, mask, cache):
            q, k, v = (
                made(x).unflatten(-1, (4, -1)).transpose(1, 2)
                for made in (self.query, self.key, self.value)
            )
            place = torch.arange(x.shape[1])
            away = torch.tensor(slopes)[:, None, None] * (place[:, None] - place).abs()
            scores = (q @ k.mT / 4 - away).masked_fill(~mask, -torch.inf)
            return self.output((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))

        monkeypatch.setattr(model.Layer, "attention", attention)
        learn, _, characters = text()
        return losses_of(model.trained(learn, len(characters), seed, torch.zeros(8)))

    rotary = loss_at(256, seed)
    by_head, one = with_slopes([2.0**-n for n in (2, 4, 6, 8)]), with_slopes([0.25] * 4)
    assert by_head[1] < by_head[0] and by_head[1] < rotary - 0.4
    assert one[0] < by_head[0] and one[1] < by_head[1]


@cells("the-hand-that-hurts", "half_of_the_columns")
@slow
@one_seed
def test_a_hand_that_made_a_part_of_a_turn_is_the_one_that_hurts(seed):
    def rise(**how):
        learn, _, characters = text()
        made = model.trained(learn, len(characters), seed=seed, **how)
        short, long = losses_of(made)
        assert abs(short - loss_at(64, seed, most=200)) < 0.05
        return long - short

    def without(hand):
        return {"speeds": THETA * (torch.arange(8) != hand)}

    some = [rise(rotary_dim=8, base=base) for base in (10_000, 3000, 1000)]
    assert some[0] < 0.1 and some[0] + 0.2 < some[1] < some[2] and some[2] > 0.5
    turns = 64 * THETA / (2 * np.pi)
    assert turns[2:4].round(decimals=2).tolist() == [1.02, 0.32]
    assert rise(**without(3)) < 0.2 and rise(**without(2)) > 0.5


@cells("dropped-and-slopes")
@slow
@pytest.mark.parametrize("without", [0, 1])
def test_a_layer_without_a_code(without):
    learn, unseen, characters = text()
    speeds = [THETA, THETA]
    speeds[without] = torch.zeros(8)
    made = model.trained(learn, len(characters), seed=1, speeds=speeds)
    short = model.losses(made, model.windows(unseen, 64)).mean().item()
    long = model.losses(made, model.windows(unseen, 256, 60)).mean().item()
    with_all = loss_at(64, 1, most=200)
    assert with_all < short < with_all + 0.13
    assert long > short + 0.25
