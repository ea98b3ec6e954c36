"""The instructor's notes as one page to print: a notebook begins on a sheet of its own."""

from jinja2 import Environment, PackageLoader, StrictUndefined

from helpers.publishing.lesson import BuildError

_PLACE = "/*the font of the formulas*/"  # filled in once the page is known


def page(lessons, notes):
    """The HTML of all notes, formulas as MathML, complete in itself.

    ``lessons`` and ``notes`` go together, in order. BuildError where a formula cannot
    be set, or where the packages for formulas are missing.
    """
    try:
        from helpers.publishing.mathml import font
        from helpers.publishing.prose import Prose
    except ModuleNotFoundError as error:
        raise BuildError(
            f"The printable notes need the package {error.name}: "
            "run `python -m pip install -e .[site]`."
        ) from error
    stems = [lesson.stem for lesson in lessons]
    parts = []
    for lesson, note in zip(lessons, notes, strict=True):
        prose = Prose(stems)  # each notebook has headings of its own
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
    environment = Environment(
        loader=PackageLoader("helpers.publishing", "theme"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["clock"] = lambda m: f"{m // 60}:{m % 60:02}"
    text = environment.get_template("notes.html.j2").render(parts=parts, font=_PLACE)
    return text.replace(_PLACE, font([text]))
