"""A class in small: one JupyterHub from the recipe, two students, a notebook each."""

import contextlib
import json
import shutil
import subprocess
import urllib.parse
from concurrent.futures import ThreadPoolExecutor

import nbformat
import pytest
from classroom import Hub, Student, memory
from stored import NOTEBOOKS, ROOT, said

from helpers.publishing.refresh import is_compared

pytestmark = pytest.mark.hub

COURSE = "course"
# The lightest notebook and the heaviest, at the same time.
WORK = {"ana": "01_formula", "ben": "07_rotary"}


class Course:
    """The repository that the instructor hands out, and pushes to."""

    def __init__(self, folder):
        self.shelf, self._desk = folder / f"{COURSE}.git", folder / "desk"
        self._git("init", "--bare", "--initial-branch=main", self.shelf, at=folder)
        self._git("clone", self.shelf, self._desk, at=folder)
        (self._desk / "notebooks").mkdir()
        for path in NOTEBOOKS:
            shutil.copy(path, self._desk / "notebooks")
        self.push()

    def push(self):
        """Commit all there is on the desk, and hand it out."""
        who = ("-c", "user.name=Instructor", "-c", "user.email=instructor@localhost")
        self._git("add", "--all")
        self._git(*who, "commit", "--message", "For the class")
        self._git("push", "origin", "HEAD:main")

    def _git(self, *words, at=None):
        subprocess.run(["git", *words], cwd=at or self._desk, check=True)

    def edit(self, name, change):
        """Change a notebook with ``change(notebook)``; returns it as it is then."""
        path = self._desk / "notebooks" / f"{name}.ipynb"
        notebook = nbformat.read(path, as_version=4)
        change(notebook)
        nbformat.write(notebook, path)
        return notebook

    def link(self, name):
        """What the instructor gives to the class: an nbgitpuller link to a notebook."""
        asked = {
            "repo": self.shelf.as_uri(),
            "branch": "main",
            "targetpath": COURSE,
            "urlpath": f"lab/tree/{place(name)}",
        }
        return f"/hub/user-redirect/git-pull?{urllib.parse.urlencode(asked)}"


def place(name):
    """Where a notebook lies among a student's files."""
    return f"{COURSE}/notebooks/{name}.ipynb"


@pytest.fixture(scope="module")
def hub(tmp_path_factory):
    for module in ("jupyterhub", "nbgitpuller", "configurable_http_proxy"):
        pytest.importorskip(
            module, reason=f"{module} is missing: `make hub` installs it"
        )
    folder = tmp_path_factory.mktemp("class")
    for name in WORK:
        # As in CI, where everything runs as root; no setting for a class.
        settings = folder / "students" / name / ".jupyter/jupyter_server_config.json"
        settings.parent.mkdir(parents=True)
        settings.write_text(json.dumps({"ServerApp": {"allow_root": True}}))
    with contextlib.ExitStack() as stack:
        started = Hub(folder)
        stack.callback(started.stop)
        started.wait()
        yield started


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    return Course(tmp_path_factory.mktemp("handed_out"))


@pytest.fixture(scope="module")
def students(hub, course):
    """Both, logged in, each with a copy of the course; and the pages they see."""
    with contextlib.ExitStack() as stack, ThreadPoolExecutor() as pool:
        people = [Student(hub, name) for name in WORK]
        for one in people:
            stack.callback(one.close)
            assert one.log_in()
        pages = pool.map(lambda one: one.pull(course.link(WORK[one.name])), people)
        for one, page in zip(people, pages, strict=True):
            one.page = page
        yield {one.name: one for one in people}


@pytest.fixture(scope="module")
def lesson(students):
    """What the students' notebooks said, run at the same time, and the memory taken."""
    with ThreadPoolExecutor() as pool, contextlib.ExitStack() as stack:
        kernels = {
            name: stack.enter_context(students[name].kernel(place(notebook)))
            for name, notebook in WORK.items()
        }
        ran = pool.map(lambda name: _run_all(students[name], kernels[name]), WORK)
        outputs = dict(zip(WORK, ran, strict=True))
        taken = {name: memory(students[name].hub.home(name)) for name in WORK}
    return outputs, taken


def _run_all(student, kernel):
    model = student.contents(place(WORK[student.name]))
    cells = nbformat.from_dict(model["content"]).cells
    return [
        (cell, kernel.run(cell.source)) for cell in cells if cell.cell_type == "code"
    ]


