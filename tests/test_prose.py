"""What a machine can see of CONTRIBUTING's rules on writing."""

import re
import tomllib

import pytest
from stored import NOTEBOOKS, ROOT, name_of, prose_cells

LESSONS = ROOT / "helpers" / "lessons"
LONGEST = 35  # words of a sentence
MARKS = 2  # colons and semicolons of a paragraph


def paragraphs(markdown):
    """The paragraphs and items of a text, without code, formulas, tables and headings."""
    text = re.sub(r"```.*?```|\$\$.*?\$\$", " ", markdown, flags=re.DOTALL)
    text = re.sub(r"`[^`\n]*`|\$[^$\n]+\$", "x", text)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    for part in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )", text):
        part = " ".join(part.split())
        if part and not part.startswith(("|", "#", "<")):
            yield part


def sentences(paragraph):
    """Its sentences, roughly: what ends with a stop before a capital letter, or a dot."""
    return re.split(r" · |(?<=[.!?])[*_”\")]* (?=[*_“\"(]*[A-Z0-9])", paragraph)


def faults(markdown):
    """Every breach of a rule in a text."""
    found = []
    for paragraph in paragraphs(markdown):
        if len(re.findall(r"[:;](?=\s)", paragraph)) > MARKS:
            found.append(f"colons: {paragraph[:80]}")
        for sentence in sentences(paragraph):
            if len(sentence.split()) > LONGEST:
                found.append(f"{len(sentence.split())} words: {sentence[:80]}")
    return found


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name_of)
def test_a_notebook_is_written_by_the_rules(path):
    assert not [f for cell in prose_cells(path) for f in faults(cell.source)]


@pytest.mark.parametrize(
    "area", sorted(p.name for p in LESSONS.iterdir() if p.is_dir())
)
def test_texts_of_exercises_and_questions_are_written_by_the_rules(area):
    found = {}
    for path in sorted((LESSONS / area).glob("*.toml")):
        for text in texts(tomllib.loads(path.read_text(encoding="utf-8"))):
            if wrong := faults(text):
                found.setdefault(path.name, []).extend(wrong)
    assert not found


def texts(value, key=""):
    """Every text of a TOML file that a student reads as prose."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from texts(part, name)
    elif isinstance(value, list):
        for part in value:
            yield from texts(part, key)
    elif isinstance(value, str) and key in ("says", "text", "remark", "hints"):
        yield value


@pytest.mark.parametrize(
    "name", ["README.md", "CONTRIBUTING.md", "helpers/marks/README.md"]
)
def test_documents_are_written_by_the_rules(name):
    assert not faults((ROOT / name).read_text(encoding="utf-8"))
