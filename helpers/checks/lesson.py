"""A folder of exercises and questions becomes a lesson: one `.py` and one `.toml` each.

An exercise `name` is `name.py`, which holds the solution (a function or class of that
name), ``CASES``, ``draw(rng)`` and where needed ``run``, ``words``, ``TOLERANCE``,
``DRAWN``; and `name.toml`, which holds its texts. All questions of a folder stand in
`questions.toml`, and what several lessons' mistakes share in `shared.toml` above it.
"""

import re
import sys
import tomllib
from functools import cache
from importlib import import_module
from pathlib import Path

from helpers.checks.exercise import Exercise
from helpers.checks.question import Choice, Question
from helpers.checks.tasks import Tasks
from helpers.checks.undefined_name import explain_undefined_names

PROSE = ("says", "text", "hints", "remark")
LAZY = ("pictures", "explore", "model")  # modules of a lesson that load libraries


def open_lesson(package, names):
    """The Tasks of a package by name, in order, also set as attributes of the package."""
    module = sys.modules[package]
    folder = Path(module.__file__).parent
    questions = read_toml(folder / "questions.toml")
    tasks = Tasks(
        _question(name, questions[name])
        if name in questions
        else _exercise(package, folder, name)
        for name in names
    )
    for task in tasks:
        setattr(module, task.name, task)
    tasks.restore(package.rpartition(".")[2])
    explain_undefined_names()

    def __getattr__(name):
        if name in LAZY:
            return import_module(f"{package}.{name}")
        missing = f"module {package!r} has no attribute {name!r}"
        if name in questions or (folder / f"{name}.toml").exists():
            missing += ": add it to the list in its __init__.py"
        raise AttributeError(missing)

    module.__getattr__ = __getattr__
    return tasks


@cache
def read_toml(path):
    """A TOML file as a dict, its prose unwrapped; empty where there is none."""
    if not path.exists():
        return {}
    try:
        return _unwrapped(tomllib.loads(path.read_text(encoding="utf-8")))
    except tomllib.TOMLDecodeError as error:
        error.add_note(f"in {path}")
        raise


def _unwrapped(value, name=""):
    """Each paragraph of what students read as one line; code, lists, tables as typed."""
    if isinstance(value, dict):
        return {key: _unwrapped(part, key) for key, part in value.items()}
    if isinstance(value, list):
        return [_unwrapped(part, name) for part in value]
    if not isinstance(value, str) or name not in PROSE:
        return value
    if "```" in value:
        return value.strip()
    return re.sub(r"(?<!\n)\n(?![\n|>]|- |\d{1,2}\. )", " ", value.strip())


def _question(name, text):
    choices = [Choice(c["text"], c["says"], c.get("right")) for c in text["choices"]]
    return Question(name, text["text"], choices, text["hints"])


def _exercise(package, folder, name):
    text = read_toml(folder / f"{name}.toml")
    if like := text.get("like"):
        text = {**read_toml(folder / f"{like}.toml"), **text}
    module = import_module(f"{package}.{like or name}")
    return Exercise(name, module, text, read_toml(folder.parent / "shared.toml"))
