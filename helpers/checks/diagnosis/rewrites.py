"""Pieces of code that are taken for one another: the rules of `rewrites.toml`."""

import ast
import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

from helpers.checks.diagnosis.edits import called, value_of

_TEXTS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))

ALONG, WITH_AXES, KEEPING, ALLOCATING = (
    frozenset(_TEXTS[name].split())
    for name in ("along", "with_axes", "keeping", "allocating")
)
FAMILIES = [row.split() for row in _TEXTS["families"].replace("\n", "|").split("|")]
_TYPES = next(family for family in FAMILIES if "float16" in family)
LOOK_AT = _TEXTS["look_at"]
_HOLES = frozenset("ABCDEF")
_PLAIN = (ast.Name, ast.BinOp, ast.Call, ast.Subscript, ast.Attribute, ast.UnaryOp)
_MODULES = ("np", "numpy", "torch", "math", "nn", "F", "scipy", "itertools")


class _Rule(NamedTuple):
    kind: str
    grows: bool
    reads: bool
    rank: float
    pattern: ast.AST
    instead: list


def rewritten(site):
    """(kind, rank, new) of what the rules make of an EditSite."""
    node = site.node
    if not site.is_value and not isinstance(node, ast.Slice):
        return  # what is written into is no value
    reads, sized = is_read(site), site.inside(ALLOCATING)
    call = called(node) if isinstance(node, ast.Call) else None
    for rule in _rules():
        if (rule.reads and not reads) or (rule.grows and sized):
            continue
        # Of what is written into, the opposite is only another place to write.
        if call in ALLOCATING and rule.kind == "sign":
            continue
        if call in _TYPES and rule.kind == "brackets":
            continue  # `float16(a * b)`: it is the type that matters
        bound = {}
        if not _matches(rule.pattern, node, bound):
            continue
        rank = rule.rank
        if rule.kind.startswith("missing") and not site.is_whole:
            rank += 2
        for template in rule.instead:
            yield rule.kind, rank, _built(template, bound)


def is_module(node):
    """Whether it is the name of a library."""
    return isinstance(node, ast.Name) and node.id in _MODULES


def is_read(site):
    """Whether something can be done with a value here."""
    node, parent = site.node, site.parent
    if not site.is_value or not isinstance(node, _PLAIN) or site.name == "func":
        return False
    return value_of(node) is None and not (
        isinstance(parent, ast.Attribute)
        and (is_module(node) or parent.attr == "shape")
    )


@cache
def _rules():
    found = []
    for line in _TEXTS["rules"].strip().splitlines():
        words, rank, pattern, instead = (part.strip() for part in line.split(" | "))
        kind = words.removesuffix(" grows").removesuffix(" reads")
        grows = words.endswith("grows")
        reads = words.endswith("reads")
        options = [_parsed(option) for option in instead.split(";")]
        found.append(_Rule(kind, grows, reads, float(rank), _parsed(pattern), options))
    return found


def _parsed(text):
    """The tree of a piece of code, or of what stands between the brackets of an index."""
    text = text.strip()
    if text.startswith("["):
        return ast.parse("A" + text, mode="eval").body.slice
    return ast.parse(text, mode="eval").body


def _matches(pattern, node, bound):
    """Whether a node is what a pattern says; ``bound`` gets what stands for its letters."""
    if isinstance(pattern, ast.Name) and pattern.id in _HOLES:
        bound[pattern.id] = node
        return isinstance(node, ast.expr)
    if type(pattern) is not type(node):
        return False
    if isinstance(pattern, list):
        pairs = zip(pattern, node, strict=False)
        return len(pattern) == len(node) and all(_matches(*p, bound) for p in pairs)
    if not isinstance(pattern, ast.AST):
        return pattern == node
    return all(
        _matches(wanted, getattr(node, name, None), bound)
        for name, wanted in ast.iter_fields(pattern)
        if name not in ("ctx", "kind")
    )


def _built(template, bound):
    """A template with what stands for its letters; without places of its own."""
    if isinstance(template, ast.Name) and template.id in _HOLES:
        return bound[template.id]
    if isinstance(template, list):
        return [_built(part, bound) for part in template]
    if not isinstance(template, ast.AST):
        return template
    parts = ast.iter_fields(template)
    return type(template)(**{name: _built(part, bound) for name, part in parts})
