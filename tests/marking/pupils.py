"""A class of pretended students: what each handed in, and what the marks must say.

All hand in notebook 01, as `formula`; some also another one.
"""

import io
import json
import zipfile

from helpers.exercises import formula
from helpers.publishing.lesson import NOTEBOOKS

OWN = {
    "encode_with_bases": """
def encode_with_bases(max_len, bases):
    angles = np.arange(max_len)[:, None] * (2 * np.pi / np.asarray(bases))
    table = np.zeros((max_len, 2 * len(bases)))
    table[:, 0::2], table[:, 1::2] = np.sin(angles), np.cos(angles)
    return table
""",
    "angular_speeds": """
def angular_speeds(d_model):
    return 10_000.0 ** (-2 * np.arange(d_model // 2) / d_model)
""",
    "encode_position": """
def encode_position(pos, d_model):
    if d_model % 2:
        raise ValueError("odd")
    angles = pos * angular_speeds(d_model)
    return np.stack([np.sin(angles), np.cos(angles)], axis=1).ravel()
""",
}
LOOPS = """
import math


def one_row(pos, turns):
    row = []
    for turn in turns:
        row += [math.sin(pos * turn), math.cos(pos * turn)]
    return row


def encode_with_bases(max_len, bases):
    return [one_row(pos, [2 * math.pi / b for b in bases]) for pos in range(max_len)]
"""
QUESTIONS = [task for task in formula.EXERCISES if hasattr(task, "choices")]
EXERCISES = [task.name for task in formula.EXERCISES if task not in QUESTIONS]
# An exercise added to the notebook is answered with its solution.
RIGHT = {name: getattr(formula, name).solution_code for name in EXERCISES} | OWN
# The engine names what an answer refuses by itself.
RAISES = ("incorrect: exception", "incorrect: refuses good input")
COLUMNS = [f"formula.{task.name}" for task in formula.EXERCISES]
LETTERS = {q.name: q.answer for q in QUESTIONS}


