"""What `make` does before it runs anything of ours: the environment, and root."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from stored import ROOT
from test_pins import PYTHONS

pytestmark = pytest.mark.skipif(
    sys.platform == "win32" or not shutil.which("make"), reason="needs make"
)

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
# The packages of the real one take minutes: this pip notes what it is asked for.
PIP = """\
echo "pip $@" >> asked
printf '#!/bin/sh\\n' > .venv/bin/jupyter
chmod +x .venv/bin/jupyter
"""
# An environment without pip is made at once, and any version can be pretended.
PYTHON = """\
#!/bin/sh
python={python}
case "$1 $2" in
    "-m venv") exec $python "$@" --without-pip;;
    "--version ") echo Python ${{PRETEND:-3.11}}.0; exit;;
esac
[ "$1" = -c ] && [ -n "$PRETEND" ] && exec $python -c "import sys
sys.version_info = (*map(int, '$PRETEND'.split('.')), 0)
$2"
exec $python "$@"
"""


def make(folder, *arguments, path=(), **environment):
    """What `make` prints and returns in a folder, with folders first in PATH."""
    places = os.pathsep.join([*map(str, path), os.environ["PATH"]])
    return subprocess.run(
        ["make", "--no-print-directory", "-C", folder, *arguments],
        env={**os.environ, "PATH": places, **environment},
        capture_output=True,
        text=True,
    )


def program(path, text):
    """A program of ours, for a folder that comes first in PATH."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.fixture
