"""A class in small: one JupyterHub from the recipe, two students, a notebook each."""

import contextlib
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import pytest
from classroom import COURSE, Course, Hub, Student, failing, memory, place
from stored import NOTEBOOKS, ROOT

pytestmark = pytest.mark.hub

# The lightest notebook, and one as large as any, at the same time.
WORK = {"ana": "01_formula", "ben": "05_module"}


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    return Course(tmp_path_factory.mktemp("handed_out"))


@pytest.fixture(scope="module")
def room(course, tmp_path_factory):
    """A hub, both students logged in with a copy of the course, their notebooks run."""
    for module in ("jupyterhub", "nbgitpuller", "configurable_http_proxy"):
        pytest.importorskip(
            module, reason=f"{module} is missing: `make hub` installs it"
        )
    with contextlib.ExitStack() as stack, ThreadPoolExecutor() as pool:
        hub = stack.enter_context(Hub(tmp_path_factory.mktemp("class"), names=WORK))
        people = [
            SimpleNamespace(browser=Student(hub, name), name=name, lesson=lesson)
            for name, lesson in WORK.items()
        ]
        for one in people:
            stack.callback(one.browser.close)
            assert one.browser.log_in()
        list(pool.map(lambda one: _work(one, course, stack), people))
        yield SimpleNamespace(hub=hub, **{one.name: one for one in people})


def _work(own, course, stack):
    """Follow the instructor's link, and run the notebook there."""
    own.page = own.browser.pull(course.link(own.lesson))
    own.kernel = stack.enter_context(own.browser.kernel(place(own.lesson)))
    own.failed = failing(own.browser, own.kernel, own.lesson)
    own.taken = memory(own.browser.hub.home(own.name))


def test_nobody_enters_without_the_password(room):
    with contextlib.closing(Student(room.hub, "ana")) as stranger:
        answer = stranger.get("/user/ana/api/contents")
        assert answer.status_code == 403 or answer.url.split("?")[0].endswith("/login")
        assert not stranger.log_in("another password")


@pytest.mark.parametrize("name", WORK)
def test_the_link_ends_in_the_lab_at_an_own_copy_that_runs(room, name, record_property):
    own, lesson = getattr(room, name), WORK[name]
    assert own.page.url.endswith(f"/user/{name}/lab/tree/{place(lesson)}")
    assert own.page.ok and "JupyterLab" in own.page.text
    got = {path.name for path in (room.hub.home(name) / COURSE / "notebooks").iterdir()}
    assert got == {path.name for path in NOTEBOOKS}
    assert own.browser.contents(place(lesson))["writable"]
    assert own.failed == []
    record_property("hub", f"server and kernel with {lesson}: {own.taken:.0f} MiB")
    # Python and NumPy are never below this: less would mean that nothing was found.
    assert 100 < own.taken < 1024


def test_students_cannot_enter_each_others_servers(room):
    ana, ben = room.ana.browser, room.ben.browser
    theirs = f"{ben.at}/api/contents/{place(WORK['ben'])}"
    assert ben.get(theirs).ok
    assert ana.get(theirs).status_code == 403
    assert ana.get(f"{ben.at}/lab").status_code == 403
    assert ana.get(f"{ben.at}/api/kernels").status_code == 403
    assert ana.send("POST", f"{ben.at}/api/kernels", json={}).status_code == 403
    assert ana.get("/hub/api/users/ben").status_code in (403, 404)
    assert ana.send("DELETE", "/hub/api/users/ben/server").status_code in (403, 404)
    assert ben.get(theirs).ok


def test_kernels_have_this_lesson_one_thread_and_limited_memory(room):
    run = room.ben.kernel.run
    where = run("import helpers; print(helpers.__file__)")
    assert where == str(ROOT / "helpers/__init__.py")
    assert run("import torch; print(torch.get_num_threads())") == "1"
    assert run("too_much = bytearray(3 * 2**30)") == "MemoryError"
    assert run("print('still here')") == "still here"


def test_kernels_listen_on_sockets_that_only_their_account_may_enter(room):
    run = room.ana.kernel.run
    file = Path(
        run("from ipykernel import connect as c; print(c.get_connection_file())")
    )
    assert '"transport": "ipc"' in file.read_text(encoding="utf-8")
    assert not file.parent.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO)


def test_the_students_work_survives_the_next_hand_out(course, room):
    ana = room.ana.browser
    mine = ana.contents(place("01_formula"))["content"]
    _first_code_cell(mine)["source"] = "# Ana's own line"
    ana.save(place("01_formula"), mine)
    # The instructor changes the same line, and another notebook.
    course.edit("01_formula", lambda n: _first_code_cell(n).update(source="# Other"))
    course.edit("02_log_space", lambda n: n.cells[0].update(source="# New title"))
    course.commit()
    assert ana.pull(course.link("01_formula")).ok
    mine = ana.contents(place("01_formula"))["content"]
    assert _first_code_cell(mine)["source"] == "# Ana's own line"
    other = ana.contents(place("02_log_space"))["content"]
    assert other["cells"][0]["source"] == "# New title"


def _first_code_cell(notebook):
    return next(cell for cell in notebook["cells"] if cell["cell_type"] == "code")
