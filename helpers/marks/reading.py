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

ATTEMPTED, BROKEN = "attempted", "syntax error"
UNTOUCHED, MISSING, NOT_JUDGED = WITHOUT = "not attempted", "missing", "not judged"
_RUNS_ITS_CELL = {"%%time", "%%timeit", "%%capture", "%%prun"}
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
IMPORTS = (ast.Import, ast.ImportFrom)
_DECLARES = (*_DEFINITIONS, *IMPORTS)
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
    defines: bool  # a function or a class
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


def files_in(place):
    """The file that a path is, or every file beneath it, but no links."""
    files = [place, *sorted(place.rglob("*"))]
    return [file for file in files if file.is_file() and not file.is_symlink()]


def cells_of(content, name=""):
    """The code cells of a notebook or exported script, given as bytes."""
    try:
        text = content.decode("utf-8-sig")
        if name.lower().endswith(".py"):
            cells = re.split(r"^# (?:In ?\[.*\]:?|%%.*)$", text, flags=re.M)
        else:
            found = json.loads(text, parse_int=str)["cells"]  # no number is needed
            cells = ["".join(c["source"]) for c in found if c["cell_type"] == "code"]
    except UnicodeDecodeError:
        raise Unreadable("it is not text in UTF-8") from None
    except json.JSONDecodeError as error:
        raise Unreadable(f"it is damaged: {error}") from None
    except (KeyError, TypeError, RecursionError):
        raise Unreadable("it is not a notebook") from None
    return [re.sub(r"\r\n?", "\n", cell) for cell in cells]


def areas_in(cells):
    """The areas whose exercises a notebook holds, the best known first."""
    text = "\n".join(cells)
    named = Counter(re.findall(r"\b(\w+)\.\w+\.(?:check|ask|hint|solution)\(", text))
    for names in re.findall(r"helpers\.lessons(?:\.(\w+)| import ([\w, ]+))", text):
        named.update(set(re.split(r"\W+", " ".join(names))))
    found = [area for area, _ in named.most_common() if area in AREAS]
    if found:
        return found
    # Every check was deleted: the functions asked for are still there.
    defined = set(re.findall(r"^(?:def|class) (\w+)", text, re.M))
    best = max(AREAS, key=lambda area: len(defined & _asked(area)))
    return [best] if defined & _asked(best) else []


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
    answers = {}
    for column, task in tasks_of(area).items():
        handed = list(_handed(column, statements, names))
        if task.kind == "exercise":
            found = _exercise(task, handed, statements, given)
        else:
            found = _question(handed, statements)
        why = found.state != ATTEMPTED and _broken(column, task, broken)
        answers[column] = Answer(BROKEN, detail=why) if why else found
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
    return Statement(node, cell, *sets, ast.dump(node), isinstance(node, _DEFINITIONS))


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
            found |= {a.asname: a.name.rpartition(".")[2] for a in node.names}
    return found


def _handed(column, statements, names):
    """What every check of a column is called with, in the notebook's order."""
    for node in (n for s in statements for n in ast.walk(s.node)):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in _CALLS:
            owner = ast.unparse(node.func.value).removeprefix("helpers.lessons.")
            alias, _, task = owner.partition(".")
            if f"{names.get(alias)}.{task}" == column:
                named = [k.value for k in node.keywords if k.arg == "answer"]
                yield next(iter([*node.args, *named]), None)


# --- exercises


def _exercise(task, handed, statements, given):
    stubs = [ast.dump(n) for n in ast.parse(task.stub).body]
    own = [s for s in statements if s.dump not in stubs]
    for expression in [*reversed(handed), ast.Name(task.defines, ast.Load())]:
        if expression is not None and _says_something(expression, own):
            return Answer(ATTEMPTED, expression, _program(expression, own, given))
    here = handed or any(task.defines in s.binds for s in statements)
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
    functions = [s for s in own if s.defines]
    actions = [s for s in own if not isinstance(s.node, _DECLARES)]
    wanted = {n.id for n in ast.walk(expression) if isinstance(n, ast.Name)}
    chosen, done = {id(s): s for s in own if "*" in s.binds}, set()
    wanted |= {name for s in chosen.values() for name in s.needs}
    while wanted - done:
        name = min(wanted - done)
        done.add(name)
        found = _bindings(name, own) or _bindings(name, given)
        if not any(s.defines for s in found):
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


def _broken(column, task, broken):
    """Why Python cannot read the last cell that would answer a task, or ''."""
    patterns = [re.escape(f"{column}.check(")]
    if task.kind == "exercise":
        name = task.defines
        patterns.insert(0, rf"^\s*(?:(?:def|class)\s+{name}\b|{name}\s*=)")
    pairs = ((pattern, *found) for pattern in patterns for found in reversed(broken))
    return next((why for p, text, why in pairs if re.search(p, text, re.M)), "")


@cache
def _given(area):
    """The statements of the lesson's own notebook, without the stubs, and its cells."""
    paths = NOTEBOOKS.glob(f"[0-9][0-9]_{area}.ipynb")
    cells = [c for path in paths for c in cells_of(path.read_bytes())]
    statements, _, texts = _statements(cells, "the lesson's cell")
    for statement in statements:
        statement.given = True
    stubs = [s for s in statements if s.defines and _asked(area) & s.binds]
    return [s for s in statements if s not in stubs], texts


# --- questions


def _question(handed, statements):
    chosen = [_literal(n, statements) for n in handed if n is not None]
    chosen = [letter for letter in chosen if letter not in (..., None, "")]
    if chosen:
        return Answer(ATTEMPTED, letter=chosen[-1])
    return Answer(UNTOUCHED if handed else MISSING)


def _literal(node, statements):
    """The constant that an argument is, or is a name for; its text where it is none."""
    if isinstance(node, ast.Name):
        bound = [s.node for s in statements if s.binds == {node.id}]
        values = [n.value for n in bound if isinstance(n, ast.Assign)]
        node = values[-1] if values else node
    return node.value if isinstance(node, ast.Constant) else ast.unparse(node)[:80]
