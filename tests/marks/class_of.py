"""A pretended class: notebooks as handed out, filled in and checked, and what befalls them.

Each answer is judged by the check itself, in this process, and its output is put into
the notebook as a kernel would (`tests/checks/test_record.py` sees one do it).
"""

import copy
import io
import linecache
import zipfile
from functools import cache
from types import SimpleNamespace
from unittest import mock

import nbformat
from stored import imports, notebook_of

from helpers.checks import feedback
from helpers.lessons import formula
from helpers.mine import for_students
from helpers.publish.lesson import read_lesson

QUESTIONS = {t.name: t.answer for t in formula.TASKS if t.kind == "question"}
EXERCISES = [t.name for t in formula.TASKS if t.kind == "exercise"]
COLUMNS = [f"formula.{task.name}" for task in formula.TASKS]
TASKS = {f"formula.{task.name}": task for task in formula.TASKS}
RIGHT = {name: getattr(formula, name).solution_code for name in EXERCISES}
SPEEDS = "formula.angular_speeds"
LOOPS = RIGHT["angular_speeds"].replace("\n", "\n    while True:\n        pass\n", 1)
# Wrong answers to `angular_speeds`: one with a name, one without.
DOUBLED = RIGHT["angular_speeds"].replace("/ d_model", "/ d_model * 2")


def handed_out(area="formula"):
    """A lesson as read, its notebook as a student gets it."""
    lesson = read_lesson(notebook_of(area))
    lesson.notebook = for_students(lesson.notebook)
    return lesson


class Kernel:
    """Defines what cells define, and gives the outputs of checks."""

    def __init__(self, lesson):
        self.names = {"__name__": "__main__", "__builtins__": __builtins__}
        self.run(imports(notebook_of(lesson.stem[3:])))

    def run(self, code):
        file = f"<cell {abs(hash(code))}>"
        linecache.cache[file] = (len(code), None, code.splitlines(True), file)
        exec(compile(code, file, "exec"), self.names)

    def output(self, task, answer):
        """What `check` displays in a notebook."""
        shell = SimpleNamespace(kernel=True, execution_count=1)
        with (
            mock.patch.object(feedback, "kernel", lambda: shell),
            mock.patch("IPython.display.display") as display,
        ):
            task.check(answer)
        (data,), about = display.call_args.args, display.call_args.kwargs["metadata"]
        return nbformat.v4.new_output("display_data", data, metadata=about)


@cache
def filled(area="formula", **changes):
    """The notebook with every answer in its own cell, checked; right but for changes.

    ``changes`` maps names of tasks to code, or to the letter of a question.
    """
    lesson = handed_out(area)
    kernel, cells = Kernel(lesson), lesson.notebook.cells
    for placed in lesson.tasks:
        task = placed.task
        if task.kind == "exercise":
            code = changes.get(task.name, task.solution_code).strip("\n")
            cells[placed.stub_cell].source = code
            kernel.run(code)
            answer = kernel.names[task.defines]
        else:
            answer = changes.get(task.name, task.answer)
            cells[placed.check_cell].source = f'{placed.call}.check("{answer}")'
        cells[placed.check_cell].outputs = [kernel.output(task, answer)]
        cells[placed.check_cell].execution_count = 1
    return lesson.notebook


def written(notebook):
    """A notebook as its file has it."""
    return nbformat.writes(notebook)


def changed(notebook, change):
    """A copy of a notebook after ``change(cell)`` of every code cell, as text."""
    notebook = copy.deepcopy(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            change(cell)
    return written(notebook)


def without_outputs(cell):
    cell.outputs, cell.execution_count = [], None


def without_metadata(cell):
    for output in cell.outputs:
        output.metadata = {}


def edited(cell):
    """An answer that was changed after its check."""
    cell.source = cell.source.replace("** (-2", "** (-3")


def zipped(files):
    """The bytes of a zip of name -> content."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()


def swap(before, after):
    """A change of what a cell holds."""

    def change(cell):
        cell.source = cell.source.replace(before, after)

    return change


def without_checks(cell):
    if ".check(" in cell.source:
        cell.source, cell.outputs = "", []


def record(column, status, message, mistake):
    """A change of what the record of a task says, as who edits the file could."""

    def change(cell):
        for output in cell.outputs:
            about = output.get("metadata", {}).get(feedback.KEY)
            if about and about["task"] == column:
                about.update(status=status, message=message, mistake=mistake)

    return change
