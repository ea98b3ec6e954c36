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

A layer is a module of `helpers.checks.diagnosis` whose text stands in the message. How
good a sentence is, only a reader can say: `--show`.
"""

import argparse
import contextlib
import functools
import io
import linecache
import re
import sys
import textwrap
import tomllib
import warnings
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import pandas as pd

sys.path.append(str(Path(__file__).parents[1]))  # where this is run as a script

from stored import imports, notebook_of

from helpers import lessons
from helpers.checks import diagnosis
from helpers.checks.exercise import Exercise
from helpers.checks.feedback import CORRECT, NOT_ATTEMPTED, Feedback

ANSWERS = Path(__file__).parent / "answers"
RECORD = ANSWERS / "recorded.csv"
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

    def __str__(self):
        words = self.answer.get("wrong") or self.answer["right"]
        layers = " + ".join(self.layers) or "no layer"
        code = textwrap.indent(self.answer["code"], "    | ")
        return (
            f"[{self.kind}] {words} ({self.answer['source']}; {layers}; "
            f"{self.feedback.mistake})\n{code}"
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
    task, given = TASKS[exercise], defined(exercise, answer["code"])
    with listening() as heard:
        feedback = task.judge(given)
    layers = [layer for layer, text in heard.items() if text in feedback.message]
    return Result(answer, kind_of(task, answer, feedback, layers), feedback, layers)


def defined(exercise, code):
    """What a cell with this code defines last, in the exercise's notebook."""
    names = {"__name__": "__main__"}
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        run_cell(imports(notebook_of(FILES[exercise].parent.name)), names)
        run_cell(read(exercise)["notebook"], names)
        before = dict(names)
        run_cell(code, names)
    new = [n for n, value in names.items() if value is not before.get(n)]
    wanted = TASKS[exercise].defines
    return names[wanted if wanted in new else new[-1]]


def run_cell(code, names):
    """Run code as a cell: its lines can be shown."""
    file = f"<cell {abs(hash(code))}>"
    linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)
    exec(compile(code, file, "exec"), names)


@contextlib.contextmanager
def listening():
    """Within it, what the layers of the diagnosis find, but the difference itself."""
    heard = {}

    def overheard(layer):
        def noting(evidence):
            if found := layer(evidence):
                heard[layer.__module__.rpartition(".")[2]] = found.message
            return found

        return noting

    layers = [overheard(layer) for layer in diagnosis.LAYERS]
    with mock.patch.object(diagnosis, "LAYERS", layers):
        yield heard
    heard.pop("first_difference", None)


def kind_of(task, answer, feedback, layers):
    """One of `KINDS`, by the rules above."""
    if "right" in answer:
        return "right" if feedback.status == CORRECT else "refused"
    if feedback.status == CORRECT:
        return "accepted"
    message = " ".join(feedback.message.split())
    name = feedback.mistake or feedback.status
    names = {name, *name.split(", and ")}
    listed = {mistake.name for mistake in (*task.mistakes, *task.demands)}
    expected = set(answer.get("named", ()))
    if any(piece in message for piece in answer.get("never", ())):
        return "misleading"
    if expected & names:
        return "named"
    if name == NOT_ATTEMPTED or (names & listed and expected & listed):
        return "misleading"
    if names & (listed | TELLING):
        return "named"
    seen = layers or OBSERVED.match(name) or re.search(r"\bline \d", message)
    return "located" if seen else "vague"


# --- the table


def counted(some):
    """How many results are of each kind."""
    kinds = pd.Series([result.kind for result in some])
    return kinds.value_counts().reindex(KINDS, fill_value=0)


def compared(exercise, counts):
    """What is not as recorded of an exercise: a sentence, or None."""
    before = recorded().loc[exercise]
    more = counts - before
    more["located"] += more["vague"]
    if abs(more["vague"]) <= SWAY and not more.drop("vague").any():
        return None
    return (
        f"{exercise}: recorded {before.to_dict()}, found now {counts.to_dict()}. Look at "
        f"the messages: python tests/lessons/corpus.py {exercise} --show vague misleading "
        "accepted refused. Where it is meant, add --record."
    )


def recorded():
    """The counts that were recorded, a row for each exercise."""
    return pd.read_csv(RECORD, index_col=0).reindex(list(FILES), fill_value=0)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("exercises", nargs="*", metavar="EXERCISE", default=FILES)
    parser.add_argument("--show", nargs="+", default=[], choices=KINDS)
    parser.add_argument("--record", action="store_true")
    option = parser.parse_args()
    for exercise in option.exercises:
        some = results(exercise)
        counts = counted(some)
        print(f"{exercise:22}", counts.to_dict(), flush=True)
        for result in some:
            if result.kind in option.show:
                print(f"\n{result}")
        if option.record:
            recorded().T.assign(**{exercise: counts}).T.to_csv(RECORD)
        elif complaint := compared(exercise, counts):
            print(complaint)


if __name__ == "__main__":
    main()
