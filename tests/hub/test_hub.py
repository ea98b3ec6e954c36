"""A class in small: one JupyterHub from the recipe, two students, a notebook each."""

import ast
import contextlib
import json
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest
from classroom import (
    COURSE,
    Course,
    Hub,
    Student,
    changed,
    memory,
    place,
    processes,
)
from stored import NOTEBOOKS, ROOT

pytestmark = pytest.mark.hub

# The lightest notebook and the heaviest, at the same time.
WORK = {"ana": "01_formula", "ben": "07_rotary"}


@pytest.fixture(scope="module")
def hub(tmp_path_factory):
    for module in ("jupyterhub", "nbgitpuller", "configurable_http_proxy"):
        pytest.importorskip(
            module, reason=f"{module} is missing: `make hub` installs it"
        )
    with Hub(tmp_path_factory.mktemp("class"), names=WORK) as started:
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
    """The students run their notebooks at the same time: what changed, memory taken."""
    with ThreadPoolExecutor() as pool, contextlib.ExitStack() as stack:
        kernels = [
            stack.enter_context(students[name].kernel(place(notebook)))
            for name, notebook in WORK.items()
        ]
        found = list(pool.map(changed, students.values(), kernels, WORK.values()))
        taken = [memory(students[name].hub.home(name)) for name in WORK]
    return dict(zip(WORK, zip(found, taken, strict=True), strict=True))


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
def test_the_notebook_says_what_is_stored_in_little_memory(
    lesson, name, record_property
):
    found, taken = lesson[name]
    record_property("hub", f"server and kernel with {WORK[name]}: {taken:.0f} MiB")
    assert found == []
    # Python and NumPy are never below this: less would mean that nothing was found.
    assert 100 < taken < 1024


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


def test_kernels_listen_on_sockets_that_only_their_account_may_enter(hub, students):
    with students["ana"].kernel(place("01_formula")) as kernel:
        (said,) = kernel.run("import ipykernel.connect as c; c.get_connection_file()")
        file = Path(ast.literal_eval(said.data["text/plain"]))
        assert json.loads(file.read_text(encoding="utf-8"))["transport"] == "ipc"
        assert not file.parent.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO)
        # ipykernel's own, for what forked processes print; a secret of 16 bytes guards it.
        pipe = "get_ipython().kernel.iopub_thread._pipe_port"
        (said,) = kernel.run(pipe)
        listening = {
            line.laddr.port
            for process in processes(hub.home("ana"))
            for line in process.net_connections("tcp")
            if line.status == psutil.CONN_LISTEN and "kernel" in str(process.cmdline())
        }
    assert listening <= {int(said.data["text/plain"])}


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
