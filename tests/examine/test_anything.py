"""Things that would break, mislead or disturb the one who examines them."""

import functools
import time
import tomllib
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn
from units import CENSUS, run

from helpers import PositionalEncoding, examine, sinusoidal_table
from helpers.encoding import positional_encoding
from helpers.examine import trying

DEVIATIONS = tomllib.loads(
    Path(__file__).with_name("deviations.toml").read_text("utf-8")
)
HEAD = CENSUS["table"].replace("WIDTH", "width").replace("LENGTH", "length")
BODY = """
import sys, torch
from torch import nn
def drop(x, module):
    return nn.functional.dropout(x, 0.5, module.training)
class Thing(nn.Module):
    def __init__(self, d_model, max_len=60):
        super().__init__()
        self.register_buffer("pe", table(max_len, d_model))
    def forward(self, x):
        {}
"""
NOTHING = 'self.register_buffer("pe", table(max_len, d_model))', "pass"
SUM = "return x + self.pe[: x.size(1)]"


def made(line, before="", after="", **edits):
    body = BODY.format(line) + after
    for old, new in edits.values():
        assert old in body
        body = body.replace(old, new)
    return run(HEAD + before + body)


@pytest.mark.parametrize(
    "line",
    [
        "sys.exit(3)",
        "raise BaseException('no')",
        "return 'a string'",
        "return x + float('nan')",
        "return x * 2",
        "return x.sum()",
    ],
)
def test_it_survives_whatever_the_thing_does(line):
    assert examine(made(line, keep=NOTHING)).facts == {"call": "not sure"}


def test_the_time_of_a_report_is_bounded(monkeypatch):
    monkeypatch.setattr(trying, "SECONDS", 0.4)
    report = examine(made("while True: pass"))
    assert report.facts == {"call": "not sure"}
    assert "longer than" in report.notes[0]
    monkeypatch.setattr(trying, "TOTAL", 0.4)
    slow = made("__import__('time').sleep(0.06); " + SUM)
    for examined in (examine, lambda thing: examine.rotary(thing(8))):
        start = time.monotonic()
        assert "what is missing was not tried" in examined(slow).notes[-1]
        assert time.monotonic() - start < 3


def test_what_it_prints_and_sets_is_put_back(capsys):
    learns = torch.is_grad_enabled()
    numbers = torch.get_rng_state()
    line = (
        "print('loud'); sys.stderr.write('loud'); torch.manual_seed(5); "
        "torch.set_grad_enabled(False); " + SUM
    )
    assert examine(made(line)).facts["numbers"] == "paper"
    assert capsys.readouterr() == ("", "")
    assert torch.is_grad_enabled() == learns
    assert torch.equal(numbers, torch.get_rng_state())


def test_an_instance_stays_as_it_is():
    ours = PositionalEncoding(32, 0.1, max_len=50)
    facts = examine(ours).facts
    assert (facts["numbers"], facts["rows"], facts["axis"]) == ("paper", 50, "1")
    assert facts["beyond"].startswith("raises ValueError: x is longer")
    assert "odd width" not in facts
    assert ours.training and ours.table.dtype == torch.float32


def test_an_instance_of_a_larger_model_is_not_taken_for_its_embedding():
    class Embedded(nn.Module):
        def __init__(self):
            super().__init__()
            self.words = nn.Embedding(900, 32)
            self.position = PositionalEncoding(32, max_len=50)

        def forward(self, x):
            return self.position(x)

    facts = examine(Embedded()).facts
    assert facts["kept as"] == "buffer, not persistent"
    assert (facts["rows"], facts["trained"]) == (50, "no")


@pytest.mark.parametrize(
    "before, line",
    [
        ("TABLES = {w: table(90, w) for w in (8, 24, 64)}\n", "TABLES[x.size(2)]"),
        ("from functools import cache\nrows = cache(table)\n", "rows(90, x.size(2))"),
    ],
)
def test_a_table_kept_elsewhere_is_not_told_as_computed(before, line):
    line = f"return x + {line}[: x.size(1)]"
    facts = examine(made(line, before, keep=NOTHING)).facts
    assert facts["numbers"] == "paper"
    assert facts["kept as"] == "not sure" and "beyond" not in facts


@pytest.mark.parametrize("name", DEVIATIONS)
def test_a_deviation_is_told(name):
    unit = DEVIATIONS[name]
    thing = made(unit.get("line", SUM), after=unit.get("source", ""))
    assert unit["facts"].items() <= examine(thing).facts.items()


def test_make_and_call_take_any_names():
    def odd(a, b, *, c):
        return c + sinusoidal_table(a, b)

    report = examine(
        make=lambda length, width: functools.partial(odd, length, width),
        call=lambda thing, x: thing(c=x),
    )
    assert (report.facts["numbers"], report.facts["axis"]) == ("paper", "1")
    report = examine(make=lambda length, width: sinusoidal_table(length, width))
    assert report.facts["numbers"] == "paper"  # the table itself
    assert examine(odd).facts == {"call": "not sure"}


def test_tables_and_functions_that_need_no_torch():
    facts = examine(table=positional_encoding(50, 32)).facts
    assert (facts["numbers"], facts["rows"]) == ("paper", 50)
    assert facts["largest error"] < 1e-12
    facts = examine(positional_encoding).facts
    assert facts["call"] == "a length and a width"
    assert facts["odd width"].startswith("raises ValueError")
    with pytest.raises(TypeError, match="give what is to be examined"):
        examine()
    for table, numbers in (
        (torch.randn(512, 768), "not one that is known"),
        (np.zeros((9, 8)), "not one that is known"),
        (np.ones((1, 16)), "not sure"),
    ):
        assert examine(table=table).facts["numbers"] == numbers


@pytest.mark.parametrize("thing", [5, torch.sin, print, nn.Linear(8, 8)])
def test_what_is_no_encoding_is_not_sure(thing, capsys):
    assert examine(thing).facts == {"call": "not sure"}
    assert capsys.readouterr() == ("", "")


def test_what_is_filled_in_is_told_and_so_is_how_to_say_it():
    assert "Made as Thing(d_model=24, max_len=40)." in examine(made(SUM)).notes
    report = examine(made("return torch.cat([x, x], 2)", keep=NOTHING))
    first, *_, how = report.notes
    assert "comes back" in first and len(report.notes) == len(set(report.notes)) < 5
    assert "lambda length, width: Thing(d_model=width, max_len=length)" in how
