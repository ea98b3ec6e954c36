"""Matplotlib pictures: functions that take arrays and return a `Picture`.

One module a notebook; `style` holds what they share. Neither torch nor pyplot is
imported.
"""

from helpers.lighter import quickly

with quickly():
    import matplotlib.backends.backend_agg  # noqa: F401
    import matplotlib.figure  # noqa: F401
