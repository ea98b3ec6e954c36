"""The judge: it knows the reference, and never runs an answer in its own process.

An answer is a `Remote`: calling it asks the process in the sandbox, and what comes
back is data. So whatever an answer does to its own process, it finds neither the
reference nor the verdict there.
"""

import ast
import functools
import hashlib
import inspect
import json
import sys
import warnings
from dataclasses import asdict, dataclass
from functools import cache
from importlib import import_module

import numpy as np

from helpers.exercises import running
from helpers.exercises.comparing import Unreadable, agrees, as_array
from helpers.exercises.core import CORRECT, INCORRECT, Exercise
from helpers.exercises.timing import PATIENCE, TimeUp
from helpers.marking import reading
from helpers.marking.sandbox import START, Ended, NoStart, Sandbox, exercise_sources
from helpers.marking.values import Other, decode, encode

SPARE = 20.0  # seconds beyond the bound of one call, until the process is ended
LONGEST_TALK = 180.0  # seconds for what the engine says with the source at hand
ENDLESS = 1000  # times the bound: the process of the answers has it, not the judge
# Finished functions from which an answer could be read off; those that are right
# answers themselves are found by trying (`withheld`).
_READ_OFF = {
    "formula": ("encoding.positional_encoding", "encoding.angular_speeds"),
    "log_space": ("encoding.positional_encoding", "encoding.angular_speeds"),
    "rotation_matrix": ("encoding.rotation_matrix",),
    "module": ("module.PositionalEncoding",),
}


@dataclass
class Verdict:
    """What the marks say about one exercise or question.

    status   correct, incorrect, not attempted or missing
    mistake  its name, where it has one
    message  what the check says
    letter   of a question
    code     of a wrong answer, without comments and names of people
    outcomes what a wrong answer computes on the cases, rounded; to compare answers
    """

    status: str
    mistake: str | None = None
    message: str = ""
    letter: str | None = None
    code: str = ""
    outcomes: str = ""

    def as_dict(self):
        return asdict(self)


class _Finished(Exception):
    """The answer uses a finished function of the lesson."""


class _Disturbed(Exception):
    """What came through the channel is not what the process was asked for."""


class Remote:
    """An answer in the sandbox, called like the function that it is."""

    def __init__(self, sandbox, shape, seconds):
        self._sandbox, self._seconds = sandbox, seconds
        self.__name__ = shape["name"] if isinstance(shape.get("name"), str) else ""
        self.finished, self.seen = None, []
        signature = _signature(shape.get("parameters"))
        if signature is not None:
            self.__signature__ = signature

    def __call__(self, *args, **options):
        try:
            value = self._called(args, options)
        except BaseException as error:
            self.seen.append(type(error).__name__)
            raise
        self.seen.append(_coarse(value))
        return value

    def _called(self, args, options):
        told = self._ask(args, options)
        if isinstance(told.get("printed"), str):
            print(told["printed"][: running.PRINTED_AT_MOST], end="")
        _write_back(args, told.get("args"))
        if "raised" in told:
            raise self._rebuilt(told)
        try:
            return decode(told["value"])
        except (KeyError, ValueError, RecursionError):
            raise _Disturbed from None

    def _ask(self, args, options):
        message = {
            "args": [encode(arg) for arg in args],
            "options": {name: encode(value) for name, value in options.items()},
            "seconds": 0.9 * self._seconds,
            "chance": _chance() if self._sandbox.torch else None,
        }
        if self._sandbox.process is None:
            raise TimeUp  # it was ended in an earlier call
        try:
            self._sandbox.send(message)
            told = self._sandbox.receive(PATIENCE * self._seconds + SPARE)
        except Ended as end:
            raise (TimeUp if end.late else SystemExit) from None
        if not isinstance(told, dict):
            raise _Disturbed
        if "gone" in told:
            self._sandbox.close()
            raise _how_it_went(told["gone"])
        return told

    def _rebuilt(self, told):
        kinds, text = told["raised"], str(told.get("text", ""))[:500]
        words = isinstance(kinds, list) and all(isinstance(k, str) for k in kinds)
        if not words or not kinds:
            return _Disturbed()
        if kinds[0] == "TimeUp":
            return TimeUp()
        if kinds[0] == "Finished":
            self.finished = text
            return _Finished(text)
        return _exception(kinds, text)


