"""A check judges what the student sees, or says that it does not."""

import pytest
from IPython.core.interactiveshell import InteractiveShell

from helpers.checks.undefined_name import explain_undefined_names

GIVEN = "def count(k):\n    return 3 * k - 1\n"


@pytest.fixture
def shell():
    shell = InteractiveShell.instance()
    shell.run_cell("from answers import COUNT", store_history=True)
    yield shell
    InteractiveShell.clear_instance()


def told(shell, *cells):
    for cell in cells:
        shell.run_cell(cell, store_history=True, silent=False)
    shell.run_cell("said = COUNT.judge(count).message", store_history=True)
    return shell.user_ns["said"]


def test_an_edit_that_did_not_run_is_told(shell, capsys):
    assert "did not run" not in told(shell, GIVEN)
    wrong = told(shell, GIVEN, "def count(k)\n    return 3 * k + 1\n")
    assert "`count` did not run" in wrong and "line 1" in wrong
    failed = told(shell, GIVEN, "1 / 0\ndef count(k):\n    return 3 * k + 1\n")
    assert "`count` did not run" in failed
    assert "did not run" not in told(shell, GIVEN.replace("- 1", "+ 1"), "1 / 0")


@pytest.mark.parametrize(
    ("cell", "told", "times"),
    [
        ("position_table(3)", "`position_table` is not defined in this kernel", 1),
        ("COUNT.check(b)", "`check('b')`", 1),
        ("int('three')", "not defined", 0),
    ],
)
def test_a_name_that_a_restart_forgot_is_explained(shell, capsys, cell, told, times):
    explain_undefined_names()
    explain_undefined_names()  # as each lesson does: told once all the same
    shell.run_cell(cell)
    assert capsys.readouterr().out.count(told) == times
