"""What the pages to print share: notes and exam, from a template of the theme.

Formulas need packages that only the editions and the site install; so they are
imported where a page is made.
"""

from jinja2 import Environment, PackageLoader, StrictUndefined

from helpers.publishing.lesson import BuildError

_PLACE = "/*the font of the formulas*/"  # filled in once the page is known


def formulas():
    """The modules `mathml` and `prose`; BuildError where their packages are missing."""
    try:
        from helpers.publishing import mathml, prose
    except ModuleNotFoundError as error:
        raise BuildError(
            f"Pages to print need the package {error.name}: "
            "run `python -m pip install -e .[site]`."
        ) from error
    return mathml, prose


def rendered(template, **values):
    """The HTML of a page, with the font of its formulas in it."""
    environment = Environment(
        loader=PackageLoader("helpers.publishing", "theme"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["clock"] = lambda m: f"{m // 60}:{m % 60:02}"
    text = environment.get_template(template).render(**values, font=_PLACE)
    mathml, _ = formulas()
    return text.replace(_PLACE, mathml.font([text]))
