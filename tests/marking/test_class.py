"""A class of more than twenty: everybody gets the right row, whatever they try."""

import csv
import os
import shutil
import socket
import subprocess
import sys
import time

import psutil
import pupils
import pytest

from helpers.exercises import formula

pytestmark = [
    pytest.mark.marks,
    pytest.mark.skipif(not shutil.which("bwrap"), reason="bubblewrap is not installed"),
]


def marking(*arguments):
    """Run the command as an instructor does; returns what it printed."""
    done = subprocess.run(
        [sys.executable, "-m", "helpers.marking", *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


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
    """The class, marked once: its people, the folders, the marks."""
    root = tmp_path_factory.mktemp("marks")
    bait = root / "bait.txt"
    bait.write_text("untouched")
    people = pupils.the_class(bait)
    port = str(listener.getsockname()[1])
    for files, _ in people.values():
        for name in files:
            files[name] = files[name].replace("PORT", port)
    pupils.write(people, root / "class")
    before = files_below(root)
    said = marking(root / "class", "--output", root / "out")
    return people, root, before, said


def files_below(root):
    return {
        path.relative_to(root): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and "out" not in path.relative_to(root).parts
    }


def test_every_row_is_right(done):
    people, root, _, _ = done
    rows = table(root / "out")
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
    _, root, _, _ = done
    rows = table(root / "out")
    second = {name: row["rotation_matrix.rotation_block"] for name, row in rows.items()}
    assert second.pop("zoe two notebooks") == "correct"
    assert set(second.values()) == {"missing"}


def test_nothing_outside_is_changed(done):
    _, root, before, _ = done
    assert files_below(root) == before


def test_no_process_is_left_behind(done):
    time.sleep(0.2)
    mine = psutil.Process().username()
    ours = [
        process.info["cmdline"]
        for process in psutil.process_iter(["cmdline", "uids", "username"])
        if any("helpers.marking" in part for part in process.info["cmdline"] or ())
        and (process.info["username"] == mine or process.info["uids"].real >= 60_000)
    ]
    assert not ours


def test_what_could_not_be_read_is_said(done):
    _, _, _, said = done
    assert "xenia truncated: 01_formula.ipynb: it is damaged" in said


def test_the_page_has_no_names_and_groups_what_computes_the_same(done):
    people, root, _, _ = done
    page = (root / "out" / "class.html").read_text(encoding="utf-8")
    for student in people:
        assert student not in page
    mistakes = formula.encode_with_bases.mistakes
    (named,) = [m for m in mistakes if m.name == "all sines then all cosines"]
    assert named.sentence.split(".")[0] in page
    assert "<b>2 students</b> with the same results" in page


def test_an_unchanged_submission_is_not_judged_again(done):
    _, root, _, _ = done
    marks = (root / "out" / "marks.csv").read_bytes()
    kept = {p: p.stat().st_mtime_ns for p in (root / "out" / "judged").iterdir()}
    start = time.perf_counter()
    marking(root / "class", "--output", root / "out")
    again = time.perf_counter() - start
    assert (root / "out" / "marks.csv").read_bytes() == marks
    now = {p: p.stat().st_mtime_ns for p in (root / "out" / "judged").iterdir()}
    assert now == kept, again
