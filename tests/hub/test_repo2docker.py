"""What repo2docker reads at the top of the repository: runtime.txt."""

import re
import tomllib

import pytest
from stored import NOTEBOOKS, ROOT, name_of, read

RUNTIME = re.fullmatch(
    r"python-(\d+)\.(\d+)\n", (ROOT / "runtime.txt").read_text(encoding="utf-8")
)


def test_the_package_accepts_the_python_of_runtime_txt():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    oldest = project["project"]["requires-python"].removeprefix(">=")
    assert tuple(map(int, RUNTIME.groups())) >= tuple(map(int, oldest.split(".")))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name_of)
def test_runtime_txt_is_the_python_of_the_stored_outputs(path):
    version = read(path).metadata.language_info.version
    assert version.split(".")[:2] == list(RUNTIME.groups())
