"""The answers in a notebook, as written: whatever was run, deleted, added or moved.

A notebook is known by the exercises that it names. From its code cells come the
definition or expression that answers each exercise, with all that it needs
(functions, imports, assignments), and the letter that answers each question. Nothing
is executed here.
"""

import ast
import builtins
import json
import re
import symtable
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module

from IPython.core.inputtransformer2 import TransformerManager

from helpers.exercises import AREAS
from helpers.exercises.core import Exercise
from helpers.publishing.lesson import notebook_paths

ATTEMPTED, UNTOUCHED, MISSING, BROKEN = (
    "attempted",
    "not attempted",
    "missing",
    "syntax error",
)
_RUNS_ITS_CELL = {"%%time", "%%timeit", "%%capture", "%%prun"}
MOST_CODE = 1_000_000  # characters in a notebook; the lesson's own have 20,000
_BY_TEXT = {"globals", "locals", "vars", "eval", "exec"}
_PLAIN = set(vars(builtins)) | {"get_ipython", "display", "__name__"}


class Unreadable(Exception):
    """Why a file is no notebook, in one sentence."""


@dataclass
class Statement:
    """One statement of the outermost level, and the names that it binds and needs."""

    source: str
    node: ast.stmt
    binds: frozenset
    needs: frozenset
    label: str  # "cell 12, line 3"
    dump: str  # the statement without its comments and its place
    given: bool = False  # stands in the lesson's own notebook too


@dataclass
class Answer:
    """How one exercise or question was answered.

    state       attempted, not attempted, missing or syntax error
    expression  what was handed to the check, as Python
    program     the statements that it needs, as (label, source), in their order
    detail      for a syntax error, what Python says
    letter      for a question, what was chosen
    """

    state: str
    expression: str = ""
    program: list = field(default_factory=list)
    detail: str = ""
    letter: object = None


def tasks_of(area):
    """Every exercise and question of an area by its column: "formula.angular_speeds"."""
    module = import_module(f"helpers.exercises.{area}")
    return {f"{area}.{task.name}": task for task in module.EXERCISES}


def cells_of(content):
    """The code cells of a notebook, given as bytes; Unreadable where there are none."""
    try:
        notebook = json.loads(content.decode("utf-8-sig"))
        cells = notebook.get("cells")
        if cells is None:  # the format of 2014
            cells = [c for sheet in notebook["worksheets"] for c in sheet["cells"]]
        code = [
            _text(cell.get("source", cell.get("input", "")))
            for cell in cells
            if cell.get("cell_type") == "code"
        ]
    except UnicodeDecodeError:
        raise Unreadable("it is not text in UTF-8") from None
    except json.JSONDecodeError as error:
        raise Unreadable(f"it is damaged: {error}") from None
    except (AttributeError, KeyError, TypeError, RecursionError):
        raise Unreadable("it is not a notebook") from None
    if sum(map(len, code)) > MOST_CODE:
        raise Unreadable(f"more than {MOST_CODE:,} characters of code")
    return code


def _text(source):
    return source if isinstance(source, str) else "".join(source)


def areas_in(cells):
    """The areas whose exercises a notebook holds, the best known first."""
    text = "\n".join(cells)
    named = Counter(re.findall(r"\b(\w+)\.\w+\.(?:check|ask|hint|solution)\(", text))
    found = {area: named[area] for area in AREAS if named[area]}
    imported = re.findall(r"from helpers\.exercises import ([\w, ]+)", text)
    for area in AREAS:
        if any(area in re.split(r"\W+", names) for names in imported):
            found[area] = found.get(area, 0) + 1
    if found:
        return sorted(found, key=lambda area: -found[area])
    # Every check was deleted: the functions asked for are still there.
    defined = set(re.findall(r"^(?:def|class) (\w+)", text, re.M))
    scores = {area: len(defined & _references(area)) for area in AREAS}
    best = max(scores, key=scores.get)
    return [best] if scores[best] else []


@cache
def _references(area):
    tasks = tasks_of(area).values()
    return {t.reference.__name__ for t in tasks if isinstance(t, Exercise)}


def read(cells, area):
    """Column -> Answer for every exercise and question of an area."""
    statements, broken = _statements(cells)
    given = _given(area)
    theirs = {s.dump for s in given}
    for statement in statements:
        statement.given = statement.dump in theirs
    return {
        column: _exercise(column, task, statements, broken, given)
        if isinstance(task, Exercise)
        else _question(column, statements, broken)
        for column, task in tasks_of(area).items()
    }


# --- statements


