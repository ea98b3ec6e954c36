"""A wrong answer as the `Slip` or `Mistake` to start from, for next year's class."""

import ast
import difflib
import textwrap

_NAME, _SENTENCE = "name it", "Say what is wrong, and ask what leads on."


def starter(task, code):
    """Python that adds a wrong answer to an exercise; ``code`` is the answer's.

    A `Slip` where the answer is the solution with other statements in it, else a
    `Mistake` with the whole function.
    """
    slip = _slip(task, code)
    if slip is None:
        name = task.reference.__name__
        return f"{code}\n\n\nMistake({_NAME!r}, {_SENTENCE!r}, {name})\n"
    pairs = "".join(
        f"        {_quoted(piece)}: {_quoted(instead)},\n"
        for piece, instead in slip.items()
    )
    return f"Slip(\n    {_NAME!r},\n    {_SENTENCE!r},\n    {{\n{pairs}    }},\n)\n"


def _quoted(text):
    """A string literal with double quotes, as the formatter would write it."""
    plain = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{plain}"'


def _slip(task, code):
    """Piece of the solution -> what stands there instead; None where there is none."""
    solution = task.solution_code
    try:
        ours, theirs = _only_function(solution), _only_function(code)
        if ours is None or theirs is None:
            return None
        theirs = _with_our_names(ours, theirs)
    except SyntaxError:
        return None
    for edits in (_edits(solution, ours, theirs), _whole(solution, ours, theirs)):
        if edits and _gives(solution, edits, theirs):
            return edits
    return None


def _only_function(code):
    tree = ast.parse(code)
    alone = len(tree.body) == 1 and isinstance(tree.body[0], ast.FunctionDef)
    return tree.body[0] if alone else None


def _with_our_names(ours, theirs):
    """Their function with our name and the names of our arguments."""
    if len(ours.args.args) != len(theirs.args.args):
        raise SyntaxError("other arguments")
    names = {
        their.arg: our.arg
        for our, their in zip(ours.args.args, theirs.args.args, strict=True)
    }
    for node in ast.walk(theirs):
        if isinstance(node, ast.Name):
            node.id = names.get(node.id, node.id)
        elif isinstance(node, ast.arg):
            node.arg = names.get(node.arg, node.arg)
    theirs.name = ours.name
    return theirs


def _edits(solution, ours, theirs):
    old = [ast.dump(node) for node in ours.body]
    new = [ast.dump(node) for node in theirs.body]
    edits = {}
    steps = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    for kind, start, end, low, high in steps:
        if kind == "equal":
            continue
        instead = theirs.body[low:high]
        if kind == "insert":  # with the statement before or after it
            before = start > 0
            start, end = (start - 1, start) if before else (start, start + 1)
            kept = ours.body[start:end]
            instead = [*kept, *instead] if before else [*instead, *kept]
        piece = _text(solution, ours.body[start:end])
        edits[piece] = _unparsed(instead) or "pass"
    return edits


def _whole(solution, ours, theirs):
    return {_text(solution, ours.body): _unparsed(theirs.body)}


def _text(solution, nodes):
    lines = solution.splitlines(keepends=True)
    before = lines[: nodes[0].lineno - 1]
    first = sum(map(len, before)) + nodes[0].col_offset
    last = sum(map(len, lines[: nodes[-1].end_lineno - 1])) + nodes[-1].end_col_offset
    return solution[first:last]


def _unparsed(nodes):
    text = "\n".join(ast.unparse(node) for node in nodes)
    return textwrap.indent(text, "    ").strip()


def _gives(solution, edits, theirs):
    """Whether the edits make of the solution what was handed in."""
    made = solution
    for piece, instead in edits.items():
        if not piece or solution.count(piece) != 1:
            return False
        made = made.replace(piece, instead)
    try:
        function = _only_function(made)
    except SyntaxError:
        return False
    return function is not None and ast.dump(function) == ast.dump(theirs)
