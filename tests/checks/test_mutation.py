"""Solutions broken by rules that no list of mistakes and no repair knows.

An argument is replaced by what it was in one case, a number by one far off, the result
is spoilt at the end. Each mutant must be told apart from a right answer, and nearly
each must be told more than a first difference.
"""

import ast
import copy
import random

import pytest

from helpers import lessons
from helpers.checks.exercise import Exercise
from helpers.checks.mistakes import implemented

TASKS = [task for task in lessons.ALL if isinstance(task, Exercise)]
VAGUE = {None, "shape", "ragged", "results", "missing", "not a number"}
SPOILT = ("({}) * 3.7", "({}) + 0.45", "({})[:-1]", "-({})", "str({})", "({})[::-1]")


def mutants(task):
    """For each rule its name, and one mutant of a solution: code, answer, feedback."""
    tree = ast.parse(task.solution_code)
    for rule in (_frozen, _far_numbers, _spoilt):
        made = (ast.unparse(ast.fix_missing_locations(m)) for m in rule(tree, task))
        codes = sorted({code + "\n" for code in made if code != ast.unparse(tree)})
        if not codes:
            continue
        name = task.name + rule.__name__
        code = random.Random(name).choice(codes)
        try:
            answer = implemented(code, task.reference, task.defines, name)
        except Exception:  # it cannot be defined
            continue
        yield rule.__name__, code, answer, task.judge(answer)


def _copies(tree, kind):
    """A copy of the tree for each node of a kind, and that node in it."""
    for n in range(sum(isinstance(node, kind) for node in ast.walk(tree))):
        made = copy.deepcopy(tree)
        yield made, [node for node in ast.walk(made) if isinstance(node, kind)][n]


def _frozen(tree, task):
    names = [
        arg.arg for arg in getattr(tree.body[0], "args", ast.arguments(args=[])).args
    ]
    for name, value in zip(names, task.cases[0], strict=False):
        if isinstance(value, (int, float)):
            made = copy.deepcopy(tree)
            for node in list(ast.walk(made)):
                loaded = isinstance(getattr(node, "ctx", None), ast.Load)
                if loaded and getattr(node, "id", None) == name:
                    _put(made, node, ast.Constant(value))
            yield made


def _far_numbers(tree, task):
    for made, node in _copies(tree, ast.Constant):
        if type(node.value) in (int, float):
            node.value = node.value * 7 + 5
            yield made


def _spoilt(tree, task):
    for way in SPOILT:
        for made, line in _copies(tree, ast.Return):
            if line.value:
                code = way.format(ast.unparse(line.value))
                line.value = ast.parse(code, mode="eval").body
                yield made


def _put(tree, old, new):
    for parent in ast.walk(tree):
        for name, value in ast.iter_fields(parent):
            if value is old:
                setattr(parent, name, new)
            elif isinstance(value, list):
                value[:] = [new if item is old else item for item in value]


def is_right_elsewhere(task, answer):
    """Whether a mutant agrees in a hundred more cases: it only looks different."""
    more = task._drawn("mutants", 100)
    outcomes = ((task.called(task.reference, c), task.called(answer, c)) for c in more)
    return all(
        right.raised or (not got.raised and task.agrees(right.value, got.value))
        for right, got in outcomes
    )


@pytest.fixture
def patience():
    """Some mutants never end, and the tries to repair them neither."""
    return 2


@pytest.mark.usefixtures("status_only")
@pytest.mark.parametrize("task", TASKS[::4], ids=lambda task: task.name)
def test_a_broken_solution_is_not_correct(task, monkeypatch):
    monkeypatch.setattr(task, "seconds", 1.0)
    for _, code, answer, said in mutants(task):
        assert said.status != "correct" or is_right_elsewhere(task, answer), code


@pytest.mark.slow
def test_nearly_every_broken_solution_is_diagnosed(monkeypatch, capsys):
    known, unknown = 0, []
    for task in TASKS:
        monkeypatch.setattr(task, "seconds", 1.0)
        for rule, _, _, said in mutants(task):
            if said.status != "incorrect":
                continue
            located = said.mistake != "exception" or "in line" in said.message
            if said.mistake in VAGUE or not located:
                unknown.append(f"{task.name} ({rule}): {said.message[:150]}")
            else:
                known += 1
    share = known / (known + len(unknown))
    with capsys.disabled():
        print(f"\n{share:.1%} of mutants diagnosed; not:", *unknown, sep="\n  ")
    assert share >= 0.9
