"""What runs beside an answer's code, in the process that nobody trusts.

`main` keeps the channel and runs no answer itself: for every exercise it forks a
child, in which the answer is made and called. The child knows neither the reference
nor what would be right; it is told arguments and says what came back. Whatever it
says is data for the judge in another process (`helpers.marking.judging`).
"""

import builtins
import contextlib
import ctypes
import gc
import importlib.abc
import importlib.util
import inspect
import io
import json
import linecache
import os
import signal
import struct
import sys
import types

from helpers.exercises.timing import TimeUp, processor_limit
from helpers.marking.importing import InMemory
from helpers.marking.values import Unsendable, decode, encode

READY = b"ready\n"
LONGEST = 40_000_000  # bytes of one message
TO_MAKE = 15.0  # seconds for the statements that an answer needs
_DUMMIES = ("exercises", "explore", "pictures", "publishing")


class Finished(Exception):
    """The answer uses what the lesson has finished, where it is to be written."""


# --- the channel: a length, then JSON


def send(file, message):
    """Write one message to a binary file."""
    data = json.dumps(message).encode()
    file.write(struct.pack("<I", len(data)) + data)
    file.flush()


def receive(file):
    """The next message; EOFError where the channel ends or the message is too long."""
    head = file.read(4)
    size = struct.unpack("<I", head)[0] if len(head) == 4 else LONGEST + 1
    data = file.read(size) if size <= LONGEST else b""
    if len(data) != size:
        raise EOFError
    return json.loads(data)


# --- what stands in the place of other modules


class _Dummy(types.ModuleType):
    """Stands for a part of helpers that an answer has no business with."""

    __path__ = ()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name in ("reference", "solution_code", "mistakes", "cases", "slips"):
            raise Finished(f"{self.__name__}.{name}")
        return _Dummy(f"{self.__name__}.{name}")

    def __call__(self, *args, **options):
        return None


