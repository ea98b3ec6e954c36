"""Verdicts are read as they stand in a notebook, whatever was edited since."""

import json

import class_of
import pytest
from stored import AREA_OF, NOTEBOOKS

from helpers.lessons import formula
from helpers.marks import reading
from helpers.marks.__main__ import tasks_of

TASKS = {"formula": {f"formula.{task.name}": task for task in formula.TASKS}}
SPEEDS, HANDS = "formula.angular_speeds", "formula.frozen_hands"


def read(notebook):
    """Column -> status, of a notebook or its text."""
    text = notebook if isinstance(notebook, str) else class_of.written(notebook)
    found = reading.verdicts(text.encode(), TASKS)
    return {c: verdict.status for c, verdict in found.get("formula", {}).items()}


def notebook(*cells, records=()):
    """A notebook of code cells; each record is the output of its own cell."""
    made = [{"cell_type": "code", "source": cell, "outputs": []} for cell in cells]
    for cell, record in zip(made, records, strict=False):
        about = {"task": SPEEDS, "mistake": None, "message": "", **record}
        cell["outputs"] = [{"metadata": {"helpers": about}}]
    return json.dumps({"cells": made})


def test_a_notebook_as_stored_is_its_own_lessons_and_not_attempted():
    every = tasks_of(())
    for path in NOTEBOOKS:
        found = reading.verdicts(path.read_bytes(), every)
        assert list(found) == [AREA_OF[path.stem]]
        statuses = {v.status for own in found.values() for v in own.values()}
        assert statuses <= {"not attempted"}


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (class_of.swap("", ""), class_of.DOUBLED.strip()),
        (class_of.without_metadata, ""),
    ],
)
def test_right_and_wrong_answers_with_what_is_known_of_them(change, code):
    """Where an editor drops the metadata of outputs, only the digest is lost."""
    wrong = class_of.filled(angular_speeds=class_of.DOUBLED, frozen_hands="a")
    text = class_of.changed(wrong, change)
    found = reading.verdicts(text.encode(), TASKS)["formula"]
    speeds, hands = found[SPEEDS], found[HANDS]
    assert (speeds.status, speeds.mistake) == ("incorrect", "doubled exponent")
    assert speeds.message and speeds.code == code
    assert (hands.status, hands.choice) == ("incorrect", "a")
    right = class_of.changed(class_of.filled(), change)
    assert set(read(right).values()) == {"correct"}


def test_what_was_not_judged_is_told_apart():
    filled = class_of.filled()
    statuses = {
        "not run": class_of.changed(filled, class_of.without_outputs),
        "not attempted": class_of.handed_out().notebook,
        "changed since": class_of.changed(filled, class_of.edited),
        "missing": class_of.changed(filled, class_of.without_checks),
    }
    for status, text in statuses.items():
        assert read(text)[SPEEDS] == status
    # A helper's change is a change of what calls it; other answers are as they were.
    found = read(statuses["changed since"])
    assert found["formula.encode_position"] == "changed since"
    assert found["formula.encode_with_periods"] == found[HANDS] == "correct"
    assert read(statuses["missing"])[HANDS] == "missing"
    # Its stub was filled in, after the notebook was run from top to bottom.
    stub, right = formula.angular_speeds.stub.strip(), class_of.RIGHT["angular_speeds"]
    checked = class_of.filled(angular_speeds=stub)
    assert read(checked)[SPEEDS] == "not attempted"
    later = class_of.changed(checked, class_of.swap(stub, right))
    assert read(later)[SPEEDS] == "changed since"


def test_comments_and_empty_lines_are_no_change():
    spaced = class_of.changed(
        class_of.filled(),
        class_of.swap("    return", "\n    # why: \f\u2028\n    return"),
    )
    assert set(read(spaced).values()) == {"correct"}


def test_of_several_checks_a_right_one_counts_and_else_the_last_that_stands():
    def tries(*statuses, cell="formula.angular_speeds.check(f)"):
        records = [{"status": status, "digest": []} for status in statuses]
        return read(notebook(*[cell] * len(records), records=records))[SPEEDS]

    assert tries("incorrect", "correct", "incorrect") == "correct"
    assert tries("incorrect", "not attempted") == "incorrect"
    gone = {"status": "correct", "digest": ["1:" + "0" * 32]}
    old = {"status": "incorrect", "digest": []}
    text = notebook("formula.angular_speeds.check(f)", "", records=[gone, old])
    assert read(text)[SPEEDS] == "incorrect"


def test_what_a_student_can_write_is_cut_and_shows_every_sign():
    record = {"status": "incorrect", "mistake": "\x1b[31m\u202e", "message": "x" * 9999}
    text = notebook("formula.angular_speeds.check(f)", records=[record])
    verdict = reading.verdicts(text.encode(), TASKS)["formula"][SPEEDS]
    assert verdict.mistake == "\\x1b[31m\\u202e" and len(verdict.message) == 2000
