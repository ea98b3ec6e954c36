"""The corpus: answers that were written to the exercises, and what each is told.

    python tests/lessons/corpus.py [EXERCISE ...] [--show KIND ...] [--record]

`answers/LESSON/EXERCISE.toml` holds them. Its ``notebook`` is what the cells above the
exercise define, after the notebook's imports. Each of its ``answers`` has

    right or wrong   what it does, in words; the key is the truth about the answer
    source           where it comes from: first to fourth are sets that readers wrote
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
from dataclasses import dataclass, field
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
WORSE = ("refused", "accepted", "misleading", "vague", "located")  # the worst first
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
        head = f"[{self.kind}] {words} ({self.answer['source']}; {layers}; "
        head += f"{self.seconds:.2f} s; {self.feedback.mistake})"
        code = "\n".join(f"    | {line}" for line in self.answer["code"].split("\n"))
        return f"{head}\n{code}\n    {' '.join(self.feedback.message.split())}\n"


@dataclass
class Corpus:
    """The answers to one exercise."""

    exercise: str
    notebook: str = ""
    answers: list = field(default_factory=list)

    @classmethod
    def read(cls, exercise):
        return cls(exercise, **tomllib.loads(FILES[exercise].read_text("utf-8")))

    @property
    def task(self):
        return TASKS[self.exercise]

    def results(self):
        """The Result of each answer."""
        return [self.result(answer) for answer in self.answers]

    def result(self, answer):
        given = self.defined(answer["code"])
        with listening() as heard:
            start = time.process_time()
            feedback = self.task.judge(given)
            seconds = time.process_time() - start
        layers = [layer for layer, text in heard if text in feedback.message]
        layers = sorted(set(layers), key=layers.index)
        kind = self.kind(answer, feedback, layers)
        return Result(answer, kind, feedback, layers, seconds)

    def defined(self, code):
        """What a cell with this code defines last, in the exercise's notebook."""
        module = types.ModuleType(f"{self.exercise} {abs(hash(code))}")
        sys.modules[module.__name__] = module
        names = vars(module)
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            for cell in (imports(FILES[self.exercise].parent.name), self.notebook):
                run_cell(cell, names)
            before = dict(names)
            run_cell(code, names)
        new = [n for n, value in names.items() if value is not before.get(n)]
        return names[self.task.defines if self.task.defines in new else new[-1]]

    def kind(self, answer, feedback, layers):
        """One of `KINDS`, by the rules above."""
        if "right" in answer:
            return "right" if feedback.status == CORRECT else "refused"
        if feedback.status == CORRECT:
            return "accepted"
        message = " ".join(feedback.message.split())
        name = NOT_ATTEMPTED if feedback.status == NOT_ATTEMPTED else feedback.mistake
        own = [*self.task.mistakes, *self.task.demands]
        listed = {mistake.name for mistake in own}
        names = {name, *(name or "").split(", and ")} & listed
        expected = set(answer.get("named", ()))
        if any(piece in message for piece in answer.get("never", ())):
            return "misleading"
        if expected & {name, *names}:
            return "named"
        if name == NOT_ATTEMPTED:
            return "misleading"
        if names:
            return "misleading" if expected & listed else "named"
        if name in TELLING:
            return "named"
        seen = layers or OBSERVED.match(name or "") or re.search(r"\bline \d", message)
        return "located" if seen else "vague"


def run_cell(code, names):
    """Run code as a cell: its lines can be shown."""
    file = f"<cell {abs(hash(code))}>"
    linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)
    exec(compile(code, file, "exec"), names)


@functools.cache
def imports(lesson):
    """The cell of a lesson's notebook that imports."""
    (path,) = NOTEBOOKS.glob(f"*_{lesson}.ipynb")
    cells = nbformat.read(path, as_version=4).cells
    return next(c.source for c in cells if "\nfrom helpers" in c.source)


@contextlib.contextmanager
def listening():
    """Within it, a list of (layer, text) of what the layers of the diagnosis find."""
    heard, layers = [], diagnosis.LAYERS
    diagnosis.LAYERS = [overheard(layer, heard) for layer in layers]
    try:
        yield heard
    finally:
        diagnosis.LAYERS = layers


def overheard(layer, heard):
    """A layer that also notes what it finds, but for the difference itself."""
    name = layer.__module__.rpartition(".")[2]

    def noting(evidence):
        found = layer(evidence)
        if found and name != "first_difference":
            heard.append((name, found.message))
        return found

    return noting


# --- the table


def counted(results):
    """How many answers are of each kind."""
    kinds = Counter(result.kind for result in results)
    return {kind: kinds[kind] for kind in KINDS}


def compared(exercise, counts):
    """What is not as recorded of an exercise: a sentence, or None."""
    before = dict.fromkeys(KINDS, 0) | recorded().get(exercise, {})
    changed = {kind: (before[kind], counts[kind]) for kind in KINDS}
    changed = {kind: pair for kind, pair in changed.items() if pair[0] != pair[1]}
    as_many = sum(counts.values()) == sum(before.values())
    swayed = abs(counts["vague"] - before["vague"]) <= SWAY
    if not changed or (as_many and swayed and changed.keys() == {"located", "vague"}):
        return None
    now, then = ([kinds[kind] for kind in WORSE] for kinds in (counts, before))
    what = "worse than what is" if now > then else "better than what is"
    if not as_many:
        what = "the answers are others than those"
    return (
        f"{exercise}: {what} recorded: {changed}. Look at the messages: python "
        f"tests/lessons/corpus.py {exercise} --show vague misleading accepted refused. "
        "Where it is meant, add --record."
    )


def recorded():
    """The counts of each exercise that were recorded."""
    return json.loads(RECORD.read_text("utf-8")) if RECORD.exists() else {}


def record(table):
    """Write down the counts of some exercises: one a line."""
    known = recorded() | {e: counted(results) for e, results in table.items()}
    lines = [f"  {json.dumps(e)}: {json.dumps(known[e])}" for e in FILES if e in known]
    RECORD.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def row(name, results):
    """One line of the table."""
    counts = counted(results)
    seconds = [result.seconds for result in results]
    numbers = "".join(f"{counts[kind]:11}" for kind in KINDS)
    return f"{name:22}{numbers}{sum(seconds):9.1f} s{max(seconds):8.2f} s"


def summary(table):
    """The last lines: all exercises, shares, and which layers spoke."""
    results = [result for some in table.values() for result in some]
    counts, wrong = counted(results), sum("wrong" in r.answer for r in results)
    shares = [f"{k} {counts[k] / wrong:.1%}" for k in KINDS[:5] if wrong]
    lines = [row("all", results), f"Of {wrong} wrong answers: {', '.join(shares)}."]
    spoke = [r for r in results if "wrong" in r.answer and r.kind != "accepted"]
    alone = Counter(layer for r in spoke for layer in r.layers)
    only = Counter(r.layers[0] for r in spoke if len(r.layers) == 1)
    lines += ["", f"{'layer':24}{'spoke':>8}{'alone':>8}"]
    lines += [f"{name:24}{n:8}{only[name]:8}" for name, n in alone.most_common()]
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
        table[exercise] = results = Corpus.read(exercise).results()
        print(row(exercise, results), flush=True)
        for result in results:
            if result.kind in option.show:
                print(f"\n{result}", flush=True)
    print(summary(table))
    if option.record:
        record(table)


if __name__ == "__main__":
    main()
