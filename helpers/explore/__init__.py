"""Altair charts that answer to the pointer, offline and with no kernel running.

Call ``renderer.use();`` once in a notebook. One module a notebook; `renderer` draws,
`controls` makes sliders and boxes.
"""

import sys

# Altair imports jsonschema, which compiles a grammar of addresses (rfc3987_syntax) in more
# time than all the rest takes. Without it, it does not check that an address is one.
_left_out = sys.modules.setdefault("rfc3987_syntax", None) is None
try:
    import altair  # noqa: F401
finally:
    if _left_out:
        del sys.modules["rfc3987_syntax"]

from helpers.explore.renderer import use  # noqa: E402

__all__ = ["use"]
