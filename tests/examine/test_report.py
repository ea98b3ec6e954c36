"""What a report shows: a line for each fact, and the section that explains it."""

import pytest
from stored import NOTEBOOKS, prose_cells

from helpers import PositionalEncoding, examine
from helpers.examine.report import EXPLAINED


@pytest.mark.parametrize("section", sorted(set(EXPLAINED.values())))
def test_a_section_that_explains_a_fact_exists(section):
    notebook, number = section.split(" §")
    (path,) = (path for path in NOTEBOOKS if path.name.startswith(notebook))
    lines = "\n".join(cell.source for cell in prose_cells(path)).splitlines()
    assert any(line.startswith(f"## {number}. ") for line in lines)


def test_a_report_shows_a_line_for_each_fact():
    report = examine(PositionalEncoding)
    first, *lines = repr(report).splitlines()
    assert first == "PositionalEncoding" and lines[-1].startswith("In brackets")
    lines = lines[: -1 - len(report.notes)]
    for (name, value), line in zip(report.facts.items(), lines, strict=True):
        assert line.split() and line.strip().startswith(name)
        assert isinstance(value, float) or str(value) in line
        assert (name in EXPLAINED) == line.endswith(f"({EXPLAINED.get(name)})")
