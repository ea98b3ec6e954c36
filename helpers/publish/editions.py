"""The student edition and the instructor edition, from the notebooks of the series.

``python -m helpers.publish.editions [folder]`` writes both, as folders and zips.
The student edition has the stubs and no outputs. The instructor edition has the
solutions, executed, with the plan, the notes and the wrong answers to expect; a
solution that its own check refuses stops the build.
"""

import copy
import difflib
import inspect
import os
import re
import subprocess
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor

import nbformat
from nbclient.exceptions import CellControlSignal

from helpers.mine import for_students, without_outputs
from helpers.publish import handout
from helpers.publish.exam import exam_pages
from helpers.publish.lesson import (
    ROOT,
    BuildError,
    client,
    command,
    notebook_paths,
    read_lesson,
    read_notes,
)
from helpers.publish.pages import clock, notes_page, rendered

TAG = "instructor"  # on every cell that the instructor edition adds


def student(lesson):
    """The lesson's notebook as a student gets it."""
    return for_students(copy.deepcopy(lesson.notebook))


def filled(lesson):
    """The notebook with every stub replaced by the solution; without outputs."""
    notebook = without_outputs(copy.deepcopy(lesson.notebook))
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
    except CellControlSignal as error:
        reason = f"{error.ename}: {error.evalue}" if hasattr(error, "ename") else error
        raise BuildError(f"{lesson.stem}: a cell ends in {reason}") from error
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
    after = defaultdict(list)  # number of a cell -> what is added below it
    plan = rendered("plan.md.j2", lesson=lesson)
    plan = _headed(f"plan of the lesson, {lesson.minutes} minutes", plan)
    before = _headed("before the lesson", notes.before)
    after[0] += [("plan", plan), ("before", before)]
    for section in lesson.sections:
        end = section.start + section.minutes
        times = f"{section.minutes} minutes, {clock(section.start)} to {clock(end)}"
        name, (_, text) = f"section {section.number}", notes.sections[section.number]
        text = _headed(f"{name}: {times}", text)
        after[section.cell].append((name.replace(" ", "-"), text))
    for placed in lesson.tasks:
        helps = notebook.cells[placed.check + 1 : placed.check + 2]
        offered = any(c.source.startswith(f"# {placed.call}.hint()") for c in helps)
        parts = {"placed": placed, "task": placed.task, "changed": _changed}
        text = rendered("answers.md.j2", **parts).rstrip()
        after[placed.check + offered].append(("answers", text))
    last = len(notebook.cells) - 1
    after[last].append(("after", _headed("after the lesson", notes.after)))
    cells = []
    for number, cell in enumerate(notebook.cells):
        cells += [cell, *(_added(cell, *addition) for addition in after[number])]
    notebook.cells = cells
    return notebook


def _changed(task, mistake):
    """A wrong answer: the lines of the solution that it changes, or all of it."""
    if not mistake.code:
        code = inspect.getsource(mistake.answer).strip()
        return f"```python\n{code}\n```"
    lines = difflib.ndiff(task.solution_code.splitlines(), mistake.code.splitlines())
    changed = "\n".join(line for line in lines if line.startswith(("- ", "+ ")))
    return f"```diff\n{changed}\n```"


def _added(cell, name, text):
    # Set apart as a quotation, but for a table: nbconvert shows none in a quotation.
    if not re.search(r"^\|", text, re.MULTILINE):
        text = "\n".join(f"> {line}".rstrip() for line in text.split("\n"))
    # The id comes from the cell above: the same in every build.
    tags = {"tags": [TAG]}
    return nbformat.v4.new_markdown_cell(text, id=f"{cell.id}-{name}", metadata=tags)


def _headed(subject, text):
    return f"**For the instructor · {subject}**\n\n{text}"


def build(folder):
    """Write both editions into a folder, each as a folder and as a zip.

    Nothing is written before every notebook is ready. Returns the paths. BuildError
    where a cell fails or a solution is not correct.
    """
    lessons = [read_lesson(path) for path in notebook_paths()]
    notes = [read_notes(lesson.stem) for lesson in lessons]
    sheet, key = exam_pages(lessons, "example")
    printed = {"notes.html": notes_page(lessons, notes)}
    printed |= {"exam-sheet.html": sheet, "exam-key.html": key}
    with ThreadPoolExecutor(2) as pool:
        run = list(pool.map(executed, lessons))
    # Wrong answers are judged here, in the main thread, where a time bound works.
    full = [annotated(*parts) for parts in zip(lessons, notes, run, strict=True)]
    plain = [student(lesson) for lesson in lessons]
    return [
        *handout.write(folder, "student", lessons, plain),
        *handout.write(folder, "instructor", lessons, full, printed),
    ]


if __name__ == "__main__":
    print("Executing every solution; this takes some minutes.", flush=True)
    command(build, "Write the student and the instructor edition.", ROOT / "build")