def fresh(tmp_path):
    """A folder with what decides what is installed, before anything is."""
    folder = tmp_path / "the lesson, ü"
    folder.mkdir()
    for name in ("Makefile", "requirements.txt", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    (folder / "pip.sh").write_text(PIP)
    real = Path(sys.executable).resolve()
    program(folder / "bin/python3", PYTHON.format(python=shlex.quote(str(real))))
    return folder


def install(folder, target=".venv/ready", **options):
    """Run the target of an environment with our pip and our Python."""
    return make(folder, target, "PIP=sh pip.sh", path=[folder / "bin"], **options)


def asked(folder):
    """What pip was asked for since the last time."""
    path = folder / "asked"
    text = path.read_text("utf-8") if path.exists() else ""
    path.unlink(missing_ok=True)
    return text


@pytest.fixture
def ready(fresh):
    """The folder after an installation, with a mark that a new environment has not."""
    done = install(fresh)
    assert done.returncode == 0 and asked(fresh), done.stderr
    (fresh / ".venv/mark").touch()
    return fresh


@pytest.mark.parametrize(("user", "root"), [(0, True), (1000, False)])
def test_the_lab_starts_for_root_too(ready, user, root):
    program(ready / "bin/id", f"#!/bin/sh\necho {user}\n")
    (ready / "notebooks").mkdir()
    for name in ("01_b.ipynb", "00_a.ipynb", "a.ipynb"):
        (ready / "notebooks" / name).touch()
    said = make(ready, "-n", "lab", "ARGS=--no-browser", path=[ready / "bin"]).stdout
    assert ("--allow-root" in said) == root
    assert "--no-browser 00_a.ipynb" in said and "cd mine" in said


def test_what_is_installed_is_installed_again_only_when_it_changes(ready):
    """The content decides, not the dates: newer pins may come with an older date."""
    os.utime(ready / "requirements.txt")
    os.utime(ready / ".venv/ready", (0, 0))
    install(ready)
    assert not asked(ready)
    for name in ("requirements.txt", "pyproject.toml"):
        with (ready / name).open("a") as file:
            file.write("# a newer edition's\n")
        os.utime(ready / name, (0, 0))
        assert "made anew" not in install(ready).stdout
        assert asked(ready)
    assert (ready / ".venv/mark").exists()


def move(folder):
    return folder.rename(folder.with_name("another place"))


def lose_python(folder):
    for link in (folder / ".venv/bin").glob("python*"):
        link.unlink()
        link.symlink_to("/opt/an/upgrade/removed/it")


def come_from_another_machine(folder):
    installed = folder / ".venv/installed"
    text = installed.read_text("utf-8").replace(os.uname().machine, "vax")
    installed.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("happen", [move, lose_python, come_from_another_machine])
def test_an_environment_that_belongs_elsewhere_is_made_anew(ready, happen):
    folder = happen(ready) or ready
    done = install(folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("it is made anew") == 1
    assert not (folder / ".venv/mark").exists() and asked(folder)


def test_an_installation_that_was_interrupted_goes_on(ready):
    for name in ("installed", "ready"):
        (ready / ".venv" / name).unlink()
    done = install(ready)
    assert done.returncode == 0 and "made anew" not in done.stdout
    assert (ready / ".venv/mark").exists() and asked(ready)


@pytest.mark.parametrize("version", ["3.10", "3.16"])
def test_a_python_that_cannot_work_is_refused_in_one_sentence(fresh, version):
    done = install(fresh, PRETEND=version)
    assert done.returncode and not (fresh / ".venv").exists()
    (line,) = done.stdout.splitlines()
    needed = "Python 3.11 to 3.15 is needed, this is Python"
    assert line.startswith(f"{needed} {version}.0;")


def test_every_place_names_the_same_versions_of_python():
    low, high = re.search(r"\(3, (\d+)\) <= .* <= \(3, (\d+)\)", MAKEFILE).groups()
    assert (PYTHONS[0], PYTHONS[-1]) == (f"3.{low}", f"3.{high}")
    for name, words in {
        "pyproject.toml": f'requires-python = ">=3.{low}"',
        "runtime.txt": f"python-3.{low}",  # Binder's
        ".github/workflows/test.yml": f"python: {json.dumps(PYTHONS)}",
        "README.md": f"3.{low} to 3.{high}",
        "tests/hub/README.md": f"3.{low} to 3.{high}",
        "helpers/publish/readme_student.md": f"3.{low} to 3.{high}",
    }.items():
        assert words in (ROOT / name).read_text(encoding="utf-8"), name


def test_intel_macs_are_refused_before_anything_is_installed(fresh):
    program(fresh / "bin/uname", "#!/bin/sh\necho Darwin x86_64\n")
    done = install(fresh)
    assert done.returncode and "Intel Macs" in done.stdout
    assert not (fresh / ".venv").exists()


def test_where_home_cannot_be_written_what_is_kept_goes_below_the_environment(
    ready, monkeypatch
):
    monkeypatch.delenv("IPYTHONDIR", raising=False)
    (ready / "shown.mk").write_text("include Makefile\nshow:\n\t@echo $$IPYTHONDIR\n")

    def kept(home):
        return make(ready, "-f", "shown.mk", "show", HOME=str(home)).stdout.strip()

    assert kept(ready / "home") == f"{ready}/.venv/home/ipython"  # it is not there
    assert not kept(ready)


(SWITCHES,) = re.findall(r"^SWITCHES = (.+)$", MAKEFILE, re.M)
(NO_NEWS,) = re.findall(r'labextension disable [^@]+"(@jupyterlab/.+)"', MAKEFILE)


@pytest.mark.parametrize(
    "page", ["tests/hub/README.md", "helpers/publish/readme_student.md"]
)
def test_the_commands_without_make_have_the_same_switches(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    assert f'jupyter labextension disable --level=sys_prefix "{NO_NEWS}"' in text
    assert re.search(rf"jupyter lab {re.escape(SWITCHES)} [\w.]+$", text, re.M)


def test_the_students_makefile_says_what_it_does_not_have(fresh):
    done = make(fresh, "marks")
    assert done.returncode and "clone the repository" in done.stdout
    assert "make marks" not in make(fresh, "help").stdout


def test_what_contributors_need_is_installed_when_it_changes(ready):
    for name in ("dev.mk", "requirements-dev.txt"):
        shutil.copy(ROOT / name, ready)
    for _ in range(2):
        done = install(ready, ".venv/dev")
        assert "-r requirements-dev.txt" in asked(ready), done.stderr
        install(ready, ".venv/dev")
        assert not asked(ready)
        with (ready / "requirements-dev.txt").open("a") as file:
            file.write("# a newer edition's\n")
