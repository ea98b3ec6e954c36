"""Submissions, notebooks and answers are read as they come; nothing is executed."""

import csv
import json
import types

import pupils
import pytest

from helpers.exercises import AREAS, formula
from helpers.exercises.core import Exercise
from helpers.marking import __main__ as command
from helpers.marking import batch, reading, sandbox, submissions, table
from helpers.marking.judging import Verdict
from helpers.marking.starters import starter
from helpers.publishing.lesson import NOTEBOOKS

ONE = pupils.notebook("1")


def read(*cells, area="formula"):
    return reading.read(reading.cells_of(pupils.notebook(*cells).encode()), area)


@pytest.mark.parametrize(
    "path", sorted(NOTEBOOKS.glob("0*.ipynb")), ids=lambda p: p.stem
)
def test_a_notebook_as_given_is_known_and_not_attempted(path):
    area = path.stem.split("_", 1)[1]
    if area not in AREAS:
        pytest.skip("not yet in the series")
    cells = reading.cells_of(path.read_bytes())
    assert reading.areas_in(cells)[0] == area
    states = {a.state for a in reading.read(cells, area).values()}
    assert states == {reading.UNTOUCHED}


def test_a_notebook_without_checks_is_known_by_its_functions():
    cells = list(pupils.RIGHT.values())
    assert reading.areas_in(cells) == ["formula"]
    assert reading.areas_in(["print(1)"]) == []


def test_what_an_answer_needs_comes_with_it_and_nothing_else():
    answer = read(
        "import numpy as np, os",
        "while True: pass",
        "table = np.zeros(3)\ntable[0] = SCALE\nother = table.sum()",
        "names = []\nnames.append('a'); SCALE = 2",
        "def helper(d):\n    return table, names, d",
        "def helper(d):\n    return table[0], names, d",
        "@staticmethod\ndef angular_speeds(d):\n    return helper(d)",
    )["formula.angular_speeds"]
    assert answer.state == reading.ATTEMPTED
    program = [source for _, source in answer.program]
    assert program == [
        "import numpy as np, os",
        "table = np.zeros(3)",
        "table[0] = SCALE",
        "names = []",
        "names.append('a')",
        "SCALE = 2",
        "def helper(d):\n    return table[0], names, d",
        "@staticmethod\ndef angular_speeds(d):\n    return helper(d)",
    ]


def test_a_deleted_import_is_taken_from_the_lesson():
    answer = read(pupils.RIGHT["angular_speeds"])["formula.angular_speeds"]
    assert answer.program[0] == ("the lesson", "import numpy as np")


def test_a_name_that_is_looked_up_by_its_text_comes_with_the_answer():
    answer = read(
        "BASE = 10_000.0",
        "SPARE = 1",
        "def angular_speeds(d):\n    'with SPARE'\n    return globals()['BASE'] ** -d",
    )["formula.angular_speeds"]
    assert [source for _, source in answer.program][0] == "BASE = 10_000.0"
    assert len(answer.program) == 2


@pytest.mark.parametrize(
    ("cells", "state"),
    [
        ([], reading.MISSING),
        (["formula.angular_speeds.check(angular_speeds)"], reading.UNTOUCHED),
        ([formula.angular_speeds.stub], reading.UNTOUCHED),
        (["def angular_speeds(d_model):\n    pass"], reading.UNTOUCHED),
        (
            ["def angular_speeds(d_model):\n    '''x'''\n    return None"],
            "not attempted",
        ),
        (["def angular_speeds(d)\n    return 1"], reading.BROKEN),
        (["formula.angular_speeds.check(lambda d: 1"], reading.BROKEN),
        (["nonlocal x\ndef angular_speeds(d):\n    return 1"], reading.BROKEN),
        (["formula.angular_speeds.check(lambda d: 1)"], reading.ATTEMPTED),
        (["%%time\ndef angular_speeds(d):\n    return 1"], reading.ATTEMPTED),
        (["%%html\ndef angular_speeds(d):\n    return 1"], reading.MISSING),
        (["from helpers.encoding import angular_speeds"], reading.ATTEMPTED),
    ],
)
def test_the_state_of_an_exercise(cells, state):
    assert read(*cells)["formula.angular_speeds"].state == state


@pytest.mark.parametrize(
    ("cell", "letter"),
    [
        ('formula.frozen_hands.check("b")', "b"),
        ('formula.frozen_hands.check("a")\nformula.frozen_hands.check("c")', "c"),
        ('formula.frozen_hands.check("a")\nformula.frozen_hands.check(...)', "a"),
        ("x = 'c'\nformula.frozen_hands.check(x)", "c"),
        ("formula.frozen_hands.check(formula.frozen_hands.answer)", None),
        ("formula.frozen_hands.check(2)", 2),
    ],
)
def test_the_letter_of_a_question(cell, letter):
    answer = read(cell)["formula.frozen_hands"]
    assert answer.state == reading.ATTEMPTED
    if letter is not None:
        assert answer.letter == letter
    else:
        assert answer.letter not in formula.frozen_hands.choices


