"""What to do after a cell that stopped at a name that this kernel doesn't know."""

import re

from helpers.checks.feedback import interactive_shell, show

_LETTER = "An answer is a letter in quotes, as in `check({!r})`."
_NAME = (
    "**`{}` is not defined in this kernel.** Run the cell that defines it, or mend the "
    "spelling. After a restart, *Run → Run All Above Selected Cell* runs them all."
)


def explain_undefined_names():
    """From now on, a sentence below each NameError says what to do."""
    shell = interactive_shell()
    if shell and _explain not in shell.events.callbacks["post_run_cell"]:
        shell.events.register("post_run_cell", _explain)


def _explain(result):
    error = result.error_in_exec
    if type(error) is NameError and error.name:
        cell = getattr(result.info, "raw_cell", "")
        letter = re.search(rf"\.check\({error.name}\)", cell) and len(error.name) == 1
        said = (_LETTER if letter else _NAME).format(error.name)
        show(said, said)
