"""The answers in a notebook, as written: whatever was run, deleted, added or moved.

A notebook is known by the exercises that it names. From its code cells come, for each
exercise, the expression that answers it and the statements which that needs. Nothing
is executed here.
"""

import ast
import json
import re
import symtable
from collections import Counter
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

from helpers.lessons import AREAS

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"

ATTEMPTED, UNTOUCHED, MISSING = "attempted", "not attempted", "missing"
BROKEN = "syntax error"
MOST_CODE = 1_000_000  # characters in a notebook; the lesson's own have 20,000
_RUNS_ITS_CELL = {"%%time", "%%timeit", "%%capture", "%%prun"}
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_DECLARES = (*_DEFINITIONS, ast.Import, ast.ImportFrom)
_CALLS = ("check", "judge")


class Unreadable(Exception):
    """Why a file is no notebook, in one sentence."""


@dataclass
class Statement:
    """One statement of the outermost level, and the names that it binds and needs.

    ``changes`` are names of whose values it changes a part; ``cell`` is its file for
    Python, so that lines are counted as in the student's cell.
    """

    node: ast.stmt
    cell: str
    binds: frozenset
    needs: frozenset
    changes: frozenset
    dump: str
    given: bool = False  # stands in the lesson's own notebook too


@dataclass
class Answer:
    """How a task was answered: its state, the expression and what that needs."""

    state: str
    expression: ast.expr | None = None
    program: tuple = ()
    detail: str = ""  # where a syntax error is
    letter: object = None  # the answer to a question


def tasks_of(*areas):
    """Every exercise and question of areas by its column: "formula.angular_speeds"."""
    lessons = {area: import_module(f"helpers.lessons.{area}") for area in areas}
    return {f"{a}.{task.name}": task for a in areas for task in lessons[a].TASKS}


