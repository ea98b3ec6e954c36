"""Settings for every test process, and how tests are shared out among workers."""

import os
import re
import sys
import time
from collections import Counter
from types import SimpleNamespace

import pytest
from hypothesis import settings
from xdist.scheduler import LoadScopeScheduling

# Two workers on two cores: one thread each, unless the caller decides otherwise. Set
# before anything imports NumPy or torch.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# Kernels and workers start three times as fast where Python may keep what it compiled.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

settings.register_profile("no clock", deadline=None)  # 200 ms an example otherwise
settings.load_profile("no clock")

NUMBERED = re.compile(r"\b(\d\d)_\w+")  # the name of a notebook
_LONG = (
    "tests/test_rerun.py",
    "tests/test_editions.py::test_every_instructors",
    "tests/browser/test_lab.py",
    "tests/test_mutation.py::test_nearly_every",
)


class _LongOnesAlone(LoadScopeScheduling):
    """One worker for each file, and for each long test that can run alone."""

    def _split_scope(self, nodeid):
        alone = nodeid.startswith(_LONG)
        return nodeid if alone else super()._split_scope(nodeid)


def pytest_xdist_make_scheduler(config, log):
    return _LongOnesAlone(config, log)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """The longest first, so that no worker is left alone with one at the end.

    What executes a notebook is the longest, the later notebooks more so; then comes what
    has most tests.
    """
    tests = Counter(item.path for item in items)

    def place(item):
        executes = item.path.suffix == ".ipynb" or item.nodeid.startswith(_LONG)
        notebook = NUMBERED.search(item.nodeid) if executes else None
        number = int(notebook[1]) if notebook else 0
        return -executes, -number, -tests[item.path], str(item.path)

    items.sort(key=place)  # stable: within a file, the order stays


@pytest.fixture
def patience():
    """How much longer than for students a bound of time is; a file can take its own."""
    return 10


@pytest.fixture(autouse=True)
def no_clock_decides(monkeypatch, patience):
    """A busy or slow machine finds what an idle one finds: every bound is wide."""
    from helpers.exercises import running
    from helpers.exercises.diagnosis import findings

    limit = running.time_limit
    monkeypatch.setattr(running, "time_limit", lambda bound: limit(patience * bound))
    slow = SimpleNamespace(  # the clocks of a diagnosis
        thread_time=lambda: time.thread_time() / patience,
        perf_counter=lambda: time.perf_counter() / patience,
    )
    monkeypatch.setattr(findings, "time", slow)


@pytest.fixture
def attempt_seconds():
    """What one attempt of a diagnosis counts for."""
    return 0.004


@pytest.fixture
def attempts(no_clock_decides, attempt_seconds, monkeypatch):
    """What a diagnosis has tried: its time is counted in attempts, not by a clock."""
    from helpers.exercises.diagnosis import findings, known, repair

    tried = []

    def counted(owner, name):
        attempt = getattr(owner, name)

        def noted(*args):
            tried.append(name)
            return attempt(*args)

        monkeypatch.setattr(owner, name, noted)

    counted(repair.Workshop, "made")
    counted(known, "_both")
    clock = SimpleNamespace(
        thread_time=lambda: attempt_seconds * len(tried),
        perf_counter=lambda: attempt_seconds * len(tried),
    )
    monkeypatch.setattr(findings, "time", clock)
    return tried


@pytest.fixture
def status_only(no_clock_decides, monkeypatch):
    """No repair is searched for: what is asserted is known without it."""
    from helpers.exercises import exercise

    monkeypatch.setattr(exercise, "SECONDS", 0)


@pytest.fixture(autouse=True)
def readable_pictures(monkeypatch):
    """Every picture that a test draws has readable text: size and contrast.

    The contrast is with white paper, by WCAG 2 (4.5 to 1); white text stands on a dark
    cell, which the figure's own test looks at.
    """
    from matplotlib.colors import to_rgb
    from matplotlib.text import Text

    from helpers.look import contrast
    from helpers.pictures.style import Picture

    drawn, begin = [], Picture.__init__

    def noted(self, *args, **options):
        begin(self, *args, **options)
        drawn.append(self)

    monkeypatch.setattr(Picture, "__init__", noted)
    yield
    for text in (t for picture in drawn for t in picture.findobj(Text)):
        if text.get_visible() and text.get_text().strip():
            found = contrast(to_rgb(text.get_color()), "#ffffff")
            assert found >= 4.5 or found == 1, text
            assert text.get_fontsize() >= 8, text
