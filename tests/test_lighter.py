"""Libraries loaded quickly: what is left out stays out, all else is as ever."""

import gc
import subprocess
import sys
from importlib import import_module

import pytest

from helpers.lighter import quickly


def run(code):
    """What a fresh Python prints."""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    return done.stdout.split()


def test_altair_loads_without_grammars_and_network():
    code = "import sys, helpers.explore; print(*sys.modules)"
    loaded = run(code)
    assert {"altair", "jsonschema"} <= set(loaded)
    assert not {"rfc3987_syntax", "altair.datasets", "http.client"} & set(loaded)


def test_what_waits_can_still_be_had():
    code = (
        "import helpers.explore, altair; print(hasattr(altair, 'datasets'));"
        "from altair.datasets import Loader; print(altair.datasets.Loader is Loader)"
    )
    assert run(code) == ["False", "True"]


def test_what_was_there_before_stays():
    code = "import altair; own = altair.datasets; import helpers.explore;"
    code += "print(altair.datasets is own)"
    assert run(code) == ["True"]


def test_whatever_happens_all_is_put_back():
    collecting = gc.isenabled()
    with (
        pytest.raises(ModuleNotFoundError),
        quickly(without=["antigravity"], later=["helpers.lighter.nothing"]),
    ):
        assert not gc.isenabled()
        import_module("helpers.lighter.nothing")
        import_module("antigravity")
    assert gc.isenabled() == collecting
    assert not {"antigravity", "helpers.lighter.nothing"} & set(sys.modules)
    assert not hasattr(sys.modules["helpers.lighter"], "nothing")


def test_garbage_is_looked_for_again_but_not_among_what_was_loaded():
    frozen = gc.get_freeze_count()
    with quickly():
        kept = [{} for _ in range(100)]
    assert gc.get_freeze_count() >= frozen + len(kept)
    assert gc.isenabled()
