"""Imported by pytest before its plugins (`-p early`): what would cost each worker a second.

nbval imports jsonschema, which compiles a grammar of addresses that nothing here needs.
"""

import sys

_left_out = sys.modules.setdefault("rfc3987_syntax", None) is None

import jsonschema  # noqa: E402, F401

if _left_out:
    del sys.modules["rfc3987_syntax"]
