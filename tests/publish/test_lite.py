"""The contents for JupyterLite, run as a browser's kernel would; no browser has yet."""

import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from helpers.publish import lite


@pytest.fixture(scope="module")
def contents(tmp_path_factory):
    return lite.build(tmp_path_factory.mktemp("lite") / "contents")


def test_the_first_cell_says_what_is_fetched(contents):
    notebooks = sorted(contents.glob("*.ipynb"))
    assert [path.stem[:2] for path in notebooks] == list(lite.WITHOUT_TORCH)
    for path in notebooks:
        first, *_ = [
            cell
            for cell in nbformat.read(path, as_version=4).cells
            if cell.cell_type == "code"
        ]
        assert "from the web" in first.source and "%pip" in first.source
    assert not (contents / "helpers" / "marks").exists()


@pytest.mark.slow
@pytest.mark.parametrize("number", lite.WITHOUT_TORCH)
def test_it_runs_without_signals_threads_processes_and_torch(contents, number):
    (path,) = contents.glob(f"{number}_*.ipynb")
    program = Path(__file__).with_name("as_pyodide.py")
    command = [sys.executable, "-P", str(program), path.name]
    done = subprocess.run(command, cwd=contents, capture_output=True, text=True)
    assert (done.stdout.strip(), done.returncode) == ("", 0), done.stderr
