"""Multiple-choice questions."""

from dataclasses import dataclass

from helpers.checks.feedback import CORRECT, Feedback, not_attempted, wrong
from helpers.checks.tasks import Task


@dataclass(frozen=True)
class Choice:
    """One option of a question, and what to tell whoever picks it."""

    text: str
    feedback: str
    right: bool = False


class Question(Task):
    """A multiple-choice question; every choice has its own feedback."""

    kind = "question"
    solution_title = "The answer"
    after_title = "What about the other choices?"

    def __init__(self, name, text, choices, hints):
        super().__init__(name, hints)
        self.text = text
        self.choices = dict(zip("abcdefgh", choices, strict=False))
        (self.answer,) = [key for key, c in self.choices.items() if c.right]

    def markdown(self):
        """The question and its lettered choices: the notebook's cell above the check."""
        listed = [f"- **{key}** · {c.text}" for key, c in self.choices.items()]
        return "\n".join([f"**Question.** {self.text}", "", *listed])

    def judge(self, answer):
        """The Feedback on a letter, e.g. "b"; not shown."""
        letters = ", ".join(f'"{key}"' for key in self.choices)
        if answer is ... or answer is None or answer == "":
            return not_attempted(f"Put one of {letters} in the place of the dots.")
        key = self.key(answer)
        if key is None:
            return wrong(
                f"Choose one of {letters}; got `{answer!r}`.", "no such choice"
            )
        choice = self.choices[key]
        if choice.right:
            return Feedback(CORRECT, choice.feedback)
        return wrong(choice.feedback, key)

    def fingerprint(self, answer):
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

    def _after(self):
        others = [(key, c) for key, c in self.choices.items() if not c.right]
        return "\n\n".join(f"**{key}** · {c.text}  \n{c.feedback}" for key, c in others)
