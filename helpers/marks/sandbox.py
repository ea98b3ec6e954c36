"""A process for one submission: its walls, its bounds, and what it says.

With bubblewrap it has a read-only system and of this project the lesson alone, an
empty home, no network, and sees no process but its own and no file but the student's.
Without, only the bounds hold, and `--trust` is asked for.
"""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil

from helpers.marks import reading

HELPERS = Path(__file__).resolve().parents[1]
TOGETHER = 3 << 30  # bytes of all processes of a submission
DISK = 64 << 20  # bytes in its temporary folders
PROCESSES = 16  # at a time
WALL = 180.0  # seconds by the clock for a whole submission
RESTARTS = 3  # after an answer that has ended its process
LINE, LINES = 60_000, 2_000  # of what it says
_USERS = 60_000  # first of the numbers that nobody has, where marks are made as root
_WALLS = """--die-with-parent --new-session --hostname answers --unshare-pid
--unshare-net --unshare-ipc --unshare-uts --unshare-cgroup-try"""
_AS_USER = "--unshare-user --uid 65534 --gid 65534"
_AS_ROOT = """--cap-drop ALL --cap-add CAP_SETUID --cap-add CAP_SETGID
--cap-add CAP_DAC_READ_SEARCH"""
_ENTER = 'echo $$ > "$0"; exec "$@"'
_SYSTEM = (
    *("/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin", "/etc/ld.so.cache"),
    *("/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/localtime"),
)


class NoSandbox(Exception):
    """Why answers cannot be isolated on this machine, in one sentence."""


def isolation():
    """The way of isolating answers that works here, checked; NoSandbox without one."""
    program = shutil.which("bwrap")
    if program is None:
        raise NoSandbox("bubblewrap is not installed")
    for kind in ("user",) if os.geteuid() else ("root", "user"):
        command, _ = _command((program, kind), 0, [], ["-c", "print(1)"])
        with contextlib.suppress(subprocess.TimeoutExpired):
            done = subprocess.run(command, capture_output=True, timeout=60, cwd="/")
            if done.stdout.strip() == b"1":
                return program, kind
    raise NoSandbox("bubblewrap does not work here (is a container in the way?)")


def said(submission, only, isolated, slot=0):
    """Every message of the worker about a submission, in order.

    ``only`` are the areas to judge. An answer that ends its process costs the verdict
    on itself alone: the worker begins again behind it.
    """
    messages, known, end = [], [], time.monotonic() + WALL
    for _ in range(1 + RESTARTS):
        order = {"only": list(only), "skip": known}
        new, over = _one_run(submission, order, isolated, slot, end)
        messages += [m for m in new if m not in messages]
        if {"done": True} in new:
            break
        known = [m["column"] for m in messages if "column" in m]
        lost = [m["begin"] for m in new if "begin" in m and m["begin"] not in known]
        why = over or "its code ended the process"
        told = {"status": reading.NOT_JUDGED, "message": why}
        messages += [{"column": column, **told} for column in lost]
        known += lost
        if not lost or time.monotonic() > end:
            messages.append({"notice": over or "it could not be read to the end"})
            break
    return messages


