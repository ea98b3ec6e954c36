"""How the code is laid out: every arrow leads down."""

import ast

import pytest
from stored import ROOT

from helpers.lessons import AREAS

HELPERS = ROOT / "helpers"
ROOMS = sorted(HELPERS.rglob("*.py"))

# From the ground up: a room imports from floors below its own, or from its own package.
FLOORS = (
    {"helpers"},
    {"helpers.arguments", "helpers.mine"},
    {"helpers.corners", "helpers.encoding"},
    {"helpers.examine", "helpers.module", "helpers.training"},
    {"helpers.rotary"},
    {"helpers.checks", "helpers.draw"},
    {"helpers.lessons"},
    {"helpers.publish"},
    {"helpers.marks"},
)


def name_of(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(path):
    """The rooms of ours that a file imports, wherever in the file."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module}
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return (found & set(map(name_of, ROOMS))) - {name_of(path)}


def floor_of(name):
    """The number of a room's floor."""
    package = ".".join(name.split(".")[:2])
    found = [number for number, floor in enumerate(FLOORS) if package in floor]
    assert found, f"{name} has no floor: add it to FLOORS"
    return found[0]


def test_every_arrow_leads_down():
    for path in ROOMS:
        own = name_of(path)
        for other in imports_of(path):
            # Rooms of a package, and of packages inside of it, may use one another.
            inside = own.split(".")[:2] == other.split(".")[:2] or own.startswith(other)
            assert inside or floor_of(other) < floor_of(own), f"{own} imports {other}"


@pytest.mark.parametrize("area", AREAS)
def test_no_lesson_knows_another(area):
    for path in (HELPERS / "lessons" / area).glob("*.py"):
        lessons = {n.split(".")[2] for n in imports_of(path) if "lessons." in n}
        assert lessons <= {area}, path.name
