"""A pretended class that hands in notebook 01: honest students, and hostile ones."""

import io
import json
import zipfile

import nbformat

from helpers.lessons import formula
from helpers.marks.reading import NOTEBOOKS
from helpers.publish import editions
from helpers.publish.lesson import read_lesson

QUESTIONS = {t.name: t.answer for t in formula.TASKS if t.kind == "question"}
EXERCISES = [t.name for t in formula.TASKS if t.kind == "exercise"]
COLUMNS = [f"formula.{task.name}" for task in formula.TASKS]
RIGHT = {name: getattr(formula, name).solution_code for name in EXERCISES}
SPEEDS = RIGHT["angular_speeds"]
BODY = "1e4 ** (-2 * np.arange(d // 2) / d)"


def notebook(*cells):
    """A notebook with these code cells, as text."""
    made = [
        {"cell_type": "code", "source": cell.strip("\n"), "outputs": []}
        for cell in cells
    ]
    return json.dumps({"cells": made, "nbformat": 4, "nbformat_minor": 5})


def cells(head="import numpy as np\nfrom helpers.lessons import formula", **changes):
    """The cells of a right submission but for the changes."""
    parts = {**RIGHT, **changes}
    checks = [f"formula.{name}.check({name})" for name in EXERCISES]
    letters = [f'formula.{name}.check("{key}")' for name, key in QUESTIONS.items()]
    return [head, *parts.values(), *checks, *letters]


def answered(**changes):
    """The notebook of `cells`."""
    return notebook(*cells(**changes))


def as_given():
    """Notebook 01 as handed out, every answer written into its own cell."""
    (path,) = NOTEBOOKS.glob("01_*.ipynb")
    return nbformat.writes(editions.filled(read_lesson(path)))


def script(parts):
    """What nbconvert exports: a cell behind each mark."""
    return "#!/usr/bin/env python\n# coding: utf-8\n\n" + "".join(
        f"# In[{n}]:\n\n\n{part}\n\n\n" for n, part in enumerate(parts, 1)
    )


def renamed(head, name):
    """A right submission that imports the lesson by another name."""
    return notebook(*[c.replace("formula.", name) for c in cells(head="")], head)


def zipped(**files):
    """The bytes of a zip; a double underscore in a name is a dot."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "."), content)
    return stream.getvalue()


def written():
    """Kind -> notebook or script that is right in every cell, however it is written."""
    right, loop = answered(), "BASES = []\nfor b in (1e4,):\n    BASES.append(b)"
    filled = "BASES = []\ndef fill(b):\n    BASES.append(b)\n\nfill(1e4)"
    from_list = f"def angular_speeds(d):\n    return {BODY}".replace("1e4", "BASES[0]")
    imported = "from helpers.lessons import formula"
    speeds = {
        "loop.ipynb": f"{loop}\n\n{from_list}",
        "helper.ipynb": f"{filled}\n\n{from_list}",
        "last.ipynb": f"def angular_speeds(d): 1\nangular_speeds = lambda d: {BODY}",
    }
    return {
        **{name: answered(angular_speeds=code) for name, code in speeds.items()},
        "reversed.ipynb": notebook(*reversed(cells())),
        "no imports.ipynb": answered(head=imported),
        "line magic.ipynb": answered(head=f"%matplotlib inline\n!ls\n{cells()[0]}"),
        "named.ipynb": right.replace('.check(\\"', '.check(answer=\\"'),
        "alias.ipynb": renamed(f"{imported} as ex", "ex."),
        "export.py": script(cells()),
        "code mark.py": "\n".join(f"# %%\n{cell}" for cell in cells()),
    }


def honest():
    """Path -> content of submissions that are right in every cell, by kind of name."""
    right, name = answered(), "_assignsubmission_file"
    return {
        "anna/01_formula.ipynb": as_given(),
        "pia/01_formula.ipynb": answered(angular_speeds="def angular_speeds(d): 1"),
        "pia/01_formula (1).ipynb": right,
        "sue.ipynb": right,
        "tom/hand in.zip": zipped(a__ipynb=right),
        "una.zip": zipped(**{"deep/er/a__ipynb": right, "__MACOSX/._a__ipynb": "x"}),
        f"Vic Ek_1001{name}_/01.ipynb": right,
        f"Vic Ek_1002{name}_/01.ipynb": right,
        f"Wim Oz_1003{name}_01_formula.ipynb": right,
        "xuyan_2001_3001_01_formula.ipynb": right,
        "yul_LATE_2002_3002_01_formula-1.ipynb": right,
        "Żaneta Łuczak-Ōta/Übung 1.ipynb": right,
        "bo/old name.ipynb.txt": right,
    }


_AFTER = SPEEDS.split("\n", 1)[1]


def _in(lines, after=_AFTER):
    """`angular_speeds` with other lines before its right body."""
    body = "\n".join(f"    {line}" for line in lines.strip("\n").splitlines())
    return f"def angular_speeds(d_model):\n{body}\n{after}"


LOOPS = _in("while True:\n    pass")


def hostile(bait, port):
    """Kind -> code that stands for `angular_speeds`; everything else is right.

    ``bait`` is a file outside that some read or delete, ``port`` is listened to.
    """
    finished = "from helpers import encoding\ndef angular_speeds(d):\n    return "
    return {
        "swallows": _in(
            "while True:\n    try:\n        pass\n    except BaseException: pass"
        ),
        "memory": _in("x = []\nwhile True:\n    x.append('a' * 10**8)"),
        "prints": _in("while True:\n    print('a' * 10_000)"),
        "exit": _in("import sys\nsys.exit(0)"),
        "hard exit": _in("import os\nos._exit(0)"),
        "fork bomb": _in("import os\nwhile True:\n    os.fork()"),
        "daemon": _in(
            "import os, time\nif os.fork() == 0:\n    os.setsid(); time.sleep(600)"
        ),
        "kills": _in("import os, signal\nos.kill(-1, signal.SIGKILL)"),
        "reads": _in(f"raise ValueError(open({str(bait)!r}).read())", ""),
        "deletes": _in(f"__import__('os').remove({str(bait)!r})"),
        "socket": _in(
            f"import socket\nsocket.create_connection(('127.0.0.1', {port}))"
        ),
        "reference": "angular_speeds = formula.angular_speeds.reference",
        "finished": f"{finished}encoding.angular_speeds(d)",
        "imported": "from helpers.encoding import angular_speeds",
        "patches": "np.isclose = np.allclose = lambda *a, **k: True\n"
        + _in("return d_model"),
        "patches the check": "formula.angular_speeds.judge = lambda *_: 1\n"
        + _in("return 1"),
        "frames": _in(
            "import sys\nframe = sys._getframe()\nreturn frame.f_back.f_locals"
        ),
        "dunder text": "import operator\ndef angular_speeds(d):\n"
        "    return operator.attrgetter('__class__.__base__')(d)",
        "liar": "class Liar(np.ndarray):\n    def __eq__(self, other): return True\n"
        "    def __array_ufunc__(self, *a, **k): return True\n\n"
        "def angular_speeds(d):\n    return np.zeros(d // 2).view(Liar)",
        "channel": _in("import os\nfor fd in range(3, 30):\n    os.write(fd, b'{}')"),
        "markup": _in(
            "raise ValueError('</code><script>alert(1)</script>`\\x1b[31m\u202e')"
        ),
    }
