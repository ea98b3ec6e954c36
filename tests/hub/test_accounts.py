"""The recipe FOR A CLASS: students are accounts of the machine, with private files.

It makes two accounts and removes them again, so it runs only where that is wanted: as
root, in CI or with HUB_ACCOUNTS=1, where other accounts may read this Python.
"""

import contextlib
import os
import re
import shutil
import stat
import subprocess
import sys
import uuid
from pathlib import Path

import pytest
from classroom import PASSWORD, RECIPE, Hub, Student

pytestmark = pytest.mark.hub

TRIAL = r"# --- Who may enter.*?(?=^# --- A student's server)"


def why_not():
    """Why the test cannot run on this machine, or nothing."""
    if not (os.environ.get("CI") or os.environ.get("HUB_ACCOUNTS")):
        return "it makes accounts on this machine: HUB_ACCOUNTS=1 allows it"
    if sys.platform != "linux" or os.geteuid() or not shutil.which("useradd"):
        return "accounts are made by root, with useradd"
    for place in map(Path, (f"{sys.prefix}/bin", f"{sys.base_prefix}/bin", RECIPE)):
        for folder in place.resolve().parents:
            if not folder.stat().st_mode & stat.S_IXOTH:
                return f"other accounts may not read {folder}"
    return ""


@pytest.fixture(scope="module")
def accounts():
    """The names of two new accounts, each with a home that only it may enter."""
    if reason := why_not():
        pytest.skip(reason)
    names = [f"lesson-{part}-{uuid.uuid4().hex[:6]}" for part in ("ana", "ben")]
    try:
        for name in names:
            subprocess.run(["useradd", "--create-home", name], check=True)
            Path(f"~{name}").expanduser().chmod(0o700)
        lines = "".join(f"{name}:{PASSWORD}\n" for name in names)
        subprocess.run(["chpasswd"], input=lines, text=True, check=True)
        yield names
    finally:
        for name in names:
            subprocess.run(["pkill", "-KILL", "-u", name], capture_output=True)
            subprocess.run(["userdel", "--remove", name], capture_output=True)


@pytest.fixture(scope="module")
def class_hub(accounts, tmp_path_factory):
    """The recipe with the paragraph of the trial deleted, as it says."""
    folder = tmp_path_factory.mktemp("class")
    text = RECIPE.read_text(encoding="utf-8")
    text = re.sub(TRIAL, "", text, flags=re.M | re.S)
    recipe = folder / "jupyterhub_config.py"
    allowed = f"\nc.Authenticator.allowed_users = {set(accounts)!r}\n"
    recipe.write_text(text + allowed, encoding="utf-8")
    with Hub(folder, recipe) as hub:
        yield hub


@pytest.fixture(scope="module")
def kernels(class_hub, accounts):
    """A kernel for each student, logged in with the account's password."""
    with contextlib.ExitStack() as stack:
        found = {}
        for name in accounts:
            student = stack.enter_context(contextlib.closing(Student(class_hub, name)))
            assert not student.log_in("another password")
            assert student.log_in()
            student.follow("/hub/user-redirect/lab")
            format = {"nbformat": 4, "nbformat_minor": 5}
            student.save("mine.ipynb", {"cells": [], "metadata": {}, **format})
            found[name] = stack.enter_context(student.kernel("mine.ipynb"))
        yield found


def test_each_works_in_an_own_account(kernels):
    for name, kernel in kernels.items():
        code = "import getpass, os; print(getpass.getuser(), os.getcwd())"
        assert kernel.run(code) == f"{name} {Path(f'~{name}').expanduser()}"
        assert kernel.run("from helpers import PositionalEncoding; print(1)") == "1"


def test_nobody_reads_or_writes_anothers_files_or_enters_a_kernel(kernels):
    ana, ben = kernels.values()
    theirs = str(Path(f"~{[*kernels][1]}").expanduser() / "mine.ipynb")
    assert ben.run(f"print(open({theirs!r}).read(1))") == "{"
    assert ana.run(f"open({theirs!r}).read()") == "PermissionError"
    assert ana.run(f"open({theirs!r}, 'w')") == "PermissionError"
    where = "import os, ipykernel.connect as c; "
    where = ben.run(f"{where}print(os.path.dirname(c.get_connection_file()))")
    assert Path(where).stat().st_mode & 0o077 == 0
    assert ana.run(f"import os; os.listdir({where!r})") == "PermissionError"