def _statements(cells):
    """The statements of all cells that can be parsed, and (text, why) of the others."""
    statements, broken = [], []
    for number, cell in enumerate(cells, start=1):
        lines = cell.splitlines()
        if lines and lines[0].startswith("%%"):
            if lines[0].split()[0] not in _RUNS_ITS_CELL:
                continue
            cell = "\n".join(["", *lines[1:]])
        try:
            text = TransformerManager().transform_cell(cell)
            lines, nodes = text.splitlines(), ast.parse(text).body
            statements += [_statement(node, lines, number) for node in nodes]
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            line = getattr(error, "lineno", None)
            why = getattr(error, "msg", None) or str(error)
            place = f"cell {number}" + (f", line {line}" if line else "")
            broken.append((cell, f"{place}: {why}"))
    return statements, broken


def _statement(node, lines, cell):
    first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
    binds, needs = names_of(node)
    source = "\n".join(lines[first - 1 : node.end_lineno])
    if _share_a_line(node, lines, first):
        source = ast.unparse(node)
    label = f"cell {cell}, line {first}"
    dump = ast.dump(node)
    return Statement(source, node, frozenset(binds), frozenset(needs), label, dump)


def _share_a_line(node, lines, first):
    """Whether other statements stand on its lines (``a = 1; b = 2``)."""
    head = lines[first - 1].encode()[: node.col_offset] if node.lineno == first else b""
    tail = lines[node.end_lineno - 1].encode()[node.end_col_offset :].strip()
    return bool(head.strip()) or (tail[:1] == b";" and tail != b";")


def names_of(node):
    """The names that a statement binds in its namespace, and those that it may read."""
    source = ast.unparse(node)
    table = symtable.symtable(source, "<cell>", "exec")
    here = table.get_symbols()
    binds = {s.get_name() for s in here if s.is_assigned() or s.is_imported()}
    needs = {s.get_name() for s in here if s.is_referenced()}
    inner = table.get_children()
    while inner:
        part = inner.pop()
        inner += part.get_children()
        symbols = part.get_symbols()
        needs |= {s.get_name() for s in symbols if s.is_global() and s.is_referenced()}
    if needs & _BY_TEXT:
        needs |= _names_in_texts(node)
    if isinstance(node, ast.ImportFrom) and any(a.name == "*" for a in node.names):
        binds.add("*")
    changed = _changed(node)
    return binds | changed, needs | changed


def _names_in_texts(node):
    """The names that a statement may look up by their text: ``globals()["table"]``."""
    parts = list(ast.walk(node))
    prose = {id(part.value) for part in parts if isinstance(part, ast.Expr)}
    texts = {
        part.value
        for part in parts
        if isinstance(part, ast.Constant) and id(part) not in prose
    }
    return {
        name
        for text in texts
        if isinstance(text, str)
        for name in re.findall(r"[^\W\d]\w*", text)
    }


def _changed(node):
    """The names of what a statement changes a part of: ``table[0] = 1``."""
    roots = set()
    for part in _outermost(node):
        if isinstance(part, (ast.Attribute, ast.Subscript)):
            if isinstance(part.ctx, ast.Load):
                continue
            while isinstance(part, (ast.Attribute, ast.Subscript)):
                part = part.value
            if isinstance(part, ast.Name):
                roots.add(part.id)
    return roots


def _outermost(node):
    """The parts of a statement that are not inside a function or class."""
    yield node
    inside = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
    if not isinstance(node, inside):
        for child in ast.iter_child_nodes(node):
            yield from _outermost(child)


# --- exercises


def _exercise(column, task, statements, broken, given):
    name = task.reference.__name__
    stub = _definition(task.stub, name)
    candidates = [
        node.args[0] if node.args else node.keywords[0].value
        for node in _checks(statements, column)
        if node.args or node.keywords
    ]
    for expression in [*reversed(candidates), ast.Name(name, ast.Load())]:
        if not _says_something(expression, statements, stub):
            continue
        return Answer(
            ATTEMPTED,
            ast.unparse(expression),
            _program(expression, statements, given, stub),
        )
    why = _broken_definition(name, broken) or _broken_check(column, broken)
    if why:
        return Answer(BROKEN, detail=why)
    here = candidates or any(name in s.binds for s in statements)
    return Answer(UNTOUCHED if here else MISSING)


def _says_something(expression, statements, stub):
    """Whether what is handed to a check is more than was there already."""
    if isinstance(expression, ast.Constant):
        return expression.value not in (..., None)
    if isinstance(expression, ast.Name):
        return _latest(expression.id, statements, stub) is not None
    return True


def _checks(statements, column):
    """Every call ``area.task.check(...)``, in the order of the notebook."""
    calls = [
        node
        for statement in statements
        for node in ast.walk(statement.node)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("check", "judge")
    ]
    return [node for node in calls if ast.unparse(node.func.value) == column]