def cells_of(content, name=""):
    """The code cells of a notebook or exported script, given as bytes."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable("it is not text in UTF-8") from None
    if name.lower().endswith(".py"):
        cells = re.split(r"^# (?:In ?\[.*\]:?|%%.*)$", text, flags=re.M)
    else:
        cells = _cells_of_json(text)
    if sum(map(len, cells)) > MOST_CODE:
        raise Unreadable(f"more than {MOST_CODE:,} characters of code")
    return [re.sub(r"\r\n?", "\n", cell) for cell in cells]


def _cells_of_json(text):
    try:
        notebook = json.loads(text, parse_int=str)  # no number of it is needed
        cells = notebook.get("cells")
        if cells is None:  # the format of 2014
            cells = [c for sheet in notebook["worksheets"] for c in sheet["cells"]]
        return [
            "".join(cell.get("source", cell.get("input", "")))
            for cell in cells
            if cell.get("cell_type") == "code"
        ]
    except json.JSONDecodeError as error:
        raise Unreadable(f"it is damaged: {error}") from None
    except (AttributeError, KeyError, TypeError, RecursionError):
        raise Unreadable("it is not a notebook") from None


def areas_in(cells):
    """The areas whose exercises a notebook holds, the best known first."""
    text = "\n".join(cells)
    named = Counter(re.findall(r"\b(\w+)\.\w+\.(?:check|ask|hint|solution)\(", text))
    found = {area: named[area] for area in AREAS if named[area]}
    for names in re.findall(r"helpers\.lessons(?:\.(\w+)| import ([\w, ]+))", text):
        for area in set(re.split(r"\W+", " ".join(names))) & set(AREAS):
            found[area] = found.get(area, 0) + 1
    if found:
        return sorted(found, key=lambda area: -found[area])
    # Every check was deleted: the functions asked for are still there.
    defined = set(re.findall(r"^(?:def|class) (\w+)", text, re.M))
    scores = {area: len(defined & _asked(area)) for area in AREAS}
    best = max(scores, key=scores.get)
    return [best] if scores[best] else []


@cache
def _asked(area):
    return {t.defines for t in tasks_of(area).values() if t.kind == "exercise"}


def read(cells, area):
    """(column -> Answer for every task of an area, cell's name -> its text)."""
    statements, broken, texts = _statements(cells)
    given, more = _given(area)
    theirs = {s.dump for s in given}
    for statement in statements:
        statement.given = statement.dump in theirs
    names = {area: area, **_aliases(statements)}
    answers = {
        column: _exercise(column, task, statements, broken, given, names)
        if task.kind == "exercise"
        else _question(column, statements, broken, names)
        for column, task in tasks_of(area).items()
    }
    return answers, {**more, **texts}


def _statements(cells, kind="cell"):
    """The statements of all cells, (text, why) of those that Python cannot read."""
    statements, broken, texts = [], [], {}
    for number, cell in enumerate(cells, start=1):
        label = f"<{kind} {number}>"
        try:
            text, tree = _parsed(cell)
            statements += [_statement(node, label) for node in tree.body]
            texts[label] = text
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            line = getattr(error, "lineno", None)
            place = f"{kind} {number}" + (f", line {line}" if line else "")
            why = getattr(error, "msg", None) or type(error).__name__
            broken.append((cell, f"{place}: {why}"))
    return statements, broken, texts


def _parsed(cell):
    """Text and tree of a cell, IPython's own commands made plain."""
    magic = re.match(r"\s*(%%\w+).*\n?", cell)
    if magic:
        runs = magic[1] in _RUNS_ITS_CELL
        cell = "\n" * magic[0].count("\n") + cell[magic.end() :] if runs else ""
    try:
        return cell, ast.parse(cell)
    except SyntaxError:
        from IPython.core.inputtransformer2 import TransformerManager

        text = TransformerManager().transform_cell(cell)
        return text, ast.parse(text)


def _statement(node, cell):
    table = symtable.symtable(ast.unparse(node), "<cell>", "exec")
    here, inner = table.get_symbols(), table.get_children()
    binds = {s.get_name() for s in here if s.is_assigned() or s.is_imported()}
    needs = {s.get_name() for s in here if s.is_referenced()}
    while inner:
        part = inner.pop()
        inner += part.get_children()
        symbols = part.get_symbols()
        needs |= {s.get_name() for s in symbols if s.is_global() and s.is_referenced()}
        binds |= {s.get_name() for s in symbols if s.is_declared_global()}
    if isinstance(node, ast.ImportFrom) and any(a.name == "*" for a in node.names):
        binds.add("*")
    sets = map(frozenset, (binds, needs, _changed(node)))
    return Statement(node, cell, *sets, ast.dump(node))


def _changed(node):
    """The names of whose values a statement changes a part: ``rows.append(1)``."""
    roots = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Expr) and isinstance(part.value, ast.Call):
            part = part.value.func
        elif not isinstance(getattr(part, "ctx", None), (ast.Store, ast.Del)):
            continue
        if isinstance(part, (ast.Attribute, ast.Subscript)):
            while isinstance(part, (ast.Attribute, ast.Subscript)):
                part = part.value
            roots.add(getattr(part, "id", None))
    return roots - {None}


def _aliases(statements):
    """Name -> area, for every name that a lesson goes by."""
    found = {}
    for node in (s.node for s in statements):
        if isinstance(node, ast.ImportFrom) and node.module == "helpers.lessons":
            found |= {a.asname or a.name: a.name for a in node.names}
        elif isinstance(node, ast.Import):
            for a in node.names:
                if a.asname and a.name.startswith("helpers.lessons."):
                    found[a.asname] = a.name.rpartition(".")[2]
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Name):
            for target in node.targets:
                if isinstance(target, ast.Name) and node.value.id in (*found, *AREAS):
                    found[target.id] = found.get(node.value.id, node.value.id)
    return found


def _handed(column, statements, names):
    """What every check of a column is called with, in the notebook's order."""
    for node in (n for s in statements for n in ast.walk(s.node)):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        owner = ast.unparse(node.func.value).removeprefix("helpers.lessons.")
        alias, _, task = owner.partition(".")
        if node.func.attr in _CALLS and f"{names.get(alias)}.{task}" == column:
            named = [k.value for k in node.keywords if k.arg == "answer"]
            yield next(iter([*node.args, *named]), None)


