"""Imported by pytest before its plugins (`-p early`): what would cost each worker a second.

nbval imports jsonschema.
"""

from helpers.lighter import FORMS, quickly

with quickly(without=FORMS):
    import jsonschema  # noqa: F401
