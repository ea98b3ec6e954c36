"""What runs in the sandbox: it reads one student's files and judges every answer.

``python -m helpers.marks.worker`` gets its order as JSON on standard input and prints
a line of JSON for each notice and each verdict. The ordinary checks run beside the
answer, in one process: who wants to forge a verdict here could paste a solution. What
reaches for more than the lesson teaches is not judged, and named for the instructor.
"""

import ast
import builtins
import contextlib
import gc
import io
import json
import linecache
import os
import re
import sys
import time
import zipfile
from pathlib import Path

from helpers.checks.timing import TimeUp, time_limit
from helpers.marks import reading

NOT_JUDGED = "not judged"
LARGEST, MOST = 30_000_000, 300_000_000  # bytes of one notebook, and of all
TO_READ, TO_MAKE, PROCESSOR = 20.0, 15.0, 240  # seconds of processor time, of all
MEMORY = 1 << 30  # bytes that may be taken besides what is loaded already
FILE = 16 << 20  # bytes of a file that is written
NESTED = 2  # zips within a zip
_ASIDE = {"__MACOSX", ".ipynb_checkpoints"}
# What no exercise needs: ways out of an answer, into the checks or the machine.
_REACHING = {
    *("gc", "inspect", "ctypes", "importlib", "sys", "os", "subprocess", "socket"),
    *("threading", "multiprocessing", "signal", "builtins", "pathlib", "shutil", "io"),
    *("open", "exec", "eval", "compile", "globals", "locals", "vars", "__import__"),
    *("setattr", "delattr", "get_ipython", "pickle", "tempfile", "linecache"),
    *("f_back", "f_locals", "f_globals", "tb_frame", "gi_frame", "_getframe"),
}
_ORDINARY = {"__init__", "__name__", "__len__", "__class__", "__call__", "__getitem__"}


def main():
    """Serve one order."""
    order = json.loads(sys.stdin.buffer.read())
    told = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    silence = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(silence, number)

    def tell(**message):
        told.write(json.dumps(message) + "\n")
        told.flush()

    files = list(_files(order["places"], tell))  # read, not parsed, with all rights
    _confine(order)
    _limit_memory()
    for column, task, answer, texts in _answers(files, order, tell):
        if column in order["skip"]:
            continue
        tell(begin=column)
        gc.collect()  # what an answer left must not be missing for the next
        _limit_memory()
        tell(column=column, **_verdict(task, answer, texts))
    tell(done=True)


def _confine(order):
    """Give up rights, and limit what this process and all that it starts may take."""
    if order["user"]:
        os.setgroups([])
        os.setresgid(*[order["user"]] * 3)
        os.setresuid(*[order["user"]] * 3)
    with contextlib.suppress(ImportError):  # not on Windows
        import resource

        limits = {
            "RLIMIT_CPU": PROCESSOR,
            "RLIMIT_FSIZE": FILE,
            "RLIMIT_NPROC": order["processes"],
            "RLIMIT_NOFILE": 128,
            "RLIMIT_CORE": 0,
        }
        for name, limit in limits.items():
            with contextlib.suppress(ValueError, OSError, AttributeError):
                resource.setrlimit(getattr(resource, name), (limit, limit))


def _answers(files, order, tell):
    """(column, task, answer, cells' texts) of every area that was handed in."""
    best = {}
    notebooks = (n for file in files for n in _unpacked(*file, tell, NESTED))
    for name, content, when in notebooks:
        try:
            with time_limit(TO_READ):
                cells = reading.cells_of(content, name)
                areas = [a for a in reading.areas_in(cells) if a in order["only"]]
                for area in areas:
                    found = (*_age(name, when), name, *reading.read(cells, area))
                    best.setdefault(area, []).append(found)
        except reading.Unreadable as error:
            tell(notice=f"{name}: {error}")
        except (TimeUp, MemoryError, RecursionError):
            tell(notice=f"{name}: reading it takes too much")
        else:
            if not areas:
                tell(notice=f"{name}: no exercise of this assignment is in it")
    for area, versions in best.items():
        versions.sort(key=lambda v: v[:2])
        tried = [v for v in versions if _states(v[3]) - {"not attempted", "missing"}]
        *_, name, answers, texts = (tried or versions)[-1]
        if len(versions) > 1:
            tell(notice=f"{area} was handed in more than once: {name} counts")
        tasks = reading.tasks_of(area)
        for column, answer in answers.items():
            yield column, tasks[column], answer, texts


def _states(answers):
    return {answer.state for answer in answers.values()}


def _age(name, when):
    """What orders versions of a notebook: "01 (1).ipynb" is newer than "01.ipynb"."""
    copy = re.search(r"[ (_-]+(\d{1,3})\)?(?=\.\w+$)", name)
    return int(copy[1]) if copy else 0, when


