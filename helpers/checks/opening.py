"""When solutions open: a handout may keep them until a day, or until further notice.

`make editions SOLUTIONS=2027-03-01` (or `later`) writes the file that is read here.
Whoever looks for a reference in these modules finds it: this is no lock.
"""

import datetime
from pathlib import Path

_FILE = Path(__file__).with_name("solutions.txt")
LATER = "later"


def checked(when):
    """A date as text, or "later"; ValueError for anything else."""
    return when if when == LATER else datetime.date.fromisoformat(when).isoformat()


def sentence(when):
    """What stands in the place of a solution that opens later."""
    if when == LATER:
        return "Solutions open later: ask your instructor when."
    return f"Solutions open on {when}."


def closed():
    """The sentence that says when solutions open; None where they are open."""
    try:
        when = checked(_FILE.read_text(encoding="utf-8").strip())
    except (OSError, ValueError):
        return None
    today = datetime.date.today().isoformat()
    return sentence(when) if when == LATER or today < when else None
