"""Each result of a lesson is quoted by a test, and what a test quotes still stands.

A test in test_AREA_claims.py quotes in its docstring, between “ and ”, the sentence that
it recomputes. White space aside, it stands in that area's notebook, questions, sentences
of mistakes, notes or exam.

A sentence of a notebook states a result if it gives a number that no cell types in, or,
after the first training, a verdict. Left out are questions, exercises, calculations by
hand, equations, which show where their numbers come from, and the lists at the end.
Whatever else only looks like a result stands in not_results.toml.
"""

import ast
import re
import tomllib
from pathlib import Path

import pytest
from stored import notebook_of, read

from helpers.lessons import AREAS

HERE = Path(__file__).parent
QUOTES = [
    (path.stem.removeprefix("test_").removesuffix("_claims"), test.name, quoted)
    for path in sorted(HERE.glob("test_*_claims.py"))
    for test in ast.parse(path.read_text(encoding="utf-8")).body
    if isinstance(test, ast.FunctionDef) and test.name.startswith("test_")
    for quoted in re.findall("“(.*?)”", ast.get_docstring(test), re.DOTALL) or [None]
]
KINDS = tomllib.loads((HERE / "not_results.toml").read_text(encoding="utf-8"))

LEFT_OUT = re.compile(r"\*\*By hand|.* [Bb]y hand\n|## (Common|Further)")
TASK = re.compile(r"\*\*(Exercise|Predict|Diagnose)")
TRAINING = re.compile(r"Training\(|\.backward\(|lstsq\(|\bfit\(|trained\(")
VERDICT = re.compile(
    r"\b((has|have) learned|better|worse|best|lower|lowest|higher|fails?|failed|guess|sure"
    r"|chance|wrong|(is|are|stay|mostly) right|memoris\w+|notices?|miss|missed|reveals?"
    r"|found|enough|solves?|solved|needed|helps?|useless|nothing is left|holds|fades"
    r"|reach ends|its level|grown?|averages?|raises? the loss|meets|underfits|stiff|blurred"
    r"|close to|hardly|loses?|split|impossible|harm|worth|decay|far off|varies"
    r"|more than|less than)\b"
)
# A setting after its name, a chapter or a year measures nothing, nor does an equation.
LABEL = re.compile(
    r"`[^`]*`|\$[^$]*(=|approx)[^$]*\$|§\S+|\b0\d\b|\b(19|20)\d\d\b|\| [\d., ]+\|$"
    r"|\b(sections?|notebooks?|exercises?|chapter|pairs?|rows?|columns?|positions?|base"
    r"|layers?|tokens?|points?|widths?|Llama)( [\d.]+(,| and| to)?)+",
    re.IGNORECASE,
)
NUMBER = re.compile(r"\d+(?:\.\d+)?(?: ?%| times| of| in)?")
IN_WORDS = re.compile(
    r"\b(twice|about half|(more|less|fewer) than half|(one|a) (third|quarter|fifth|tenth)"
    r"|quarters|times (as|better|closer|more|longer)|thousands of times)\b"
)


def on_one_line(text):
    return " ".join(text.split())


def sentences(text):
    for block in re.split(r"\n\s*\n|\n(?=[-|#\d])", text):
        if not block.startswith("#"):
            yield from re.split(
                r"(?<=[.!?:)*”])\s+(?=[-A-Z$*\"(“])", on_one_line(block)
            )


def results(area):
    """The sentences of a notebook that state a result."""
    cells = read(notebook_of(area)).cells[3:]
    code = " ".join(cell.source for cell in cells if cell.cell_type == "code")
    typed = set(re.findall(r"\d+(?:\.\d+)?", code.replace("_", "")))
    trained = False
    for cell in cells:
        if cell.cell_type == "code":
            trained = trained or TRAINING.search(cell.source)
        elif not LEFT_OUT.match(cell.source):
            for sentence in sentences(TASK.split(cell.source)[0]):
                said = LABEL.sub(" ", re.sub(r"(?<=\d)[  ](?=\d{3}\b)", "", sentence))
                numbers = {n for n in NUMBER.findall(said) if len(n) > 1} - typed
                verdict = IN_WORDS.search(said) or trained and VERDICT.search(said)
                if (numbers or verdict) and not sentence.endswith("?"):
                    yield sentence


@pytest.mark.parametrize("area", AREAS)
def test_what_is_quoted_still_stands_in_its_lesson(area):
    folder = HERE.parents[1] / "helpers" / "lessons" / area
    told = [c.source for c in read(notebook_of(area)).cells if c.cell_type != "code"]
    for path in sorted([*folder.glob("*.toml"), *folder.glob("*.md")]):
        told.append(path.read_text(encoding="utf-8"))
    told = on_one_line("\n".join(told))
    quotes = [(test, quoted) for of, test, quoted in QUOTES if of == area]
    assert quotes
    for test, quoted in quotes:
        assert quoted, f"{test} quotes no sentence"
        assert on_one_line(quoted) in told, f"{test} quotes what no longer stands"


@pytest.mark.parametrize("area", AREAS)
def test_every_result_is_quoted_by_a_test(area):
    told = [on_one_line(quoted) for of, _, quoted in QUOTES if of == area]
    quoted = [sentence for text in told for sentence in sentences(text)]
    other = [start for kind in KINDS.values() for start in kind.get(area, [])]
    untested = [s for s in results(area) if not any(part in s for part in quoted)]
    idle = [start for start in other if not any(s.startswith(start) for s in untested)]
    assert not idle, "not_results.toml lists what is not there, or has its test"
    assert not [s for s in untested if not s.startswith(tuple(other))], (
        "quote it in a test that recomputes it, or take it out"
    )
