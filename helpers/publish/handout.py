"""What surrounds the notebooks of an edition: helpers, Makefile, README; and the zip.

An edition works by itself: it is unzipped, installed and opened, without the
repository. What only contributors and instructors run is left out.
"""

import os
import re
import shutil
import time
import zipfile
from pathlib import Path
from string import Template

import nbformat

from helpers.publish.lesson import ROOT, BuildError

_PROJECT = 'name = "positional-encoding-lesson"'  # in pyproject.toml
# Of helpers: what contributors and instructors run, and what they alone read.
_KEPT_BACK = ("marks", "publish", "notes.md", "exam.md", "README.md", "__pycache__")
# A part of the Makefile, and paragraphs of requirements.txt and of pyproject.toml.
_THEIRS = re.compile("# --- for contributors.*?(?=# --- the environment)", re.S)
_LEFT_OUT = ("# The tests", "# The site", "# Contributing")
_NOT_NEEDED = ("[project.optional-dependencies]", "[tool.pytest", "[tool.ruff")
# What lies beside the notebooks unchanged.
_AS_THEY_ARE = ("LICENSE", ".gitignore", "CITATION.cff")


def write(folder, edition, lessons, notebooks, pages=()):
    """Write an edition, "student" or "instructor", as folder and zip; returns both paths.

    ``pages`` maps the names of further files to their text. An older edition is
    replaced. BuildError where something else stands there.
    """
    target = Path(folder) / edition
    _clear(target)
    (target / "notebooks").mkdir(parents=True)
    for lesson, notebook in zip(lessons, notebooks, strict=True):
        nbformat.write(notebook, target / "notebooks" / f"{lesson.stem}.ipynb")
    ignored = shutil.ignore_patterns(*_KEPT_BACK)
    shutil.copytree(ROOT / "helpers", target / "helpers", ignore=ignored)
    shutil.copytree(ROOT / ".binder", target / ".binder")
    for name in _AS_THEY_ARE:
        shutil.copy(ROOT / name, target)
    texts = {
        "Makefile": _THEIRS.sub("", _text("Makefile")),
        "pyproject.toml": _without(_text("pyproject.toml"), _NOT_NEEDED),
        "requirements.txt": _without(_text("requirements.txt"), _LEFT_OUT),
        "README.md": _readme(edition, lessons),
        **dict(pages),
    }
    for name, text in texts.items():
        (target / name).write_text(text, encoding="utf-8", newline="\n")
    top = "positional-encoding" + "-instructor" * (edition == "instructor")
    return target, _zipped(target, top)


def _without(text, marks):
    """A text without the paragraphs that hold one of the marks."""
    parts = text.strip("\n").split("\n\n")
    kept = [part for part in parts if not any(mark in part for mark in marks)]
    return "\n\n".join(kept) + "\n"


def _text(name):
    return (ROOT / name).read_text(encoding="utf-8")


def _readme(edition, lessons):
    template = _text(f"helpers/publish/readme_{edition}.md")
    rows = [
        f"| [{lesson.title}](notebooks/{lesson.stem}.ipynb) | {lesson.minutes} |"
        for lesson in lessons
    ]
    return Template(template).substitute(notebooks="\n".join(rows))


def _clear(target):
    """Remove an older edition, and never anything else."""
    project = target / "pyproject.toml"
    ours = project.is_file() and _PROJECT in project.read_text(encoding="utf-8")
    if not ours and target.exists() and any(target.iterdir()):
        raise BuildError(f"{target} is there already and is not an edition.")
    shutil.rmtree(target, ignore_errors=True)


def _date():
    """What SOURCE_DATE_EPOCH says, else the edition's: the same files, the same zip."""
    if epoch := os.environ.get("SOURCE_DATE_EPOCH"):
        return time.gmtime(int(epoch))[:6]
    released = re.search(r"^date-released: ([\d-]+)", _text("CITATION.cff"), re.M)[1]
    return (*map(int, released.split("-")), 0, 0, 0)


def _zipped(folder, top):
    date, path = _date(), folder.with_suffix(".zip")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(f for f in folder.rglob("*") if f.is_file()):
            name = f"{top}/{file.relative_to(folder).as_posix()}"
            entry = zipfile.ZipInfo(name, date)
            entry.external_attr = 0o100644 << 16  # a plain file that its owner writes
            archive.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED)
    return path
