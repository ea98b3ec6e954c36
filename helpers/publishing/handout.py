"""What surrounds the notebooks of an edition: helpers, Makefile, README; and the zip.

An edition works by itself: it is unzipped, installed and opened, without the
repository. What only contributors and instructors run is left out.
"""

import os
import re
import shutil
import time
import tomllib
import zipfile
from dataclasses import dataclass
from pathlib import Path
from string import Template

import nbformat

from helpers.publishing.lesson import NOTEBOOKS, ROOT, BuildError

PROJECT = "positional-encoding-lesson"  # the name in pyproject.toml
_OPENING = "# --- for contributors and instructors"
_CLOSING = "# --- the environment"
_KEPT_BACK = ("marking", "publishing")  # of helpers
_LEFT_OUT = ("# The tests", "# Contributing")  # paragraphs of requirements.txt
_NOT_NEEDED = ("[project.optional-dependencies]", "[tool.pytest", "[tool.ruff")
# What lies beside the notebooks unchanged, where the repository has it.
_AS_THEY_ARE = ("LICENSE", ".gitignore", "runtime.txt", "CITATION.cff")


@dataclass(frozen=True)
class Edition:
    """Its name in the build folder, the folder inside the zip, and its README."""

    name: str
    top: str
    readme: str


STUDENT = Edition("student", "positional-encoding", "readme_student.md")
INSTRUCTOR = Edition(
    "instructor", "positional-encoding-instructor", "readme_instructor.md"
)


def write(folder, edition, lessons, notebooks, pages=None):
    """Write an edition as folder and zip; returns both paths.

    ``pages`` maps the names of further files to their text. An older edition is
    replaced. BuildError where something else stands there.
    """
    target = Path(folder) / edition.name
    _clear(target)
    (target / "notebooks").mkdir(parents=True)
    for lesson, notebook in zip(lessons, notebooks, strict=True):
        nbformat.write(notebook, target / "notebooks" / f"{lesson.stem}.ipynb")
    _copy_pictures(notebooks, target / "notebooks")
    _copy_helpers(target / "helpers")
    for name in _AS_THEY_ARE:
        if (ROOT / name).exists():
            shutil.copy(ROOT / name, target)
    texts = {
        "Makefile": makefile(_text("Makefile")),
        "pyproject.toml": pyproject(_text("pyproject.toml")),
        "requirements.txt": requirements(_text("requirements.txt")),
        "README.md": _readme(edition, lessons),
        **(pages or {}),
    }
    for name, text in texts.items():
        (target / name).write_text(text, encoding="utf-8", newline="\n")
    return target, _zipped(target, edition)


def makefile(text):
    """The Makefile without the targets for contributors and instructors."""
    return _between(text, _OPENING, _CLOSING)


def _between(text, opening, closing):
    found = re.search(rf"^{opening}.*?(?=^{closing})", text, re.DOTALL | re.MULTILINE)
    if not found:
        raise BuildError(f'The Makefile has lost "{opening}" or "{closing}".')
    return text[: found.start()] + text[found.end() :]


def requirements(text):
    """requirements.txt without what only tests and contributors need."""
    return _without_paragraphs(text, _LEFT_OUT)


def pyproject(text):
    """pyproject.toml without this package, the extras and the tools' settings."""
    kept = _without_paragraphs(text, _NOT_NEEDED)
    for name in _KEPT_BACK:
        kept = re.sub(rf'^ *"helpers\.{name}",\n', "", kept, flags=re.MULTILINE)
        if f"helpers.{name}" in tomllib.loads(kept)["tool"]["setuptools"]["packages"]:
            raise BuildError(f"helpers.{name} could not be cut out of pyproject.toml.")
    return kept


def _without_paragraphs(text, marks):
    parts = text.strip("\n").split("\n\n")
    kept = [part for part in parts if not any(mark in part for mark in marks)]
    return "\n\n".join(kept) + "\n"


def _text(name):
    return (ROOT / name).read_text(encoding="utf-8")


def _readme(edition, lessons):
    template = (Path(__file__).parent / edition.readme).read_text(encoding="utf-8")
    rows = [
        f"| [{lesson.title}](notebooks/{lesson.stem}.ipynb) | {lesson.minutes} |"
        for lesson in lessons
    ]
    torch = re.search(r"^torch==\S+", _text("requirements.txt"), re.MULTILINE)
    return Template(template).substitute(
        notebooks="\n".join(rows), torch=torch[0] if torch else "torch"
    )


def _clear(target):
    """Remove an older edition, and never anything else."""
    if not target.exists():
        return
    project = target / "pyproject.toml"
    ours = project.is_file() and PROJECT in project.read_text(encoding="utf-8")
    if not ours and any(target.iterdir()):
        raise BuildError(f"{target} is there already and is not an edition.")
    shutil.rmtree(target)


def _copy_pictures(notebooks, target):
    text = "\n".join(
        cell.source
        for notebook in notebooks
        for cell in notebook.cells
        if cell.cell_type == "markdown"
    )
    for path in NOTEBOOKS.iterdir():
        if path.suffix in {".png", ".svg"} and f"({path.name}" in text:
            shutil.copy(path, target)


def _copy_helpers(target):
    ignored = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints", *_KEPT_BACK)
    shutil.copytree(ROOT / "helpers", target, ignore=ignored)


def _date():
    """Now, or what SOURCE_DATE_EPOCH says: then the same files give the same zip."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    return time.gmtime(int(epoch))[:6] if epoch else time.localtime()[:6]


def _zipped(folder, edition):
    date = _date()
    path = folder.with_suffix(".zip")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(f for f in folder.rglob("*") if f.is_file()):
            name = f"{edition.top}/{file.relative_to(folder).as_posix()}"
            entry = zipfile.ZipInfo(name, date)
            entry.compress_type = zipfile.ZIP_DEFLATED
            # A plain file that its owner writes; a script may also be run.
            runs = file.read_bytes().startswith(b"#!")
            entry.external_attr = (0o100755 if runs else 0o100644) << 16
            archive.writestr(entry, file.read_bytes())
    return path
