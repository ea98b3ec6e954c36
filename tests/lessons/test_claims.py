"""Every sentence that a claim's test quotes still stands in its lesson, word for word.

A test in test_AREA_claims.py quotes in its docstring, between “ and ”, the sentence that
it recomputes. White space aside, it stands in that area's notebook, questions, sentences
of mistakes, notes or exam.
"""

import ast
import json
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CLAIMS = [
    (path.stem.removeprefix("test_").removesuffix("_claims"), test)
    for path in sorted(Path(__file__).parent.glob("test_*_claims.py"))
    for test in ast.parse(path.read_text(encoding="utf-8")).body
    if isinstance(test, ast.FunctionDef) and test.name.startswith("test_")
]


@cache
def told(area):
    """All that a lesson tells its readers, in one line."""
    (notebook,) = (ROOT / "notebooks").glob(f"*_{area}.ipynb")
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    texts = ["".join(c["source"]) for c in cells if c["cell_type"] == "markdown"]
    folder = ROOT / "helpers" / "lessons" / area
    for path in sorted([*folder.glob("*.toml"), *folder.glob("*.md")]):
        texts.append(path.read_text(encoding="utf-8"))
    return on_one_line("\n".join(texts))


def on_one_line(text):
    return " ".join(text.split())


@pytest.mark.parametrize(
    ("area", "test"), CLAIMS, ids=[f"{area}-{test.name}" for area, test in CLAIMS]
)
def test_what_a_claim_quotes_still_stands_in_its_lesson(area, test):
    quoted = re.findall("“(.*?)”", ast.get_docstring(test) or "", flags=re.DOTALL)
    assert quoted, f"{test.name} quotes no sentence"
    gone = [text for text in quoted if on_one_line(text) not in told(area)]
    assert not gone, (
        "write the sentence of the lesson here, and see that it still holds"
    )
