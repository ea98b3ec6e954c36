"""The student edition and the instructor edition, from the notebooks of the series.

``python -m helpers.publishing.editions [folder]`` writes both, as folders and zips.
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

from helpers.exercises import opening
from helpers.exercises.core import CORRECT, Exercise, Feedback
from helpers.publishing import handout
from helpers.publishing.answers import explained
from helpers.publishing.exam import exam_page
from helpers.publishing.lesson import (
    ROOT,
    TEACHING,
    BuildError,
    client,
    misfits,
    notebook_paths,
    read_lesson,
    read_notes,
)
from helpers.publishing.notes import page

TAG = "instructor"  # on every cell that the instructor edition adds
AT_A_TIME = 2  # notebooks that are executed together


def student(lesson):
    """The lesson's notebook without outputs and execution counts."""
    notebook = copy.deepcopy(lesson.notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return notebook


def instructor(lesson, notes):
    """The notebook with solutions, executed, and with all an instructor wants to know.

    BuildError where a cell fails, or a check does not find its solution correct.
    """
    return annotated(lesson, notes, executed(lesson))


def filled(lesson):
    """The notebook with every stub replaced by the solution; without outputs."""
    notebook = student(lesson)
    for task in lesson.tasks:
        if isinstance(task.task, Exercise):
            notebook.cells[task.given].source = task.task.solution_code.rstrip("\n")
        else:
            notebook.cells[
                task.check
            ].source = f'{task.call}.check("{task.task.answer}")'
    return notebook


def executed(lesson):
    """The filled notebook with its outputs, each check found correct."""
    notebook = filled(lesson)
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
    correct = repr(Feedback(CORRECT, ""))
    for task in lesson.tasks:
        said = [
            output.get("data", {}).get("text/plain", "")
            for output in notebook.cells[task.check].outputs
        ]
        if not any(text.startswith(correct) for text in said):
            raise BuildError(
                f"{lesson.stem}: the solution of {task.call} is not correct: "
                f"{' '.join(said).strip() or 'its check says nothing'}"
            )
    return notebook


def annotated(lesson, notes, notebook):
    """The notebook with the plan, the notes and the wrong answers as added cells."""
    wrong = misfits(lesson, notes)
    if wrong:
        raise BuildError(wrong[0])
    after = {0: [("plan", _plan(lesson)), ("before", _before(notes))]}
    for section in lesson.sections:
        text = _section_notes(section, notes)
        after.setdefault(section.cell, []).append((f"section-{section.number}", text))
    for task in lesson.tasks:
        place = _behind_its_helps(notebook, task)
        after.setdefault(place, []).append(("answers", explained(task)))
    end = _headed("after the lesson", notes.after)
    after.setdefault(len(notebook.cells) - 1, []).append(("after", end))
    cells = []
    for number, cell in enumerate(notebook.cells):
        cells.append(cell)
        cells += [_added(cell, *addition) for addition in after.get(number, [])]
    notebook.cells = cells
    return notebook


def _behind_its_helps(notebook, task):
    helps = f"# {task.call}.hint()"
    following = notebook.cells[task.check + 1 : task.check + 2]
    return task.check + any(cell.source.startswith(helps) for cell in following)


def _added(cell, name, text):
    # Set apart as a quotation, but for a table: nbconvert shows none in a quotation.
    if not re.search(r"^\|", text, re.MULTILINE):
        text = "\n".join(f"> {line}".rstrip() for line in text.split("\n"))
    # The id comes from the cell above: the same in every build.
    return nbformat.v4.new_markdown_cell(
        text,
        id=f"{cell.id}-{name}",
        metadata={"tags": [TAG]},
    )


def _headed(subject, text):
    return f"**For the instructor · {subject}**\n\n{text}"


def _plan(lesson):
    rows = [
        "| from | section | minutes | exercises and questions |",
        "|---|---|---|---|",
    ]
    for section in lesson.sections:
        tasks = "; ".join(_in_plan(task) for task in section.tasks) or "none"
        title = _in_table(section.title)
        rows.append(
            f"| {clock(section.start)} | {section.number}. {title} "
            f"| {section.minutes} | {_in_table(tasks)} |"
        )
    rows.append(f"| {clock(lesson.minutes)} | end | {lesson.minutes} in all | |")
    return _headed(f"plan of the lesson, {lesson.minutes} minutes", "\n".join(rows))


def _in_plan(task):
    if task.minutes:
        return f"{task.label} ({task.minutes} min)"
    return f"{task.label} `{task.task.name}`"


def _in_table(text):
    """A bar would end the table's cell; inside of mathematics it has a name."""
    parts = re.split(r"(\$[^$]+\$)", text)
    return "".join(
        part.replace("|", r"\vert " if part.startswith("$") else r"\|")
        for part in parts
    )


def _before(notes):
    return _headed("before the lesson", notes.before)


def _section_notes(section, notes):
    end = section.start + section.minutes
    times = f"{section.minutes} minutes, {clock(section.start)} to {clock(end)}"
    _, text = notes.sections[section.number]
    # Each part is a paragraph, also where no empty line divides them.
    text = re.sub(r"\n+(?=\*\*(?:Ask|Expect|Watch)\.\*\*)", "\n\n", text)
    return _headed(f"section {section.number}: {times}", text)


def clock(minutes):
    """Minutes since the start as hours and minutes: 65 is 1:05."""
    return f"{minutes // 60}:{minutes % 60:02}"


def build(folder, teaching=TEACHING, solutions=None):
    """Write both editions into a folder, each as a folder and as a zip.

    ``solutions`` keeps those of the student edition until a date, or "later".
    Nothing is written before every notebook is ready. Returns the paths. BuildError
    where notes are missing or do not fit, a cell fails or a solution is not correct.
    """
    lessons = [read_lesson(path) for path in notebook_paths()]
    notes = [read_notes(lesson.stem, teaching) for lesson in lessons]
    wrong = [
        sentence
        for pair in zip(lessons, notes, strict=True)
        for sentence in misfits(*pair)
    ]
    if wrong:
        raise BuildError(" ".join(wrong))
    kept = {"helpers/exercises/solutions.txt": solutions} if solutions else {}
    printed = {"notes.html": page(lessons, notes), "exam.html": exam_page(lessons)}
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
        prog="python -m helpers.publishing.editions",
        description="Write the student and the instructor edition.",
    )
    parser.add_argument("folder", nargs="?", default=ROOT / "build")
    parser.add_argument(
        "--solutions",
        type=opening.checked,
        help='when solution() opens in the student edition: a date, or "later"',
    )
    options = parser.parse_args(arguments)
    print("Executing every solution; this takes a minute or two.", flush=True)
    try:
        for path in build(options.folder, solutions=options.solutions):
            print(path)
    except BuildError as error:
        sys.exit(f"No edition was made. {error}")


if __name__ == "__main__":
    main()
