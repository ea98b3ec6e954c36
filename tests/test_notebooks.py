"""The notebooks as documents: fresh outputs, headings, minutes, links, lengths."""

import json
import re
import subprocess
import sys
from types import SimpleNamespace

import pytest
from stored import (
    AREA_OF,
    ROOT,
    code_cells,
    every_notebook,
    imports,
    lesson_of,
    notebook_of,
    prose_cells,
    read,
)

from helpers.lessons import AREAS
from helpers.publish.pace import counted, minutes
from helpers.publish.question_cells import with_questions

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"  # a name, never fetched


@every_notebook
def test_outputs_are_stored_and_fresh(path):
    cells = [cell for cell in code_cells(path) if cell.source.strip()]
    counts = [cell.execution_count for cell in cells]
    assert counts == list(range(1, len(cells) + 1)), "run `make refresh`"
    for cell in cells:
        for output in cell.outputs:
            assert output.output_type != "error", cell.source
            assert output.get("name") != "stderr", cell.source


@every_notebook
def test_headings_are_in_order_and_minutes_add_up(path):
    text = "\n".join(cell.source for cell in prose_cells(path))
    lesson = lesson_of(path)
    numbers = [section.number for section in lesson.sections]
    assert numbers == list(range(1, len(numbers) + 1))
    total = int(re.search(r"Time:?\*\*:?\s+(?:about )?(\d+) min", text).group(1))
    assert lesson.minutes == total
    closing = re.findall(r"^## (\D.*)$", text, flags=re.MULTILINE)
    if lesson.tasks:
        assert closing[:3] == ["Summary", "Common mistakes", "Further reading"]


@every_notebook
def test_a_stored_picture_is_a_png_with_its_words(path):
    """Other code hosts than ours take no scripts and no addresses with SVG."""
    for cell in code_cells(path):
        assert not re.search(r"data:[a-z]+/", json.dumps(cell.outputs)), cell.source
        for output in cell.outputs:
            data = output.get("data", {})
            specs = [spec for kind, spec in data.items() if "vega" in kind]
            if specs or "image/png" in data:
                alt = output.metadata["image/png"]["alt"]
                assert len(alt.split()) >= 8 and data["text/plain"] == alt
                assert all(spec["description"] == alt for spec in specs)
                assert len(data) == 2 + len(specs), cell.source


@every_notebook
def test_files_are_small_and_name_no_host(path):
    assert path.stat().st_size <= 1.5e6
    for cell in code_cells(path):
        outputs = json.dumps(cell.outputs).replace(SCHEMA, "")
        assert not re.search(r"https?://(?!www\.w3\.org)", outputs), cell.source
        assert not re.search(r"/home/|/tmp/|ipykernel_\d", outputs), cell.source
    assert read(path).metadata.kernelspec.name == "python3"


@every_notebook
def test_every_task_is_there(path):
    """`lesson_of` has found the stub and the check of each."""
    sources = [cell.source.strip() for cell in code_cells(path)]
    lesson = lesson_of(path)
    checks = [
        lesson.notebook.cells[placed.check_cell].source for placed in lesson.tasks
    ]
    assert [source for source in sources if ".check(" in source] == checks
    exercises = [placed for placed in lesson.tasks if placed.minutes]
    assert all(placed.path in ("core", "stretch") for placed in exercises)
    for number, placed in enumerate(exercises, start=1):
        assert placed.label.startswith(f"exercise {int(path.stem[:2])}.{number},")
    if lesson.tasks:
        assert len(exercises) >= 3
        assert sources[-1] == f"{AREA_OF[path.stem]}.progress()"


@every_notebook
def test_a_question_reads_as_its_lesson_has_it(path):
    """Its text is the cell above its check, so that it is seen before anything runs."""
    cells = lesson_of(path).notebook.cells
    tasks = [placed.task for placed in lesson_of(path).tasks]
    command = "run `python -m helpers.publish.question_cells`"
    assert with_questions(cells, tasks) == cells, command


@pytest.mark.parametrize("area", [None, "formula", "distances"])
def test_what_is_not_needed_is_not_loaded(area):
    heavy = {"torch", *(["pandas", "altair", "matplotlib.pyplot"] * (area is None))}
    code = "import helpers" if area is None else imports(notebook_of(area))
    asked = f"{code}\nimport sys; assert not {heavy} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", asked], check=True)


@every_notebook
def test_stated_minutes_are_those_that_are_counted_and_not_too_many(path):
    one, other = lesson_of(path), {}
    for section in one.sections:
        needed = minutes(one, section)
        if abs(section.minutes - needed) > max(needed / 5, 1):
            other[f"§{section.number}, stated {section.minutes}"] = round(needed, 1)
    assert not other, "what these sections take; say it in heading and first cell"
    core, everything = map(round, counted(one))
    assert abs(one.minutes - everything) <= 3, "what all of them take"
    more = 10 * (AREA_OF[path.stem] in TRAINING)
    assert core <= 45 + more and everything <= 60 + more


# These may take ten minutes more.
TRAINING = ("encoder_decoder", "rotary", "language_model", "engine")


def test_every_lesson_has_its_notebook():
    assert list(AREA_OF.values()) == list(AREAS)


@every_notebook
def test_where_helpers_is_another_package_the_traceback_says_what_to_do(path):
    """It shows two lines above the one that failed."""
    after = r"`pip install -e \.` in its folder.*\n.*\nfrom helpers"
    assert re.search(after, imports(path))


@pytest.mark.parametrize("place", ["COLAB_RELEASE_TAG", "KAGGLE_KERNEL_RUN_TYPE", None])
def test_the_badge_opens_a_notebook_that_fetches_the_lesson(place, monkeypatch):
    badge = (
        r"\(https://colab\.research\.google\.com/github/([^/]+/[^/]+)/blob/main/(\S+)\)"
    )
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    ((repository, notebook),) = re.findall(badge, readme)
    if place:
        monkeypatch.setenv(place, "any")
    ran = []
    shell = SimpleNamespace(run_line_magic=lambda *line: ran.append(line))
    exec(code_cells(ROOT / notebook)[0].source, {"get_ipython": lambda: shell})
    fetched = f"install --quiet git+https://github.com/{repository}"
    assert ran == ([("pip", fetched)] if place else [])
