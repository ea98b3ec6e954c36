"""The judge says in the sandbox what it says in the notebook."""

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from helpers import exercises
from helpers.exercises.core import CORRECT, INCORRECT, Exercise
from helpers.marking import judging, reading, sandbox

pytestmark = [
    pytest.mark.marks,
    pytest.mark.skipif(not shutil.which("bwrap"), reason="bubblewrap is not installed"),
]


@pytest.mark.parametrize("room", ["/tmp", "/home"])
def test_the_walls_stand_wherever_python_lies(room, tmp_path):
    """A project in a home or below /tmp, which are empty behind the walls."""
    place = Path(room) / f"walls-{os.getpid()}"
    if not os.access(room, os.W_OK):
        pytest.skip(f"no folder can be made in {room}")
    try:
        venv.create(place, symlinks=True)
        paths = [Path(sandbox.__file__).parents[2], sysconfig.get_path("purelib")]
        said = subprocess.run(
            [place / "bin" / Path(sys.executable).name, "-c", _WALLS],
            capture_output=True,
            text=True,
            encoding="utf-8",
            env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths))},
            cwd=tmp_path,
        )
    finally:
        shutil.rmtree(place, ignore_errors=True)
    assert "bwrap" in said.stdout, said.stderr


_WALLS = "from helpers.marking import sandbox; print(sandbox.walls())"


@pytest.fixture(scope="module")
def walls():
    return sandbox.walls()


def exercises_of(area):
    tasks = reading.tasks_of(area)
    return {c: task for c, task in tasks.items() if isinstance(task, Exercise)}


@pytest.mark.parametrize("area", exercises.AREAS)
def test_every_solution_is_correct(area, walls):
    tasks = exercises_of(area)
    cells = [task.solution_code for task in tasks.values()]
    verdicts = judging.judged(reading.read(cells, area), walls=walls)
    for column in tasks:
        assert verdicts[column].status == CORRECT, (column, verdicts[column])


@pytest.mark.parametrize("area", exercises.AREAS)
def test_slips_have_the_names_that_they_have_in_the_notebook(area, walls):
    tasks = exercises_of(area)
    for number in (0, 1):
        there, here = {}, {}
        for column, task in tasks.items():
            for slip in task.slips[number : number + 1]:
                answer = next(m.answer for m in task.mistakes if m.name == slip.name)
                there[column] = task.judge(answer).mistake
                cells = [slip.applied(task.solution_code)]
                here[column] = reading.read(cells, area)[column]
        verdicts = judging.judged(here, walls=walls)
        for column, mistake in there.items():
            verdict = verdicts[column]
            assert (verdict.status, verdict.mistake) == (INCORRECT, mistake), column


@pytest.mark.parametrize("area", ["formula", "rotation_matrix"])
def test_no_finished_function_is_a_right_answer(area, walls):
    answers = {}
    for column in exercises_of(area):
        for name in judging.withheld(column):
            path, _, last = name.rpartition(".")
            program = [("cell 1", f"from {path} import {last}")]
            answer = reading.Answer(reading.ATTEMPTED, last, program)
            answers.setdefault(column, []).append(answer)
    assert answers
    with sandbox.Sandbox(walls=walls, torch=False) as shared:
        for column, handed in answers.items():
            for answer in handed:
                verdict = judging._verdict(column, answer, shared)
                assert verdict.status == INCORRECT
                assert verdict.mistake == "uses the finished one"


def test_the_answer_finds_no_reference_in_its_process(walls, monkeypatch):
    """What an answer sees of its own process: no engine, no source, no solution."""
    code = """
import gc
import sys
import os


def search():
    found = []
    for thing in gc.get_objects():
        kind = type(thing).__name__
        if kind in ("Exercise", "Slip", "Mistake") or hasattr(thing, "solution_code"):
            found.append(kind)
    for name in ("encode_position", "forward"):
        found += [m for m in sys.modules if hasattr(sys.modules[m], name)
                  and m.startswith("helpers.exercises")]
    for folder, inside, files in os.walk("/"):
        inside[:] = set(inside) - {"proc", "sys", "usr", "lib", "lib64"}
        found += [f"{folder}/{name}" for name in files if name == "formula.py"]
    for finder in sys.meta_path:
        for name, text in getattr(finder, "sources", {}).items():
            if "def positional_encoding" in text or "solution" in text:
                found.append(name)
    raise LookupError(repr(found))


def angular_speeds(d_model):
    search()
"""
    own_class = "class PatientA:\n    def __init__(self, *_):\n        search()"
    as_class = code.replace("def angular_speeds(d_model):\n    search()", own_class)
    handed = {"formula.angular_speeds": code, "module.clinic_a": as_class}
    for column, cell in handed.items():
        read = {column: reading.read([cell], column.split(".")[0])[column]}
        monkeypatch.setattr(judging, "_has_more_to_say", lambda *_: False)
        verdict = judging.judged(read, walls=walls)[column]
        assert verdict.mistake == "exception"
        assert "`LookupError: []`" in verdict.message