def _definition(source, name):
    """The definition of a name in a piece of code, without its comments."""
    for node in ast.parse(source).body:
        if getattr(node, "name", None) == name:
            return ast.dump(node)
    return None


def _latest(name, statements, stub):
    """The last statement of the student's that binds a name; None without one."""
    for statement in reversed(statements):
        own = not statement.given and statement.dump != stub
        if name in statement.binds and own and not _is_empty(statement.node):
            return statement
    return None


def _is_empty(node):
    """Whether a function does nothing: only ``...``, ``pass``, a text, a bare return."""
    return isinstance(node, ast.FunctionDef) and all(
        isinstance(part, ast.Pass)
        or (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))
        or (
            isinstance(part, ast.Return)
            and (part.value is None or ast.unparse(part.value) in ("None", "..."))
        )
        for part in node.body
    )


def _program(expression, statements, given, stub):
    """The statements that an expression needs, in the order of the notebook.

    A name that the notebook does not bind is taken from the lesson's own notebook: its
    imports may have been deleted.
    """
    kept = [s for s in statements if s.dump != stub]
    assigned = {
        name
        for s in kept
        if isinstance(s.node, (ast.Assign, ast.AugAssign, ast.AnnAssign))
        for name in s.binds
    }
    binders, spare = _binders(kept), _binders(given)
    stars = [s for s in kept if "*" in s.binds]
    wanted = {n.id for n in ast.walk(expression) if isinstance(n, ast.Name)}
    wanted |= {name for s in stars for name in s.needs}
    chosen, done = {id(s): s for s in stars}, set()
    while wanted - done:
        name = min(wanted - done)
        done.add(name)
        found = binders.get(name) or ([] if name in _PLAIN else spare.get(name, []))
        found = _last_definition(found) + [
            s for s in kept if name in assigned and _acts_on(s.node, name)
        ]
        for statement in found:
            chosen[id(statement)] = statement
            wanted |= statement.needs
    ordered = [s for s in [*given, *kept] if id(s) in chosen]
    return [(s.label, s.source) for s in ordered]


def _binders(statements):
    binders = {}
    for statement in statements:
        for name in statement.binds:
            binders.setdefault(name, []).append(statement)
    return binders


def _last_definition(found):
    """The student's last definition alone; without one, every binding of the name."""
    whole = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    defined = [s for s in found if isinstance(s.node, whole)]
    own = [s for s in defined if not s.given]
    return (own or defined)[-1:] or found


def _acts_on(node, name):
    """Whether a statement calls a method of a name: ``rows.append(1)``."""
    call = node.value if isinstance(node, ast.Expr) else None
    root = call.func if isinstance(call, ast.Call) else None
    if not isinstance(root, ast.Attribute):
        return False
    while isinstance(root, (ast.Attribute, ast.Subscript)):
        root = root.value
    return isinstance(root, ast.Name) and root.id == name


def _broken_definition(name, broken):
    start = re.compile(rf"^\s*(?:(?:def|class)\s+{name}\b|{name}\s*=)", re.M)
    return next((why for text, why in reversed(broken) if start.search(text)), "")


def _broken_check(column, broken):
    call = f"{column}.check("
    return next((why for text, why in reversed(broken) if call in text), "")


@cache
def _given(area):
    """The statements of the lesson's own notebook, without the stubs."""
    paths = [p for p in notebook_paths() if p.stem.split("_", 1)[1] == area]
    cells = [c for path in paths for c in cells_of(path.read_bytes())]
    statements, _ = _statements(cells)
    asked = _references(area)
    return [
        Statement(s.source, s.node, s.binds, s.needs, "the lesson", s.dump)
        for s in statements
        if not (asked & s.binds) or not hasattr(s.node, "name")
    ]


# --- questions


def _question(column, statements, broken):
    chosen = [
        _literal(node.args[0], statements)
        for node in _checks(statements, column)
        if node.args
    ]
    chosen = [letter for letter in chosen if letter not in (..., None, "")]
    if chosen:
        return Answer(ATTEMPTED, letter=chosen[-1])
    why = _broken_check(column, broken)
    if why:
        return Answer(BROKEN, detail=why)
    return Answer(UNTOUCHED if _checks(statements, column) else MISSING)


def _literal(node, statements):
    """The constant that an argument is, or is a name for; its text where it is none."""
    if isinstance(node, ast.Name):
        values = [
            s.node.value
            for s in statements
            if isinstance(s.node, ast.Assign) and s.binds == {node.id}
        ]
        node = values[-1] if values else node
    return node.value if isinstance(node, ast.Constant) else ast.unparse(node)[:80]
