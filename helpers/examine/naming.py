"""Which argument is the width, which the length: by its name, as public code has them.

The order of arguments says nothing: of the implementations in the census, (width, length)
and (length, width) are both common.
"""

import inspect
import re

# The first that matches counts: "n_embd" is a width, "num_embeddings" a length.
_ROLES = {
    "positions": r"^(input_)?(pos|position|token_pos\w*|position_?id|id|ind(ex|ice)"
    r"|time_?step|time|step|t|noise_level)s?$",
    "width": r"^n_?emb(d|ed)?$|^(nhid|ninp)$|^(vector|emb\w*|model|hidden)_size$",
    "length": r"len|max_?(seq|pos|tok|time|size)|(n|num)_?(emb|pos|tok|seq|ctx|steps)"
    r"|init_size|context|block|window|timesteps$|rows|^[ln]$",
    " width": r"^d$|^d_|^dmodel|dim|emb|hid|channel|feat|width|units|depth|^size$",
}
# What else a constructor may ask for, and what it gets. Dropout acts in training only.
_OTHERS = {"pad": 0, "batch_first": True, "base": 10_000, "theta": 10_000, "n": 10_000}


class NotClear(Exception):
    """An argument whose name says nothing; the message names it."""


def role(name):
    """What an argument is, by its name: "length", "width", "positions" or None."""
    found = (words for words, form in _ROLES.items() if re.search(form, name.lower()))
    return next(found, "").strip() or None


def parameters(function):
    """The parameters of a callable by name, without ``*args`` and ``**kwargs``."""
    starred = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    named = inspect.signature(function).parameters
    return {name: p for name, p in named.items() if p.kind not in starred}


def is_required(parameter):
    """Whether a parameter has no default."""
    return parameter.default is inspect.Parameter.empty


def by_name(function, **sizes):
    """Keyword arguments for a class or function: its ``length`` and its ``width``.

    Of its arguments with a default, only the first length and the first width are given.
    Raises NotClear for a required one whose name says nothing.
    """
    given, left = {}, dict(sizes)
    for name, parameter in parameters(function).items():
        needed = is_required(parameter)
        part = None if isinstance(parameter.default, bool) else role(name)
        if "drop" in name:
            given[name] = 0.5
        elif part in left and (needed or len(name) > 1):
            given[name] = left.pop(part)
        elif name == "device":
            given[name] = "cpu"
        elif needed:
            known = [v for key, v in _OTHERS.items() if name.startswith(key)]
            if not known:
                raise NotClear(f"`{name}` could be anything")
            given[name] = known[0]
    return given
