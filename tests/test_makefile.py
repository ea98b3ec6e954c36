"""What `make` does before it runs anything of ours: the environment, and root."""

import os
import shutil
import stat
import subprocess

import pytest
from stored import ROOT, needs_make

pytestmark = needs_make


def make(folder, *arguments, path=()):
    """What `make` prints and returns in a folder, with folders first in PATH."""
    places = os.pathsep.join([*map(str, path), os.environ["PATH"]])
    return subprocess.run(
        ["make", "--no-print-directory", "-C", folder, *arguments],
        env={**os.environ, "PATH": places},
        capture_output=True,
        text=True,
    )


def script(place, text):
    """An executable of that text."""
    place.parent.mkdir(exist_ok=True)
    place.write_text(f"#!/bin/sh\n{text}\n")
    place.chmod(place.stat().st_mode | stat.S_IXUSR)
    return place


@pytest.fixture
def copy(tmp_path):
    """The files that decide what is installed, in a folder of their own."""
    for name in ("Makefile", *_installed()):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def _installed():
    lines = (ROOT / "Makefile").read_text(encoding="utf-8").splitlines()
    (line,) = [line for line in lines if line.startswith("INSTALLED = ")]
    return line.removeprefix("INSTALLED = ").split()


@pytest.fixture
def ready(copy):
    """The same folder, as it is after an installation."""
    (copy / ".venv").mkdir()
    installed = b"".join((copy / name).read_bytes() for name in _installed())
    (copy / ".venv/installed").write_bytes(installed)
    (copy / ".venv/ready").touch()
    return copy


@pytest.mark.parametrize(("user", "root"), [(0, True), (1000, False)])
def test_the_lab_starts_for_root_too(ready, user, root):
    script(ready / "bin/id", f"echo {user}")
    said = make(ready, "-n", "lab", "ARGS=--no-browser", path=[ready / "bin"]).stdout
    assert ("--allow-root" in said) == root
    assert "--no-browser 01_formula.ipynb" in said and "cd mine" in said


def test_what_is_installed_is_not_installed_again_whatever_the_dates(ready):
    os.utime(ready / "requirements.txt")
    os.utime(ready / ".venv/ready", (0, 0))
    assert "pip install" not in make(ready, "-n", "lab").stdout


@pytest.mark.parametrize("name", ["requirements.txt", "pyproject.toml"])
def test_new_pins_are_installed_even_if_their_file_is_older(ready, name):
    with (ready / name).open("a") as file:
        file.write("# a newer edition's\n")
    os.utime(ready / name, (0, 0))
    assert "pip install" in make(ready, "-n", "lab").stdout


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        ("ensurepip", "install the package python3-venv"),
        (r"venv\ .venv", "could not be created"),
        ("version_info", "Python 3.11 or newer is needed"),
        (None, "Python is missing"),
    ],
)
def test_what_goes_wrong_is_named(copy, call, sentence):
    fake = copy / "bin/python3"
    if call:
        script(fake, f'case "$*" in *{call}*) exit 1;; esac')
    said = make(copy, f"PYTHON={fake}", ".venv/ready")
    assert said.returncode != 0 and sentence in said.stdout
