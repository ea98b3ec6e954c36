"""Settings for every test process, and how tests are shared out among workers."""

import os
import re
import sys

import pytest
from hypothesis import settings
from xdist.scheduler import LoadScopeScheduling

# Two workers on two cores: one thread each, unless the caller decides otherwise. Set
# before anything imports NumPy or torch.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# Kernels and workers start three times as fast where Python may keep what it compiled.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# The same examples in each run, and no limit of 200 ms for one: no luck, no clock.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.load_profile("steady")

NOTEBOOK = re.compile(r"\b(\d\d)_\w+")
# Files that are shared out: by notebooks, or test by test.
_BY_NOTEBOOK = ("tests/test_rerun.py", "tests/browser/")
_BY_TEST = ("tests/lessons/test_exercises.py", "tests/lessons/test_corpus.py")


class _ByNotebook(LoadScopeScheduling):
    """One worker for each file, and for each part of a long file that can run alone."""

    def _split_scope(self, nodeid):
        notebook = NOTEBOOK.search(nodeid)
        if nodeid.startswith(_BY_NOTEBOOK) and notebook:
            return f"{nodeid.partition('::')[0]} {notebook[0]}"
        return nodeid if nodeid.startswith(_BY_TEST) else super()._split_scope(nodeid)


def pytest_xdist_make_scheduler(config, log):
    return _ByNotebook(config, log)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """Notebooks first, then what waits for an index: no worker is left alone with it."""
    long = (".ipynb", "test_pins.py")
    items.sort(key=lambda item: not item.path.name.endswith(long))


@pytest.fixture(autouse=True)
def numpy_warns_again():
    """The notebooks' imports may switch NumPy's warnings off: for one test only."""
    import numpy as np

    with np.errstate():
        yield


@pytest.fixture
def patience():
    """How much longer than for students a bound of time is; a file can take its own."""
    return 3


@pytest.fixture(autouse=True)
def no_clock_decides(monkeypatch, patience):
    """A busy or slow machine finds what an idle one finds: every bound is wide."""
    from helpers.checks import exercise, timing

    monkeypatch.setattr(timing, "SLACK", patience)
    if patience > 1:
        monkeypatch.setattr(exercise, "SECONDS", 2 * exercise.SECONDS)


@pytest.fixture
def status_only(no_clock_decides, monkeypatch):
    """No repair is searched for: what is asserted is known without it."""
    from helpers.checks import exercise

    monkeypatch.setattr(exercise, "SECONDS", 0)


@pytest.fixture(autouse=True)
def readable_pictures(monkeypatch):
    """Every picture that a test draws can be read, on white paper and on dark."""
    from seen import complaints

    from helpers.draw.style import Picture

    drawn, begin = [], Picture.__init__

    def noted(self, *args, **options):
        begin(self, *args, **options)
        drawn.append(self)

    monkeypatch.setattr(Picture, "__init__", noted)
    yield
    found = [c for picture in drawn for c in complaints(picture, monkeypatch)]
    assert not found, "\n".join(found)
