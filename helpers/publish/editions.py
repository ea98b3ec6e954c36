"""The student edition and the instructor edition, from the notebooks of the series.

``python -m helpers.publish.editions [folder]`` writes both, as folders and zips.
The student edition has the stubs and no outputs. The instructor edition has the
solutions, executed, with the plan, the notes and the wrong answers to expect; a
solution that its own check refuses stops the build.
"""

import argparse
import copy
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import nbformat
from nbclient.exceptions import CellControlSignal, CellExecutionError, CellTimeoutError

from helpers.checks import opening
from helpers.publish import handout
from helpers.publish.answers import explained
from helpers.publish.exam import exam_pages
from helpers.publish.lesson import (
    ROOT,
    BuildError,
    client,
    misfits,
    notebook_paths,
    read_lesson,
    read_notes,
)
from helpers.publish.printed import clock, notes_page

TAG = "instructor"  # on every cell that the instructor edition adds
AT_A_TIME = 2  # notebooks that are executed together


def student(lesson):
    """The lesson's notebook without outputs and execution counts."""
    notebook = copy.deepcopy(lesson.notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return notebook


def filled(lesson):
    """The notebook with every stub replaced by the solution; without outputs."""
    notebook = student(lesson)
    for placed in lesson.tasks:
        task = placed.task
        if task.kind == "exercise":
            notebook.cells[placed.given].source = task.solution_code.rstrip("\n")
        else:
            answered = f'{placed.call}.check("{task.answer}")'
            notebook.cells[placed.check].source = answered
    return notebook


def executed(lesson):
    """The filled notebook with its outputs; BuildError where a check is not content."""
    notebook = filled(lesson)
    given = lesson.notebook.cells
    one_thread = {"OMP_NUM_THREADS": "1", **os.environ}  # two notebooks run at a time
    try:
        # A kernel's notices on starting are not ours.
        client(notebook).execute(env=one_thread, stderr=subprocess.DEVNULL)
    except CellExecutionError as error:
        raise BuildError(
            f"{lesson.stem}: a cell ends in {error.ename}: {error.evalue}"
        ) from error
    except (CellControlSignal, CellTimeoutError) as error:
        raise BuildError(f"{lesson.stem}: a cell does not end: {error}") from error
    for placed in lesson.tasks:
        outputs = notebook.cells[placed.check].outputs
        said = [output.get("data", {}).get("text/plain", "") for output in outputs]
        if not any(text.startswith("✔ ") for text in said):
            raise BuildError(
                f"{lesson.stem}: the solution of {placed.call} is not correct: "
                f"{' '.join(said).strip() or 'its check says nothing'}"
            )
    for cell, stored in zip(notebook.cells, given, strict=True):
        # What is never twice the same (a timing): an edition is the same in each build.
        if "nbval-ignore-output" in cell.metadata.get("tags", []):
            cell.outputs = stored.outputs
    return notebook


def annotated(lesson, notes, notebook):
    """The notebook with the plan, the notes and the wrong answers as added cells."""
    before = _headed("before the lesson", notes.before)
    after = {0: [("plan", _plan(lesson)), ("before", before)]}
    for section in lesson.sections:
        text = _section_notes(section, notes.sections[section.number][1])
        after.setdefault(section.cell, []).append((f"section-{section.number}", text))
    for placed in lesson.tasks:
        helps = notebook.cells[placed.check + 1 : placed.check + 2]
        offered = any(c.source.startswith(f"# {placed.call}.hint()") for c in helps)
        after.setdefault(placed.check + offered, []).append(
            ("answers", explained(placed))
        )
    end = ("after", _headed("after the lesson", notes.after))
    after.setdefault(len(notebook.cells) - 1, []).append(end)
    cells = []
    for number, cell in enumerate(notebook.cells):
        cells.append(cell)
        cells += [_added(cell, *addition) for addition in after.get(number, [])]
    notebook.cells = cells
    return notebook


def _added(cell, name, text):
    # Set apart as a quotation, but for a table: nbconvert shows none in a quotation.
    if not re.search(r"^\|", text, re.MULTILINE):
        text = "\n".join(f"> {line}".rstrip() for line in text.split("\n"))
    # The id comes from the cell above: the same in every build.
    tags = {"tags": [TAG]}
    return nbformat.v4.new_markdown_cell(text, id=f"{cell.id}-{name}", metadata=tags)


def _headed(subject, text):
    return f"**For the instructor · {subject}**\n\n{text}"


def _plan(lesson):
    rows = [
        "| from | section | minutes | exercises and questions |",
        "|---|---|---|---|",
    ]
    for section in lesson.sections:
        tasks = "; ".join(map(_in_plan, section.tasks)) or "none"
        row = [clock(section.start), f"{section.number}. {section.title}"]
        row += [f"{section.minutes}", tasks]
        rows.append(f"| {' | '.join(map(_in_table, row))} |")
    rows.append(f"| {clock(lesson.minutes)} | end | {lesson.minutes} in all | |")
    return _headed(f"plan of the lesson, {lesson.minutes} minutes", "\n".join(rows))


def _in_plan(placed):
    if placed.minutes:
        return f"{placed.label} ({placed.minutes} min)"
    return f"{placed.label} `{placed.task.name}`"


def _in_table(text):
    """A bar would end the table's cell; inside of mathematics it has a name."""
    parts = re.split(r"(\$[^$]+\$)", text)
    return "".join(
        part.replace("|", r"\vert " if part.startswith("$") else r"\|")
        for part in parts
    )


def _section_notes(section, text):
    end = section.start + section.minutes
    times = f"{section.minutes} minutes, {clock(section.start)} to {clock(end)}"
    return _headed(f"section {section.number}: {times}", text)


def build(folder, solutions=None):
    """Write both editions into a folder, each as a folder and as a zip.

    ``solutions`` keeps those of the student edition until a date, or "later".
    Nothing is written before every notebook is ready. Returns the paths. BuildError
    where notes are missing or do not fit, a cell fails or a solution is not correct.
    """
    lessons = [read_lesson(path) for path in notebook_paths()]
    notes = [read_notes(lesson.stem) for lesson in lessons]
    wrong = [s for pair in zip(lessons, notes, strict=True) for s in misfits(*pair)]
    if wrong:
        raise BuildError(" ".join(wrong))
    kept = {"helpers/checks/solutions.txt": solutions} if solutions else {}
    sheet, key = exam_pages(lessons, "example")
    printed = {"notes.html": notes_page(lessons, notes)}
    printed |= {"exam-sheet.html": sheet, "exam-key.html": key}
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        run = list(pool.map(executed, lessons))
    # Wrong answers are judged here, in the main thread, where a time bound works.
    full = [annotated(*parts) for parts in zip(lessons, notes, run, strict=True)]
    plain = [student(lesson) for lesson in lessons]
    return [
        *handout.write(folder, handout.STUDENT, lessons, plain, kept),
        *handout.write(folder, handout.INSTRUCTOR, lessons, full, printed),
    ]


def main(arguments=None):
    """The command line; ends with one sentence where the build fails."""
    parser = argparse.ArgumentParser(
        prog="python -m helpers.publish.editions",
        description="Write the student and the instructor edition.",
    )
    parser.add_argument("folder", nargs="?", default=ROOT / "build")
    parser.add_argument(
        "--solutions",
        type=opening.checked,
        help='when solution() opens in the student edition: a date, or "later"',
    )
    options = parser.parse_args(arguments)
    print("Executing every solution; this takes some minutes.", flush=True)
    try:
        print(*build(options.folder, options.solutions), sep="\n")
    except BuildError as error:
        sys.exit(f"No edition was made. {error}")


if __name__ == "__main__":
    main()
