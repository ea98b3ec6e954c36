"""What a machine can see of CONTRIBUTING's rules on writing."""

import re
import tomllib

from stored import NOTEBOOKS, ROOT, prose_cells

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


def texts(value, key=""):
    """Every text of a TOML file that a student reads as prose."""
    if isinstance(value, (dict, list)):
        parts = value.items() if isinstance(value, dict) else ((key, v) for v in value)
        return [text for name, part in parts for text in texts(part, name)]
    return [value] if key in ("says", "text", "remark", "hints") else []


def written():
    """Each file, and the texts in it that a reader reads."""
    for path in NOTEBOOKS:
        yield path, [cell.source for cell in prose_cells(path)]
    for path in (ROOT / "helpers/lessons").rglob("*.toml"):
        yield path, texts(tomllib.loads(path.read_text(encoding="utf-8")))
    for name in ("README.md", "CONTRIBUTING.md", "helpers/marks/README.md"):
        yield ROOT / name, [(ROOT / name).read_text(encoding="utf-8")]


def test_texts_are_written_by_the_rules():
    for path, given in written():
        assert not [fault for text in given for fault in faults(text)], path
