"""Run a student's code so that nothing it does can stop the notebook."""

import ast
import contextvars
import copy
import dis
import importlib
import io
import sys
import time
import traceback
import types
import warnings
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field

import numpy as np

from helpers.checks import source
from helpers.checks.comparing import is_tensor
from helpers.checks.timing import time_limit

PRINTED_AT_MOST = 2_000  # characters kept of what the code prints


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
    printed, outcome = _Capped(), Outcome()
    # A bound may ring within the end of an `np.errstate` or a `torch.no_grad`: what is
    # set in a context of its own stays there, and torch's setting is put back.
    inside = contextvars.copy_context()
    torch = sys.modules.get("torch")
    learns = torch and torch.is_grad_enabled()
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        start = time.perf_counter()
        try:
            with redirect_stdout(printed), time_limit(seconds):
                outcome.value = inside.run(run, answer, *given)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            outcome.raised = error
        finally:
            if torch:
                torch.set_grad_enabled(learns)
        outcome.seconds = time.perf_counter() - start
    outcome.printed, outcome.warned = printed.getvalue(), warned
    outcome.changed = [
        n for n, (a, b) in enumerate(zip(args, given, strict=True)) if not _same(a, b)
    ]
    return outcome


def import_first(answer):
    """Import what the answer's code imports, before any clock runs."""
    for part in source.parts(answer):
        for node in ast.walk(part.node):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names = [node.module]
            for name in names:
                try:
                    if name not in sys.modules:
                        importlib.import_module(name)
                except Exception:  # the answer will meet it, and its line is told
                    continue


@contextmanager
def memory_limit(extra):
    """Within it, whoever asks for ``extra`` bytes more than now gets a MemoryError.

    On Linux; elsewhere nothing is limited.
    """
    try:
        import resource

        with open("/proc/self/statm", encoding="ascii") as file:
            now = int(file.read().split()[0]) * resource.getpagesize()
    except (ImportError, OSError):
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    limits = [now + extra, *(n for n in (soft, hard) if n != resource.RLIM_INFINITY)]
    resource.setrlimit(resource.RLIMIT_AS, (min(limits), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def place_of(error, answer):
    """Line number and text of the answer's last line on the way to the error."""
    codes = {code.co_filename for code in source.codes(answer)}
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if f.filename in codes]
    frame = own[-1] if own else None
    return (frame.lineno, (frame.line or "").strip()) if frame else None


def is_untouched(answer, stub, names):
    """Whether the answer does what the stub does, line for line.

    ``names`` are those that the stub may use: the namespace of the reference.
    """
    namespace = dict(names)
    try:
        exec(compile(stub, "<stub>", "exec"), namespace)
    except Exception:
        return False
    made = [v for name, v in namespace.items() if v is not names.get(name)]
    prints = [_fingerprint(v) for v in made if callable(v)]
    return _fingerprint(answer) in prints


def is_empty(answer):
    """Whether a function's body is only ``...``, ``pass`` or ``return None``."""
    code = getattr(getattr(answer, "__func__", answer), "__code__", None)
    if code is None:
        return False
    noise = {"RESUME", "NOP", "POP_TOP", "CACHE", "RETURN_VALUE"}
    steps = [s for s in dis.get_instructions(code) if s.opname not in noise]
    return all(
        s.opname in {"LOAD_CONST", "RETURN_CONST"} and s.argval in (None, Ellipsis)
        for s in steps
    )


class _Capped(io.StringIO):
    def write(self, text):
        super().write(text[: max(PRINTED_AT_MOST - self.tell(), 0)])
        return len(text)


def not_contiguous(array):
    """The same numbers in a copy whose neighbours do not stand side by side in memory."""
    if array.ndim == 0:
        return array
    shape = (*array.shape[:-1], 2 * array.shape[-1])
    is_numpy = isinstance(array, np.ndarray)
    wide = np.zeros(shape, array.dtype) if is_numpy else array.new_zeros(shape)
    wide[..., ::2] = array
    return wide[..., ::2]


def _copied(argument):
    """A deep copy; what is not contiguous stays so."""
    if type(argument) is np.ndarray and argument.dtype != object:
        flags = argument.flags
        if not (flags.c_contiguous or flags.f_contiguous):
            return not_contiguous(argument)
        return argument.copy(order="K")
    if is_tensor(argument) and not argument.requires_grad:
        plain = argument.is_contiguous() or argument.ndim == 0
        return argument.clone() if plain else copy.deepcopy(argument)
    return copy.deepcopy(argument)


def _same(before, after):
    if isinstance(before, (list, tuple)) and isinstance(after, type(before)):
        return len(before) == len(after) and all(map(_same, before, after))
    if isinstance(before, (np.ndarray, int, float, str, bool, type(None))):
        kind = getattr(before, "dtype", np.asarray(before).dtype).kind
        try:
            return np.array_equal(before, after, equal_nan=kind == "f")
        except TypeError:
            return False
    if type(before).__module__ == "torch" and hasattr(before, "equal"):
        same = before.shape == after.shape and before.equal(after)
        return same or bool(before.isnan().any())
    return True  # a module or another object: not ours to compare


def _fingerprint(thing):
    """What a function or class does, without names of files and line numbers."""
    if isinstance(thing, types.CodeType):
        consts = tuple(map(_fingerprint, thing.co_consts))
        return thing.co_code, thing.co_names, consts
    codes = source.codes(thing)
    return tuple(map(_fingerprint, codes)) if codes else repr(thing)
