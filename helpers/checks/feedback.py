"""What a check answers: a verdict in sign, word and colour, and how it is shown."""

import html
import re
import sys

CORRECT = "correct"
INCORRECT = "incorrect"
NOT_ATTEMPTED = "not attempted"
SIGNS = {
    CORRECT: ("✔", "Correct."),
    INCORRECT: ("✘", "Not yet."),
    NOT_ATTEMPTED: ("○", "Not attempted."),
}
KEY = "helpers"  # of the verdict in the metadata of a check's output
# Red, green and blue of the frame. Each has a contrast of 3:1 at least against the
# page of JupyterLab's light theme and of its dark one; the text keeps the theme's own.
_COLOURS = {
    CORRECT: (46, 139, 87),
    INCORRECT: (214, 86, 28),
    NOT_ATTEMPTED: (128, 128, 128),
}


class Feedback:
    """The verdict on one answer.

    ``status`` is "correct", "incorrect" or "not attempted"; ``mistake`` the name of
    the mistake or None; ``message`` one or more sentences of Markdown. ``record`` is
    what `check` leaves in the notebook beside the text: see `Task.record`. ``folds`` are
    (title, Markdown) of what it offers below. What was not attempted is shown in one
    quiet line, which unfolds to the first hint.
    """

    def __init__(self, status, message, mistake=None):
        self.status = status
        self.message = message
        self.mistake = mistake
        self.folds = []
        self.record = None
        self._shown_in = None

    def __repr__(self):
        sign, word = SIGNS[self.status]
        return f"{sign} {word} {self.message}"

    def _repr_markdown_(self):
        sign, word = SIGNS[self.status]
        return f"{sign} **{word}** {self.message}"

    def _ipython_display_(self):
        # `check` has shown it already when it is also the last line of that cell.
        if self._shown_in is None or self._shown_in != _cell_number():
            self.show()

    def show(self):
        """Display it; returns itself."""
        self._shown_in = _cell_number()
        folds = [folded(*fold) for fold in self.folds]
        if self.status != NOT_ATTEMPTED:
            said = framed("\n\n".join([self._repr_markdown_(), *folds]), self.status)
        elif self.folds:
            line = f"{_inline(self._repr_markdown_())} <i>A hint is inside.</i>"
            said = folded(line, self.folds[0][1])
        else:
            said = self._repr_markdown_()
        show(said, repr(self), self.record)
        return self


def wrong(message, mistake):
    """The Feedback on a wrong answer."""
    return Feedback(INCORRECT, message, mistake)


def not_attempted(message):
    """The Feedback where there is nothing to judge yet."""
    return Feedback(NOT_ATTEMPTED, message)


def framed(markdown, status):
    """Markdown with a frame in the colour of a status.

    Markdown inside of HTML needs the empty lines. Where styles are taken out, as on
    GitHub, the text stays: sign and word say what the colour says.
    """
    colour = ", ".join(map(str, _COLOURS[status]))
    style = (
        f"border: 1px solid rgb({colour}); border-left: 6px solid rgb({colour}); "
        f"border-radius: 4px; background-color: rgba({colour}, 0.08); "
        "padding: 8px 12px 0px 12px; margin: 2px 0px 2px 0px"
    )
    return f'<div style="{style}">\n\n{markdown}\n\n</div>'


def folded(title, markdown):
    """Markdown below a title that opens it. Markdown inside of HTML needs the lines."""
    style = "margin-bottom: 8px"
    inside = f"<summary>{title}</summary>\n\n{markdown}\n\n"
    return f'<details style="{style}">{inside}</details>'


def _inline(markdown):
    """Markdown as HTML in one block: inside of a title, no Markdown is read."""
    text = html.escape(markdown, quote=False).replace("\n\n", "<br>")
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
    return re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", text)


def show(markdown, plain, record=None):
    """Display Markdown in a notebook, and print plain text elsewhere.

    A record becomes metadata of the notebook's output. Some editors drop metadata, so
    the verdict on an attempt is the last line of its text/plain too.
    """
    if kernel():
        from IPython.display import display

        if record and record["status"] != NOT_ATTEMPTED:
            parts = (record["task"], record["status"], record["mistake"])
            plain += f"\n[{': '.join(filter(None, parts))}]"
        display(
            {"text/markdown": markdown, "text/plain": plain},
            metadata={KEY: record} if record else None,
            raw=True,
        )
    else:
        print(plain)


def interactive_shell():
    """IPython's shell, in a notebook or in a terminal, or None."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython else None


def kernel():
    """The shell of the notebook in which this runs, or None."""
    shell = interactive_shell()
    return shell if hasattr(shell, "kernel") else None


def _cell_number():
    return getattr(kernel(), "execution_count", None)
