"""An answer, read once: its source as text and as a syntax tree, and the names in it.

It works for notebook cells, files and code that was compiled from a text, as long as
`linecache` knows the text: IPython registers each cell there.
"""

import ast
import hashlib
import linecache
import re
import traceback
import types
from dataclasses import dataclass
from functools import cached_property, lru_cache

_BEGINS = re.compile(r"\b(def|class|lambda)\b|^\s*@")  # a function or class
OURS = "helpers."  # modules of the series are not the student's to change


@dataclass(frozen=True)
class Definition:
    """A function or class of the student's: its tree, its text and its file.

    ``name`` is the global name that it goes by; None for the answer itself, which may
    go by any. Line numbers count from the start of the cell or file.
    """

    name: str | None
    node: ast.AST
    text: str
    file: str

    def piece(self, node):
        """The text of a node, as written."""
        return ast.get_source_segment(self.text, node) or ""

    @property
    def lines(self):
        """The lines of its definition, whole, from the first decorator on."""
        lines = self.text.split("\n")
        return lines[_first_line(self.node) - 1 : self.node.end_lineno]


def digest(lines):
    """``"12:1f0a…"``: how many lines of code these are, and a hash of them.

    Empty lines, comments on a line of their own and spaces at the end do not count.
    With the number of lines, whoever has a notebook finds the code in it, without
    running or parsing anything.
    """
    lines = counted(lines)
    text = "\n".join(lines).encode("utf-8", "surrogatepass")
    return f"{len(lines)}:{hashlib.sha256(text).hexdigest()[:32]}"


def counted(lines):
    """The lines that a digest is made of."""
    return [line.rstrip() for line in lines if line.split("#")[0].strip()]


def find(code, lines):
    """The lines that a digest is of, among `counted` lines; None where they are not."""
    count = int(code.partition(":")[0])
    for start in range(len(lines) - count + 1):
        piece = lines[start : start + count]
        if _BEGINS.search(piece[0]) and digest(piece) == code:
            return piece
    return None


class Answer:
    """What a student hands over, read once.

    ``function`` is the function or class itself. ``definitions`` holds it and the
    student's own functions that it calls, directly or not: those that live with its
    globals, outside of the series and of installed packages. It is empty where the
    source is not known.
    """

    def __init__(self, function):
        self.function = function

    @cached_property
    def global_names(self):
        """The global names that it sees, with their values."""
        function = self.function
        if isinstance(function, type):
            members = vars(function).values()
            functions = (m for m in members if isinstance(m, types.FunctionType))
            function = next(functions, None)
        function = getattr(function, "__func__", function)
        return getattr(function, "__globals__", {})

    @cached_property
    def definitions(self):
        """The Definition of the answer, and those of its helper functions."""
        first = definition_of(self.function)
        if first is None:
            return []
        found = [first]
        known = {id(self.function)}
        waiting = [first]
        while waiting:
            for name in names_in(waiting.pop().node):
                other = self.global_names.get(name)
                if id(other) in known or not _is_own(other, self.global_names):
                    continue
                known.add(id(other))
                definition = definition_of(other, name)
                if definition:
                    found.append(definition)
                    waiting.append(definition)
        return found

    @property
    def definition(self):
        """Its own Definition, or None."""
        return self.definitions[0] if self.definitions else None

    @cached_property
    def nodes(self):
        """Every node of its definitions."""
        return [n for part in self.definitions for n in ast.walk(part.node)]

    @cached_property
    def arguments(self):
        """The names of a function's arguments, and of those of functions within it."""
        if self.definition is None or isinstance(self.function, type):
            return []
        nodes = ast.walk(self.definition.node.args)
        names = [node.arg for node in nodes if isinstance(node, ast.arg)]
        return [name for name in names if name != "self"]

    @cached_property
    def reads(self):
        """The nodes of the names that its own definition reads."""
        nodes = ast.walk(self.definition.node) if self.definition else ()
        names = (node for node in nodes if isinstance(node, ast.Name))
        return [node for node in names if isinstance(node.ctx, ast.Load)]

    @cached_property
    def unused_arguments(self):
        """The arguments that it does not read."""
        read = {node.id for node in self.reads}
        return [name for name in self.arguments if name not in read]

    @property
    def ignores_arguments(self):
        """Whether it is known to read none of its arguments."""
        return bool(self.arguments) and len(self.unused_arguments) == len(
            self.arguments
        )

    @cached_property
    def files(self):
        """The files (cells) of its code."""
        return {code.co_filename for code in codes(self.function)}

    def line_of(self, error):
        """Number and text of its last line on the way to an exception, or None."""
        frames = traceback.extract_tb(error.__traceback__)
        own = [
            (f.lineno, (f.line or "").strip())
            for f in frames
            if f.filename in self.files
        ]
        return own[-1] if own else None

    def is_untouched(self, stub):
        """Whether it is the stub as it was given, or says nothing at all."""
        if self.definition is None:
            return False
        node = self.definition.node
        body = node.body if isinstance(node.body, list) else [node.body]
        given = map(ast.dump, ast.parse(stub).body)
        return all(map(_is_empty, body)) or ast.dump(node) in given


