"""Things that would break, mislead or disturb the one who examines them."""

import functools
import time

import numpy as np
import pytest
import torch
from torch import nn
from units import CENSUS, run

from helpers import PositionalEncoding, examine, sinusoidal_table
from helpers.encoding import angular_speeds, positional_encoding

HEAD = CENSUS["table"].replace("WIDTH", "width").replace("LENGTH", "length")
BODY = """
import sys, torch
from functools import lru_cache
from torch import nn
class Thing(nn.Module):
    def __init__(self, d_model, max_len=60):
        super().__init__()
        self.register_buffer("pe", table(max_len, d_model))
    def forward(self, x):
        {}
"""
SUM = "return x + self.pe[: x.size(1)]"


def made(line, before="", **edits):
    body = BODY.format(line)
    for old, new in edits.values():
        assert old in body
        body = body.replace(old, new)
    return run(HEAD + before + body)


@pytest.mark.parametrize(
    "line",
    [
        "sys.exit(3)",
        "raise KeyboardInterrupt if x is None else BaseException('no')",
        "return None",
        "return 'a string'",
        "return []",
        "return x + float('nan')",
        "return x * 2",
        "return {'rows': x}",
        "return x.sum()",
    ],
)
def test_it_survives_whatever_the_thing_does(line):
    thing = made(
        line, keep=('self.register_buffer("pe", table(max_len, d_model))', "pass")
    )
    assert examine(thing).facts == {"call": "not sure"}


def test_a_loop_that_never_ends_is_ended():
    start = time.process_time()
    report = examine(made("while True: pass"))
    assert report.facts == {"call": "not sure"}
    assert "longer than 3 seconds" in report.notes[0]
    assert time.process_time() - start < 6


def test_what_it_prints_and_sets_is_put_back(capsys):
    dtype, learns = torch.get_default_dtype(), torch.is_grad_enabled()
    numbers = torch.get_rng_state()
    line = (
        "print('loud'); sys.stderr.write('loud'); torch.manual_seed(5); "
        "torch.set_default_dtype(torch.float64); torch.set_grad_enabled(False); " + SUM
    )
    assert examine(made(line)).facts["numbers"] == "paper"
    assert capsys.readouterr() == ("", "")
    assert torch.get_default_dtype() == dtype and torch.is_grad_enabled() == learns
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
        ("TABLES = {w: table(90, w) for w in (8, 16, 64)}\n", "TABLES[x.size(2)]"),
        ("from functools import cache\nrows = cache(table)\n", "rows(90, x.size(2))"),
    ],
)
def test_a_table_kept_elsewhere_is_not_told_as_computed(before, line):
    keep = ('self.register_buffer("pe", table(max_len, d_model))', "pass")
    facts = examine(made(f"return x + {line}[: x.size(1)]", before, keep=keep)).facts
    assert facts["numbers"] == "paper"
    assert facts["kept as"] == facts["beyond"] == "not sure"


def test_a_state_between_calls_is_not_mixed_in():
    line = "x = x + self.pe[: x.size(1)]; self.pe.zero_(); return x"
    assert examine(made(line)).facts["numbers"] == "paper"


@pytest.mark.parametrize(
    "line, expected",
    [
        ("return x + self.pe[: x.size(1)], self.pe", {"axis": "1"}),
        (
            "return nn.functional.dropout(x + self.pe[: x.size(1)], 0.5, self.training)",
            {"dropout": "on the sum"},
        ),
        (
            "return x + nn.functional.dropout(self.pe[: x.size(1)], 0.5, self.training)",
            {"dropout": "on the table only"},
        ),
        ("return 3 * x + self.pe[: x.size(1)]", {"input times": "3"}),
        ("return (x + self.pe[: x.size(1)]).half()", {"numbers": "paper"}),
        ("return x + self.pe[: x.size(2)].T[None]", {"axis": "2"}),
        ("return table(x.size(1) + 1, x.size(2))[1:]", {"numbers": "from position 1"}),
    ],
)  # fmt: skip
def test_what_a_module_does_with_its_input(line, expected):
    assert expected.items() <= examine(made(line)).facts.items()


def test_make_and_call_take_any_names():
    def odd(a, b, *, c):
        return c + sinusoidal_table(a, b)

    report = examine(
        make=lambda length, width: functools.partial(odd, length, width),
        call=lambda thing, x: thing(c=x),
    )
    assert (report.facts["numbers"], report.facts["axis"]) == ("paper", "1")
    assert examine(odd).facts == {"call": "not sure"}


def test_tables_and_functions_that_need_no_torch():
    facts = examine(table=positional_encoding(50, 32)).facts
    assert (facts["numbers"], facts["rows"]) == ("paper", 50)
    assert facts["largest error"] < 1e-12
    assert examine(table=np.zeros((9, 8))).facts["numbers"] == "not one that is known"
    facts = examine(positional_encoding).facts
    assert facts["call"] == "a length and a width"
    assert facts["odd width"].startswith("raises ValueError")
    with pytest.raises(ValueError, match="must be"):
        examine(table=np.zeros(9))
    with pytest.raises(TypeError, match="give what is to be examined"):
        examine()


def test_one_position_at_a_time():
    def encode_position(pos, d_model):
        angles = int(pos) * angular_speeds(d_model)
        return np.stack([np.sin(angles), np.cos(angles)], axis=1).ravel()

    report = examine(encode_position)
    assert report.facts["call"] == "one position and a width"
    assert report.facts["numbers"] == "paper"


def test_what_holds_at_one_width_only_is_not_sure():
    line = "return x + table(x.size(1), 16)"
    report = examine(made(line))
    assert report.facts["numbers"] != "paper" or report.notes


@pytest.mark.parametrize(
    "thing", [5, object(), torch.sin, print, int, nn.Linear(8, 8), []]
)
def test_what_is_no_encoding_is_not_sure(thing, capsys):
    assert examine(thing).facts == {"call": "not sure"}
    assert capsys.readouterr() == ("", "")
