"""What `make` does before it runs anything of ours: the environment, and root."""

import os
import shutil
import subprocess
import sys

import pytest
from stored import ROOT

pytestmark = pytest.mark.skipif(
    sys.platform == "win32" or not shutil.which("make"), reason="needs make"
)


def make(folder, *arguments, path=()):
    """What `make` prints and returns in a folder, with folders first in PATH."""
    places = os.pathsep.join([*map(str, path), os.environ["PATH"]])
    return subprocess.run(
        ["make", "--no-print-directory", "-C", folder, *arguments],
        env={**os.environ, "PATH": places},
        capture_output=True,
        text=True,
    )


INSTALLED = ("requirements.txt", "pyproject.toml")


@pytest.fixture
def ready(tmp_path):
    """A folder with what decides what is installed, as it is after an installation."""
    for name in ("Makefile", *INSTALLED):
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / ".venv").mkdir()
    installed = b"".join((tmp_path / name).read_bytes() for name in INSTALLED)
    (tmp_path / ".venv/installed").write_bytes(installed)
    (tmp_path / ".venv/ready").touch()
    return tmp_path


@pytest.mark.parametrize(("user", "root"), [(0, True), (1000, False)])
def test_the_lab_starts_for_root_too(ready, user, root):
    program = ready / "bin/id"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\necho {user}\n")
    program.chmod(0o755)
    (ready / "notebooks").mkdir()
    for name in ("01_b.ipynb", "00_a.ipynb", "10_c.ipynb", "a.ipynb"):
        (ready / "notebooks" / name).touch()
    said = make(ready, "-n", "lab", "ARGS=--no-browser", path=[ready / "bin"]).stdout
    assert ("--allow-root" in said) == root
    assert "--no-browser 00_a.ipynb" in said and "cd mine" in said


def test_what_is_installed_is_not_installed_again_whatever_the_dates(ready):
    os.utime(ready / "requirements.txt")
    os.utime(ready / ".venv/ready", (0, 0))
    assert "pip install" not in make(ready, "-n", "lab").stdout


@pytest.mark.parametrize("name", INSTALLED)
def test_new_pins_are_installed_even_if_their_file_is_older(ready, name):
    with (ready / name).open("a") as file:
        file.write("# a newer edition's\n")
    os.utime(ready / name, (0, 0))
    assert "pip install" in make(ready, "-n", "lab").stdout
