"""Multiple-choice questions."""

import html
import re
from dataclasses import dataclass

from helpers.checks.feedback import (
    CORRECT,
    Feedback,
    not_attempted,
    show,
    wrong,
)
from helpers.checks.tasks import Task

_CARD = (
    "border: 1px solid rgba(128, 128, 128, 0.5); border-radius: 4px; "
    "padding: 4px 12px; margin: 4px 0px; max-width: 46em"
)
_TAGS = {"`": "code", "**": "b", "*": "i"}


@dataclass(frozen=True)
class Choice:
    """One option of a question, and what to tell whoever picks it."""

    text: str
    feedback: str
    right: bool = False


class Question(Task):
    """A multiple-choice question; every choice has its own feedback."""

    kind = "question"

    def __init__(self, name, text, choices, hints):
        super().__init__(name, hints)
        self.text = text
        self.choices = dict(zip("abcdefgh", choices, strict=False))
        (self.answer,) = [key for key, c in self.choices.items() if c.right]

    def ask(self):
        """Show the question, and its choices as cards that open with their feedback."""
        cards = [
            f'<details style="{_CARD}"><summary><b>{key}</b> · {_inline(choice.text)}'
            f"</summary>\n\n{self.judge(key)._repr_markdown_()}\n\n</details>"
            for key, choice in self.choices.items()
        ]
        lines = [f"- {key} · {choice.text}" for key, choice in self.choices.items()]
        markdown = "\n\n".join([self.text, *cards])
        show(markdown, "\n".join([self.text.replace("**", ""), "", *lines]))

    def judge(self, answer):
        """The Feedback on a letter, e.g. "b"; not shown."""
        letters = ", ".join(f'"{key}"' for key in self.choices)
        if answer is ... or answer is None or answer == "":
            return not_attempted(f"Choose one of {letters}.")
        key = self.key(answer)
        if key is None:
            return wrong(
                f"Choose one of {letters}; got `{answer!r}`.", "no such choice"
            )
        choice = self.choices[key]
        if choice.right:
            return Feedback(CORRECT, choice.feedback)
        return wrong(choice.feedback, key)

    def judged(self, answer):
        """``choice``, the letter, or None where it is none."""
        return {"choice": self.key(answer)}

    def key(self, answer):
        """The letter that an answer chooses, or None where it is none."""
        key = answer.strip(" .)(").lower() if isinstance(answer, str) else None
        return key if key in self.choices else None

    def _solution(self):
        choice = self.choices[self.answer]
        text = f"**{self.answer}** · {choice.text}\n\n{choice.feedback}"
        return text, text.replace("**", "")


def _inline(text):
    """One line of Markdown as HTML: inside of a summary, no Markdown is read."""
    marked = r"(?P<mark>`|\*\*|\*)(?P<text>.+?)(?P=mark)"

    def tagged(match):
        tag = _TAGS.get(match["mark"])
        return f"<{tag}>{match['text']}</{tag}>" if tag else match[0]

    return re.sub(rf"\$[^$]*\$|{marked}", tagged, html.escape(text))