def notebook(*cells):
    """A notebook with these code cells, as text."""
    made = [
        {
            "cell_type": "code",
            "execution_count": None,
            "id": f"c{number}",
            "metadata": {},
            "outputs": [],
            "source": source.strip("\n"),
        }
        for number, source in enumerate(cells)
    ]
    return json.dumps(
        {"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    )


def as_given(**changes):
    """Notebook 01 as handed out, with some answers written into it."""
    given = json.loads((NOTEBOOKS / "01_formula.ipynb").read_text(encoding="utf-8"))
    for task in formula.EXERCISES:
        answer = changes.get(task.name)
        if answer is None:
            continue
        for cell in given["cells"]:
            source = "".join(cell["source"])
            if task in QUESTIONS and source == f"formula.{task.name}.check(...)":
                cell["source"] = f"formula.{task.name}.check({answer!r})"
            elif task not in QUESTIONS and source.strip() == task.stub.strip():
                cell["source"] = answer.strip("\n")
    return json.dumps(given)


def answered(**changes):
    """Everything right but for the changes; cells of the student's own."""
    parts = {**RIGHT, **changes}
    checks = [f"formula.{name}.check({name})" for name in EXERCISES]
    letters = [f'formula.{name}.check("{key}")' for name, key in LETTERS.items()]
    head = "import numpy as np\nfrom helpers.exercises import formula"
    return notebook(head, *parts.values(), *checks, *letters)


def verdicts(**changes):
    """What the marks must say: correct but for the changes."""
    return {c: changes.get(c.split(".")[1], "correct") for c in COLUMNS}


def only(status, **changes):
    """The same verdict everywhere but for the changes."""
    return {c: changes.get(c.split(".")[1], status) for c in COLUMNS}


def zipped(files):
    """The bytes of a zip of these files."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()


def in_a_function(lines):
    """`angular_speeds` with other lines before the right answer."""
    body = "\n".join(f"    {line}" for line in lines.strip("\n").splitlines())
    return RIGHT["angular_speeds"].replace(
        "def angular_speeds(d_model):\n", f"def angular_speeds(d_model):\n{body}\n"
    )


def the_class(bait):
    """Student -> ({path: content}, marks), for a folder beside which a bait lies.

    ``bait`` is a file outside; some try to delete it, or to read a neighbour's.
    """
    speeds = "angular_speeds"
    no_name = RIGHT[speeds].replace("10_000.0 **", "7.5 + 9_000.0 **")
    alone = RIGHT["encode_position"].replace(
        "angular_speeds(d_model)",
        "10_000.0 ** (-2 * np.arange(d_model // 2) / d_model)",
    )
    independent = {"encode_position": alone}

    def breaking(code, **more):
        """`angular_speeds` breaks the rules; all others stand by themselves."""
        return answered(angular_speeds=code, **independent, **more)

    top = "\nwhile True:\n    pass\n"
    return {
        "anna right": (
            {"01_formula.ipynb": as_given(**RIGHT, **LETTERS)},
            verdicts(),
        ),
        "ben own style": (
            {"my homework.ipynb": answered(encode_with_bases=LOOPS)},
            verdicts(),
        ),
        "chloé deleted checks": (
            {
                "a.ipynb": notebook(
                    *reversed(RIGHT.values()), "1 / 0", "%matplotlib inline\n!ls"
                )
            },
            only("missing", **dict.fromkeys(EXERCISES, "correct")),
        ),
        "dora other names": (
            {
                "a.ipynb": notebook(
                    "import numpy as n",
                    "formula.angular_speeds.check(mine)",
                    'pick = "' + LETTERS["frozen_hands"] + '"',
                    "formula.frozen_hands.check(pick)",
                    "mine = lambda d: BASE ** (-2 * n.arange(d // 2) / d)",
                    "BASE = 1e4",
                    formula.angular_speeds.stub,
                    "formula.angular_speeds.check(angular_speeds)",
                )
            },
            only("missing", angular_speeds="correct", frozen_hands="correct"),
        ),
        "émile untouched": ({"01.ipynb": as_given()}, only("not attempted")),
        "filip named mistake": (
            {"a.ipynb": answered(encode_with_bases=_all_sines_first())},
            verdicts(encode_with_bases="incorrect: all sines then all cosines"),
        ),
        "gita no name": (
            {"a.ipynb": breaking(no_name)},
            verdicts(angular_speeds="incorrect"),
        ),
        "hans no name too": (
            {"a.ipynb": breaking(no_name.replace("7.5 +", "5 + 2.5 +"))},
            verdicts(angular_speeds="incorrect"),
        ),
        "ida wrong letters": (
            {"a.ipynb": as_given(**RIGHT, **_wrong_letters())},
            verdicts(
                **{name: f"incorrect: {key}" for name, key in _wrong_letters().items()}
            ),
        ),
        "jan raises": (
            {"a.ipynb": breaking(in_a_function('raise KeyError("no")'))},
            verdicts(angular_speeds=RAISES),
        ),
        "kim loops in a function": (
            {"a.ipynb": breaking(in_a_function("while True:\n    pass"))},
            verdicts(angular_speeds="incorrect: time"),
        ),
        "leo loops at the top": (
            {"a.ipynb": breaking(RIGHT[speeds] + top)},
            verdicts(),
        ),
        "mia sys.exit": (
            {"a.ipynb": breaking(in_a_function("import sys\nsys.exit(0)"))},
            verdicts(angular_speeds="incorrect: exit"),
        ),
        "nils os._exit": (
            {"a.ipynb": breaking(in_a_function("import os\nos._exit(0)"))},
            verdicts(angular_speeds="incorrect: exit"),
        ),
        "olga syntax error": (
            {"a.ipynb": breaking("def angular_speeds(d_model:\n    return 1")},
            verdicts(angular_speeds="incorrect: syntax error"),
        ),
        "paul memory": (
            {
                "a.ipynb": breaking(
                    in_a_function("x = []\nwhile True:\n    x.append('a' * 10**8)")
                )
            },
            verdicts(
                angular_speeds=(*RAISES, "incorrect: time", "incorrect: one change")
            ),
        ),
        "quentin output": (
            {
                "a.ipynb": breaking(
                    in_a_function("import os\nwhile True:\n    print('a' * 10_000)")
                )
            },
            verdicts(angular_speeds="incorrect: time"),
        ),
        "rosa fork bomb": (
            {
                "a.ipynb": breaking(
                    in_a_function("import os\nwhile True:\n    os.fork()")
                )
            },
            verdicts(
                angular_speeds=(*RAISES, "incorrect: time", "incorrect: one change")
            ),
        ),
        "sam replaces judge": (
            {
                "a.ipynb": notebook(
                    "from helpers.exercises import formula, core",
                    "from helpers.exercises.core import Feedback",
                    "core.Exercise.judge = lambda *_: Feedback('correct', 'yes')",
                    "formula.angular_speeds.judge = core.Exercise.judge",
                    "formula.angular_speeds.check = core.Exercise.judge",
                    "def angular_speeds(d_model):\n    core, formula\n    return 1",
                    "formula.angular_speeds.check(angular_speeds)",
                )
            },
            only("missing", angular_speeds="incorrect: one number"),
        ),
        "tina hands over the reference": (
            {
                "a.ipynb": notebook(
                    "from helpers.exercises import formula",
                    "from helpers import encoding",
                    "formula.angular_speeds.check(formula.angular_speeds.reference)",
                    "encode_with_bases = encoding.encode_with_bases",
                    "def encode_position(pos, d):\n"
                    "    return encoding.positional_encoding(pos + 1, d)[pos]",
                )
            },
            only(
                "missing",
                **dict.fromkeys(OWN, "incorrect: uses the finished one"),
            ),
        ),
        "uwe deletes": (
            {
                "a.ipynb": breaking(
                    in_a_function(
                        f"import os\nos.remove({str(bait)!r})\n"
                        f"open({str(bait)!r}, 'w').write('gone')"
                    )
                )
            },
            verdicts(angular_speeds=RAISES),
        ),
        "vera reads a neighbour": (
            {
                "a.ipynb": breaking(
                    in_a_function(
                        "from pathlib import Path\n"
                        f"next(Path({str(bait.parent)!r}).rglob('01_formula.ipynb'))"
                        ".read_text()"
                    )
                )
            },
            verdicts(angular_speeds=RAISES),
        ),
        "wim opens a socket": (
            {
                "a.ipynb": breaking(
                    in_a_function(
                        "import socket\n"
                        "socket.create_connection(('127.0.0.1', PORT), timeout=2)"
                    )
                )
            },
            verdicts(angular_speeds=RAISES),
        ),
        "xenia truncated": (
            {"01_formula.ipynb": as_given(**RIGHT)[:5000]},
            only("missing"),
        ),
        "yves empty": ({}, only("missing")),
        "=cmd|' calc'!A0": ({"a.ipynb": answered()}, verdicts()),
        "Żaneta Łuczak-Ōta": ({"Übung 1.ipynb": answered()}, verdicts()),
        "zoe two notebooks": (
            {"one.ipynb": answered(), "sub/two.ipynb": notebook(*ROTATION)},
            verdicts(),
        ),
    }


ROTATION = (
    "from helpers.exercises import rotation_matrix",
    "def rotation_block(theta, k):\n"
    "    c, s = np.cos(k * theta), np.sin(k * theta)\n"
    "    return np.array([[c, s], [-s, c]])",
    "rotation_matrix.rotation_block.check(rotation_block)",
)


def _all_sines_first():
    return """
def encode_with_bases(max_len, bases):
    angles = np.arange(max_len)[:, None] * (2 * np.pi / np.asarray(bases))
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)
"""


def _wrong_letters():
    return {
        question.name: next(k for k, c in question.choices.items() if not c.right)
        for question in QUESTIONS
    }


def write(people, folder):
    """Write the submissions of a class into a folder, a folder for each student."""
    for student, (files, _) in people.items():
        home = folder / student
        home.mkdir(parents=True)
        for name, content in files.items():
            path = home / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