def _how_it_went(code):
    """The exception for an answer that has ended its process."""
    # Signals 24 and 9: its processor time was used up.
    return TimeUp() if code in (-24, -9) else SystemExit()


def _exception(kinds, text):
    """An exception of the same class, where it is one of Python's own."""
    builtin = vars(sys.modules["builtins"])
    first = builtin.get(kinds[0])
    if first is KeyboardInterrupt:
        return SystemExit()
    for kind in kinds:
        base = builtin.get(kind)
        if isinstance(base, type) and issubclass(base, BaseException):
            break
    else:
        base = Exception
    if base is not first:
        name = kinds[0] if str(kinds[0]).isidentifier() else "Exception"
        base = type(name, (base if issubclass(base, Exception) else Exception,), {})
    try:
        return base(text)
    except TypeError:  # a UnicodeDecodeError wants five arguments
        return Exception(text)


def _any(*args, **options):
    """Takes whatever it is given."""


_ANYTHING = inspect.signature(_any)


def _signature(parameters):
    """A signature with the same parameters; None where they are not known."""
    if not isinstance(parameters, list):
        return None
    try:
        made = [
            inspect.Parameter(
                name,
                inspect._ParameterKind(kind),
                default=... if has_default else inspect.Parameter.empty,
            )
            for name, kind, has_default in parameters
        ]
        return inspect.Signature(made)
    except (TypeError, ValueError):
        return None


def _write_back(args, after):
    """Change the arguments as the answer has changed its copies of them."""
    if not isinstance(after, list) or len(after) != len(args):
        return
    for arg, coded in zip(args, after, strict=True):
        try:
            value = decode(coded)
            if isinstance(arg, list) and isinstance(value, list):
                arg[:] = value
            elif isinstance(arg, dict) and isinstance(value, dict):
                arg.clear()
                arg.update(value)
            elif hasattr(arg, "shape") and arg.shape == value.shape != ():
                arg[...] = value
        except (ValueError, TypeError, RuntimeError, AttributeError, RecursionError):
            continue


def _chance():
    torch = sys.modules.get("torch")
    return encode(torch.get_rng_state()) if torch else None


# --- one submission


def judged(answers, *, walls=None, slot=0):
    """Column -> Verdict for the answers of one submission (`reading.Answer`)."""
    torch = any(_needs_torch(column.split(".")[0]) for column in answers)
    with Sandbox(walls=walls, torch=torch, slot=slot) as sandbox:
        return {
            column: _verdict(column, answer, sandbox)
            for column, answer in answers.items()
        }


@cache
def _needs_torch(area):
    text = exercise_sources()[f"helpers.exercises.{area}"]
    return "import torch" in text or "from torch" in text or area == "rotary"


def task_of(column):
    """The exercise or question of a column of the marks."""
    return reading.tasks_of(column.split(".")[0])[column]


def _verdict(column, answer, sandbox):
    task = task_of(column)
    if answer.state == reading.BROKEN:
        message = f"Python cannot read it: {answer.detail}."
        return Verdict(INCORRECT, "syntax error", message)
    if answer.state != reading.ATTEMPTED:
        return Verdict(answer.state)
    if not isinstance(task, Exercise):
        feedback = task.judge(answer.letter)
        letter = feedback.mistake if feedback.status == INCORRECT else task.answer
        letter = letter if letter in task.choices else None
        return Verdict(feedback.status, feedback.mistake, feedback.message, letter)
    try:
        return _exercise(column, task, answer, sandbox)
    except (Ended, _Disturbed, RecursionError):
        sandbox.close()
        return Verdict(INCORRECT, "disturbs the check", _DISTURBS)


_DISTURBS = "The answer ends or disturbs the process that calls it."


