"""Run a student's code so that nothing it does can stop the notebook."""

import copy
import dis
import io
import time
import traceback
import types
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field

import numpy as np

from helpers.exercises import source
from helpers.exercises.timing import time_limit

PRINTED_AT_MOST = 2_000  # characters kept of what the code prints


@dataclass
class Outcome:
    """What came of one call: a value, or the exception that ended it."""

    value: object = None
    raised: BaseException | None = None
    printed: str = ""
    changed: list = field(default_factory=list)  # indices of arguments it modified
    seconds: float = 0.0


def call(run, answer, args, seconds):
    """Call ``run(answer, *copies of args)`` within a time bound; never raises.

    A KeyboardInterrupt is the student's own and passes.
    """
    given = tuple(map(_copied, args))
    printed = _Capped()
    outcome = Outcome()
    start = time.perf_counter()
    try:
        with redirect_stdout(printed), time_limit(seconds):
            outcome.value = run(answer, *given)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        outcome.raised = error
    outcome.seconds = time.perf_counter() - start
    outcome.printed = printed.text()
    outcome.changed = [
        n for n, (a, b) in enumerate(zip(args, given, strict=True)) if not _same(a, b)
    ]
    return outcome


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
    code = code_of(answer)
    if code is None:
        return False
    noise = {"RESUME", "NOP", "POP_TOP", "CACHE", "RETURN_VALUE"}
    steps = [s for s in dis.get_instructions(code) if s.opname not in noise]
    return all(
        s.opname in {"LOAD_CONST", "RETURN_CONST"} and s.argval in (None, Ellipsis)
        for s in steps
    )


def code_of(answer):
    """The code object of a function or method, or None."""
    return getattr(getattr(answer, "__func__", answer), "__code__", None)


class _Capped(io.TextIOBase):
    def __init__(self):
        self.parts, self.left = [], PRINTED_AT_MOST

    def writable(self):
        return True

    def write(self, text):
        if self.left > 0:
            self.parts.append(text[: self.left])
            self.left -= len(text)
        return len(text)

    def text(self):
        return "".join(self.parts)


def not_contiguous(array):
    """The same numbers in a copy whose neighbours do not stand side by side in memory."""
    if array.ndim == 0:
        return array
    shape = (*array.shape[:-1], 2 * array.shape[-1])
    wide = (
        np.zeros(shape, array.dtype)
        if isinstance(array, np.ndarray)
        else array.new_zeros(shape)
    )
    wide[..., ::2] = array
    return wide[..., ::2]


def _copied(argument):
    """A deep copy; what is not contiguous stays so."""
    if type(argument) is np.ndarray and argument.dtype != object:
        flags = argument.flags
        if not (flags.c_contiguous or flags.f_contiguous):
            return not_contiguous(argument)
        return argument.copy(order="K")
    is_tensor = type(argument).__name__ == "Tensor" and hasattr(argument, "clone")
    if is_tensor and not argument.requires_grad and argument.is_contiguous():
        return argument.clone()
    return copy.deepcopy(argument)


def _same(before, after):
    if isinstance(before, (list, tuple)) and isinstance(after, type(before)):
        return len(before) == len(after) and all(map(_same, before, after))
    if isinstance(before, (np.ndarray, int, float, str, bool, type(None))):
        try:
            return np.array_equal(before, after, equal_nan=isinstance(before, float))
        except TypeError:
            return False
    if type(before).__module__ == "torch" and hasattr(before, "equal"):
        return before.shape == after.shape and before.equal(after)
    return True  # a module or another object: not ours to compare


def _fingerprint(thing):
    """What a function or class does, without names of files and line numbers."""
    if isinstance(thing, types.CodeType):
        return (
            thing.co_code,
            thing.co_names,
            tuple(map(_fingerprint, thing.co_consts)),
        )
    codes = source.codes(thing)
    if codes:
        return tuple(map(_fingerprint, codes))
    return repr(thing)
