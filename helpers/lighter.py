"""Imports jsonschema, and what imports it, in a fraction of the time.

It imports in turn what checks texts of special form: addresses, durations, colours.
A grammar compiled for addresses (rfc3987_syntax) alone takes more time than all the
rest. Nothing here has such texts to check.
"""

import sys
from contextlib import contextmanager

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


@contextmanager
def without_forms():
    """Within it, what checks such texts cannot be imported, if it is not there yet."""
    left_out = [name for name in _FORMS if sys.modules.setdefault(name, None) is None]
    try:
        yield
    finally:
        for name in left_out:
            del sys.modules[name]
