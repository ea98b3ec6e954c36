"""Every pin has wheels on each Python and system that the README names.

The tests ask the package index and install nothing. They need the network: CI runs them.
"""

import os
import subprocess

import pytest
from stored import ROOT

pytestmark = pytest.mark.network

PYTHONS = [f"3.{minor}" for minor in range(11, 16)]  # test_makefile.py holds them, too
SYSTEMS = [
    "x86_64-manylinux_2_28",
    "aarch64-manylinux_2_28",
    "x86_64-pc-windows-msvc",
    "aarch64-apple-darwin",
]


def resolve(python, system, *files, **options):
    """What uv finds for a Python and a system among wheels alone."""
    uv = pytest.importorskip(
        "uv", reason="uv is missing: it is in requirements-dev.txt"
    )
    where = ["--python-version", python, "--python-platform", system]
    return subprocess.run(
        [
            *(uv.find_uv_bin(), "pip", "compile", "--quiet", "--no-annotate"),
            *("--only-binary", ":all:", *where, *files),
        ],
        env={**os.environ, "MACOSX_DEPLOYMENT_TARGET": "14.0"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        **options,
    )


@pytest.fixture(scope="module")
def index():
    """Skips where the package index cannot be reached: a package without needs is asked."""
    asked = resolve("3.11", SYSTEMS[0], "--no-cache", "-", input="six")
    if asked.returncode:
        pytest.skip(f"the package index cannot be reached: {asked.stderr.strip()}")


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("python", PYTHONS)
def test_every_package_has_a_wheel(index, python, system):
    files = ["requirements-dev.txt", "pyproject.toml", "--all-extras"]
    found = resolve(python, system, *files)
    assert not found.returncode, found.stderr
    names = {line.partition("==")[0] for line in found.stdout.splitlines()}
    assert {"torch", "numpy", "jupyterlab", "nbgrader", "playwright"} <= names


def test_a_pin_without_a_wheel_is_noticed(index):
    found = resolve("3.15", SYSTEMS[0], "-", input="numpy==2.4.6")
    assert found.returncode and "no usable wheels" in found.stderr
