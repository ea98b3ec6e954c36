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

from helpers.checks.running import memory_limit
from helpers.checks.timing import TimeUp, time_limit
from helpers.marks import reading

LARGEST, MOST = 30_000_000, 300_000_000  # bytes of one notebook, and of all
TO_READ, TO_MAKE, PROCESSOR = 20.0, 15.0, 240  # seconds of processor time, of all
MEMORY = 1 << 30  # bytes that may be taken besides what is loaded already
FILE = 16 << 20  # bytes of a file that is written
NESTED = 2  # zips within a zip
_ASIDE, _NOTHING = {"__MACOSX", ".ipynb_checkpoints"}, {*reading.WITHOUT}
# What no exercise needs: ways out of an answer, into the checks or the machine.
_WORDS = """gc inspect ctypes importlib sys os subprocess socket threading signal io
multiprocessing builtins pathlib shutil open exec eval compile globals locals vars
__import__ setattr delattr get_ipython pickle tempfile linecache f_back f_locals
f_globals tb_frame gi_frame _getframe"""
_REACHING = set(_WORDS.split())
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
    with memory_limit(MEMORY):
        answers = list(_answers(files, order, tell))
    for column, task, answer, texts in answers:
        if column not in order["skip"]:
            tell(begin=column)
            gc.collect()  # what an answer left must not be missing for the next
            with memory_limit(MEMORY):
                tell(column=column, **_verdict(task, answer, texts))
    tell(done=True)


def _confine(order):
    """Give up rights, and limit what this process and all that it starts may take."""
    if user := order["user"]:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    with contextlib.suppress(ImportError):  # not on Windows
        import resource

        limits = {"CPU": PROCESSOR, "FSIZE": FILE, "NPROC": order["processes"]}
        for name, limit in {**limits, "NOFILE": 128, "CORE": 0}.items():
            with contextlib.suppress(ValueError, OSError, AttributeError):
                resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (limit, limit))


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
                    answers, texts = reading.read(cells, area)
                    tried = bool({a.state for a in answers.values()} - _NOTHING)
                    found = tried, *_age(name, when), name, answers, texts
                    best.setdefault(area, []).append(found)
        except reading.Unreadable as error:
            tell(notice=f"{name}: {error}")
        except (TimeUp, MemoryError, RecursionError):
            tell(notice=f"{name}: reading it takes too much")
        else:
            if not areas:
                tell(notice=f"{name}: no exercise of this assignment is in it")
    for area, versions in best.items():
        *_, name, answers, texts = sorted(versions, key=lambda v: v[:3])[-1]
        if len(versions) > 1:
            tell(notice=f"{area} was handed in more than once: {name} counts")
        tasks = reading.tasks_of(area)
        for column, answer in answers.items():
            yield column, tasks[column], answer, texts


def _age(name, when):
    """What orders versions of a notebook: "01 (1).ipynb" is newer than "01.ipynb"."""
    copy = re.search(r"[ (_-]+(\d{1,3})\)?(?=\.\w+$)", name)
    return int(copy[1]) if copy else 0, when


# --- files


def _files(places, tell):
    """(name, bytes, time) of each file that was handed in."""
    left = MOST
    for place, name in places:
        for file in reading.files_in(Path(place)):
            inside, about = file.relative_to(place).parts, file.stat()
            shown, left = "/".join([name, *inside]), left - about.st_size
            if left < 0 or about.st_size > LARGEST:
                tell(notice=f"{shown}: too large to be read")
            elif not _ASIDE & set(inside):
                yield shown, file.read_bytes(), about.st_mtime


def _unpacked(name, content, when, tell, depth):
    """(name, bytes, time) of each notebook and script in a file."""
    suffix = Path(name).suffix.lower()
    if suffix in (".ipynb", ".py") or content.lstrip()[:1] == b"{":
        yield name, content, when
    elif suffix != ".zip" or not depth:
        kind = suffix or "a file without an ending"
        tell(notice=f"{name}: {kind} is not judged; ask for the notebook (.ipynb)")
    else:
        try:
            for entry in _entries(content, name, tell):
                yield from _unpacked(*entry, tell, depth - 1)
        except Exception as error:  # zlib and lzma have errors of their own
            tell(notice=f"{name}: a damaged zip ({type(error).__name__})")


def _entries(content, name, tell):
    left, archive = MOST, zipfile.ZipFile(io.BytesIO(content))
    for entry in archive.infolist():
        left -= entry.file_size
        shown = f"{name}/{entry.filename}"
        if entry.file_size > LARGEST or left < 0:
            tell(notice=f"{shown}: too large to be read")
        elif not (entry.is_dir() or _ASIDE & set(shown.split("/"))):
            with archive.open(entry) as file:
                when = time.mktime((*entry.date_time, 0, 0, -1))
                yield shown, file.read(LARGEST), when


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
        return {"status": reading.NOT_JUDGED, "message": f"it uses {found}: look at it"}
    try:
        with time_limit(TO_MAKE):
            made = _made(answer, texts)
        task.patience = 4  # a busy machine changes no verdict
        return _told(task.judge(made))
    except BaseException as error:
        said = type(error).__name__
        with contextlib.suppress(BaseException):
            said += f": {error}"
        why = f"what it needs does not run ({said[:200]})"
        return {"status": reading.NOT_JUDGED, "message": why}


def _told(feedback, **more):
    wrong = {"mistake": feedback.mistake} if feedback.status == "incorrect" else {}
    return {"status": feedback.status, "message": feedback.message, **more, **wrong}


def _made(answer, texts):
    """The answer: its statements executed as written, then its expression.

    A statement that lacks a name waits for those behind it, since cells may be in any
    order. Others that fail are left out, as in the notebook.
    """
    for label, text in texts.items():
        linecache.cache[label] = (len(text), None, text.splitlines(True), label)
    space = {"__name__": "__main__", "__builtins__": builtins}
    waiting, before, failed = list(answer.program), None, None
    while waiting != before:
        before, waiting = waiting, []
        for part in before:
            try:
                exec(compile(ast.Module([part.node], []), part.cell, "exec"), space)
            except NameError as error:
                waiting.append(part)
                failed = error
            except Exception as error:
                failed = error
    try:
        return eval(ast.unparse(answer.expression), space)
    except NameError as error:
        raise (failed or error) from None


def reaches(answer, task):
    """What an answer reaches for beyond the lesson, to be read by the instructor."""
    ours, modules = set(), set()
    for node in (s.node for s in answer.program):
        if isinstance(node, reading.IMPORTS):
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
        if isinstance(node, reading.IMPORTS):
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
