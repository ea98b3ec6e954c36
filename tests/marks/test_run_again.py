"""The README's lines for whoever wants answers run again do what they say."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import class_of
import pytest
from stored import ROOT
from test_class import SPEEDS, table_in, write

README = ROOT / "helpers" / "marks" / "README.md"


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("find"), reason="the lines are for a POSIX shell")
def test_notebooks_that_were_not_run_are_judged_after_the_two_lines(tmp_path):
    (lines,) = re.findall(r"^find .*\n.*$", README.read_text(encoding="utf-8"), re.M)
    notebook = class_of.filled(angular_speeds=class_of.DOUBLED)
    wanted = ("import", SPEEDS, "def angular_speeds")
    notebook.cells = [
        cell for cell in notebook.cells if any(part in cell.source for part in wanted)
    ]
    notebook.cells[-1].source += "\nraise ValueError('and goes on')"
    text = class_of.changed(notebook, class_of.without_outputs)
    write(tmp_path / "submissions", {"ann/01_formula.ipynb": text})
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    subprocess.run(
        ["sh", "-e", "-c", f"{lines} --output {tmp_path / 'out'}"],
        cwd=tmp_path,
        check=True,
        env={**os.environ, "PATH": programs, "PYTHONPATH": str(ROOT)},
        capture_output=True,
    )
    row = table_in(tmp_path / "out" / "marks.csv")["ann"]
    assert row[SPEEDS] == "incorrect: doubled exponent"
