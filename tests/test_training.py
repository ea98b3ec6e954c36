"""The training loop: the same again, in one go or in two, stopped and continued."""

import itertools

import pytest
import torch
from torch import nn

from helpers.training import Training, batches, evaluate, run_all


def line(count=50, seed=0):
    """A small regression: inputs of shape (count, 3), and sums to predict."""
    x = torch.randn(count, 3, generator=torch.Generator().manual_seed(seed))
    return x, x.sum(dim=1, keepdim=True)


def squared(model, x, y):
    return nn.functional.mse_loss(model(x), y)


HELD_OUT = batches(*line(20, seed=1), size=8)


def start(seed=0, loss=squared, valid=HELD_OUT, **details):
    torch.manual_seed(7)
    model = nn.Sequential(nn.Linear(3, 4), nn.Dropout(0.2), nn.Linear(4, 1))
    learned = batches(*line(), size=16)
    return Training(model, loss, learned, valid, seed=seed, **details)


def test_it_learns_and_two_runs_of_the_same_seed_are_one_long_run():
    run, other = (start(seed).run(30, bar=False) for seed in (0, 1))
    parts = start().run(12, bar=False).run(18, bar=False)
    assert run.history["valid"][-1] < run.history["valid"][0] / 3
    assert run.epochs == len(run.history["train"]) == len(run.history["valid"]) == 30
    assert run.history == parts.history != other.history


def test_held_out_data_is_never_learned():
    watched, unwatched = start(), start(valid=None)
    watched.run(3, bar=False), unwatched.run(3, bar=False)
    assert watched.history["train"] == unwatched.history["train"]
    assert watched.model.training


def test_threads_and_global_generator_are_left_alone():
    torch.manual_seed(3)
    expected, threads = torch.rand(4), torch.get_num_threads()
    run = start()
    torch.manual_seed(3)
    run.run(2, bar=False)
    assert torch.equal(torch.rand(4), expected)
    assert torch.get_num_threads() == threads


def interrupting(after):
    """A loss that is interrupted once, in its ``after``-th call."""
    calls = itertools.count(1)

    def loss(model, x, y):
        if next(calls) == after:
            raise KeyboardInterrupt
        return squared(model, x, y)

    return loss


def test_an_interrupted_run_keeps_its_history_and_goes_on():
    # 4 batches to learn and 3 to measure an epoch: call 17 is in the third epoch.
    run = start(loss=interrupting(17)).run(5, bar=False)
    assert run.interrupted and run.epochs == 2
    assert [len(column) for column in run.history.values()] == [2, 2]
    first = list(run.history["train"])
    run.run(3, bar=False)
    assert not run.interrupted and run.epochs == 5
    assert run.history["train"][:2] == first


def test_an_interruption_stops_all_of_them():
    runs = {"a": start(), "b": start(loss=interrupting(2)), "c": start()}
    assert run_all(runs, 2, bar=False) is runs
    assert [run.epochs for run in runs.values()] == [2, 0, 0]
    assert [run.interrupted for run in runs.values()] == [False, True, False]


def test_losses_and_measures_are_means_over_samples_not_batches():
    sums = []

    def loss(model, x, y):
        value = squared(model, x, y)
        sums.append(value.item() * len(x))
        return value

    run = start(loss=loss, valid=None)  # 50 samples in batches of 16, 16, 16 and 2
    run.run(1, bar=False)
    assert run.history["train"] == [pytest.approx(sum(sums) / 50)]

    loader = batches(torch.arange(10.0)[:, None], size=4, shuffle=False)
    found = evaluate(nn.Identity(), loader, {"mean": lambda model, x: x.mean()})
    assert found == {"mean": pytest.approx(4.5)}
