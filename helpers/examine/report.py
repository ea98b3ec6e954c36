"""What is shown: facts, a line each, and the section that explains it."""

from helpers.examine.trying import seconds_left

NOT_SURE = "not sure"
OVER = "The time for a report was over: what is missing was not tried."

# The notebook and the section that explain a fact, where it matters in use.
EXPLAINED = {
    "numbers": "01 §5",
    "layout": "07 §2",
    "axis": "05 §6",
    "kept as": "05 §2",
    "follows .to()": "05 §2",
    "in the checkpoint": "05 §2",
    "trained": "05 §2",
    "shorter": "05 §1",
    "beyond": "05 §5",
    "odd width": "01 §5",
    "dropout": "05 §1",
    "input times": "05 §4",
    "changes input": "05 §6",
    "largest error": "02 §4",
    "direction": "10 §1",
    "speeds": "10 §4",
    "only the offset counts": "07 §1",
    "spread in bfloat16": "10 §7",
    "norm kept": "10 §7",
}
BRACKETS = "In brackets: the notebook and the section that explain a line."


def yes(fact):
    """The word for a fact that holds or does not."""
    return "yes" if fact else "no"


class Report:
    """Facts about somebody's code; ``facts`` is a dict, ``notes`` are sentences.

    It judges nothing. What could not be found out is "not sure", and a note says why.
    """

    def __init__(self, subject, facts, notes=()):
        self.subject = subject
        self.facts = facts
        self.notes = [*notes, OVER] if seconds_left() < 0 else [*notes]

    def __repr__(self):
        lines = [self.subject]
        for name, value in self.facts.items():
            text = f"{value:.2g}" if isinstance(value, float) else value
            section = f"  ({EXPLAINED[name]})" if name in EXPLAINED else ""
            lines.append(f"  {name:23} {text}{section}")
        return "\n".join([*lines, *self.notes, BRACKETS])
