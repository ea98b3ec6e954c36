"""Run a student's code so that nothing it does can stop the notebook."""

import ast
import contextvars
import copy
import importlib
import io
import sys
import time
import warnings
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass, field

import numpy as np

from helpers.checks.comparing import as_array, is_tensor
from helpers.checks.feedback import interactive_shell
from helpers.checks.timing import PATIENCE, time_limit

PRINTED_AT_MOST = 2_000  # characters kept of what the code prints
MEMORY = 2_000_000_000  # bytes that a call may take


@dataclass
class Outcome:
    """What came of one call: a value, or the exception that ended it."""

    value: object = None
    raised: BaseException | None = None
    printed: str = ""
    changed: list = field(default_factory=list)  # indices of arguments it modified
    seconds: float = 0.0
    warned: list = field(default_factory=list)


def call(run, answer, args, seconds):
    """Call ``run(answer, *copies of args)`` within a time bound; never raises.

    A KeyboardInterrupt is the student's own and passes. Warnings are kept, not shown.
    """
    given = tuple(map(_copied, args))
    printed = _Capped()
    outcome = Outcome()
    # A bound may ring within the end of an `np.errstate` or a `torch.no_grad`: what is
    # set in a context of its own stays there, and torch's setting is put back.
    inside = contextvars.copy_context()
    torch = sys.modules.get("torch")
    learns = torch and torch.is_grad_enabled()
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        clock = time.perf_counter()
        work = time.process_time()
        try:
            with (
                redirect_stdout(printed),
                _no_exit(),
                memory_limit(MEMORY),
                time_limit(seconds),
            ):
                outcome.value = inside.run(run, answer, *given)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            outcome.raised = error
        finally:
            if torch:
                torch.set_grad_enabled(learns)
        # On a busy machine the clock runs on while nothing is computed.
        waited = (time.perf_counter() - clock) / PATIENCE
        outcome.seconds = max(time.process_time() - work, waited)
    outcome.printed = printed.getvalue()
    outcome.warned = warned
    outcome.changed = [
        n for n, (a, b) in enumerate(zip(args, given, strict=True)) if not _same(a, b)
    ]
    return outcome


def import_first(answer):
    """Import what an `Answer`'s code imports, before any clock runs."""
    nodes = answer.nodes
    names = {a.name for n in nodes if isinstance(n, ast.Import) for a in n.names}
    names |= {n.module for n in nodes if isinstance(n, ast.ImportFrom) and not n.level}
    for name in names - set(sys.modules):
        with suppress(Exception):  # the answer will meet it, and its line is told
            importlib.import_module(name)


@contextmanager
def memory_limit(extra):
    """Within it, whoever asks for ``extra`` bytes more than now gets a MemoryError.

    On Linux; elsewhere nothing is limited. Only what can be written into counts: the
    addresses that a new thread sets aside do not.
    """
    try:
        import resource

        with open("/proc/self/statm", encoding="ascii") as file:
            now = int(file.read().split()[5]) * resource.getpagesize()
    except (ImportError, OSError):
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    limits = [now + extra, *(n for n in (soft, hard) if n != resource.RLIM_INFINITY)]
    resource.setrlimit(resource.RLIMIT_DATA, (min(limits), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


@contextmanager
def _no_exit():
    """Within it IPython's `quit` and `exit` raise SystemExit, as Python's own do."""
    shell = interactive_shell()
    if shell is None:
        yield
        return
    own = vars(shell).get("ask_exit")
    shell.ask_exit = sys.exit
    try:
        yield
    finally:
        del shell.ask_exit
        if own:
            shell.ask_exit = own


class _Capped(io.StringIO):
    def write(self, text):
        super().write(text[: max(PRINTED_AT_MOST - self.tell(), 0)])
        return len(text)


def _copied(argument):
    """A deep copy; an array that is not contiguous stays so."""
    if isinstance(argument, np.ndarray) and not argument.flags.forc:
        return np.repeat(argument, 2, axis=-1)[..., ::2]
    return copy.deepcopy(argument)


def _same(before, after):
    if isinstance(before, (list, tuple)) and isinstance(after, type(before)):
        return len(before) == len(after) and all(map(_same, before, after))
    if is_tensor(before):
        before = as_array(before)
        after = as_array(after)
    if isinstance(before, (np.ndarray, int, float, str, bool, type(None))):
        return np.array_equal(
            before, after, equal_nan=np.asarray(before).dtype.kind == "f"
        )
    return True  # a module or another object: not ours to compare
