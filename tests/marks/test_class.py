"""A class hands in: every row as it should be, nothing run, nothing written elsewhere."""

import csv
import os
import re
from types import SimpleNamespace

import class_of
import pytest
from class_of import COLUMNS, changed, filled, written, zipped

from helpers.lessons import AREAS
from helpers.marks import __main__ as command
from helpers.marks import submissions

SPEEDS = "formula.angular_speeds"
MOODLE = "_assignsubmission_file"


def table_in(path):
    """The rows of a CSV file by student."""
    with open(path, encoding="utf-8-sig", newline="") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


def write(folder, files):
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def mark(root, *options):
    """The rows of marks.csv of the class in ``root / "class"``."""
    output = root / "out"
    command.main([str(root / "class"), "--output", str(output), *map(str, options)])
    return table_in(output / "marks.csv")


def only(row):
    """The different verdicts of a row."""
    return {row[column] for column in COLUMNS}


def honest(right):
    """Path -> content of right submissions, as course systems name them."""
    return {
        "anna/01_formula.ipynb": right,
        "sue.ipynb": right,
        "tom/hand in.zip": zipped({"a.ipynb": right}),
        "una.zip": zipped(
            {"deep/er/in.zip": zipped({"a.ipynb": right}), "__MACOSX/._a.ipynb": "x"}
        ),
        f"Vic Ek_1001{MOODLE}_/01.ipynb": right,
        f"Vic Ek_1002{MOODLE}_/01.ipynb": right,
        f"Wim Oz_1003{MOODLE}_01_formula.ipynb": right,
        "xuyan_2001_3001_01_formula.ipynb": right,
        "yul_LATE_2002_3002_01_formula-1.ipynb": right,
        "lab_2026_01_alice.ipynb": right,
        "Żaneta Łuczak-Ōta/Übung 1.ipynb": right,
        "bo/renamed.ipynb.txt": right,
        "crlf/01.ipynb": right.replace("\\n", "\\r\\n"),
        "bom/01.ipynb": b"\xef\xbb\xbf" + right.encode(),
    }


def strange(right):
    """Path -> (content, words of the reason) of what has no verdicts to be read."""
    unrun = changed(filled(), class_of.without_outputs)
    runs = "raise SystemExit"
    return {
        "unrun/01.ipynb": (unrun, "not run: everything"),
        "cut/01.ipynb": (right[:900], "damaged, or no notebook: JSONDecodeError"),
        "empty/01.ipynb": ("", "damaged"),
        "list/01.ipynb": ("[1]", "damaged"),
        "cells/01.ipynb": ('{"cells": []}', "no exercise of this assignment"),
        "number/01.ipynb": ('{"cells": 1}', "damaged"),
        "source/01.ipynb": ('{"cells": [{"cell_type": "code"}]}', "damaged"),
        "status/01.ipynb": (right.replace('"correct"', "[]"), "not run: everything"),
        "old/01.ipynb": ('{"worksheets": [], "nbformat": 3}', "KeyError('cells')"),
        "deep/01.ipynb": ("[" * 10**6, "damaged, or no notebook: RecursionError"),
        "pat/answers.pdf": ("%PDF", "not read: .pdf (only .ipynb is)"),
        "script/formula.py": (runs, "not read: .py (only .ipynb is)"),
        "script/conftest.py": (runs, ""),
        "zip/bad.zip": (b"PK\3\4 no zip", "cannot be read: BadZipFile"),
    }


def hostile(root, right, wrong):
    """Path -> content of what would run, be a formula or markup, or write elsewhere."""
    run = f'open({str(root / "was run")!r}, "w")\nimport numpy'
    script = '<script>alert(1)</script> `</code><img src=x onerror="alert(2)">`'
    marked_up = class_of.record(SPEEDS, "incorrect", script, "=1+1")
    elsewhere = ("../../../out/evil", "/etc/evil", "..\\..\\evil", "evil\x00")
    # In a student's zip, whatever its entries are called, nothing is another's.
    entries = {f"{name}.ipynb": right for name in elsewhere}
    inner = zipped({"01.ipynb": " " * 90_000_000})
    return {
        "trap/01.ipynb": changed(filled(), class_of.swap("import numpy", run)),
        "x;=1+1/01.ipynb": right,
        "=cmd|' calc'!A0/01.ipynb": right,
        "<script>alert(3)</script>/01.ipynb": changed(filled(), marked_up),
        "esc\x1b[31m\u202e/01.ipynb": right,
        "mallory_1003_5003_hw.zip": zipped(
            {"anna_1001_9999_zz.ipynb": wrong, **entries}
        ),
        # Some hundred kilobytes that unpack to gigabytes.
        "bomb.zip": zipped({f"{n}.zip": inner for n in range(30)}),
    }


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """A class, marked: root folder, rows by student, what was there before."""
    root = tmp_path_factory.mktemp("marks")
    folder, right = root / "class", written(filled())
    wrong = written(filled(angular_speeds=class_of.DOUBLED, frozen_hands="a"))
    begun = changed(filled(), class_of.record(SPEEDS, "incorrect", "At 4.", "values"))
    write(folder, honest(right) | hostile(root, right, wrong))
    write(folder, {path: content for path, (content, _) in strange(right).items()})
    write(folder, {f"wrong {n}/01.ipynb": wrong for n in (1, 2)})
    write(folder, {"begun/01 (1).ipynb": begun, "begun/01.ipynb": right})
    for name in ("linked", "hole"):
        (folder / name).mkdir()
    (folder / "linked" / "01.ipynb").symlink_to(folder / "anna" / "01_formula.ipynb")
    (folder / "eve").symlink_to("/etc")
    if os.name == "posix":
        odd = os.fsencode(folder) + b"/odd\xff\x1b"
        os.mkdir(odd)
        os.symlink(b"/etc/\xffpasswd", odd + b"/l\xff\x1b.ipynb")
        os.mkfifo(folder / "hole" / "pipe.ipynb")
    before = set(root.rglob("*"))
    write(root / "out", {"marks.csv": "an older class"})
    rows = mark(root)
    return SimpleNamespace(root=root, rows=rows, before=before, right=right)


