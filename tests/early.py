"""Imported by pytest before its plugins (`-p early`): nbval imports jsonschema."""

import sys

# A grammar for addresses, which nothing here asks for, costs each worker seconds.
sys.modules.setdefault("rfc3987_syntax", None)
