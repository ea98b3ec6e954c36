"""Words about data, for text alternatives."""

import numpy as np


def listed(items):
    """Items as English lists them: "a, b and c"; "none" where there are none."""
    *most, last = [str(item) for item in items] or ["none"]
    return f"{', '.join(most)} and {last}" if most else last


def each(items, form):
    """Words about every entry of a dict: "name, …; name, …"."""
    return "; ".join(f"{name}, {form(value)}" for name, value in items.items())


def order(value):
    """A power of ten that is the same for all values near this one."""
    return f"1e{int(np.floor(np.log10(value))):+03d}"
