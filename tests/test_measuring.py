"""Time and memory of a call: who is timed when, and what the number is."""

import weakref

import pytest
import torch

from helpers import measuring


@pytest.fixture
def clock(monkeypatch):
    """A clock that only the measured calls move on."""
    time = [0.0]
    monkeypatch.setattr(measuring, "perf_counter", lambda: time[0])
    return time


def test_they_take_turns_the_median_counts_and_no_result_is_kept(clock):
    order, spent = [], {"a": [9.0, 1.0, 2.0, 50.0, 3.0], "b": [4.0, 4.0, 5.0, 0.0, 0.0]}
    made = []

    def call(name):
        assert not made or made[-1]() is None
        order.append(name)
        clock[0] += spent[name][order.count(name) - 1]
        result = torch.zeros(1)
        made.append(weakref.ref(result))
        return result

    calls = {name: lambda name=name: call(name) for name in spent}
    assert measuring.median_seconds(calls, repeats=5) == {"a": 3.0, "b": 4.0}
    assert order == ["a", "b"] * 5


def test_the_peak_counts_what_lives_at_one_time():
    def one_after_the_other():
        torch.zeros(1000)
        torch.zeros(1000)
        return torch.zeros(250)

    def together():
        first, second = torch.zeros(1000), torch.zeros(1000)
        return first[:250] + second[:250]

    assert measuring.peak_bytes(one_after_the_other) <= 1.1 * 4000
    assert measuring.peak_bytes(together) == 2 * 4000 + 1000
    assert measuring.peak_bytes(lambda: torch.zeros(500).reshape(5, 100)) == 2000
