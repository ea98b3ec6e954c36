"""A process for one submission: its limits, its walls, and the way to talk to it.

With bubblewrap the process has a read-only system without this project, an empty
home, no network, and sees no process but its own. Without, only the limits hold, and
`--trust` is asked for.
"""

import contextlib
import os
import secrets
import shutil
import subprocess
import sys
import threading
import time
from functools import cache
from pathlib import Path

from helpers.marking.worker import READY, receive, send

HELPERS = Path(__file__).resolve().parents[1]
MEMORY = 1 << 30  # bytes that a process may take besides what is loaded already
DISK = 64 << 20  # bytes in its temporary folder
FILE = 16 << 20  # bytes of one file
PROCESSES = 8  # at a time, with those that serve it
PROCESSOR = 30  # seconds of processor time for one exercise
START = 120.0  # seconds until a process must be ready
CONFIRMED = 20.0  # seconds until it must be confirmed that an answer has gone
_USERS = 60_000  # first of the numbers that nobody has, where marks are made as root
_SYSTEM = ("/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin")
_SETTINGS = ("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d")
_SHARED = ("/etc/alternatives", "/etc/localtime")


class NoWalls(Exception):
    """Why answers cannot be shut in on this machine, in one sentence."""


class NoStart(Exception):
    """Why no answer can be judged at all: never the fault of an answer."""


class Ended(Exception):
    """The process has gone, or no longer speaks; ``late`` where its time was up."""

    def __init__(self, late=False):
        super().__init__(late)
        self.late = late


class Sandbox:
    """One such process; a context manager that leaves nothing behind."""

    def __init__(self, *, walls, torch, slot=0):
        self.walls, self.torch, self.slot = walls, torch, slot
        self.process = self.ticket = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def start(self):
        """Start the process where there is none; Ended where it does not come up."""
        if self.process is not None:
            return
        command, user = _command(self.walls, self.slot)
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=_environment(),
            cwd="/" if os.name == "posix" else None,
            start_new_session=True,
        )
        self.ticket = None
        try:
            settings = _settings(self.torch, self.walls)
            self.send({"user": user, **settings})
            self.receive(START)
        except Ended:
            raise NoStart("a process for the answers does not start here") from None
        # Something may have complained before our first line.
        while self.process.stderr.readline() not in (READY, b""):
            pass

    def order(self, task):
        """Hand over an exercise, with a ticket that no earlier one can know."""
        self.ticket = secrets.token_hex(8)
        self.send({**task, "ticket": self.ticket})

    def send(self, message):
        """Send a message; Ended where nobody is there."""
        try:
            send(self.process.stdin, message)
        except (BrokenPipeError, OSError):
            self.close()
            raise Ended from None

    def receive(self, seconds):
        """The next message; Ended where none comes in time, or no message at all.

        That the answer's process has gone is true when the one above it says so.
        """
        message = self._read(self.process.stdout, seconds)
        if not isinstance(message, dict) or message.get("ticket") != self.ticket:
            self.close()
            raise Ended
        if "gone" in message:
            return self._read(self.process.stderr, CONFIRMED)
        return message

    def _read(self, pipe, seconds):
        # Not `select`: it is not for pipes on Windows.
        late = threading.Event()
        alarm = threading.Timer(seconds, self._end_late, [self.process, late])
        alarm.start()
        try:
            return receive(pipe)
        except (EOFError, ValueError, RecursionError, MemoryError):
            self.close()
            raise Ended(late.is_set()) from None
        except BaseException:
            self.close()
            raise
        finally:
            alarm.cancel()

    def close(self):
        """End the process and everything in it."""
        process, self.process = self.process, None
        if process is None:
            return
        self._kill(process)
        for pipe in (process.stdin, process.stdout, process.stderr):
            with contextlib.suppress(OSError):
                pipe.close()
        process.wait()

    def _end_late(self, process, late):
        late.set()
        self._kill(process)

    def _kill(self, process):
        """End it after those that it has started, while it can start no more.

        bubblewrap, killed while it starts, would leave its child waiting for it.
        """
        _stop(process.pid)
        end_descendants(process.pid)
        process.kill()


def _stop(pid):
    """Halt a process; returns when it stands, or after a second."""
    import psutil

    with contextlib.suppress(psutil.Error):
        process = psutil.Process(pid)
        process.suspend()
        for _ in range(500):
            if process.status() in (psutil.STATUS_STOPPED, psutil.STATUS_ZOMBIE):
                return
            time.sleep(0.002)


def end_descendants(pid):
    """End every process below one, also those that are started meanwhile."""
    import psutil

    for _ in range(500):
        try:
            family = psutil.Process(pid).children(recursive=True)
        except psutil.NoSuchProcess:
            return
        alive = [p for p in family if _is_alive(p)]
        if not alive:
            return
        for process in alive:
            with contextlib.suppress(psutil.Error):
                process.kill()
        psutil.wait_procs(alive, timeout=0.02)


def _is_alive(process):
    import psutil

    with contextlib.suppress(psutil.Error):
        return process.status() != psutil.STATUS_ZOMBIE
    return False


