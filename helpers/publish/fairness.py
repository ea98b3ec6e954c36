"""Whether a choice gives itself away by its form: ``python -m helpers.publish.fairness``.

Prints by lesson how many of the right choices and of the wrong ones give a reason, and
how often the right one is the shortest or the longest of its question (a tie counts).
Whoever has not understood a question should learn nothing from these.
"""

import re

import pandas as pd

from helpers import lessons

# Words that give a reason. "As", "so" and "for" give one after a comma only.
_REASON = re.compile(
    r"\b(because|since|so that|therefore|hence|due to|thanks to|owing to)\b"
    r"|, (as|so|for) ",
    re.IGNORECASE,
)


def choices(tasks):
    """A row for each choice of the questions among some tasks."""
    rows = [
        (task.lesson, task.name, bool(choice.right), choice.text)
        for task in tasks
        if task.kind == "question"
        for choice in task.choices.values()
    ]
    table = pd.DataFrame(rows, columns=["lesson", "question", "right", "text"])
    table["reason"] = table.text.map(lambda text: bool(_REASON.search(text)))
    table["length"] = table.text.str.len()
    of_question = table.groupby("question").length
    table["shortest"] = table.length == of_question.transform("min")
    table["longest"] = table.length == of_question.transform("max")
    return table


def form(table):
    """Shares, from 0 to 1, over the choices of some questions."""
    right = table[table.right]
    wrong = table[~table.right]
    return {
        "right with a reason": right.reason.mean(),
        "wrong with a reason": wrong.reason.mean(),
        "right is shortest": right.shortest.mean(),
        "right is longest": right.longest.mean(),
    }


if __name__ == "__main__":
    every = choices(lessons.ALL)
    found = {name: form(part) for name, part in every.groupby("lesson", sort=False)}
    print(
        pd.DataFrame({**found, "all": form(every)}).T.map("{:.0%}".format).to_string()
    )
