"""Pages from the templates; among them the instructor's notes, to be printed."""

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from helpers.publish.mathml import font
from helpers.publish.prose import Prose

THEME = Path(__file__).parent / "theme"
PLACE = "/*the font of the formulas*/"  # filled in once the page is known


@cache
def environment(*folders):
    """The templates in some folders and the theme's; what is put in is HTML already."""
    made = Environment(
        loader=FileSystemLoader([*folders, THEME]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["clock"] = clock
    return made


def rendered(template, **values):
    """The HTML of a page, with the font of its formulas in it."""
    text = environment().get_template(template).render(**values, font=PLACE)
    return text.replace(PLACE, font([text]), 1)


def clock(minutes):
    """Minutes since the start as hours and minutes: 65 is 1:05."""
    return f"{minutes // 60}:{minutes % 60:02}"


def notes_page(lessons, notes):
    """The HTML of all notes, formulas as MathML, complete in itself.

    ``lessons`` and ``notes`` go together, in order; each begins on a sheet of its own.
    """
    stems = [lesson.stem for lesson in lessons]
    prose = [Prose(stems) for _ in lessons]  # each has headings of its own
    return rendered(
        "notes.html.j2", parts=list(zip(lessons, notes, prose, strict=True))
    )
