"""Which argument is the width, which the length: by its name, as public code has them.

The order of arguments says nothing: of the implementations in the census, (width, length)
and (length, width) are both common.
"""

import inspect
import re

from helpers.examine.trying import Unclear

# What such a name has in it. The first that matches counts: "n_embd" is a width and
# "num_embeddings" a length.
_ROLES = (
    (
        "positions",
        r"^(input_)?(pos|position|token_pos\w*|position_?id|id|ind(ex|ice)"
        r"|time_?step|time|step|t|noise_level)s?$",
    ),
    ("width", r"^n_?emb(d|ed)?$|^(nhid|ninp)$|^(vector|emb\w*|model|hidden)_size$"),
    (
        "length",
        r"len|max_?(seq|pos|tok|time|size)|(n|num)_?(emb|pos|tok|seq|ctx|steps)"
        r"|init_size|context|block|window|timesteps$|rows|^[ln]$",
    ),
    ("width", r"^d$|^d_|^dmodel|dim|emb|hid|channel|feat|width|units|depth|^size$"),
)


def role(name):
    """What an argument is, by its name: "length", "width", "positions" or ""."""
    return next((part for part, form in _ROLES if re.search(form, name.lower())), "")


def by_name(function, **sizes):
    """Keyword arguments for a class or function: its ``length`` and its ``width``.

    Of its arguments with a default, only the first length and the first width are given.
    Unclear where the name of a required one says nothing.
    """
    given = {}
    for name, parameter in inspect.signature(function).parameters.items():
        default = parameter.default
        kind = parameter.kind.name
        needed = default is parameter.empty and not kind.startswith("VAR_")
        part = "" if isinstance(default, bool) else role(name)
        if "drop" in name:
            given[name] = 0.5  # it acts in training only
        elif part in sizes and (needed or len(name) > 1):
            given[name] = sizes.pop(part)
        elif name == "device":
            given[name] = "cpu"
        elif needed and "pad" in name:
            given[name] = 0
        elif needed:
            raise Unclear(f"`{name}` could be anything")
    return given


def written(function, length, width):
    """A call of a class or function by the names of its arguments."""
    given = by_name(function, length=length, width=width)
    listed = ", ".join(f"{name}={value}" for name, value in given.items())
    return f"{function.__name__}({listed})"