class _Dummies(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        parts = name.split(".")
        if len(parts) > 1 and parts[0] == "helpers" and parts[1] in _DUMMIES:
            return importlib.util.spec_from_loader(name, self, is_package=True)
        return None

    def create_module(self, spec):
        return _Dummy(spec.name)

    def exec_module(self, module):
        pass


def _withhold(names):
    """Put something that refuses in the place of finished functions and classes."""
    for name in names:
        path, _, last = name.rpartition(".")
        with contextlib.suppress(ImportError):
            module = importlib.import_module(path)
            finished = vars(module).get(last)
            refusing = _refusing(name)
            for other in [m for n, m in sys.modules.items() if n.startswith("helpers")]:
                for key, value in list(vars(other).items()):
                    if value is finished:
                        setattr(other, key, refusing)


def _refusing(name):
    def refuse(*args, **options):
        raise Finished(name)

    members = {"__init__": refuse, "__init_subclass__": classmethod(refuse)}
    return type(name.rpartition(".")[2], (), members)


# --- one exercise, in a child


def _made(program, expression):
    """The answer: its statements executed as written, then its expression.

    A statement that lacks a name waits for those behind it: cells may be in any order.
    Others that fail are left out, as the cell was that failed in the notebook.
    """
    space = {"__name__": "__main__", "__builtins__": builtins}
    waiting, failed = [tuple(part) for part in program], None
    while waiting:
        again = []
        for label, source in waiting:
            try:
                exec(_compiled(label, source, "exec"), space)
            except NameError as error:
                again.append((label, source))
                failed = error
            except Finished:
                if label != "the lesson":
                    raise
            except Exception as error:
                failed = error
        if len(again) == len(waiting):
            break
        waiting = again
    try:
        return eval(_compiled("check", expression, "eval"), space)
    except NameError as error:
        raise (failed or error) from None


def _compiled(label, source, mode):
    file = f"<{label}>"
    lines = source.splitlines(keepends=True)
    # A size of None keeps `linecache` from looking for the file on the disk.
    linecache.cache[file] = (len(source), None, lines, file)
    return compile(source, file, mode)


def _shape_of(answer):
    """What the judge must know of an answer before it is called."""
    try:
        parameters = inspect.signature(answer).parameters.values()
        known = [(p.name, int(p.kind), p.default is not p.empty) for p in parameters]
    except (TypeError, ValueError):
        known = None
    kind = "class" if isinstance(answer, type) else "function"
    if not callable(answer):
        return {"kind": "value", "value": encode(answer)}
    name = getattr(answer, "__name__", "")
    return {"kind": kind, "name": str(name)[:80], "parameters": known}


def _told(action, seconds):
    """What came of an action, as a message: what it returned, raised and printed."""
    printed, message = io.StringIO(), {}
    printed.write = _capped(printed.write)
    try:
        with contextlib.redirect_stdout(printed), processor_limit(seconds):
            message = action()
    except BaseException as error:
        message = _raised(error)
    return {**message, "printed": printed.getvalue()[:4000]}


def _capped(write):
    left = [4000]

    def capped(text):
        if left[0] > 0:
            write(text[: left[0]])
            left[0] -= len(text)
        return len(text)

    return capped


def _raised(error):
    if isinstance(error, TimeUp):
        return {"raised": ["TimeUp"], "text": ""}
    if isinstance(error, Finished):
        return {"raised": ["Finished"], "text": str(error)[:200]}
    kinds = [k.__name__ for k in type(error).__mro__ if k is not object]
    try:
        text = str(error)[:500]
    except BaseException:
        text = ""
    return {"raised": kinds, "text": text}


def _serve(task, incoming, outgoing):
    """Make the answer of one exercise and call it as often as the judge asks."""
    if task.get("confer"):
        outgoing.send(_conferred(task))
        return
    try:
        run = _observer(task["observe"]) if task.get("observe") else None
    except Exception as error:  # ours: no answer has run yet
        outgoing.send({"trouble": f"{type(error).__name__}: {error}"})
        return
    _forget_exercises()
    sys.meta_path.insert(0, _Dummies())
    _withhold(task["withheld"])
    for finder in sys.meta_path:
        if hasattr(finder, "forget"):
            finder.forget(task["withheld"])
    task_program, expression = task["program"], task["expression"]
    answer = None

    def make():
        nonlocal answer
        answer = _made(task_program, expression)
        return _shape_of(answer)

    outgoing.send({"shape": _told(make, TO_MAKE)})
    while True:
        call = receive(incoming)
        if "end" in call:
            return
        args = [decode(arg) for arg in call["args"]]
        options = {name: decode(value) for name, value in call["options"].items()}
        _set_chance(call.get("chance"))

        def act(args=args, options=options):
            value = run(answer, *args) if run else answer(*args, **options)
            return {"value": encode(value)}

        told = _told(act, call["seconds"])
        with contextlib.suppress(Unsendable):
            told["args"] = [encode(arg) for arg in args]
        outgoing.send(told)


def _set_chance(state):
    """The judge's state of torch's random numbers, so that dropout drops the same."""
    if state is not None:
        import torch

        torch.set_rng_state(decode(state))


def _observer(observe):
    """The function that uses an answer, without any reference beside it.

    Everything else of its module goes: references, mistakes, sources.
    """
    _forget_exercises()
    sys.meta_path.insert(0, finder := InMemory(observe["sources"]))
    module = importlib.import_module(observe["module"])
    task = next(t for t in module.EXERCISES if t.name == observe["task"])
    run = task.run
    kept = _reached(run)
    del task
    for name in list(vars(module)):
        if name not in kept and not name.startswith("__"):
            delattr(module, name)
    _forget_exercises()
    sys.meta_path.remove(finder)
    finder.sources.clear()
    observe.clear()
    linecache.clearcache()
    gc.collect()
    return run


def _conferred(task):
    """What the whole engine says of an answer, beside it in one process.

    It can read the answer's source and try repairs of it. Nobody has to believe it:
    the judge asks only for the name of a mistake.
    """
    confer = task["confer"]
    _forget_exercises()
    sys.meta_path.insert(0, InMemory(confer["sources"]))
    module = importlib.import_module(confer["module"])
    judged = next(t for t in module.EXERCISES if t.name == confer["task"])
    # What it says must not depend on how busy the machine is.
    engine = "helpers.exercises"
    limit = sys.modules[f"{engine}.timing"].processor_limit
    sys.modules[f"{engine}.running"].time_limit = limit
    sys.modules[f"{engine}.diagnosis.findings"].BY_THE_CLOCK = 16
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            with processor_limit(TO_MAKE):
                answer = _made(task["program"], task["expression"])
            feedback = judged.judge(answer)
    except BaseException as error:
        return _raised(error)
    told = (feedback.status, feedback.mistake, feedback.message)
    return {"feedback": [None if part is None else str(part)[:4000] for part in told]}


def _forget_exercises():
    for name in [n for n in sys.modules if n.startswith("helpers.exercises")]:
        del sys.modules[name]
    vars(sys.modules["helpers"]).pop("exercises", None)


def _reached(function):
    """The names in its module that a function uses, directly or through others."""
    space, names, new = function.__globals__, set(), [function.__code__]
    while new:
        code = new.pop()
        new += [c for c in code.co_consts if isinstance(c, types.CodeType)]
        for name in set(code.co_names) - names:
            names.add(name)
            value = space.get(name)
            if isinstance(value, types.FunctionType):
                new.append(value.__code__)
            elif isinstance(value, type) and value.__module__ == space["__name__"]:
                members = vars(value).values()
                new += [m.__code__ for m in members if hasattr(m, "__code__")]
    return names


# --- the process


class _Signed:
    """The channel back; each message carries the ticket of its exercise."""

    def __init__(self, file, ticket):
        self.file, self.ticket = file, ticket

    def send(self, message):
        send(self.file, {**message, "ticket": self.ticket})


def main(settings, incoming, outgoing, control):
    """Serve exercises until the channel ends.

    That a child has gone is said on ``control`` too, which no child holds: the judge
    believes nobody else, and hands out the next ticket only then.
    """
    if settings.get("torch"):
        import torch

        torch.set_num_threads(1)
    for name in settings["modules"]:
        importlib.import_module(name)
    forks = hasattr(os, "fork")
    if forks:
        _not_to_be_looked_into()
        _limits(settings)
        gc.freeze()
    control.write(READY)
    control.flush()
    send(outgoing, {"ready": os.getpid(), "ticket": None})
    while True:
        try:
            task = receive(incoming)
        except EOFError:
            return
        if "program" not in task:
            continue  # was meant for a child that is gone
        if not forks:
            back = _Signed(outgoing, task["ticket"])
            with contextlib.suppress(EOFError):
                _serve(task, incoming, back)
            back.send({"gone": 0})
            send(control, {"gone": 0})
            continue
        child = os.fork()
        if child == 0:
            code = 1
            try:
                control.close()
                resource_limits(settings)
                _serve(task, incoming, _Signed(outgoing, task["ticket"]))
                code = 0
            finally:
                os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        _end_what_is_left(settings)
        send(outgoing, {"gone": code, "ticket": task["ticket"]})
        send(control, {"gone": code})
        task.clear()


def _not_to_be_looked_into():
    """No other process of the same user reads or changes this one's memory (Linux)."""
    with contextlib.suppress(Exception):
        libc = ctypes.CDLL(None)
        libc.prctl(4, 0, 0, 0, 0)  # PR_SET_DUMPABLE
        libc.prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER


def _limits(settings):
    with (
        contextlib.suppress(OSError),
        open("/proc/self/oom_score_adj", "w", encoding="utf-8") as file,
    ):
        file.write("1000")  # where memory ends all the same, this is what goes first
    settings["address"] = settings["memory"] + _mapped()


def _mapped():
    with (
        contextlib.suppress(OSError),
        open("/proc/self/statm", encoding="utf-8") as file,
    ):
        return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    return 4 << 30


def resource_limits(settings):
    """Limit this process and all that it starts."""
    import resource

    limits = {
        "RLIMIT_CPU": settings["processor"],
        "RLIMIT_AS": settings["address"],
        "RLIMIT_FSIZE": settings["file"],
        "RLIMIT_NPROC": settings["processes"],
        "RLIMIT_NOFILE": 64,
        "RLIMIT_CORE": 0,
    }
    for name, limit in limits.items():
        if hasattr(resource, name) and limit is not None:
            kind = getattr(resource, name)
            _, hard = resource.getrlimit(kind)
            if hard != resource.RLIM_INFINITY:
                limit = min(limit, hard)
            with contextlib.suppress(ValueError, OSError):
                resource.setrlimit(kind, (limit, limit))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a write fails instead


def _end_what_is_left(settings):
    """End every process that an answer has started, also those that left its group."""
    if settings["alone"]:
        # Nobody else lives in this space of processes.
        with contextlib.suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)
    else:
        with contextlib.suppress(Exception):
            import psutil

            for _ in range(20):
                left = psutil.Process().children(recursive=True)
                for process in left:
                    with contextlib.suppress(psutil.Error):
                        process.kill()
                if not left:
                    break
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