def codes(answer):
    """The code objects of a function, a method, or of a class's methods."""
    if isinstance(answer, type):
        return [code for member in vars(answer).values() for code in codes(member)]
    answer = getattr(answer, "fget", None) or getattr(answer, "__func__", answer)
    code = getattr(answer, "__code__", None)
    return [code] if isinstance(code, types.CodeType) else []


def definition_of(answer, name=None):
    """The Definition of a function or class, or None where its source is not known."""
    found = codes(answer)
    if not found:
        return None
    text = "".join(linecache.getlines(found[0].co_filename))
    try:
        nodes = [node for node in _definitions(text) if _defines(node, answer)]
    except (SyntaxError, ValueError):
        return None
    return Definition(name, nodes[-1], text, found[0].co_filename) if nodes else None


def names_in(tree):
    """Every plain name in a tree, once each, in order."""
    nodes = (node for node in ast.walk(tree) if isinstance(node, ast.Name))
    return list(dict.fromkeys(node.id for node in nodes))


def bound_names(tree):
    """The names of the arguments in a tree and of what it assigns."""
    nodes = list(ast.walk(tree))
    return {node.arg for node in nodes if isinstance(node, ast.arg)} | {
        node.id
        for node in nodes
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    }


def _is_empty(node):
    """Whether a statement is ``...``, ``pass``, ``return None`` or a docstring."""
    text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    words = ast.unparse(node).removeprefix("return").strip()
    return text or words in ("", "pass", "None", "...")


def _is_own(thing, names):
    module = getattr(thing, "__module__", None) or ""
    if not isinstance(thing, (types.FunctionType, type)) or module.startswith(OURS):
        return False
    return module == names.get("__name__") or (
        isinstance(thing, types.FunctionType) and thing.__globals__ is names
    )


@lru_cache(maxsize=4)
def _definitions(text):
    """The functions and classes in a text. Nobody changes them."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
    return [node for node in ast.walk(ast.parse(text)) if isinstance(node, kinds)]


def _defines(node, answer):
    """Whether a function or class is defined by this node."""
    lines = [c.co_firstlineno for c in codes(answer)]
    name = codes(answer)[0].co_name
    if isinstance(answer, type):
        inside = any(node.lineno <= n <= node.end_lineno for n in lines)
        named = getattr(node, "name", None) == answer.__name__
        return isinstance(node, ast.ClassDef) and named and inside
    return getattr(node, "name", "<lambda>") == name and _first_line(node) == lines[0]


def _first_line(node):
    return min(n.lineno for n in (node, *getattr(node, "decorator_list", ())))