def test_a_wrong_password_does_not_open(hub):
    with contextlib.closing(Student(hub, "ana")) as stranger:
        assert not stranger.log_in("another password")


@pytest.mark.parametrize("name", WORK)
def test_the_link_ends_at_the_notebook_in_the_lab(students, name):
    page = students[name].page
    assert page.url.endswith(f"/user/{name}/lab/tree/{place(WORK[name])}")
    assert page.ok
    assert "JupyterLab" in page.text


@pytest.mark.parametrize("name", WORK)
def test_each_student_has_an_own_copy(hub, students, name):
    got = {path.name for path in (hub.home(name) / COURSE / "notebooks").iterdir()}
    assert got == {path.name for path in NOTEBOOKS}
    assert students[name].contents(place(WORK[name]))["writable"]


@pytest.mark.parametrize("name", WORK)
def test_the_notebook_says_what_is_stored(lesson, name):
    ran = lesson[0][name]
    assert len(ran) > 20
    for cell, outputs in ran:
        assert "error" not in [output.output_type for output in outputs], cell.source
        if is_compared(cell):
            new = nbformat.from_dict({**cell, "outputs": outputs})
            assert said(new) == said(cell), cell.source


@pytest.mark.parametrize("name", WORK)
def test_memory_of_a_student(lesson, name, record_property):
    taken = lesson[1][name]
    numbers = ", ".join(f"{key.upper()} {value:.0f}" for key, value in taken.items())
    record_property("hub", f"server and kernel with {WORK[name]}: {numbers} MiB")
    # Python and NumPy are never below this: less would mean that nothing was found.
    assert 100 < taken["uss"] <= taken["pss"] <= taken["rss"] < 1024


def test_students_cannot_enter_each_others_servers(students):
    ana, ben = students["ana"], students["ben"]
    theirs = f"{ben.at}/api/contents/{place(WORK['ben'])}"
    assert ben.get(theirs).ok
    assert ana.get(theirs).status_code == 403
    assert ana.get(f"{ben.at}/lab").status_code == 403
    assert ana.get(f"{ben.at}/api/kernels").status_code == 403
    assert ana.send("POST", f"{ben.at}/api/kernels", json={}).status_code == 403
    assert ana.get("/hub/api/users/ben").status_code in (403, 404)
    assert ana.send("DELETE", "/hub/api/users/ben/server").status_code in (403, 404)
    assert ben.get(theirs).ok


def test_nobody_enters_without_a_login(hub, students):
    with contextlib.closing(Student(hub, "ana")) as stranger:
        answer = stranger.get(f"{students['ana'].at}/api/contents")
        assert answer.status_code == 403 or answer.url.split("?")[0].endswith("/login")


def test_one_thread_and_limited_memory(students):
    with students["ana"].kernel(place("01_formula")) as kernel:
        (threads,) = kernel.run("import torch; print(torch.get_num_threads())")
        assert threads.text == "1\n"
        (refused,) = kernel.run("too_much = bytearray(3 * 2**30)")
        assert refused.ename == "MemoryError"
        (alive,) = kernel.run("print('still here')")
        assert alive.text == "still here\n"


def test_the_students_work_survives_the_next_hand_out(course, students):
    ana = students["ana"]
    mine = ana.contents(place("01_formula"))["content"]
    _first_code_cell(mine)["source"] = "# Ana's own line"
    ana.save(place("01_formula"), mine)
    # The instructor changes the same line, and another notebook.
    course.edit("01_formula", lambda n: _first_code_cell(n).update(source="# Other"))
    course.edit("02_log_space", lambda n: n.cells[0].update(source="# New title"))
    course.push()
    assert ana.pull(course.link("01_formula")).ok
    mine = ana.contents(place("01_formula"))["content"]
    assert _first_code_cell(mine)["source"] == "# Ana's own line"
    other = ana.contents(place("02_log_space"))["content"]
    assert other["cells"][0]["source"] == "# New title"


def _first_code_cell(notebook):
    return next(cell for cell in notebook["cells"] if cell["cell_type"] == "code")


def test_the_helpers_are_the_ones_of_this_repository(students):
    with students["ben"].kernel(place("05_module")) as kernel:
        (where,) = kernel.run("import helpers; print(helpers.__file__)")
    assert where.text.strip() == str(ROOT / "helpers/__init__.py")