def _exercise(column, task, answer, sandbox):
    sandbox.start()
    order = {"program": answer.program, "expression": answer.expression}
    observe = _engine(column, task) if _is_observed(column) else None
    sandbox.order({**order, "withheld": withheld(column), "observe": observe})
    told = sandbox.receive(START)
    if isinstance(told, dict) and "gone" in told:
        sandbox.close()
        return _ended(told["gone"])
    if isinstance(told, dict) and "trouble" in told:
        raise RuntimeError(str(told["trouble"])[:500])
    shape = told.get("shape") if isinstance(told, dict) else None
    if not isinstance(shape, dict):
        raise _Disturbed
    remote = Remote(sandbox, shape, task.seconds)
    if "raised" in shape:
        verdict = _not_made(remote._rebuilt(shape), task)
    else:
        verdict = _called(column, task, answer, shape, remote)
    _finish(sandbox)
    if remote.finished is not None:
        name = remote.finished.removeprefix("helpers.")
        message = f"It uses `{name}`, which the lesson has finished: write it."
        return Verdict(INCORRECT, "uses the finished one", message)
    if _has_more_to_say(task, verdict):
        _add_what_the_engine_says(verdict, sandbox, column, task, order)
    return verdict


def _engine(column, task):
    module = f"helpers.exercises.{column.split('.')[0]}"
    return {"sources": exercise_sources(), "module": module, "task": task.name}


def _has_more_to_say(task, verdict):
    """Whether the engine could know more with the answer's source beside it.

    It then names demands that right numbers ignore, and repairs of wrong ones.
    """
    if verdict.status == CORRECT:
        return bool(task.demands)
    plain = is_named(task, verdict.mistake) or verdict.mistake in _SAY_ENOUGH
    return verdict.status == INCORRECT and not plain


_SAY_ENOUGH = {"time", "exit", "arguments", "not a function", "not a class"}


def _add_what_the_engine_says(verdict, sandbox, column, task, order):
    """Take over the name of a mistake; never that an answer is right."""
    try:
        sandbox.start()
        sandbox.order({**order, "confer": _engine(column, task)})
        told = sandbox.receive(LONGEST_TALK)
        if isinstance(told, dict) and "gone" not in told:
            _finish(sandbox)
    except (Ended, NoStart):
        return
    said = told.get("feedback") if isinstance(told, dict) else None
    texts = isinstance(said, list) and len(said) == 3
    if texts and said[0] == INCORRECT and isinstance(said[2], str):
        verdict.status, verdict.message = INCORRECT, said[2][:4000]
        known = isinstance(said[1], str) and said[1].isprintable()
        verdict.mistake = said[1][:120] if known else None


def _finish(sandbox):
    """Let the child go; where it does not, everything ends."""
    if sandbox.process is None:
        return
    try:
        sandbox.send({"end": True})
        told = sandbox.receive(SPARE)
    except Ended:
        return
    if not isinstance(told, dict) or "gone" not in told:
        sandbox.close()


def _ended(code):
    feedback = "time" if code in (-24, -9) else "exit"
    said = {"time": "It does not come to an end.", "exit": "It ends its process."}
    return Verdict(INCORRECT, feedback, said[feedback])


def _not_made(error, task):
    if isinstance(error, TimeUp):
        return Verdict(INCORRECT, "time", "What stands around it does not end.")
    if isinstance(error, SystemExit):
        return Verdict(INCORRECT, "exit", "What stands around it ends the notebook.")
    name = type(error).__name__
    message = f"It cannot be made: `{name}: {str(error)[:200]}`."
    return Verdict(INCORRECT, "exception", message)


