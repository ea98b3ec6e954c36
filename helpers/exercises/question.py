"""Multiple-choice questions."""

from dataclasses import dataclass

from helpers.exercises.feedback import (
    CORRECT,
    Feedback,
    not_attempted,
    show,
    wrong,
)
from helpers.exercises.tasks import Task


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
        """Show the question and its choices."""
        lines = [f"- **{key}** · {choice.text}" for key, choice in self.choices.items()]
        text = f"{self.text}\n\n" + "\n".join(lines)
        show(text, text.replace("**", ""))

    def judge(self, answer):
        """The Feedback on a letter, e.g. "b"; not shown."""
        letters = ", ".join(f'"{key}"' for key in self.choices)
        if answer is ... or answer is None or answer == "":
            return not_attempted(f"Choose one of {letters}.")
        key = answer.strip(" .)(").lower() if isinstance(answer, str) else answer
        if not isinstance(key, str) or key not in self.choices:
            return wrong(
                f"Choose one of {letters}; got `{answer!r}`.", "no such choice"
            )
        choice = self.choices[key]
        if choice.right:
            return Feedback(CORRECT, choice.feedback)
        return wrong(choice.feedback, key)

    def _solution(self):
        choice = self.choices[self.answer]
        text = f"**{self.answer}** · {choice.text}\n\n{choice.feedback}"
        return text, text.replace("**", "")
