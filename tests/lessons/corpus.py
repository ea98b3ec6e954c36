"""The corpus: answers that were written to the exercises, and what each is told.

    python tests/lessons/corpus.py [EXERCISE ...] [--show KIND ...] [--record]

`answers/LESSON/EXERCISE.toml` holds them. Its ``notebook`` is what the cells above the
exercise define, after the notebook's imports. Each of its ``answers`` has

    right or wrong   what it does, in words; the key is the truth about the answer
    source           where it comes from: first to fifth are sets that readers wrote
                     from the notebooks alone, kept are those of earlier tests,
                     wild ones are forms of public code, written anew
    code             as in a cell; what it defines last is the answer
    named            names of mistakes that say what is wrong with it, beside listed ones;
                     "not attempted" where that is the right verdict
    never            pieces of messages that are not true of this code
    told             a piece of the message, or the name, that must be told

The table counts each answer once, by the first of these that holds:

    accepted     a wrong answer is correct            refused   a right one is not
    misleading   the message holds a piece of ``never``, or names a listed mistake although
                 ``named`` says which one it is, or calls an attempt none
    named        the mistake is one of ``named``, one that the exercise lists (alone or as
                 one of two), one of its demands, or one of `TELLING`
    located      the message names a line of the answer, a layer of the diagnosis says more
                 than the first difference or the exception of the first wrong case, or
                 that difference is in an `OBSERVED` property and not in the result itself
    vague        none of these

A layer is a module of `helpers.checks.diagnosis` whose text stands in the message; the
seconds are processor time. How good a sentence is, only a reader can say: `--show`.
"""

import argparse
import contextlib
import functools
import io
import json
import linecache
import re
import sys
import time
import tomllib
import types
import warnings
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import nbformat

from helpers import lessons
from helpers.checks import diagnosis
from helpers.checks.exercise import Exercise
from helpers.checks.feedback import CORRECT, NOT_ATTEMPTED, Feedback

ANSWERS = Path(__file__).parent / "answers"
RECORD = ANSWERS / "recorded.json"
NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
KINDS = ("named", "located", "vague", "misleading", "accepted", "refused", "right")
# What the checks see in any exercise, and say in a sentence that leaves nothing open.
TELLING = {
    "a generator",
    "an argument not used",
    "another exception",
    "arguments",
    "changes its input",
    "hard-coded",
    "no array",
    "no return",
    "no tensor",
    "not refused",
    "not the same twice",
    "refuses good input",
    "text",
    "time",
    "transposed",
    "uses the notebook's data",
    "whole numbers",
}
OBSERVED = re.compile(
    r"(whether|what|the (dtype|names|number|old|periods|shape|type)) "
)
# So many answers of an exercise may be located once and vague the next time: where the
# search uses up its processor time, a busy machine gets less far in it.
SWAY = 1
FILES = {path.stem: path for path in sorted(ANSWERS.glob("*/*.toml"))}
TASKS = {task.name: task for task in lessons.ALL if isinstance(task, Exercise)}


@dataclass
class Result:
    """What one answer was told."""

    answer: dict
    kind: str
    feedback: Feedback
    layers: list
    seconds: float

    def __str__(self):
        words = self.answer.get("wrong") or self.answer["right"]
        layers = " + ".join(self.layers) or "no layer"
        code = self.answer["code"].replace("\n", "\n    | ")
        return (
            f"[{self.kind}] {words} ({self.answer['source']}; {layers}; "
            f"{self.seconds:.2f} s; {self.feedback.mistake})\n    | {code}\n"
            f"    {' '.join(self.feedback.message.split())}\n"
        )


@functools.cache
def read(exercise):
    """The file of an exercise: its answers, and what the cells above it define."""
    return {"notebook": "", **tomllib.loads(FILES[exercise].read_text("utf-8"))}


def results(exercise):
    """The Result of each answer to an exercise."""
    return [result(exercise, answer) for answer in read(exercise)["answers"]]


def result(exercise, answer):
    """The Result of one answer."""
    given = defined(exercise, answer["code"])
    with listening() as heard:
        start = time.process_time()
        feedback = TASKS[exercise].judge(given)
        seconds = time.process_time() - start
    layers = [layer for layer, text in heard.items() if text in feedback.message]
    kind = kind_of(TASKS[exercise], answer, feedback, layers)
    return Result(answer, kind, feedback, layers, seconds)


def defined(exercise, code):
    """What a cell with this code defines last, in the exercise's notebook."""
    module = types.ModuleType(f"{exercise} {abs(hash(code))}")
    sys.modules[module.__name__] = module
    names = vars(module)
    above = imports(FILES[exercise].parent.name), read(exercise)["notebook"]
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        for cell in above:
            run_cell(cell, names)
        before = dict(names)
        run_cell(code, names)
    new = [n for n, value in names.items() if value is not before.get(n)]
    wanted = TASKS[exercise].defines
    return names[wanted if wanted in new else new[-1]]


