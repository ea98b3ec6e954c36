"""The time bound: with signals, and where there are none."""

import contextlib
import signal
import sys
import threading
import time

import pytest

from helpers.checks import running, timing
from helpers.checks.exercise import plain_call
from helpers.checks.timing import TimeUp, time_limit


def forever():
    while True:
        pass


def forever_and_deaf():
    while True:
        try:  # noqa: SIM105
            sum(range(50))
        except BaseException:
            pass


def deaf_within_a_loop():
    while True:
        try:
            for _ in range(10**9):
                pass
        except:  # noqa: E722
            pass


@pytest.fixture(params=["with signals", "without signals", "in another thread"])
def call(request, monkeypatch):
    """`running.call` within 0.2 s, as it is on three kinds of system."""
    if request.param == "without signals":
        monkeypatch.delattr(signal, "setitimer")
        monkeypatch.delattr(signal, "SIGALRM")

    def in_place(answer, seconds=0.2):
        return running.call(plain_call, answer, (), seconds)

    def elsewhere(answer, seconds=0.2):
        said = []
        thread = threading.Thread(target=lambda: said.append(in_place(answer, seconds)))
        thread.start()
        thread.join()
        return said[0]

    return elsewhere if request.param == "in another thread" else in_place


def test_a_busy_machine_may_take_longer(monkeypatch):
    if not hasattr(signal, "setitimer"):
        pytest.skip("alarms are signals")
    with monkeypatch.context() as patch:
        patch.setattr(timing, "PATIENCE", 500)
        with time_limit(0.05):
            time.sleep(0.2)  # as if others had the processor
    with pytest.raises(TimeUp), time_limit(0.05):
        time.sleep(60)
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


@pytest.mark.parametrize("answer", [forever, forever_and_deaf])
def test_what_never_ends_is_ended(call, answer, monkeypatch):
    monkeypatch.setattr(timing, "AGAIN", 0.001)  # what is deaf is asked more often
    start = time.perf_counter()
    assert isinstance(call(answer).raised, TimeUp)
    assert time.perf_counter() - start < 20


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no signals here")
def test_a_loop_within_a_bare_except_is_ended():
    start = time.process_time()  # another load on the machine does not count
    assert isinstance(
        running.call(plain_call, deaf_within_a_loop, (), 0.05).raised, TimeUp
    )
    assert time.process_time() - start < 20


def test_a_limit_that_ends_near_its_time_never_raises_outside(call):
    for n in range(20):
        outcome = call(lambda: time.sleep(0.0), seconds=0.0005 * (n + 1))
        assert outcome.raised is None or isinstance(outcome.raised, TimeUp)
    assert threading.active_count() < 20


def test_a_debugger_runs_on_after_a_watched_call(monkeypatch):
    """An interpreter that still looks for an exception stands still when it is traced."""
    traced = sys.gettrace()
    with monkeypatch.context() as patch:
        patch.delattr(signal, "setitimer")
        running.call(plain_call, lambda: 1, (), 0.2)
    begin = time.process_time()
    with time_limit(20):
        sys.settrace(lambda *_: None)
        try:
            sum(abs(n) for n in range(1000))
        finally:
            sys.settrace(traced)
    assert time.process_time() - begin < 5


def test_the_students_own_interrupt_passes(call):
    def interrupted():
        raise KeyboardInterrupt

    if call.__name__ == "elsewhere":
        pytest.skip("Ctrl-C reaches the main thread only")
    with pytest.raises(KeyboardInterrupt):
        call(interrupted)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no signals here")
def test_an_alarm_that_rings_while_the_context_closes_is_not_raised(monkeypatch):
    monkeypatch.setattr(timing, "PATIENCE", 0)  # it is due at once
    ring = "import signal; signal.raise_signal(signal.SIGALRM)"
    passed = []
    with pytest.raises(TimeUp), time_limit(5):
        exec(compile(ring, contextlib.__file__, "exec"))  # as if it were closing
        passed.append("closing")
        exec(ring)
    assert passed == ["closing"] and sys.gettrace() is None
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_a_bound_that_rings_where_none_can_catch_it_prints_nothing(call, capsys):
    for ends, seconds in ((forever, 0.2), ([].pop, 5)):
        clings = type("Clings", (), {"__del__": lambda self, ends=ends: ends()})
        call(lambda clings=clings: clings() and 3, seconds)
    said = capsys.readouterr().err
    assert "IndexError" in said and "TimeUp" not in said
