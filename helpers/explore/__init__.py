"""Altair charts that answer to the pointer, offline and with no kernel running.

Call ``renderer.use();`` once in a notebook. One module a notebook; `renderer` draws,
`controls` makes sliders and boxes.
"""

import sys

# Altair imports jsonschema, which imports what checks texts of special form: addresses,
# durations, colours. A grammar compiled for addresses (rfc3987_syntax) alone takes more
# time than all the rest. Without these, such texts in a chart are not checked.
_FORMS = (
    "fqdn",
    "idna",
    "isoduration",
    "jsonpointer",
    "rfc3339_validator",
    "rfc3986_validator",
    "rfc3987_syntax",
    "uri_template",
    "webcolors",
)
_left_out = [name for name in _FORMS if sys.modules.setdefault(name, None) is None]
try:
    import altair  # noqa: F401
finally:
    for _name in _left_out:
        del sys.modules[_name]

from helpers.explore.renderer import use  # noqa: E402

__all__ = ["use"]