@pytest.mark.parametrize(
    "content",
    [b"", b"[]", b"{}", b'{"cells": 3}', b'{"cells": [1]}', b"\xff\xfe", b"[" * 10**5],
)
def test_what_is_no_notebook_is_said(content):
    with pytest.raises(reading.Unreadable):
        reading.cells_of(content)


def test_a_notebook_that_takes_too_long_is_left_out(monkeypatch):
    chain = "\n".join(f"a{n} = a{n + 1}" for n in range(20_000))
    speeds = "def angular_speeds(d):\n    return a0"
    student = submissions.Submission("eve")
    student.add("a.ipynb", pupils.notebook(chain, speeds).encode())
    student.add("b.ipynb", pupils.notebook(pupils.RIGHT["angular_speeds"]).encode())
    student.add("c.ipynb", pupils.notebook("#" * (reading.MOST_CODE + 1)).encode())
    monkeypatch.setattr(batch, "LONGEST", 0.5)
    answers = batch.read(student)["formula"]
    assert answers["formula.angular_speeds"].state == reading.ATTEMPTED
    assert student.notices == [
        "a.ipynb: reading it takes too long",
        "c.ipynb: more than 1,000,000 characters of code",
    ]


def test_a_link_to_a_neighbours_folder_is_not_followed(tmp_path):
    (tmp_path / "bob").mkdir()
    (tmp_path / "bob" / "01.ipynb").write_text(ONE)
    (tmp_path / "eve").mkdir()
    (tmp_path / "eve" / "mine").symlink_to(tmp_path / "bob")
    (tmp_path / "mal").symlink_to(tmp_path / "bob")
    up = pupils.zipped({"../bob/01.ipynb": ONE, "/etc/01.ipynb": ONE})
    (tmp_path / "zip").mkdir()
    (tmp_path / "zip" / "up.zip").write_bytes(up)
    found = names(submissions.find(tmp_path))
    assert found["bob"] == ["01.ipynb"] and found["eve"] == found["mal"] == []
    assert len(found["zip"]) == 2 and set(found) == {"bob", "eve", "mal", "zip"}
    assert [p.name for p in (tmp_path / "bob").iterdir()] == ["01.ipynb"]


def names(found):
    return {s.student: sorted(s.notebooks) for s in found}


