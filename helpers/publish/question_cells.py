"""The questions' texts in the notebooks, from `questions.toml`.

``python -m helpers.publish.question_cells [01 …]`` puts a Markdown cell with the
question and its choices above each question's check, where it can be read before
anything is run. Writers edit the TOML file and never this cell.
"""

import re
import sys
from importlib import import_module

import nbformat

from helpers.publish.lesson import notebook_paths

MARK = "question"  # in the cell's metadata: the name of its question
_CHECK = re.compile(r"\w+\.(\w+)\.check\(.*\)\s*")


def with_questions(cells, tasks):
    """The cells with each question's text above its check, and nowhere else."""
    questions = {task.name: task for task in tasks if task.kind == "question"}
    made = []
    for cell in cells:
        if MARK in cell.metadata:
            continue
        asked = cell.cell_type == "code" and _CHECK.fullmatch(cell.source)
        if asked and asked[1] in questions:
            made.append(_cell(questions[asked[1]]))
        made.append(cell)
    return made


def _cell(question):
    identity = f"question-{question.name}".replace("_", "-")  # the same in each run
    return nbformat.v4.new_markdown_cell(
        question.markdown(), id=identity, metadata={MARK: question.name}
    )


def update(path):
    """Write the questions of a notebook into it; returns whether one has changed."""
    notebook = nbformat.read(path, as_version=4)
    cells = with_questions(
        notebook.cells, import_module(f"helpers.lessons.{path.stem[3:]}").TASKS
    )
    changed = cells != notebook.cells
    if changed:
        notebook.cells = cells
        nbformat.write(notebook, path)
    return changed


if __name__ == "__main__":
    for notebook in notebook_paths(*sys.argv[1:]):
        changed = update(notebook)
        print(notebook.name, "has new questions" if changed else "is up to date")