def _called(column, task, answer, shape, remote):
    if shape.get("kind") == "value":
        try:
            value = decode(shape.get("value"))
        except ValueError:
            raise _Disturbed from None
        feedback = task.judge(value if not callable(value) else Other())
        return _from(feedback, answer)
    known, handed = task.run, remote
    if _is_observed(column):
        remote.remote = remote
        if shape.get("kind") == "class":
            handed = type("Answer", (), {"remote": remote})
            # What it is built with is asked for before it is built; where it is not
            # known, anything may be right.
            known_arguments = getattr(remote, "__signature__", None)
            handed.__signature__ = known_arguments or _ANYTHING
        task.run = _observing(known)
    demands, task.demands = task.demands, ()  # they ask for the answer's source
    task.patience = ENDLESS
    try:
        verdict = _from(task.judge(handed), answer)
        if verdict.status == INCORRECT and not is_named(task, verdict.mistake):
            verdict.outcomes = hashlib.sha256(repr(remote.seen).encode()).hexdigest()
    finally:
        task.run, task.demands, task.patience = known, demands, 1
    return verdict


@cache
def _is_observed(column):
    """Whether an answer must be used in the sandbox: a class, or one that gives objects.

    Every other one is called with data and gives data.
    """
    task = task_of(column)
    if isinstance(task.reference, type):
        return True
    plain = True

    def tried(*args, **options):
        nonlocal plain
        value = task.reference(*args, **options)
        for thing in (*args, *options.values(), value):
            plain = plain and '"other"' not in json.dumps(encode(thing))
        return value

    running.call(task.run, functools.wraps(task.reference)(tried), task.cases[0], 9.0)
    return not plain


def _observing(run):
    """As `run`, but an answer in the sandbox is used there, by the same function."""

    @functools.wraps(run)
    def observing(answer, *case):
        remote = vars(answer).get("remote")
        return remote(*case) if remote is not None else run(answer, *case)

    return observing


def _from(feedback, answer):
    verdict = Verdict(feedback.status, feedback.mistake, feedback.message)
    if verdict.status == INCORRECT:
        verdict.code = own_code(answer)
    return verdict


def is_named(task, mistake):
    """Whether a mistake is one of those that the exercise lists."""
    return any(mistake == known.name for known in task.mistakes)


def own_code(answer):
    """The student's definitions that an answer needs; comments and strings alone go."""
    parts = []
    for label, source in answer.program:
        if label == "the lesson":
            continue
        tree = ast.parse(source)
        if isinstance(tree.body[0], (ast.Import, ast.ImportFrom)):
            continue
        for node in ast.walk(tree):
            body = getattr(node, "body", None)
            if isinstance(body, list):
                node.body = [p for p in body if not _is_text(p)] or [ast.Pass()]
        parts.append(ast.unparse(tree))
    if not parts or not answer.expression.isidentifier():
        parts.append(answer.expression)
    return "\n\n\n".join(parts)[:4000]


def _is_text(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _coarse(value):
    if isinstance(value, dict):
        return {str(key): _coarse(item) for key, item in value.items()}
    try:
        array = as_array(value).astype(float)
    except (Unreadable, TypeError, ValueError):
        return type(value).__name__, str(value)[:80]
    # Adding zero makes the negative zero one.
    return array.shape, [float(f"{x:.3g}") + 0.0 for x in array.ravel()[:5000]]


# --- what is finished already


@cache
def withheld(column):
    """The finished functions that the sandbox of an exercise refuses to call.

    Those that are right answers by themselves, which is tried, and those that an
    answer could be read off.
    """
    area, task = column.split(".")[0], task_of(column)
    names = [f"helpers.{name}" for name in _READ_OFF.get(area, ())]
    rooms = ["helpers.encoding"] + ["helpers.module"] * _needs_torch(area)
    for room in rooms:
        for name, value in vars(import_module(room)).items():
            ours = getattr(value, "__module__", None) == room
            if ours and not name.startswith("_") and callable(value):
                full = f"{room}.{name}"
                if full not in names and _is_right(task, value):
                    names.append(full)
    return names


def _is_right(task, value):
    if isinstance(value, type) != isinstance(task.reference, type):
        return False
    for case in task.cases:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            right = running.call(task.run, task.reference, case, task.seconds)
            made = running.call(task.run, value, case, task.seconds)
        if right.raised is None and (
            made.raised is not None
            or not agrees(right.value, made.value, *task.tolerance)
        ):
            return False
    return True
