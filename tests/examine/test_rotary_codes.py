"""Public rotary codes regenerated, and our own, examined."""

import tomllib
from pathlib import Path

import pytest
from units import run

from helpers import RotaryEncoding, examine

CODES = tomllib.loads(Path(__file__).with_name("rotary.toml").read_text("utf-8"))


@pytest.mark.parametrize("name", CODES["units"])
def test_a_rotary_code_is_described_rightly(name):
    unit = CODES["units"][name]
    rotate = run(CODES["head"] + unit["rotate"], "rotate")
    expected = unit.get("facts", {})
    report = examine.rotary(rotate)
    if expected == "not sure":
        assert report.facts == {"call": "not sure"}
        assert "examine.rotary(lambda" in report.notes[-1]
    else:
        facts = dict(report.facts)
        expected = CODES["facts"] | expected
        if isinstance(expected.get("spread in bfloat16"), float):
            # Its digits depend on how the processor rounds.
            spread = facts.pop("spread in bfloat16")
            assert spread == pytest.approx(expected.pop("spread in bfloat16"), abs=0.4)
        assert expected.items() <= facts.items()


@pytest.mark.parametrize("layout", ["halves", "interleaved"])
def test_our_rotary_is_described_by_its_own_words(layout):
    ours = RotaryEncoding(64, max_len=3000, layout=layout)
    facts = examine.rotary(lambda q, k: (ours(q), ours(k))).facts
    assert (facts["layout"], facts["direction"]) == (layout, "published")
    assert facts["spread in bfloat16"] < 0.2
