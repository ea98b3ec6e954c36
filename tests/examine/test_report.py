"""What a report shows: a line for each fact, and the section that explains it."""

import pytest
from stored import NOTEBOOKS, prose_cells

from helpers.examine.report import EXPLAINED


@pytest.mark.parametrize("section", sorted(set(EXPLAINED.values())))
def test_a_section_that_explains_a_fact_exists(section):
    notebook, number = section.split(" §")
    (path,) = (path for path in NOTEBOOKS if path.name.startswith(notebook))
    lines = "\n".join(cell.source for cell in prose_cells(path)).splitlines()
    assert any(line.startswith(f"## {number}. ") for line in lines)
