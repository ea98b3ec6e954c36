"""A course folder for nbgrader: ``python -m helpers.publish.course FOLDER [01 02 …]``.

Each notebook becomes an assignment: the stubs are cells to answer, and each check is
a test of one point that raises where the answer is not correct. A question's letter
gets a cell of its own, because nbgrader puts its own tests over those handed in.
"""

import argparse
import copy
from pathlib import Path

import nbformat

from helpers.publish.lesson import notebook_paths, read_lesson

CONFIGURATION = """c = get_config()  # noqa: F821
c.CourseDirectory.course_id = "positional-encoding"
# The notebooks hold stubs and no solutions: nothing has to be cut out of them.
kept = ("IncludeHeaderFooter", "LockCells", "ClearOutput", "CheckCellMetadata")
kept += ("ComputeChecksums", "SaveCells")
c.GenerateAssignment.preprocessors = [f"nbgrader.preprocessors.{k}" for k in kept]
# A loop outside of a function ends after a minute; one inside, in the check itself.
c.ExecutePreprocessor.timeout = 60
c.ExecutePreprocessor.interrupt_on_timeout = True
"""


def assignment(lesson):
    """A lesson's notebook with what nbgrader needs in the metadata of its cells."""
    notebook = copy.deepcopy(lesson.notebook)
    for placed in reversed(lesson.tasks):  # a new cell moves only those behind it
        name = placed.call.replace(".", "-")
        task = placed.task
        check = notebook.cells[placed.check_cell]
        if task.kind == "exercise":
            answer = notebook.cells[placed.stub_cell]
            handed = task.defines
        else:
            # In the place of "area.question.check(...)".
            handed = f"answer_{task.name}"
            answer = nbformat.v4.new_code_cell(f"{handed} = ...", id=f"{check.id}-a")
            notebook.cells.insert(placed.check_cell, answer)
        check.source = f"{placed.call}.check({handed}, strict=True)"
        answer.metadata["nbgrader"] = _about(f"{name}-answer", graded=False)
        check.metadata["nbgrader"] = _about(name, graded=True) | {"points": 1}
    return notebook


def _about(name, graded):
    return {"schema_version": 3, "grade_id": name, "task": False} | {
        "grade": graded,
        "solution": not graded,
        "locked": graded,
    }


def write(folder, names=()):
    """Write the course; FileExistsError where one is there already."""
    folder = Path(folder)
    for path in notebook_paths(*names):
        target = folder / "source" / path.stem
        target.mkdir(parents=True)
        nbformat.write(assignment(read_lesson(path)), target / path.name)
    (folder / "nbgrader_config.py").write_text(CONFIGURATION, encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("notebooks", nargs="*", help="01 02 …; all where none is named")
    options = parser.parse_args()
    write(options.folder, options.notebooks)
    print(options.folder / "source")
