"""Every kind of public encoding that the census found, regenerated and examined."""

import pytest
from units import CENSUS, UNITS, regenerated, special

from helpers import examine

# Specials that run unaided by now, and what is said of them.
SAID = {
    "s031": {"numbers": "paper", "rows": 1024, "kept as": "attribute"},
    "s051": {
        "call": "x of (length, width)",
        "numbers": "sine and cosine differ",
        "changes input": "yes",
    },
}
# Nothing calls these, but they hold a table: its numbers are told, and no more.
HELD = ("s008", "s030", "s032", "s060", "s081", "s087", "s091")
IN_THE_CENSUS = 155


@pytest.mark.parametrize("key", UNITS)
def test_what_runs_unaided_is_described_rightly(key):
    thing, expected = regenerated(key)
    facts = examine(thing).facts
    for name, fact in expected.items():
        said = facts.get(name)
        assert said == fact or (fact == "raises" and said.startswith("raises ")), name
    assert facts.get("largest error", 0) < 1e-3


def test_the_units_are_those_of_the_census():
    assert len(UNITS) + len(CENSUS["special"]) == IN_THE_CENSUS


@pytest.mark.parametrize("key", CENSUS["special"])
def test_what_does_not_run_is_not_described_wrongly(key):
    report = examine(special(key))
    facts = report.facts
    if key in SAID:
        assert SAID[key].items() <= facts.items()
    elif key in HELD:
        assert facts["call"].startswith("none worked")
        assert (facts["numbers"], facts["axis"]) == ("paper", "not sure")
        assert not {"beyond", "odd width", "dropout", "input times"} & set(facts)
    else:
        assert facts == {"call": "not sure"}
        assert "examine(make=" in report.notes[-1]
