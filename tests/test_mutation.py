"""Solutions broken by rules that no list of mistakes and no repair knows.

The rules undo nothing that the repair tries by itself: a line goes missing, a piece of
code takes the place of another, an argument is replaced by what it was in one case, a
number by one far off, the result is spoilt at the end. Each mutant must be told apart
from a right answer, and nearly each must get more than a first difference.
"""

import ast
import copy
import itertools
import os
import random

import numpy as np
import pytest

from helpers import exercises
from helpers.exercises import mistakes, running
from helpers.exercises.core import Exercise

TASKS = [task for task in exercises.ALL if isinstance(task, Exercise)]
VAGUE = {None, "shape", "ragged", "results", "missing", "not a number"}
PARTS = 4  # as many workers as can share the long run
OF_EACH_RULE = int(os.environ.get("MUTANTS", "1"))  # MUTANTS=4 for a thorough run
SPOILT = (
    "({}) * 3.7",
    "({}) + 0.45",
    "({})[:-1]",
    "({}, 0)",
    "-({})",
    "str({})",
    "({})[::-1]",
)


def mutants(task):
    """The code of every mutant of a solution, each with the rule that made it."""
    tree = ast.parse(task.solution_code)
    for rule in (
        _missing_lines,
        _transplants,
        _frozen_arguments,
        _far_numbers,
        _spoilt,
    ):
        for made in rule(tree, task):
            code = ast.unparse(ast.fix_missing_locations(made)) + "\n"
            if ast.dump(ast.parse(code)) != ast.dump(tree):
                yield rule.__name__.strip("_").replace("_", " "), code


def _bodies(tree):
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(node, (ast.FunctionDef, ast.For, ast.While, ast.If)):
            yield node, body


def _missing_lines(tree, task):
    count = sum(len(body) for _, body in _bodies(tree))
    for number in range(count):
        made = copy.deepcopy(tree)
        lines = [(body, n) for _, body in _bodies(made) for n in range(len(body))]
        body, n = lines[number]
        if len(body) > 1 and not isinstance(body[n], (ast.Return, ast.FunctionDef)):
            del body[n]
            yield made


def _values(tree):
    """Every expression that is computed, but names and numbers alone."""
    kinds = (ast.BinOp, ast.Call, ast.Subscript)
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, kinds)
        and not isinstance(getattr(node, "ctx", 0), ast.Store)
    ]


def _transplants(tree, task):
    pairs = list(itertools.permutations(range(len(_values(tree))), 2))
    for one, other in random.Random(task.name).sample(pairs, min(len(pairs), 30)):
        made = copy.deepcopy(tree)
        values = _values(made)
        a, b = values[one], values[other]
        if a not in ast.walk(b) and b not in ast.walk(a):
            _put(made, a, copy.deepcopy(b))
            yield made


def _frozen_arguments(tree, task):
    if isinstance(task.reference, type):
        return
    names = [a.arg for a in tree.body[0].args.args]
    for name, value in zip(names, task.cases[0], strict=False):
        if not isinstance(value, (int, float)):
            continue
        made = copy.deepcopy(tree)
        for node in list(ast.walk(made)):
            loaded = isinstance(getattr(node, "ctx", None), ast.Load)
            if loaded and getattr(node, "id", None) == name:
                _put(made, node, ast.Constant(value))
        yield made


def _numbers(tree):
    kinds = (int, float)
    return [n for n in ast.walk(tree) if type(getattr(n, "value", None)) in kinds]


def _far_numbers(tree, task):
    for n in range(len(_numbers(tree))):
        made = copy.deepcopy(tree)
        number = _numbers(made)[n]
        number.value = number.value * 7 + 5
        yield made


def _spoilt(tree, task):
    returns = [n for n in ast.walk(tree) if isinstance(n, ast.Return) and n.value]
    for n, way in itertools.product(range(len(returns)), SPOILT):
        made = copy.deepcopy(tree)
        line = [n for n in ast.walk(made) if isinstance(n, ast.Return) and n.value][n]
        line.value = ast.parse(way.format(ast.unparse(line.value)), mode="eval").body
        yield made


