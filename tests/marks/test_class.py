"""A class of honest and hostile students: everybody gets the right row."""

import csv
import json
import os
import re
import shutil
import socket
import subprocess
import sys
from types import SimpleNamespace

import class_of
import pytest
from class_of import COLUMNS

from helpers.lessons import formula
from helpers.marks import worker

pytestmark = [
    pytest.mark.marks,
    pytest.mark.skipif(not shutil.which("bwrap"), reason="bubblewrap is not installed"),
]
# Whatever the command has started and left comes back to this process.
WATCHER = """
import ctypes, json, subprocess, sys, psutil
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
code = subprocess.call(sys.argv[2:])
_, left = psutil.wait_procs(psutil.Process().children(recursive=True), timeout=10)
with open(sys.argv[1], "w") as file:
    json.dump([process.cmdline() for process in left], file)
sys.exit(code)
"""
STRANGE = {
    "pat/answers.pdf": b"%PDF-1.4",
    "quo.tar.gz": b"\x1f\x8b",
    "rea.rar": b"Rar!",
    "sol/empty.ipynb": b"",
    "tia/cut.ipynb": class_of.answered()[:900].encode(),
    "uri/not utf.ipynb": b"\xff\xfe{",
    "x;=1+1/01.ipynb": class_of.answered().encode(),
    "=cmd|' calc'!A0/01.ipynb": class_of.answered().encode(),
    # In a student's zip, whatever its entries are called, nothing is another's.
    "mallory_1003_5003_hw.zip": class_of.zipped(
        anna_1001_9999_zz__ipynb=class_of.answered(angular_speeds="angular_speeds = 1")
    ),
}


def write(folder, files):
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def mark(root, *options):
    command = [sys.executable, "-c", WATCHER, root / "left.json", sys.executable]
    command += ["-m", "helpers.marks", root / "class", "--output", root / "out"]
    done = subprocess.run(
        [*map(str, command), *options],
        capture_output=True,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return table_in(root / "out" / "marks.csv")


def table_in(path):
    with open(path, encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    root = tmp_path_factory.mktemp("marks")
    bait = root / "bait.txt"
    bait.write_text("the neighbour's answers")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        honest = class_of.honest()
        hostile = class_of.hostile(bait, listener.getsockname()[1])
        write(root / "class", honest)
        write(root / "class", STRANGE)
        for kind, code in hostile.items():
            others = {"encode_position": class_of.RIGHT["encode_position"]}
            content = class_of.answered(angular_speeds=code, **others)
            write(root / "class", {f"zz {kind}/01.ipynb": content})
        rows = mark(root)
        listener.setblocking(False)
        with pytest.raises(BlockingIOError):
            listener.accept()
    rows = {row["student"]: row for row in rows}
    return SimpleNamespace(root=root, rows=rows, hostile=hostile, bait=bait)


def students_of(files):
    names = {name.split("/")[0].split("_assign")[0] for name in files}
    return {re.sub(r"(_LATE)?(_\d+)+.*|\.(ipynb|zip)$", "", name) for name in names}


def test_honest_work_is_marked_right(done):
    honest = students_of(class_of.honest())
    rows = [done.rows[student] for student in honest]
    assert not [row for row in rows if {row[c] for c in COLUMNS} != {"correct"}]


@pytest.mark.parametrize("name", class_of.written())
def test_it_does_not_matter_how_it_is_written(name, monkeypatch):
    for task in formula.TASKS:
        monkeypatch.setattr(task, "patience", 4, raising=False)
    files = [(name, class_of.written()[name].encode(), 0)]
    answers = list(worker._answers(files, {"only": ["formula"]}, print))
    found = {c: worker._verdict(t, a, texts) for c, t, a, texts in answers}
    assert [found[c]["status"] for c in COLUMNS] == ["correct"] * len(COLUMNS)


def test_hostile_work_gets_no_marks_and_costs_nobody_else_any(done):
    for kind in done.hostile:
        row = done.rows[f"zz {kind}"]
        assert row["formula.angular_speeds"] != "correct", (kind, row)
        # What changes NumPy for all is in every answer that uses it.
        allowed = {"correct", "not judged"} if kind == "patches" else {"correct"}
        others = {row[c] for c in COLUMNS if c != "formula.angular_speeds"}
        assert others <= allowed, (kind, row)


def test_nothing_was_read_and_nothing_is_left(done):
    assert done.bait.read_text() == "the neighbour's answers"
    assert json.loads((done.root / "left.json").read_text()) == []
    written = [
        p.read_text("utf-8", "replace") for p in (done.root / "out").rglob("*.*")
    ]
    assert not any("the neighbour's answers" in text for text in written)


def test_whatever_was_not_judged_has_a_row_and_a_reason(done):
    column = "not judged, and left out"
    reasons = {"uri": "not text", "pia": "more than once", "zz reference": "look at it"}
    reasons |= dict.fromkeys(["pat", "quo.tar", "rea"], "ask for the notebook")
    reasons |= dict.fromkeys(["sol", "tia"], "damaged")
    for student, said in reasons.items():
        assert said in done.rows[student][column], done.rows[student]
    for row in done.rows.values():
        assert "not judged" not in row.values() or "angular_speeds: " in row[column]
    # A zip is its student's own.
    assert done.rows["anna"]["correct"] == str(len(COLUMNS))
    assert done.rows["mallory"]["formula.angular_speeds"].startswith("incorrect")


def test_no_cell_is_a_formula_and_no_sign_is_hidden(done):
    text = (done.root / "out" / "marks.csv").read_text(encoding="utf-8-sig")
    for cell in re.split(r'[;,\t|\n]\s*"?', text):
        assert not cell.startswith(("=", "+", "-", "@")), cell
    assert all(sign.isprintable() or sign in "\r\n" for sign in text)


def test_pages_have_no_markup_of_a_student(done):
    pages = [done.root / "out" / "class.html"]
    pages += (done.root / "out" / "feedback").glob("*.html")
    assert len(pages) == 1 + len(done.rows) + 1  # two of one name
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert "<script>alert" not in text and "\u202e" not in text
    text = pages[0].read_text(encoding="utf-8")
    names = [row["student"] for row in done.rows.values() if " " in row["student"]]
    assert not any(name in text for name in names)
    first = text[text.index("Three things") : text.index("</section>")]
    assert first.count("<li>") == 3


def test_numbers_for_moodle_and_canvas(done):
    out = done.root / "out"
    moodle = {row["Identifier"]: row for row in table_in(out / "moodle.csv")}
    assert set(moodle) == {f"Participant {n}" for n in (1001, 1002, 1003)}
    assert moodle["Participant 1001"]["Grade"] == str(len(COLUMNS))
    worth, *canvas = table_in(out / "canvas.csv")
    assert worth["Student"].strip() == "Points Possible"
    assert {"2001", "2002"} <= {row["ID"] for row in canvas}


def test_what_is_unchanged_is_not_judged_again(done):
    kept = done.root / "out" / "judged"
    before = {path: path.stat().st_mtime_ns for path in kept.iterdir()}
    weights = done.root / "weights.csv"
    weights.write_text("task,points\nformula.angular_speeds,3\n")
    rows = mark(done.root, "--weights", str(weights))
    assert before == {path: path.stat().st_mtime_ns for path in kept.iterdir()}
    anna = next(row for row in rows if row["student"] == "anna")
    assert (anna["points"], anna["of points"]) == ("3", "3")