def _one_run(submission, order, isolated, slot, end):
    """(messages, why it was ended or "") of one process."""
    paths = [path for path, _ in submission.places]
    command, user = _command(isolated, slot, paths, ["-m", "helpers.marks.worker"])
    inside = [f"/submission/{n}" for n in range(len(paths))] if isolated else paths
    names = [name for _, name in submission.places]
    places = [list(map(str, p)) for p in zip(inside, names, strict=True)]
    most = PROCESSES if isolated else 4096
    order |= {"places": places, "user": user, "processes": most}
    with _cgroup(slot) as entering:
        process = subprocess.Popen(
            [*entering, *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
            cwd="/" if os.name == "posix" else None,
            start_new_session=True,
        )
        over, watched = [], threading.Thread(target=lambda: _watch(process, end, over))
        watched.start()
        try:
            with contextlib.suppress(OSError):
                process.stdin.write(json.dumps(order).encode())
                process.stdin.close()
            return list(_messages(process.stdout)), "".join(over)
        finally:
            _end(process)
            process.stdout.close()
            watched.join()


@contextlib.contextmanager
def _cgroup(slot):
    """What begins a command within one bound of memory for all its processes.

    Nothing where no cgroup (version 2) may be made beside our own: `_watch` is left.
    """
    group, entering = Path("/proc/self/cgroup"), []
    with contextlib.suppress(OSError, ValueError):
        (own,) = group.read_text(encoding="ascii").splitlines()
        name = f"marks-{os.getpid()}.{slot}"
        group = Path(f"/sys/fs/cgroup{own[3:]}").with_name(name)
        group.mkdir(exist_ok=True)
        (group / "memory.max").write_text(str(TOGETHER), encoding="ascii")
        entering = ["/bin/sh", "-c", _ENTER, group / "cgroup.procs"]
    try:
        yield entering
    finally:
        with contextlib.suppress(OSError):
            group.rmdir()


def _messages(pipe):
    """The messages that a process sends, as long as they are messages."""
    for _ in range(LINES):
        line = pipe.readline(LINE)  # half a line is no JSON
        try:
            message = json.loads(line)
            values = list(message.values())
        except (ValueError, RecursionError, AttributeError):
            return
        if not all(isinstance(v, (str, bool, type(None))) for v in values):
            return
        yield message


def _watch(process, end, over):
    """End a process whose time or memory is used up, and say why."""
    while process.poll() is None:
        if time.monotonic() > end:
            over.append(f"it took longer than {WALL:g} seconds")
        elif _memory(process.pid) > TOGETHER:
            over.append(f"it took more than {TOGETHER >> 30} GiB of memory")
        if over:
            _end(process)
            return
        time.sleep(0.1)


def _memory(pid):
    with contextlib.suppress(psutil.Error):
        children = psutil.Process(pid).children(recursive=True)
        found = (c.as_dict(["memory_info"])["memory_info"] for c in children)
        return sum(memory.rss for memory in found if memory)
    return 0


def _end(process):
    """End a process and all that it has started; behind walls, they end with it."""
    with contextlib.suppress(psutil.Error):
        for child in psutil.Process(process.pid).children(recursive=True):
            with contextlib.suppress(psutil.Error):
                child.kill()
    process.kill()
    process.wait()


def _command(isolated, slot, paths, arguments):
    """The command line of a process, and the user that it is to become by itself."""
    python = [sys.executable, "-I", *arguments]
    if not isolated:
        return python, None
    program, kind = isolated
    # The kernel counts processes of a user; root's are not counted.
    user = _USERS + slot % 5000 if kind == "root" else None
    command = [program, *_WALLS.split(), *(_AS_ROOT if user else _AS_USER).split()]
    for path in _SYSTEM:
        link = ["--symlink", os.readlink(path)] if os.path.islink(path) else None
        command += [*(link or ["--ro-bind-try", path]), path]
    empty = ["--perms", "1777", "--size", str(DISK), "--tmpfs"]
    # Before Python's own folders, which may lie in a home or in /tmp.
    command += [*empty, "/tmp", *empty, "/home"]
    for path in [*_python(), HELPERS, reading.NOTEBOOKS]:
        # bubblewrap would make the folders above for root alone.
        for folder in reversed(path.parents[:-1]):
            command += ["--perms", "0755", "--dir", str(folder)]
        command += ["--ro-bind-try", str(path), str(path)]
    command += ["--perms", "0755", "--dir", "/submission"]
    for number, path in enumerate(paths):
        command += ["--ro-bind", str(path), f"/submission/{number}"]
    command += ["--proc", "/proc", "--dev", "/dev", *empty, "/dev/shm"]
    command += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/home", "--"]
    return command + python, user


def _python():
    """The parts of Python's folders that it needs; a prefix may be somebody's home."""
    for prefix in dict.fromkeys((sys.base_prefix, sys.base_exec_prefix, sys.prefix)):
        for name in ("bin", "lib", "lib64", "pyvenv.cfg"):
            path = Path(prefix, name)
            if prefix != "/usr" and path.exists():
                yield path


def _environment():
    own = {"LANG": "C.UTF-8", "PATH": "/usr/bin:/bin", "HOME": "/home"}
    own |= {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "MPLBACKEND": "agg"}
    windows = {n: os.environ[n] for n in ("SYSTEMROOT", "TEMP") if n in os.environ}
    return {**windows, **own, "PYTHONDONTWRITEBYTECODE": "1"}