def test_honest_work_is_right_whatever_system_named_it(done):
    names = (
        "anna sue tom una Wim_Oz xuyan yul Vic_Ek Żaneta_Łuczak-Ōta bo crlf bom trap"
    )
    rows = [done.rows[name.replace("_", " ")] for name in names.split()]
    rows.append(done.rows["lab_2026_01_alice"])
    assert not [row for row in rows if only(row) != {"correct"} or row["reason"]]
    text = (done.root / "out" / "marks.csv").read_text(encoding="utf-8-sig")
    ids = ("Wim Oz,1003", "xuyan,2001", "yul,2002", "Vic Ek,1001", "Vic Ek,1002")
    assert set(ids) <= set(re.findall(r"^[^,]+,\d+(?=,)", text, re.M))


def test_what_was_not_judged_has_a_row_and_a_reason(done):
    for path, (_, words) in strange(done.right).items():
        row = done.rows[path.partition("/")[0]]
        assert words in row["reason"], row
    judged = re.compile("correct|not attempted|incorrect.*")
    for row in done.rows.values():
        assert row["reason"] or all(map(judged.fullmatch, only(row))), row
    for name, words in {
        "linked": "a link, or no plain file",
        "eve": "missing: everything",
        "hole": "missing: everything",
        "bomb": "too large",
    }.items():
        assert words in done.rows[name]["reason"]
    if os.name == "posix":
        odd = next(row for name, row in done.rows.items() if name.startswith("odd"))
        assert "no plain file" in odd["reason"] and odd["student"].isascii()


def test_nothing_was_run_and_nothing_written_elsewhere(done):
    assert not (done.root / "was run").exists()
    found = set(done.root.rglob("*")) - done.before
    assert found == {
        done.root / name for name in ("out", "out/marks.csv", "out/class.html")
    }


def test_the_copy_with_more_answers_counts_and_a_zip_is_its_students_own(done):
    begun = done.rows["begun"]
    assert only(begun) == {"correct"} and "another copy" in begun["reason"]
    mallory = done.rows["mallory"]
    assert only(mallory) == {"correct"} and mallory["reason"].count("another copy") >= 3
    assert only(done.rows["anna"]) == {"correct"}


def test_no_cell_is_a_formula_and_no_sign_is_hidden(done):
    text = (done.root / "out" / "marks.csv").read_text(encoding="utf-8-sig")
    assert "an older class" not in text
    for cell in re.split(r'[;,\t|\n]\s*"?', text):
        assert not cell.startswith(("=", "+", "-", "@")), cell
    assert all(sign.isprintable() or sign in "\r\n" for sign in text)


def test_the_page_has_no_name_and_no_markup_of_a_student(done):
    text = (done.root / "out" / "class.html").read_text(encoding="utf-8")
    assert "alert(1)" in text and "<script>alert" not in text and "<img" not in text
    assert "\u202e" not in text and "\x1b" not in text
    names = [name for name in done.rows if " " in name or name in ("mallory", "xuyan")]
    assert names and not any(name in text for name in names)


def test_the_page_shows_what_to_teach_and_the_code_that_most_wrote(done):
    text = (done.root / "out" / "class.html").read_text(encoding="utf-8")
    three = text[text.index("Three things") : text.index("</section>")]
    items = three.split("<li>")[1:]
    # Named mistakes come first, and an error without a name after them.
    assert len(items) == 3
    assert all("doubled exponent" in i or "frozen_hands" in i for i in items[:2])
    assert "2 of 2 wrote" in three
    plain = re.sub(r"<[^>]+>", "", text)
    assert class_of.DOUBLED.splitlines()[-1].strip() in plain.replace("&#39;", "'")