def _put(tree, old, new):
    for parent in ast.walk(tree):
        for name, value in ast.iter_fields(parent):
            if value is old:
                setattr(parent, name, new)
            elif isinstance(value, list):
                value[:] = [new if item is old else item for item in value]


def diagnosed(feedback):
    """Whether it says more than a first difference: a name, a place or a pattern."""
    located = feedback.mistake != "exception" or ", in line " in feedback.message
    return feedback.mistake not in VAGUE and located


def same_in_other_cases(task, answer):
    """Whether an answer agrees with the reference where no case looks: other mixtures
    of the arguments, other numbers in arrays."""
    columns = list(zip(*task.cases, strict=True)) if task.cases[0] else []
    generator = random.Random(0)
    for _ in range(40):
        case = tuple(_varied(generator.choice(column)) for column in columns)
        expected = task.quiet(task.reference, case)
        got = task.quiet(answer, case)
        if expected.raised is None and (
            got.raised is not None or not task.agrees(expected.value, got.value)
        ):
            return False
    return True


def _varied(value):
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        return np.random.default_rng(value.size).normal(size=value.shape)
    return value


def judged(task, code, number):
    """(answer, feedback) for a mutant; None where it cannot be defined."""
    try:
        answer = mistakes.implemented(
            code, task.reference, f"mutant {task.name} {number}"
        )
    except Exception:
        return None
    return answer, task.judge(answer)


def sample(task, count):
    """Some mutants of each rule, the same in every run."""
    made = {}
    for rule, code in mutants(task):
        made.setdefault(rule, []).append(code)
    for rule, codes in made.items():
        few = random.Random(task.name + rule).sample(codes, min(count, len(codes)))
        yield from ((rule, code) for code in few)


@pytest.mark.usefixtures("status_only")
@pytest.mark.parametrize("task", TASKS[::4], ids=lambda task: task.name)
def test_a_broken_solution_is_not_correct(task, monkeypatch):
    """One mutant of every fourth exercise; `make rerun` judges some of each."""
    codes = sorted(code for _, code in sample(task, 1))
    code = random.Random(task.name).choice(codes)
    made = judged(task, code, 0)
    if made and made[1].status == "correct":
        assert same_in_other_cases(task, made[0]), code
    elif made:
        assert made[1].message.strip()


@pytest.fixture
def patience():
    """Some mutants never end, and the tries to repair them neither."""
    return 3


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_nearly_every_broken_solution_is_diagnosed(part, attempts, monkeypatch, capsys):
    known, unknown, accepted = 0, [], []
    for task in TASKS[part::PARTS]:
        monkeypatch.setattr(task, "seconds", 1.0)
        for number, (rule, code) in enumerate(sample(task, OF_EACH_RULE)):
            attempts.clear()
            made = judged(task, code, number)
            if made is None:
                continue
            answer, feedback = made
            if feedback.status == "correct":
                if not same_in_other_cases(task, answer):
                    accepted.append((task.name, rule, code))
            elif feedback.status == "incorrect":
                known += diagnosed(feedback)
                if not diagnosed(feedback):
                    unknown.append((task.name, rule, feedback.message, code))
    share = known / (known + len(unknown))
    with capsys.disabled():
        print(f"\n{known} of {known + len(unknown)} mutants diagnosed: {share:.1%}")
        for name, rule, message, _ in unknown:
            print(f"  {name} ({rule}): {message[:150]}")
    assert not accepted, accepted
    assert share >= 0.9


def test_the_rules_break_something_in_every_exercise():
    for task in TASKS:
        assert len(list(itertools.islice(mutants(task), 3))) == 3, task.name


def test_a_mutant_that_only_looks_different_is_recognised():
    task = next(t for t in TASKS if t.name == "angular_speeds")
    assert same_in_other_cases(
        task, lambda d: np.exp(-np.log(1e4) * 2 * np.arange(d // 2) / d)
    )
    assert not same_in_other_cases(task, lambda d: 0.1 ** np.arange(d // 2))
    assert isinstance(running.call(task.run, task.reference, (8,), 5).value, np.ndarray)
