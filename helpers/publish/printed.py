"""Pages from the templates, and those to print: the notes, and what the exam shares.

Formulas need packages that only the editions and the site install; so they are
imported where a page is made.
"""

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from helpers.publish.lesson import BuildError

THEME = Path(__file__).parent / "theme"
PLACE = "/*the font of the formulas*/"  # filled in once the page is known


def prose_for(stems):
    """What makes HTML of Markdown; BuildError where its packages are missing."""
    try:
        from helpers.publish.prose import Prose
    except ModuleNotFoundError as error:
        raise BuildError(
            f"Pages to print need the package {error.name}: "
            "run `python -m pip install -e .[site]`."
        ) from error
    return Prose(stems)


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


def rendered(template, *folders, **values):
    """The HTML of a page, with the font of its formulas in it."""
    from helpers.publish.mathml import font

    text = environment(*folders).get_template(template).render(**values, font=PLACE)
    return text.replace(PLACE, font([text]), 1)


def clock(minutes):
    """Minutes since the start as hours and minutes: 65 is 1:05."""
    return f"{minutes // 60}:{minutes % 60:02}"


def notes_page(lessons, notes):
    """The HTML of all notes, formulas as MathML, complete in itself.

    ``lessons`` and ``notes`` go together, in order; each begins on a sheet of its own.
    """
    stems = [lesson.stem for lesson in lessons]
    prose = [prose_for(stems) for _ in lessons]  # each has headings of its own
    parts = zip(lessons, notes, prose, strict=True)
    return rendered("notes.html.j2", parts=list(parts))
