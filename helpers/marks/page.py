"""class.html, about what the class believes, without names; and a page for each student.

On top three things for tomorrow: what most students of those who handed in got wrong,
with what the check tells them and where the notes treat it.
"""

import html
import re
from collections import Counter
from pathlib import Path

from helpers.marks import reading
from helpers.publish.lesson import notebook_paths, read_lesson, read_notes
from helpers.publish.pages import rendered, with_font
from helpers.publish.prose import Prose

_THEME = Path(__file__).parent / "theme"


def write(output, areas, results):
    """Write class.html and feedback/NAME.html; returns the paths of both."""
    prose = Prose([])
    chapters = [_chapter(area, results, prose) for area in areas]
    pairs = [(t, row) for c in chapters for t in c["tasks"] for row in t["rows"]]
    wrong = [pair for pair in pairs if pair[1]["kind"] == "wrong"]
    first = sorted(wrong, key=lambda pair: -pair[1]["share"])[:3]
    page, folder = output / "class.html", output / "feedback"
    parts = {"chapters": chapters, "first": first, "students": len(results)}
    texts = {page: rendered("class.html.j2", _THEME, **parts)}
    folder.mkdir(exist_ok=True)
    tasks, used = reading.tasks_of(*areas), Counter()
    for result in results:
        about = result.submission
        name = re.sub(r"[^\w() -]", "_", f"{about.student} {about.number}".strip())[:80]
        used[name] += 1
        name += f" ({used[name]})" * (used[name] > 1)
        rows = [_own(tasks[c], c, v, prose) for c, v in result.verdicts.items()]
        parts = {"result": result, "rows": rows}
        texts[folder / f"{name}.html"] = rendered("feedback.html.j2", _THEME, **parts)
    for path, text in zip(texts, with_font(*texts.values()), strict=True):
        path.write_text(text, encoding="utf-8")
    return page, folder


def _own(task, column, verdict, prose):
    """A student's row: what the task is, how it stands, what the check says."""
    if task.kind == "exercise":
        ours = [mistake.sentence for mistake in task.mistakes]
    else:
        ours = [choice.feedback for choice in task.choices.values()]
    said = verdict.message
    if verdict.status == reading.NOT_JUDGED:
        said = "Your instructor looks at this one."
    said = prose.html(said) if said in ours else plain(said)
    return {"name": column, "status": verdict.status, "said": said}


def _chapter(area, results, prose):
    (path,) = [p for p in notebook_paths() if p.stem[3:] == area]
    lesson = read_lesson(path)
    notes = read_notes(lesson.stem)
    handed_in = [result.verdicts for result in results if result.has(area)]
    tasks = [
        _task(placed, section, notes, [v[placed.call] for v in handed_in], prose)
        for section in lesson.sections
        for placed in section.tasks
    ]
    tasks.sort(key=lambda task: -task["wrong"] / max(task["right"] + task["wrong"], 1))
    title, count = lesson.title, len(handed_in)
    return {"area": area, "title": title, "count": count, "tasks": tasks}


def _task(placed, section, notes, verdicts, prose):
    task, exercise = placed.task, placed.task.kind == "exercise"
    counts = Counter(v.status for v in verdicts)
    text = f"```python\n{task.stub}```" if exercise else task.text
    rows_of = _exercise_rows if exercise else _question_rows
    return {
        "column": placed.call,
        "anchor": placed.call.replace(".", "-"),
        "about": placed.label[0].upper() + placed.label[1:],
        "exercise": exercise,
        "text": prose.html(text),
        "rows": rows_of(task, verdicts, prose),
        "right": counts["correct"],
        "wrong": counts["incorrect"],
        "none": sum(counts[status] for status in reading.WITHOUT),
        "section": f"{section.number}. {section.title}",
        "notes": prose.html(notes.sections[section.number][1]),
    }


def _exercise_rows(task, verdicts, prose):
    sentences = {m.name: prose.html(m.sentence) for m in task.mistakes}
    wrong = [v for v in verdicts if v.status == "incorrect"]
    rows = [_row("right", "right", sum(v.status == "correct" for v in verdicts))]
    examples = {v.mistake or "no name": v.message for v in reversed(wrong)}
    for name, count in Counter(v.mistake or "no name" for v in wrong).most_common():
        said = sentences.get(name, plain(examples[name]))
        rows.append(_row("wrong", html.escape(name), count, said))
    return _shared(rows, verdicts)


def _question_rows(question, verdicts, prose):
    letters, rows = Counter(v.letter for v in verdicts if v.letter), []
    for letter, choice in question.choices.items():
        kind = "right" if choice.right else "wrong"
        name = f"<b>{letter}</b> {prose.line(choice.text)}"
        name += ' <span class="sign">✔ right</span>' * (kind == "right")
        rows.append(_row(kind, name, letters[letter], prose.html(choice.feedback)))
    return _shared(rows, verdicts)


def _row(kind, name, count, said=""):
    return {"kind": kind, "name": name, "count": count, "said": said, "share": None}


def _shared(rows, verdicts):
    """The rows with their shares of those who answered, and those who did not."""
    answered = sum(v.status not in reading.WITHOUT for v in verdicts)
    rows = [row for row in rows if row["count"] or row["kind"] == "right"]
    for row in rows:
        row["share"] = row["count"] / max(answered, 1)
    counts = Counter(v.status for v in verdicts)
    return rows + [_row("none", s, counts[s]) for s in reading.WITHOUT if counts[s]]


def plain(message):
    """A message as HTML: what an answer raised or printed may be in it."""
    parts = [
        f"<code>{html.escape(piece)}</code>" if n % 2 else html.escape(piece)
        for n, piece in enumerate(re.split(r"`([^`]*)`", message))
    ]
    return "".join(parts).replace("\n\n", "<br>")
