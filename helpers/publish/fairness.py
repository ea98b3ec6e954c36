"""Whether a choice gives itself away by its form: ``python -m helpers.publish.fairness``.

Of the right choices and of the wrong ones, how many give a reason; and how often the
right one is the shortest or the longest of its question (a tie counts). Whoever has not
understood a question should learn nothing from these.
"""

import re
from dataclasses import dataclass
from importlib import import_module

from helpers import lessons

# Words that give a reason. "As" and "so" give one after a comma only.
_REASON = re.compile(
    r"\b(because|since|so that|therefore|hence|due to|thanks to|owing to)\b"
    r"|, (as|so|for) ",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Form:
    """Shares, from 0 to 1, over some questions."""

    right_with_reason: float
    wrong_with_reason: float
    right_is_shortest: float
    right_is_longest: float


def form(questions):
    """The Form of the choices of some questions."""
    right = [question.choices[question.answer].text for question in questions]
    wrong = [
        [c.text for c in question.choices.values() if not c.right]
        for question in questions
    ]
    every_wrong = [text for texts in wrong for text in texts]
    pairs = [
        (len(one), [*map(len, texts)]) for one, texts in zip(right, wrong, strict=True)
    ]
    return Form(
        _share(_REASON.search(text) for text in right),
        _share(_REASON.search(text) for text in every_wrong),
        _share(own <= min(others) for own, others in pairs),
        _share(own >= max(others) for own, others in pairs),
    )


def _share(found):
    found = [bool(one) for one in found]
    return sum(found) / len(found)


def main():
    """Print the shares of each lesson and of all."""
    print(f"{'':18} questions  reason: right wrong   right is: shortest longest")
    by_area = {
        area: import_module(f"helpers.lessons.{area}").TASKS for area in lessons.AREAS
    }
    for name, tasks in {**by_area, "all": lessons.ALL}.items():
        questions = [task for task in tasks if task.kind == "question"]
        if questions:
            found = form(questions)
            print(
                f"{name:18} {len(questions):9} {found.right_with_reason:14.0%} "
                f"{found.wrong_with_reason:5.0%} {found.right_is_shortest:19.0%} "
                f"{found.right_is_longest:7.0%}"
            )


if __name__ == "__main__":
    main()
