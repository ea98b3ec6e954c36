"""A class of more than twenty: everybody gets the right row, whatever they try."""

import csv
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from types import SimpleNamespace

import pupils
import pytest

from helpers.exercises import formula
from helpers.marking import __main__ as command
from helpers.marking import batch

pytestmark = [
    pytest.mark.marks,
    pytest.mark.skipif(not shutil.which("bwrap"), reason="bubblewrap is not installed"),
]


# Whatever the command has started and left comes back to this process, also what has
# left its session; so no other test's processes are counted.
WATCHER = """
import ctypes, json, signal, subprocess, sys, psutil
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
signal.signal(signal.SIGINT, lambda *_: None)  # the command's, not ours
code = subprocess.call(sys.argv[2:])
_, left = psutil.wait_procs(psutil.Process().children(recursive=True), timeout=10)
with open(sys.argv[1], "w") as file:
    json.dump([process.cmdline() for process in left], file)
for process in left:
    process.kill()
sys.exit(code)
"""


def watched(report, command):
    """Start a command in a session of its own, and watch what it leaves behind."""
    return subprocess.Popen(
        [sys.executable, "-c", WATCHER, str(report), *map(str, command)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        start_new_session=True,
    )


def left_behind(report):
    return json.loads(report.read_text(encoding="utf-8"))


def table(output):
    with open(output / "marks.csv", encoding="utf-8-sig", newline="") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


@pytest.fixture(scope="module")
def listener():
    """A port of this machine on which something listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


@pytest.fixture(scope="module")
def done(tmp_path_factory, listener):
    """The class, marked once, after an interruption: its people, folders, marks."""
    root = tmp_path_factory.mktemp("marks")
    bait = root / "bait.txt"
    bait.write_text("untouched")
    people = pupils.the_class(bait)
    port = str(listener.getsockname()[1])
    for files, _ in people.values():
        for name in files:
            files[name] = files[name].replace("PORT", port)
    pupils.write(people, root / "class")
    before = files_below(root / "class")
    command = [sys.executable, "-m", "helpers.marking"]
    command += [root / "class", "--output", root / "out"]

    first = watched(root / "first.json", command)
    while len(judged(root)) < 3 and first.poll() is None:
        time.sleep(0.01)
    os.killpg(first.pid, signal.SIGINT)  # as the terminal does
    said, complained = first.communicate(timeout=300)
    interrupted = first.returncode, said, complained, judged(root)

    second = watched(root / "second.json", command)
    said, complained = second.communicate(timeout=300)
    assert second.returncode == 0, said + complained
    return SimpleNamespace(
        people=people, root=root, before=before, said=said, interrupted=interrupted
    )


def judged(root):
    """What is judged already: file -> when it was written."""
    files = (root / "out" / "judged").glob("*.json")
    return {path: path.stat().st_mtime_ns for path in files}


def files_below(root):
    return {
        path.relative_to(root): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file()
    }


def test_every_row_is_right(done):
    people, rows = done.people, table(done.root / "out")
    assert len(people) >= 28
    for student, (_, expected) in people.items():
        name = f"'{student}" if student.startswith("=") else student
        row = rows.pop(name)
        for column, verdict in expected.items():
            allowed = verdict if isinstance(verdict, tuple) else (verdict,)
            assert row[column] in allowed, (student, column)
        marks = [cell for column, cell in row.items() if "." in column]
        assert int(row["correct"]) == marks.count("correct")
        assert int(row["of"]) == len(marks)
    assert not rows


def test_two_notebooks_of_one_student_are_both_marked(done):
    rows = table(done.root / "out")
    second = {name: row["rotation_matrix.rotation_block"] for name, row in rows.items()}
    assert second.pop("zoe two notebooks") == "correct"
    assert set(second.values()) == {"missing"}


def test_nothing_outside_is_changed(done):
    assert files_below(done.root / "class") == done.before
    assert (done.root / "bait.txt").read_text() == "untouched"


def test_no_process_is_left_behind(done):
    assert left_behind(done.root / "first.json") == []
    assert left_behind(done.root / "second.json") == []


KILLED_EARLY = """
from helpers.marking import sandbox
walls = sandbox.walls()
for n in range(100):
    sandbox.START = n % 25 * 0.0003
    try:
        with sandbox.Sandbox(walls=walls, torch=False) as box:
            box.start()
    except sandbox.NoStart:
        pass
"""


def test_a_process_that_is_killed_while_it_starts_leaves_none_behind(tmp_path):
    with watched(tmp_path / "left.json", [sys.executable, "-c", KILLED_EARLY]) as run:
        assert run.communicate(timeout=100)[1] == ""
    assert left_behind(tmp_path / "left.json") == []


def test_what_is_left_behind_would_be_seen(tmp_path):
    stays = "import os, time; os.fork() and os._exit(0); os.setsid(); time.sleep(60)"
    with watched(tmp_path / "left.json", [sys.executable, "-c", stays]) as watcher:
        watcher.communicate(timeout=100)
    assert left_behind(tmp_path / "left.json") == [[sys.executable, "-c", stays]]


def test_interrupted_it_goes_on_where_it_was(done):
    code, said, complained, kept = done.interrupted
    assert code == 1 and "goes on where it was" in said + complained
    assert "Traceback" not in complained
    assert 3 <= len(kept) < len(done.people)
    now = judged(done.root)
    assert len(now) > len(kept) and kept.items() <= now.items()


def test_what_could_not_be_read_is_said(done):
    assert "xenia truncated: 01_formula.ipynb: it is damaged" in done.said


def test_the_page_has_no_names_and_groups_what_computes_the_same(done):
    page = (done.root / "out" / "class.html").read_text(encoding="utf-8")
    for student in done.people:
        assert student not in page
    mistakes = formula.encode_with_bases.mistakes
    (named,) = [m for m in mistakes if m.name == "all sines then all cosines"]
    assert named.sentence.split(".")[0] in page
    assert "<b>2 students</b> with the same results" in page


def test_an_unchanged_submission_is_not_judged_again(done, monkeypatch, capsys):
    marks, kept = (done.root / "out" / "marks.csv").read_bytes(), judged(done.root)
    monkeypatch.setattr(batch, "judge_one", None)  # nothing may be judged
    command.main([str(done.root / "class"), "--output", str(done.root / "out")])
    assert (done.root / "out" / "marks.csv").read_bytes() == marks
    assert judged(done.root) == kept
    capsys.readouterr()
