"""What the README promises is there."""

import re
import subprocess

import pytest
from cover import COVER, dials
from stored import NOTEBOOKS, ROOT, prose_cells

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_link_and_picture_resolves():
    targets = re.findall(r"\]\(([^)]+)\)", README)
    assert targets
    for target in targets:
        assert (ROOT / target).exists(), target
    assert "![]" not in README


def test_every_notebook_is_listed_with_its_minutes():
    for path in NOTEBOOKS:
        (row,) = [r for r in README.splitlines() if f"({path.relative_to(ROOT)})" in r]
        minutes = re.search(r"(\d+) min", prose_cells(path)[0].source).group(1)
        assert row.rstrip(" |").endswith(f"| {minutes}")


def test_the_picture_is_the_notebooks_own():
    assert COVER.read_bytes() == dials(), "run `make refresh`"


@pytest.mark.parametrize("target", ["lab", "test", "rerun", "refresh", "bench", "help"])
def test_make_explains_every_target(target):
    said = subprocess.run(["make", "-C", ROOT, "help"], capture_output=True, text=True)
    assert re.search(rf"make {target}\s+\w+", said.stdout)


def test_ci_runs_the_readmes_test_command():
    assert "make test" in README
    assert re.search(r"^make test$", (ROOT / ".ci/run").read_text(), re.MULTILINE)


def test_nothing_but_the_frame_lies_at_the_top():
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files"], capture_output=True, text=True
    ).stdout.split()
    folders = {name.split("/")[0] for name in listed if "/" in name}
    assert folders <= {"notebooks", "helpers", "tests", ".ci"}
