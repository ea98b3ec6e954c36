"""A check judges what the student sees, or says that it does not."""

import pytest
from IPython.core.interactiveshell import InteractiveShell

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
