"""Imported by pytest before its plugins (`-p early`): what would cost each worker a second.

nbval imports jsonschema.
"""

from helpers.lighter import without_forms

with without_forms():
    import jsonschema  # noqa: F401