def _limit_memory():
    """From now on this process may take MEMORY more."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        limit = pages * resource.getpagesize() + MEMORY
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


# --- files


def _files(places, tell):
    """(bytes, name, time) of each file that was handed in."""
    left = MOST
    for place, name in places:
        for file in [Path(place), *sorted(Path(place).rglob("*"))]:
            inside = file.relative_to(place).parts
            if file.is_symlink() or not file.is_file() or _ASIDE & set(inside):
                continue
            shown, about = "/".join([name, *inside]), file.stat()
            left -= about.st_size
            if left < 0 or about.st_size > LARGEST:
                tell(notice=f"{shown}: too large to be read")
            else:
                yield file.read_bytes(), shown, about.st_mtime


def _unpacked(content, name, when, tell, depth):
    """(name, bytes, time) of each notebook and script in a file."""
    suffix = Path(name).suffix.lower()
    if suffix in (".ipynb", ".py") or content.lstrip()[:1] == b"{":
        yield name, content, when
    elif suffix != ".zip" or not depth:
        kind = suffix or "a file without an ending"
        tell(notice=f"{name}: {kind} is not judged; ask for the notebook (.ipynb)")
    else:
        try:
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                yield from _entries(archive, name, tell, depth)
        except Exception as error:  # zlib and lzma have errors of their own
            tell(notice=f"{name}: a damaged zip ({type(error).__name__})")


def _entries(archive, name, tell, depth):
    left = MOST
    for entry in archive.infolist():
        shown = f"{name}/{entry.filename}"
        left -= entry.file_size
        if entry.is_dir() or _ASIDE & set(entry.filename.split("/")):
            continue
        if entry.file_size > LARGEST or left < 0:
            tell(notice=f"{shown}: too large to be read")
            continue
        with archive.open(entry) as file:
            content = file.read(LARGEST)
        when = time.mktime((*entry.date_time, 0, 0, -1))
        yield from _unpacked(content, shown, when, tell, depth - 1)


# --- one answer


def _verdict(task, answer, texts):
    if answer.state == reading.BROKEN:
        said = f"Python cannot read it: {answer.detail}."
        return {"status": "incorrect", "mistake": reading.BROKEN, "message": said}
    if answer.state != reading.ATTEMPTED:
        return {"status": answer.state}
    if task.kind != "exercise":
        return _told(task.judge(answer.letter), letter=str(answer.letter)[:1])
    if found := reaches(answer, task):
        return {"status": NOT_JUDGED, "message": f"it uses {found}: look at it"}
    code = _own_code(answer)
    try:
        with time_limit(TO_MAKE):
            made = _made(answer, texts)
        task.patience = 4  # a busy machine changes no verdict
        return _told(task.judge(made), code=code)
    except BaseException as error:
        return {"status": NOT_JUDGED, "message": _why(error), "code": code}


def _told(feedback, **more):
    wrong = feedback.status == "incorrect"
    more = {"status": feedback.status, "message": feedback.message, **more}
    return {**more, "mistake": feedback.mistake} if wrong else more


def _why(error):
    try:
        said = f"{type(error).__name__}: {error}"
    except BaseException:
        said = type(error).__name__
    return f"what it needs does not run ({said[:200]})"


def _made(answer, texts):
    """The answer: its statements executed as written, then its expression.

    A statement that lacks a name waits for those behind it, since cells may be in any
    order. Others that fail are left out, as in the notebook.
    """
    for label, text in texts.items():
        linecache.cache[label] = (len(text), None, text.splitlines(True), label)
    space = {"__name__": "__main__", "__builtins__": builtins}
    waiting, failed = list(answer.program), None
    while waiting:
        again = []
        for part in waiting:
            try:
                tree = ast.Module([part.node], [])
                exec(compile(tree, part.cell, "exec"), space)
            except NameError as error:
                again.append(part)
                failed = error
            except Exception as error:
                failed = error
        if len(again) == len(waiting):
            break
        waiting = again
    try:
        return eval(ast.unparse(answer.expression), space)
    except NameError as error:
        raise (failed or error) from None


def _own_code(answer):
    """The student's definitions that an answer needs, without comments."""
    parts = [
        ast.unparse(s.node)
        for s in answer.program
        if not (s.given or isinstance(s.node, (ast.Import, ast.ImportFrom)))
    ]
    return "\n\n\n".join(parts)[:4000]


def reaches(answer, task):
    """What an answer reaches for beyond the lesson, to be read by the instructor."""
    ours, modules = set(), set()
    for node in (s.node for s in answer.program):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names = {(a.asname or a.name).split(".")[0] for a in node.names}
            modules |= names
            ours |= names if _root(node) == "helpers" else set()
    solved = ast.walk(ast.parse(task.solution_code))
    allowed = {getattr(n, "id", None) or getattr(n, "attr", None) for n in solved}
    own = [s.node for s in answer.program if not s.given]
    nodes = [n for tree in [*own, answer.expression] for n in ast.walk(tree)]
    # Names that stand before a dot: what they hand out is looked at there.
    dotted = {getattr(n.value, "id", "") for n in nodes if isinstance(n, ast.Attribute)}
    for node in nodes:
        word = getattr(node, "id", None) or getattr(node, "attr", None)
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            if _root(node) in _REACHING:
                return f"`{_root(node)}`"
        elif word in _REACHING or (_is_inner(word) and word not in _ORDINARY):
            return f"`{word}`"
        elif isinstance(node, ast.Constant) and _is_inner(node.value):
            return f"`{node.value[:40]}`"
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            root = node.value.id
            if root in modules and not isinstance(node.ctx, ast.Load):
                return f"`{root}.{node.attr} = …`"
            if root in ours - allowed or (root in ours and node.attr not in allowed):
                return f"`{root}.{node.attr}`"
        elif isinstance(node, ast.Name) and word in ours - allowed - dotted:
            return f"`{word}` of the lesson"
    return None


def _root(node):
    """The package that an import is from."""
    return (getattr(node, "module", None) or node.names[0].name).split(".")[0]


def _is_inner(word):
    return isinstance(word, str) and bool(re.search(r"__\w+__", word))


if __name__ == "__main__":
    main()
