"""The student edition and the instructor edition, as folders and as zip files.

``python -m helpers.publish.editions [folder]`` writes both. The student edition is the
project without what ``.gitattributes`` marks ``export-ignore`` (`git archive` leaves out
the same); its notebooks have their stubs and no outputs. The instructor edition is the
whole project, with the executed solutions in ``solutions/`` and the notes as a page. A
solution that its own check refuses stops the build.
"""

import copy
import os
import re
import shutil
import subprocess
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from string import Template

import nbformat
from nbclient.exceptions import CellControlSignal
from pathspec import GitIgnoreSpec

from helpers.mine import for_students, without_outputs
from helpers.publish.lesson import (
    ROOT,
    BuildError,
    client,
    command,
    notebook_paths,
    read_lesson,
    read_notes,
)
from helpers.publish.pages import notes_page

_PROJECT = 'name = "positional-encoding-lesson"'  # in pyproject.toml


def student(lesson):
    """The lesson's notebook as a student gets it."""
    return for_students(copy.deepcopy(lesson.notebook))


def filled(lesson):
    """The notebook with every stub replaced by the solution; without outputs."""
    notebook = without_outputs(copy.deepcopy(lesson.notebook))
    for placed in lesson.tasks:
        task = placed.task
        if task.kind == "exercise":
            notebook.cells[placed.stub_cell].source = task.solution_code.rstrip("\n")
        else:
            answered = f'{placed.call}.check("{task.answer}")'
            notebook.cells[placed.check_cell].source = answered
    return notebook


def executed(lesson):
    """The filled notebook with its outputs; BuildError where a check is not content."""
    notebook = filled(lesson)
    one_thread = {"OMP_NUM_THREADS": "1", **os.environ}  # two notebooks run at a time
    try:
        # A kernel's notices on starting are not ours.
        client(notebook).execute(env=one_thread, stderr=subprocess.DEVNULL)
    except CellControlSignal as error:
        reason = f"{error.ename}: {error.evalue}" if hasattr(error, "ename") else error
        raise BuildError(f"{lesson.stem}: a cell ends in {reason}") from error
    for placed in lesson.tasks:
        outputs = notebook.cells[placed.check_cell].outputs
        texts = [output.get("data", {}).get("text/plain", "") for output in outputs]
        if not any(text.startswith("✔ ") for text in texts):
            raise BuildError(
                f"{lesson.stem}: the solution of {placed.call} is not correct: "
                f"{' '.join(texts).strip() or 'its check shows nothing'}"
            )
    return notebook


def project_files():
    """The files of the project, relative to its root, in order.

    Those that git tracks; in a folder without git, all that ``.gitignore`` lets pass.
    """
    if (ROOT / ".git").exists():
        names = subprocess.run(
            ["git", "-C", ROOT, "ls-files", "-z"],
            capture_output=True,
            check=True,
            text=True,
        )
        return sorted(filter(None, names.stdout.split("\0")))
    ignored = GitIgnoreSpec.from_lines(_lines(".gitignore"))
    return sorted(ignored.match_tree_files(ROOT, negate=True))


def student_files():
    """The files of the project that are not marked ``export-ignore``."""
    marked = [line.split() for line in _lines(".gitattributes")]
    patterns = [line[0] for line in marked if "export-ignore" in line[1:]]
    return list(
        GitIgnoreSpec.from_lines(patterns).match_files(project_files(), negate=True)
    )


def _lines(name):
    return (ROOT / name).read_text(encoding="utf-8").splitlines()


def write_student(folder, lessons):
    """Write the student edition; returns its folder and its zip."""
    target = _copied(student_files(), Path(folder) / "student")
    for lesson in lessons:
        nbformat.write(student(lesson), target / "notebooks" / f"{lesson.stem}.ipynb")
    (target / "README.md").write_text(_readme(lessons), encoding="utf-8", newline="\n")
    return target, _zipped(target, "positional-encoding")


def write_instructor(folder, lessons, solutions, notes):
    """Write the instructor edition; returns its folder and its zip."""
    target = _copied(project_files(), Path(folder) / "instructor")
    (target / "solutions").mkdir()
    for lesson, notebook in zip(lessons, solutions, strict=True):
        nbformat.write(notebook, target / "solutions" / f"{lesson.stem}.ipynb")
    (target / "notes.html").write_text(
        notes_page(lessons, notes), encoding="utf-8", newline="\n"
    )
    return target, _zipped(target, "positional-encoding-instructor")


def _copied(files, target):
    """A fresh folder with these files of the project.

    An older edition is replaced; BuildError where something else stands there.
    """
    project = target / "pyproject.toml"
    ours = project.is_file() and _PROJECT in project.read_text(encoding="utf-8")
    if not ours and target.exists() and any(target.iterdir()):
        raise BuildError(f"{target} is there already and is not an edition.")
    shutil.rmtree(target, ignore_errors=True)
    for name in files:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, target / name)
    return target


def _readme(lessons):
    template = (ROOT / "helpers/publish/readme_student.md").read_text(encoding="utf-8")
    rows = [
        f"| [{lesson.title}](notebooks/{lesson.stem}.ipynb) | {lesson.minutes} |"
        for lesson in lessons
    ]
    return Template(template).substitute(notebooks="\n".join(rows))


def _zipped(folder, top):
    """A zip of the folder, with the release's date: the same files, the same zip."""
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    released = re.search(r"^date-released: (\d+)-(\d+)-(\d+)", citation, re.M)
    date = (*map(int, released.groups()), 0, 0, 0)
    path = folder.with_suffix(".zip")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(f for f in folder.rglob("*") if f.is_file()):
            name = f"{top}/{file.relative_to(folder).as_posix()}"
            entry = zipfile.ZipInfo(name, date)
            entry.external_attr = 0o100644 << 16  # a plain file that its owner writes
            archive.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED)
    return path


def build(folder):
    """Write both editions into a folder, each as a folder and as a zip.

    Nothing is written before every notebook is ready. Returns the paths. BuildError
    where a cell fails or a solution is not correct.
    """
    lessons = [read_lesson(path) for path in notebook_paths()]
    notes = [read_notes(lesson.stem) for lesson in lessons]
    with ThreadPoolExecutor(2) as pool:
        solutions = list(pool.map(executed, lessons))
    return [
        *write_student(folder, lessons),
        *write_instructor(folder, lessons, solutions, notes),
    ]


if __name__ == "__main__":
    print("Executing every solution; this takes some minutes.", flush=True)
    command(build, "Write the student and the instructor edition.", ROOT / "build")