def test_one_student_with_the_whole_lesson_folder_adds_nobody_a_column(
    tmp_path, capsys
):
    right, untouched = written(filled()), class_of.handed_out("rotary").notebook
    folder = {
        "lesson/mine/01_formula.ipynb": right,
        "lesson/notebooks/01_formula.ipynb": written(class_of.handed_out().notebook),
        "lesson/notebooks/07_rotary.ipynb": written(untouched),
        "lesson/helpers/lessons/formula/angular_speeds.py": "x",
        "lesson/.venv/x.ipynb": "x",
    }
    others = {f"s{n}/01.ipynb": right for n in range(3)}
    write(tmp_path / "class", {"ann.zip": zipped(folder), **others})
    rows = mark(tmp_path)
    assert "The assignment: formula." in capsys.readouterr().out
    assert not any(column.startswith("rotary") for column in rows["ann"])
    assert only(rows["ann"]) == {"correct"} and "another copy" in rows["ann"]["reason"]
    assert "rotary.rotate" in mark(tmp_path, "--only", "01", "07")["ann"]


def test_a_relative_folder_and_the_zip_of_a_class(tmp_path, monkeypatch):
    right = written(filled())
    files = {
        f"Vic Ek_1001{MOODLE}/01.ipynb": right,
        f"Al_7{MOODLE}/../../01.ipynb": right,
    }
    write(tmp_path / "class", {"anna/01.ipynb": right})
    write(tmp_path, {"class.zip": zipped(files)})
    write(tmp_path / "course", {"submitted/bob/01_formula/01.ipynb": right, "x/y": ""})
    monkeypatch.chdir(tmp_path)
    for source, names in (
        ("class", {"anna"}),
        ("class.zip", {"Vic Ek", "Al"}),
        ("course/submitted", {"bob"}),
    ):
        command.main([source, "--output", "out"])
        rows = table_in(tmp_path / "out" / "marks.csv")
        assert set(rows) == names
        assert all(only(row) == {"correct"} for row in rows.values())


def test_a_roster_shows_who_is_missing_and_overrides_have_the_last_word(tmp_path):
    handed_in = (f"Vic Ek_1001{MOODLE}/1.ipynb", "ozwim_2002_3002_1.ipynb", "sue.ipynb")
    write(tmp_path / "class", dict.fromkeys(handed_in, written(filled())))
    roster, overrides = tmp_path / "roster.csv", tmp_path / "over.csv"
    head = "student,task,verdict,reason\n"
    roster.write_text('id,student\nx1,VIC EK\n2002,"Oz, Wim"\n,"Oz, Wim"\n7,Lea\n')
    overrides.write_text(f"{head}sue,{SPEEDS},incorrect: copied,seen by me\n")
    options = ("--roster", roster, "--overrides", overrides)
    rows = mark(tmp_path, *options)
    assert rows["sue"]["reason"] == (
        f"not on the roster; {SPEEDS}: incorrect: copied, because seen by me"
    )
    assert (rows["sue"][SPEEDS], rows["sue"]["correct"]) == ("incorrect: copied", "9")
    assert rows["Vic Ek"]["reason"] == rows["ozwim"]["reason"] == ""
    for name in ("Lea", "Oz, Wim"):  # whoever has the id was there
        assert rows[name]["reason"] == "handed in nothing; missing: everything"
    overrides.write_text(f"{head}nobody,x,correct,\n")
    with pytest.raises(SystemExit, match="0 are 'nobody'"):
        mark(tmp_path, *options)
    assert not (tmp_path / "out" / "marks.csv").exists()


def test_where_no_marks_can_be_made_one_sentence_says_why(tmp_path):
    write(tmp_path, {"empty/.hidden": "", "text.zip": "text"})
    for name, said, *options in (
        ("nowhere", "nowhere"),
        ("empty", "no submission"),
        ("text.zip", "BadZipFile"),
        (".", "no such notebook", "--only", "77"),
    ):
        with pytest.raises(SystemExit, match=said):
            command.main(
                [str(tmp_path / name), "--output", str(tmp_path / "out"), *options]
            )


def test_what_takes_too_long_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(submissions, "SECONDS", 0.05)
    longer = class_of.swap("import numpy", "def f(): 1\n" * 60_000 + "import numpy")
    write(tmp_path / "class", {"slow/01.ipynb": changed(filled(), longer)})
    assert "TimeUp" in mark(tmp_path)["slow"]["reason"]


@pytest.mark.slow
def test_sixty_students_with_all_nine_notebooks_right(tmp_path):
    texts = {f"{area}.ipynb": written(filled(area)) for area in AREAS}
    for n in range(60):
        write(tmp_path / "class" / f"s{n:02}", texts)
    rows = mark(tmp_path)
    assert len(rows) == 60
    for row in rows.values():
        assert row["correct"] == row["of"] and not row["reason"], row
    assert int(rows["s00"]["of"]) >= 88
