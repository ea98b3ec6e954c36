"""Formulas as MathML, and the font that draws them: no script, read by screen readers.

The font is STIX Two Math (SIL Open Font License 1.1), cut down to the signs that the
site uses; it keeps its name and licence inside.
"""

import base64
import io
import logging
import re
from html import unescape
from importlib.util import find_spec
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from math_core import LatexError, LatexToMathML

from helpers.publish.lesson import BuildError

# A browser draws a single letter of <mi> by its sign in mathematical italics.
_DRAWN = [
    *range(0x1D434, 0x1D468),  # A to z
    0x210E,  # h, which has its own place
    *range(0x1D6E2, 0x1D71C),  # Greek
    0x221A,  # the root, drawn by <msqrt>
]
_CONVERTER = LatexToMathML(fancy_error=False)
_FEATURES = ["ssty", "dtls", "flac"]  # signs made for indices and below accents


def mathml(latex, display):
    """A formula as a ``<math>`` element, ``display`` for one on a line of its own.

    Raises BuildError where the formula is wrong or has an unknown command: nothing
    is ever passed on as LaTeX.
    """
    try:
        return _CONVERTER.convert_with_local_state(latex, displaystyle=display)
    except LatexError as error:
        raise BuildError(f"The formula ${latex}$ cannot be set: {error}") from error


def font(pages):
    """The font for the formulas in these HTML pages, as a data URL (WOFF2).

    Raises BuildError where the font lacks a sign.
    """
    formulas = "".join(re.findall(r"<math.*?</math>", "".join(pages), re.S))
    used = {ord(sign) for sign in unescape(re.sub(r"<[^>]+>", "", formulas))}
    used -= set(map(ord, "\n\u2061"))  # not drawn: line ends, "function of"
    # Found without importing the package, which would draw formulas itself.
    file = (
        Path(find_spec("ziamath").origin).parent / "fonts" / "STIXTwoMath-Regular.ttf"
    )
    whole = TTFont(file, recalcTimestamp=False)  # the same bytes in each build
    lacking = used - whole.getBestCmap().keys()
    if lacking:
        raise BuildError(f"The font has no {', '.join(map(chr, sorted(lacking)))}")
    options = subset.Options(flavor="woff2", hinting=False)
    options.layout_features = _FEATURES
    options.name_IDs = ["*"]
    options.drop_tables += ["DSIG"]
    logging.getLogger("fontTools").setLevel(logging.WARNING)
    cut = subset.Subsetter(options)
    cut.populate(unicodes=[*used, *_DRAWN])
    cut.subset(whole)
    packed = io.BytesIO()
    subset.save_font(whole, packed, options)
    return "data:font/woff2;base64," + base64.b64encode(packed.getvalue()).decode()