@functools.cache
def imports(lesson):
    """The cell of a lesson's notebook that imports."""
    (path,) = NOTEBOOKS.glob(f"*_{lesson}.ipynb")
    cells = nbformat.read(path, as_version=4).cells
    return next(c.source for c in cells if "\nfrom helpers" in c.source)


def run_cell(code, names):
    """Run code as a cell: its lines can be shown."""
    file = f"<cell {abs(hash(code))}>"
    linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)
    exec(compile(code, file, "exec"), names)


@contextlib.contextmanager
def listening():
    """Within it, what the layers of the diagnosis find, but the difference itself."""
    heard, layers = {}, diagnosis.LAYERS

    def overheard(layer):
        def noting(evidence):
            found = layer(evidence)
            name = layer.__module__.rpartition(".")[2]
            if found and name != "first_difference":
                heard[name] = found.message
            return found

        return noting

    diagnosis.LAYERS = [overheard(layer) for layer in layers]
    try:
        yield heard
    finally:
        diagnosis.LAYERS = layers


def kind_of(task, answer, feedback, layers):
    """One of `KINDS`, by the rules above."""
    if "right" in answer:
        return "right" if feedback.status == CORRECT else "refused"
    if feedback.status == CORRECT:
        return "accepted"
    message = " ".join(feedback.message.split())
    name = feedback.mistake or ""
    if feedback.status == NOT_ATTEMPTED:
        name = NOT_ATTEMPTED
    listed = {mistake.name for mistake in (*task.mistakes, *task.demands)}
    names = {name, *name.split(", and ")} & listed
    expected = set(answer.get("named", ()))
    if any(piece in message for piece in answer.get("never", ())):
        return "misleading"
    if expected & {name, *names}:
        return "named"
    if name == NOT_ATTEMPTED or (names and expected & listed):
        return "misleading"
    if names or name in TELLING:
        return "named"
    seen = layers or OBSERVED.match(name) or re.search(r"\bline \d", message)
    return "located" if seen else "vague"


# --- the table


def counted(some):
    """How many results are of each kind."""
    kinds = Counter(result.kind for result in some)
    return {kind: kinds[kind] for kind in KINDS}


def compared(exercise, counts):
    """What is not as recorded of an exercise: a sentence, or None."""
    before = recorded().get(exercise, {})
    more = counts["vague"] - before.get("vague", 0)
    swayed = {**counts, "vague": counts["vague"] - more}
    swayed["located"] += more
    if counts == before or (abs(more) <= SWAY and swayed == before):
        return None
    return (
        f"{exercise}: recorded {before}, found now {counts}. Look at the messages: python "
        f"tests/lessons/corpus.py {exercise} --show vague misleading accepted refused. "
        "Where it is meant, add --record."
    )


def recorded():
    """The counts of each exercise that were recorded."""
    return json.loads(RECORD.read_text("utf-8"))


def record(table):
    """Write down the counts of some exercises: one a line."""
    known = recorded() | {e: counted(some) for e, some in table.items()}
    lines = [f"  {json.dumps(e)}: {json.dumps(known[e])}" for e in FILES if e in known]
    RECORD.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def row(name, some):
    """One line of the table."""
    seconds = [result.seconds for result in some]
    numbers = "".join(f"{number:11}" for number in counted(some).values())
    return f"{name:22}{numbers}{sum(seconds):9.1f} s{max(seconds):8.2f} s"


def summary(every):
    """The last lines: all exercises, and which layers spoke to wrong answers."""
    told = [result.layers for result in every if "wrong" in result.answer]
    spoke = Counter(layer for layers in told for layer in layers)
    alone = Counter(layers[0] for layers in told if len(layers) == 1)
    lines = [row("all", every), "", f"{'layer':24}{'spoke':>8}{'alone':>8}"]
    lines += [f"{name:24}{n:8}{alone[name]:8}" for name, n in spoke.most_common()]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("exercises", nargs="*", metavar="EXERCISE")
    parser.add_argument("--show", nargs="+", default=[], choices=KINDS)
    parser.add_argument("--record", action="store_true")
    option = parser.parse_args()
    table = {}
    print(" " * 22 + "".join(f"{kind:>11}" for kind in KINDS) + "    seconds   slowest")
    for exercise in option.exercises or FILES:
        table[exercise] = results(exercise)
        print(row(exercise, table[exercise]), flush=True)
        for result in table[exercise]:
            if result.kind in option.show:
                print(f"\n{result}", flush=True)
    print(summary([result for some in table.values() for result in some]))
    if option.record:
        record(table)
    for exercise, some in table.items():
        if complaint := compared(exercise, counted(some)):
            print(complaint)


if __name__ == "__main__":
    main()
