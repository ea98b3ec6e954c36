"""Markdown as HTML for the site: MathML, headings with anchors, links that lead on."""

import re
from dataclasses import dataclass, field

from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from helpers.publish.lesson import BuildError
from helpers.publish.mathml import mathml

_MINUTES = re.compile(r"\s*\((\d+ min(?:, stretch)?)\)$")
_TAG = re.compile(r"<[^>]+>")
# A formula in a line, and the signs that touch it.
_TOUCHING = re.compile(
    r"""[(\["“]?(?:&quot;)?<math>(?:(?!</math>).)*</math>(?:&\w+;|[^\s<&]){0,4}""", re.S
)


@dataclass
class Heading:
    """An entry of the table of contents; ``html`` may hold a formula."""

    level: int
    anchor: str
    html: str


@dataclass
class Prose:
    """Turns the Markdown of one page into HTML, and collects its headings."""

    stems: list  # the notebooks that a link may lead to
    headings: list = field(default_factory=list)

    def html(self, markdown):
        """The HTML of some Markdown.

        Raises BuildError for a formula that cannot be set, a link that leads
        nowhere, and LaTeX that would be left as it is.
        """
        html = MarkdownWithMath(renderer=_Renderer(self)).render(markdown)
        # Browsers would break the line before a full stop that follows a formula.
        html = _TOUCHING.sub(_joined, html)
        text = re.sub(r"<(code|pre)\b.*?</\1>", "", html, flags=re.S)
        left = re.search(r".{0,30}[$\\].{0,30}", _TAG.sub("", text))
        if left:
            raise BuildError(f"LaTeX is left over in: {left[0].strip()}")
        return html

    def line(self, markdown):
        """The same for one line, without the paragraph around it."""
        return unwrapped(self.html(markdown))


def unwrapped(html):
    """A single paragraph without its ``<p>``; other HTML as it is."""
    alone = re.fullmatch(r"\s*<p>((?:(?!<p>).)*)</p>\s*", html, re.S)
    return alone[1] if alone else html.strip()


def _joined(match):
    alone = match[0].startswith("<math>") and match[0].endswith("</math>")
    return match[0] if alone else f'<span class="joined">{match[0]}</span>'


class _Renderer(IPythonRenderer):
    def __init__(self, prose):
        super().__init__(escape=True)
        self._prose = prose

    def inline_math(self, body):
        return mathml(body, display=False)

    def block_math(self, body):
        # A span, as it may stand in a paragraph; the style makes it a block.
        formula = mathml(body, display=True)
        return f'<span class="display" data-scrolls="formula">{formula}</span>'

    def latex_environment(self, name, body):
        return self.block_math(f"\\begin{{{name}}}{body}\\end{{{name}}}")

    def heading(self, text, level, **attributes):
        minutes = _MINUTES.search(text)
        title = _MINUTES.sub("", text)
        anchor = _anchor(title)
        if any(known.anchor == anchor for known in self._prose.headings):
            raise BuildError(f"Two headings have the anchor #{anchor}.")
        self._prose.headings.append(Heading(level, anchor, title))
        if level == 1:
            return f'<h1 id="{anchor}">{title}</h1>\n'
        # For the pointer; keys and screen readers have the table of contents.
        hidden = 'aria-hidden="true" tabindex="-1"'
        link = f'<a class="anchor" href="#{anchor}" {hidden}>#</a>'
        spent = f' <small class="minutes">{minutes[1]}</small>' if minutes else ""
        heading = f'<h{level} id="{anchor}">{title}{spent}</h{level}>'
        return f'<div class="heading">{heading}{link}</div>\n'

    def link(self, text, url, title=None):
        target, _, place = url.partition("#")
        stem = target.removesuffix(".ipynb")
        if target and (target == stem or stem not in self._prose.stems):
            raise BuildError(f"The link to {url} leads nowhere on the site.")
        page = f"{stem}.html" if target else ""
        return super().link(text, page + (f"#{place}" if place else ""), title)

    def image(self, text, url, title=None):
        raise BuildError(f"The picture {url} is not a cell's output.")

    def table(self, text):
        return (
            f'<div class="scrolls" data-scrolls="table"><table>{text}</table></div>\n'
        )

    def block_code(self, code, info=None):
        html = super().block_code(code, info)
        return html.replace("<pre>", '<pre data-scrolls="code">', 1)


def _anchor(html):
    plain = re.sub(r"&\w+;", "", _TAG.sub("", html)).lower()
    return re.sub(r"[^\w]+", "-", plain).strip("-")