def walls():
    """The way of shutting answers in that works here, checked; NoWalls without one."""
    program = shutil.which("bwrap")
    if program is None:
        raise NoWalls("bubblewrap is not installed")
    for kind in ("root", "user") if _is_root() else ("user",):
        command, user = _command((program, kind), 0, ["-c", "print(1)"])
        try:
            done = subprocess.run(command, capture_output=True, timeout=START, cwd="/")
        except subprocess.TimeoutExpired:
            continue
        if done.stdout.strip() == b"1":
            return program, kind
    raise NoWalls("bubblewrap does not work here (is a container in the way?)")


def _is_root():
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _command(walls, slot, arguments=None):
    """The command line of a process, and the user that it becomes by itself."""
    boot = (Path(__file__).parent / "boot.py").read_text(encoding="utf-8")
    python = [sys.executable, "-I", *(arguments or ["-c", boot])]
    if not walls:
        return python, None
    program, kind = walls
    command = [program, "--die-with-parent", "--new-session"]
    command += ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"]
    command += ["--unshare-cgroup-try", "--hostname", "answers"]
    user = None
    if kind == "user":
        command += ["--unshare-user", "--uid", "65534", "--gid", "65534"]
    else:
        # The kernel counts processes of a user; root's are not counted.
        user = _USERS + slot
        command += ["--cap-drop", "ALL"]
        command += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    for path in _SYSTEM:
        if os.path.islink(path):
            command += ["--symlink", os.readlink(path), path]
        elif os.path.isdir(path):
            command += ["--ro-bind", path, path]
    for path in _SETTINGS + _SHARED:
        command += ["--ro-bind-try", path, path]
    empty = ["--perms", "1777", "--size", str(DISK), "--tmpfs"]
    # Before Python's own folders, which may lie in a home or in /tmp.
    command += [*empty, "/tmp", *empty, "/home"]
    for path in _python():
        # bubblewrap would make the folders above for root alone.
        for folder in reversed(path.parents[:-1]):
            command += ["--perms", "0755", "--dir", str(folder)]
        command += ["--ro-bind", str(path), str(path)]
        if HELPERS.is_relative_to(path):  # installed, not editable
            command += ["--tmpfs", str(HELPERS)]
    command += ["--proc", "/proc", "--dev", "/dev"]
    command += [*empty, "/dev/shm", "--remount-ro", "/dev"]
    command += ["--remount-ro", "/", "--chdir", "/home", "--"]
    return command + python, user


def _python():
    """The parts of Python's folders that it needs; a prefix may be somebody's home."""
    parts = []
    for prefix in (sys.base_prefix, sys.base_exec_prefix, sys.prefix):
        for name in ("bin", "lib", "lib64", "pyvenv.cfg"):
            path = Path(prefix, name)
            if prefix != "/usr" and path.exists() and path not in parts:
                parts.append(path)
    return parts


def _environment():
    kept = {"LANG": "C.UTF-8", "PATH": "/usr/bin:/bin", "HOME": "/home"}
    kept |= {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "MPLBACKEND": "agg"}
    if os.name == "nt":
        kept |= {n: os.environ[n] for n in ("SYSTEMROOT", "TEMP") if n in os.environ}
    return kept


def _settings(torch, walls):
    modules = ["helpers.encoding", "helpers.corners"]
    if torch:
        modules += ["helpers.module", "helpers.training", "helpers.measuring"]
    return {
        "sources": sources(),
        "importing": _source(HELPERS / "marking" / "importing.py"),
        "modules": modules,
        "torch": torch,
        "alone": bool(walls),
        "memory": MEMORY,
        "file": FILE,
        "processor": PROCESSOR,
        "processes": PROCESSES if walls else _processes_now() + PROCESSES,
    }


def _processes_now():
    import psutil

    me = psutil.Process().username()
    number = 0
    for process in psutil.process_iter(["username", "num_threads"]):
        if process.info["username"] == me:
            number += process.info["num_threads"] or 1
    return number


@cache
def sources():
    """The modules that an answer may use, and those that serve it."""
    found = {"helpers": _source(HELPERS / "__init__.py")}
    found |= {"helpers.marking": "", "helpers.exercises": ""}
    timing = HELPERS / "exercises" / "timing.py"
    found["helpers.exercises.timing"] = _source(timing)
    for path in sorted(HELPERS.glob("*.py")):
        if path.stem != "__init__":
            found[f"helpers.{path.stem}"] = _source(path)
    for name in ("importing", "values", "worker"):
        found[f"helpers.marking.{name}"] = _source(HELPERS / "marking" / f"{name}.py")
    return found


@cache
def exercise_sources():
    """The modules of the exercises, for those that are observed beside their answer."""
    found = {}
    for path in sorted((HELPERS / "exercises").rglob("*.py")):
        parts = path.relative_to(HELPERS.parent).with_suffix("").parts
        found[".".join(parts).removesuffix(".__init__")] = _source(path)
    return found


def _source(path):
    return path.read_text(encoding="utf-8")
