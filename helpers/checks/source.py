"""An answer's source: where it stands, as text and as a syntax tree.

It works for notebook cells, files and code that was compiled from a text, as long as
`linecache` knows the text: IPython registers each cell there.
"""

import ast
import hashlib
import linecache
import re
import types
from dataclasses import dataclass
from functools import lru_cache

_BEGINS = re.compile(r"\b(def|class|lambda)\b|^\s*@")  # a function or class
OURS = "helpers."  # modules of the series are not the student's to change


@dataclass(frozen=True)
class Part:
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


def codes(answer):
    """The code objects of a function, a method, or of a class's methods."""
    if isinstance(answer, type):
        return [code for member in vars(answer).values() for code in codes(member)]
    answer = getattr(answer, "fget", None) or getattr(answer, "__func__", answer)
    code = getattr(answer, "__code__", None)
    return [code] if isinstance(code, types.CodeType) else []


def part_of(answer, name=None):
    """The Part of a function or class, or None where its source is not known."""
    found = codes(answer)
    if not found:
        return None
    text = "".join(linecache.getlines(found[0].co_filename))
    try:
        nodes = [node for node in _definitions(text) if _defines(node, answer)]
    except (SyntaxError, ValueError):
        return None
    return Part(name, nodes[-1], text, found[0].co_filename) if nodes else None


def parts(answer):
    """The answer and the student's own functions that it calls, directly or not.

    A function is the student's where it lives with the answer's globals and outside of
    the series and of installed packages. Empty where the answer has no source.
    """
    first = part_of(answer)
    if first is None:
        return []
    names, found, seen = globals_of(answer), [first], {id(answer)}
    waiting = [first]
    while waiting:
        for name in names_in(waiting.pop().node):
            other = names.get(name)
            if id(other) in seen or not _is_own(other, names):
                continue
            seen.add(id(other))
            part = part_of(other, name)
            if part:
                found.append(part)
                waiting.append(part)
    return found


def globals_of(answer):
    """The global names that an answer sees."""
    if isinstance(answer, type):
        members = vars(answer).values()
        answer = next((m for m in members if isinstance(m, types.FunctionType)), None)
    return getattr(getattr(answer, "__func__", answer), "__globals__", {})


def names_in(tree):
    """Every plain name in a tree, once each, in order."""
    nodes = (node for node in ast.walk(tree) if isinstance(node, ast.Name))
    return list(dict.fromkeys(node.id for node in nodes))


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
    lines, name = [c.co_firstlineno for c in codes(answer)], codes(answer)[0].co_name
    if isinstance(answer, type):
        inside = any(node.lineno <= n <= node.end_lineno for n in lines)
        named = getattr(node, "name", None) == answer.__name__
        return isinstance(node, ast.ClassDef) and named and inside
    return getattr(node, "name", "<lambda>") == name and _first_line(node) == lines[0]


def _first_line(node):
    return min(n.lineno for n in (node, *getattr(node, "decorator_list", ())))