def test_folders_and_files_by_their_names(tmp_path):
    for path in (
        "Zoë Ōta_123_assignsubmission_file_/01.ipynb",
        "Zoë Ōta_456_assignsubmission_file_/sub/02.ipynb",
        "Li Wei_77_assignsubmission_file_01_formula.ipynb",
        "doejane_12_3456_01_formula-1.ipynb",
        "doejane_LATE_12_3457_02_log_space.ipynb",
        "solo.ipynb",
        "bob/.ipynb_checkpoints/01-checkpoint.ipynb",
        "bob/ps1/01.IPYNB",
        ".hidden/01.ipynb",
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(ONE, encoding="utf-8")
    (tmp_path / "empty").mkdir()
    inner = pupils.zipped({"c.ipynb": ONE})
    (tmp_path / "bob" / "more.zip").write_bytes(
        pupils.zipped({"b.ipynb": ONE, "__MACOSX/b.ipynb": ONE, "in.zip": inner})
    )
    (tmp_path / "bad.zip").write_bytes(b"PK no zip")
    (tmp_path / "bob" / "link.ipynb").symlink_to(tmp_path / "solo.ipynb")
    found = submissions.find(tmp_path)
    assert names(found) == {
        "Zoë Ōta (123)": ["01.ipynb"],
        "Zoë Ōta (456)": ["sub/02.ipynb"],
        "Li Wei": ["Li Wei_77_assignsubmission_file_01_formula.ipynb"],
        "doejane": [
            "doejane_12_3456_01_formula-1.ipynb",
            "doejane_LATE_12_3457_02_log_space.ipynb",
        ],
        "solo": ["solo.ipynb"],
        "bob": ["more.zip/b.ipynb", "more.zip/in.zip/c.ipynb", "ps1/01.IPYNB"],
        "empty": [],
        "bad": [],
    }
    notices = {s.student: s.notices for s in found if s.notices}
    assert notices == {
        "bad": ["bad.zip: a zip that cannot be read"],
        "bob": ["link.ipynb: a link or no plain file, not followed"],
    }


def test_the_zip_of_a_whole_class_and_nbgraders_folder(tmp_path):
    moodle = pupils.zipped(
        {
            "A B_1_assignsubmission_file_/x.ipynb": ONE,
            "C D_2_assignsubmission_file_y.ipynb": ONE,
        }
    )
    (tmp_path / "all.zip").write_bytes(moodle)
    assert names(submissions.find(tmp_path / "all.zip")) == {
        "A B": ["x.ipynb"],
        "C D": ["C D_2_assignsubmission_file_y.ipynb"],
    }
    assert set(names(submissions.find(tmp_path))) == {"A B", "C D"}
    home = tmp_path / "course" / "submitted" / "eve" / "ps1"
    home.mkdir(parents=True)
    (home / "01.ipynb").write_text(ONE)
    assert names(submissions.find(tmp_path / "course")) == {"eve": ["ps1/01.ipynb"]}


def test_a_zip_bomb_is_left_out(tmp_path, monkeypatch):
    monkeypatch.setattr(submissions, "LARGEST", 1000)
    (tmp_path / "eve.zip").write_bytes(pupils.zipped({"a.ipynb": "0" * 10**6}))
    (eve,) = submissions.find(tmp_path)
    assert not eve.notebooks and "too large" in eve.notices[0]


def test_no_cell_of_the_marks_is_a_formula(tmp_path):
    path = tmp_path / "marks.csv"
    row = {"formula.a": Verdict("incorrect", "=1+1"), "formula.b": Verdict("correct")}
    table.write(path, list(row), [("@SUM(1)", row), ("Żaneta\n=2", row)])
    assert path.read_bytes().startswith(b"\xef\xbb\xbf")
    with open(path, encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    assert rows == [
        ["student", "correct", "of", "formula.a", "formula.b"],
        ["'@SUM(1)", "1", "2", "incorrect: =1+1", "correct"],
        ["Żaneta =2", "1", "2", "incorrect: =1+1", "correct"],
    ]


def test_without_walls_it_asks_for_trust(tmp_path, monkeypatch):
    monkeypatch.setattr(sandbox.shutil, "which", lambda _: None)
    (tmp_path / "bob").mkdir()
    with pytest.raises(SystemExit, match="--trust"):
        command.main([str(tmp_path)])


def test_a_wrong_answer_becomes_a_slip_that_gives_it_again():
    task = formula.angular_speeds
    wrong = task.solution_code.replace("10_000", "9_000")
    assert wrong != task.solution_code
    text = starter(task, wrong.replace("d_model", "d"))
    assert text.startswith("Slip(")
    made = _evaluated(text).applied(task.solution_code)
    space = {}
    exec(f"import numpy as np\n{made}", space)
    assert space["angular_speeds"](4)[1] == pytest.approx(9000**-0.5)


def test_another_function_becomes_a_mistake():
    code = (
        "def one(b):\n    return b\n\n\ndef angular_speeds(d_model):\n    return one(2)"
    )
    text = starter(formula.angular_speeds, code)
    assert code in text and "Mistake('name it'" in text


def _evaluated(text):
    from helpers.exercises.core import Slip

    return eval(text, {"Slip": Slip})


def test_values_survive_the_channel():
    import numpy as np
    import torch

    from helpers.marking.values import Other, decode, encode

    class Liar(np.ndarray):
        def __eq__(self, other):
            return True

    values = [
        *(None, True, 3, -(10**30), 1.5, float("nan"), float("inf"), 1j, "x", ...),
        *(
            [1, (2, "a")],
            {"a": [1], 2: None},
            np.float32(2.5),
            np.arange(6).reshape(2, 3),
        ),
        *(np.array(3), np.zeros((0, 4)), slice(1, None), np.array([True])),
    ]
    for value in values:
        back = decode(json.loads(json.dumps(encode(value))))
        assert type(back) is type(value)
        np.testing.assert_equal(back, value)
    for dtype in (torch.bfloat16, torch.bool, torch.float64, torch.int64):
        tensor = torch.arange(6).reshape(2, 3).to(dtype)
        back = decode(encode(tensor.T))
        assert back.dtype == dtype and torch.equal(back, tensor.T)
    assert type(decode(encode(np.zeros(3).view(Liar)))) is np.ndarray
    assert isinstance(decode(encode(object())), Other)
    for bad in ({"array": ["O", [1], ""]}, {"array": ["<f8", [2], ""]}, {"x": 1}, []):
        with pytest.raises(ValueError):
            decode(bad)


def test_every_exercise_has_a_reference_that_the_judge_can_use():
    for area in AREAS:
        for column, task in reading.tasks_of(area).items():
            assert column.split(".")[0] == area
            kinds = (types.FunctionType, type)
            assert not isinstance(task, Exercise) or isinstance(task.reference, kinds)
