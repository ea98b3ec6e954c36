"""Words about data, for text alternatives."""


def listed(items):
    """Items as English lists them: "a, b and c"; "none" where there are none."""
    *most, last = [str(item) for item in items] or ["none"]
    return f"{', '.join(most)} and {last}" if most else last


def each(items, form):
    """Words about every entry of a dict: "name, …; name, …"."""
    return "; ".join(f"{name}, {form(value)}" for name, value in items.items())