# --- exercises


def _exercise(column, task, statements, broken, given, names):
    name = task.defines
    stub = next(
        ast.dump(n) for n in ast.parse(task.stub).body if isinstance(n, _DEFINITIONS)
    )
    own = [s for s in statements if s.dump != stub]
    handed = list(_handed(column, statements, names))
    for expression in [*reversed(handed), ast.Name(name, ast.Load())]:
        if expression is not None and _says_something(expression, own):
            program = _program(expression, own, given)
            return Answer(ATTEMPTED, expression, program)
    why = _broken(rf"^\s*(?:(?:def|class)\s+{name}\b|{name}\s*=)", broken)
    why = why or _broken(re.escape(f"{column}.check("), broken)
    if why:
        return Answer(BROKEN, detail=why)
    here = handed or any(name in s.binds for s in statements)
    return Answer(UNTOUCHED if here else MISSING)


def _says_something(expression, own):
    """Whether what is handed to a check is more than was there already."""
    if isinstance(expression, ast.Constant):
        return expression.value not in (..., None)
    if isinstance(expression, ast.Name):
        return any(expression.id in s.binds and not s.given for s in own)
    return True


def _program(expression, own, given):
    """The statements that an expression needs, in the order of the notebook.

    The last binding of a name counts, and what it builds on; so does every statement
    that changes a part of its value. A name that the notebook does not bind is taken
    from the lesson's own notebook: its imports may have been deleted.
    """
    functions = [s for s in own if isinstance(s.node, _DEFINITIONS)]
    actions = [s for s in own if not isinstance(s.node, _DECLARES)]
    wanted = {n.id for n in ast.walk(expression) if isinstance(n, ast.Name)}
    chosen, done = {id(s): s for s in own if "*" in s.binds}, set()
    wanted |= {name for s in chosen.values() for name in s.needs}
    while wanted - done:
        name = min(wanted - done)
        done.add(name)
        found = _bindings(name, own) or _bindings(name, given)
        if not any(isinstance(s.node, _DEFINITIONS) for s in found):
            # In place, by themselves or by a function that they call.
            by = {b for f in functions if name in f.changes for b in f.binds}
            found += [s for s in actions if name in s.changes or _called(s) & by]
        for statement in found:
            chosen[id(statement)] = statement
            wanted |= statement.needs
    return tuple(s for s in [*given, *own] if id(s) in chosen)


def _bindings(name, statements):
    """The last statement that binds a name anew, and those that change it since."""
    found = []
    for statement in reversed([s for s in statements if name in s.binds]):
        found.append(statement)
        anew = isinstance(statement.node, ast.Assign) and name not in statement.needs
        if anew or isinstance(statement.node, _DECLARES):
            break
    return found


def _called(statement):
    calls = (n.func for n in ast.walk(statement.node) if isinstance(n, ast.Call))
    return {function.id for function in calls if isinstance(function, ast.Name)}


def _broken(pattern, broken):
    found = re.compile(pattern, re.M)
    return next((why for text, why in reversed(broken) if found.search(text)), "")


@cache
def _given(area):
    """The statements of the lesson's own notebook, without the stubs, and its cells."""
    paths = NOTEBOOKS.glob(f"[0-9][0-9]_{area}.ipynb")
    cells = [c for path in paths for c in cells_of(path.read_bytes())]
    statements, _, texts = _statements(cells, "the lesson's cell")
    kept = [
        s
        for s in statements
        if not (_asked(area) & s.binds and isinstance(s.node, _DEFINITIONS))
    ]
    for statement in kept:
        statement.given = True
    return kept, texts


# --- questions


def _question(column, statements, broken, names):
    handed = list(_handed(column, statements, names))
    chosen = [_literal(n, statements) for n in handed if n is not None]
    chosen = [letter for letter in chosen if letter not in (..., None, "")]
    if chosen:
        return Answer(ATTEMPTED, letter=chosen[-1])
    why = _broken(re.escape(f"{column}.check("), broken)
    if why:
        return Answer(BROKEN, detail=why)
    return Answer(UNTOUCHED if handed else MISSING)


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
