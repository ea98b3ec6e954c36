"""The instructor's notes as one page to print: a notebook begins on a sheet of its own."""

from helpers.publishing.printing import formulas, rendered


def page(lessons, notes):
    """The HTML of all notes, formulas as MathML, complete in itself.

    ``lessons`` and ``notes`` go together, in order. BuildError where a formula cannot
    be set, or where the packages for formulas are missing.
    """
    _, html = formulas()
    stems = [lesson.stem for lesson in lessons]
    parts = []
    for lesson, note in zip(lessons, notes, strict=True):
        prose = html.Prose(stems)  # each notebook has headings of its own
        sections = [
            {
                "number": section.number,
                "title": prose.line(section.title),
                "minutes": section.minutes,
                "start": section.start,
                "end": section.start + section.minutes,
                "notes": prose.html(note.sections[section.number][1]),
            }
            for section in lesson.sections
        ]
        parts.append(
            {
                "title": prose.line(lesson.title),
                "minutes": lesson.minutes,
                "before": prose.html(note.before),
                "sections": sections,
                "after": prose.html(note.after),
            }
        )
    return rendered("notes.html.j2", parts=parts)
