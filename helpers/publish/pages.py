"""Pages from the templates in theme/; among them the instructor's notes, to be printed."""

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from nbconvert.filters.highlight import Highlight2HTML
from pygments.formatters import HtmlFormatter

from helpers.publish.mathml import font
from helpers.publish.prose import Prose

_THEME = Path(__file__).parent / "theme"
_FONT = "/*the font of the formulas*/"  # filled in once every page is known
_HIGHLIGHT = Highlight2HTML(pygments_lexer="ipython3")


@cache
def environment(*folders):
    """The templates in some folders and the theme's; what is put in is HTML already."""
    made = Environment(
        loader=FileSystemLoader([*folders, _THEME]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.policies["json.dumps_kwargs"] = {"separators": (",", ":")}
    made.filters.update(clock=clock, code=code)
    made.globals.update(colours=_colours, font=_FONT)
    made.globals["file"] = lambda name: made.loader.get_source(made, name)[0]
    return made


def rendered(template, *folders, **values):
    """The HTML of a page or of a part; `with_font` completes pages."""
    return environment(*folders).get_template(template).render(**values)


def with_font(*pages):
    """The pages with the font of their formulas in them: one for all, to look alike."""
    address = font(pages)
    return [page.replace(_FONT, address, 1) for page in pages]


def clock(minutes):
    """Minutes since the start as hours and minutes: 65 is 1:05."""
    return f"{minutes // 60}:{minutes % 60:02}"


def code(source):
    """Python as HTML, in colours."""
    return _HIGHLIGHT(source).replace("<pre>", '<pre data-scrolls="code">', 1)


def _colours(selector, style):
    """The style of `code` in one of Pygments' styles."""
    return "\n".join(HtmlFormatter(style=style).get_token_style_defs(selector))


def notes_page(lessons, notes):
    """The HTML of all notes, formulas as MathML, complete in itself.

    ``lessons`` and ``notes`` go together, in order; each begins on a sheet of its own.
    """
    stems = [lesson.stem for lesson in lessons]
    prose = [Prose(stems) for _ in lessons]  # each has headings of its own
    return with_font(
        rendered("notes.html.j2", parts=list(zip(lessons, notes, prose, strict=True)))
    )[0]
