"""The JupyterHub recipe, run: two students, a git link, a notebook each."""

import contextlib
import json
import os
import socket
import subprocess
import sys
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
import psutil
import pytest
from stored import NOTEBOOKS, ROOT, is_compared, read, said

pytestmark = pytest.mark.hub

RECIPE = Path(__file__).with_name("jupyterhub_config.py")
PASSWORD = "for this test"
# The lightest and the heaviest notebook of the series.
STUDENTS = {"amina": "01_formula", "bruno": "06_encoder_decoder"}


@pytest.fixture(scope="module")
def upstream(tmp_path_factory):
    """A git repository of the notebooks, as a teacher publishes it."""
    folder = tmp_path_factory.mktemp("upstream") / "lesson"
    folder.mkdir()
    for path in NOTEBOOKS:
        (folder / path.name).write_bytes(path.read_bytes())
    git(folder, "init", "--quiet", "--initial-branch=main")
    commit(folder, "The notebooks")
    return folder


@pytest.fixture(scope="module")
def hub(tmp_path_factory):
    """The recipe's hub and proxy on loopback: (address, students' folders, process)."""
    for name in ("jupyterhub", "configurable_http_proxy", "nbgitpuller"):
        pytest.importorskip(name, reason=f"{name} is missing: `make hub` installs it")
    folder = tmp_path_factory.mktemp("hub")
    homes = folder / "homes"
    homes.mkdir()
    entrance, behind, proxy = free_ports(3)
    command = [
        *(sys.executable, "-m", "jupyterhub", "-f", RECIPE),
        f"--JupyterHub.bind_url=http://127.0.0.1:{entrance}",
        f"--JupyterHub.hub_port={behind}",
        f"--ConfigurableHTTPProxy.api_url=http://127.0.0.1:{proxy}",
    ]
    if os.geteuid() == 0:  # CI runs as root; a class should not
        command.append("--Spawner.args=--allow-root")
    with open(folder / "log", "w") as log:
        process = subprocess.Popen(
            command,
            cwd=folder,  # its database and its secret lie here
            env={**os.environ, "LESSON_HOMES": str(homes), "LESSON_PASSWORD": PASSWORD},
            stdout=log,
            stderr=log,
        )
        try:
            address = f"http://127.0.0.1:{entrance}"
            wait_for(lambda: reachable(f"{address}/hub/api/"), 60, process)
            yield address, homes, process
        finally:
            end(process)


@pytest.fixture(scope="module")
def students(hub, upstream):
    """The two, logged in, with the notebooks that the teacher's link brought."""
    address, _, process = hub
    with contextlib.ExitStack() as stack:
        both = [
            stack.enter_context(Student(address, name, process)) for name in STUDENTS
        ]
        for student in both:
            student.pull(upstream)
        yield {student.name: student for student in both}


def test_each_runs_a_notebook_at_the_same_time(students, hub, capsys):
    _, homes, process = hub
    with ThreadPoolExecutor() as pool:
        runs = {
            name: pool.submit(students[name].run, f"lesson/{stem}.ipynb")
            for name, stem in STUDENTS.items()
        }
        for name, stem in STUDENTS.items():
            original = read(next(p for p in NOTEBOOKS if p.stem == stem))
            for cell, outputs in zip(original.cells, runs[name].result(), strict=True):
                cell_again = nbformat.from_dict({**cell, "outputs": outputs})
                if cell.cell_type == "code" and is_compared(cell):
                    assert said(cell_again) == said(cell), cell.source
    with capsys.disabled():
        for name, stem in STUDENTS.items():
            server, kernels = memory(process, homes / name)
            print(
                f"\n  memory with {stem} run: server {server:.0f} MiB, "
                f"kernel {kernels:.0f} MiB, together {server + kernels:.0f} MiB"
            )
            assert 100 < server + kernels < 1024


def test_nobody_reaches_the_other(students, hub):
    address, homes, _ = hub
    amina, bruno = students.values()
    for path in ("api/contents", "api/kernels", "files/lesson/01_formula.ipynb"):
        assert amina.get(f"{address}/user/{amina.name}/{path}").status_code == 200
        refused = amina.get(f"{address}/user/{bruno.name}/{path}")
        assert refused.status_code in (403, 404), path
    assert (homes / amina.name / "lesson").is_dir()
    assert (homes / bruno.name / "lesson").is_dir()


def test_an_edit_survives_the_next_pull(students, upstream, hub):
    _, homes, _ = hub
    amina = students["amina"]
    mine = homes / "amina" / "lesson" / "01_formula.ipynb"
    notebook = nbformat.read(mine, as_version=4)
    notebook.cells[0].source += "\n\nMy own note."
    nbformat.write(notebook, mine)
    (upstream / "news.md").write_text("Tomorrow in room 5.\n")
    commit(upstream, "News")
    amina.pull(upstream)
    assert (homes / "amina" / "lesson" / "news.md").exists()
    assert "My own note." in mine.read_text(encoding="utf-8")


class Student:
    """A browser's session with the hub, without the browser."""

    def __init__(self, address, name, process):
        import requests

        self.name, self.address = name, address
        self._base = f"{address}/user/{name}"
        self._session = requests.Session()
        self._log_in()
        # The link leads to the student's own server and starts it.
        self.get(f"{address}/hub/user-redirect/lab")
        wait_for(self._arrived, 90, process)
        token = self._post(f"{address}/hub/api/users/{name}/tokens", {}).json()["token"]
        self._allowed = {"Authorization": f"token {token}"}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._session.close()

    def _arrived(self):
        """Whether the own server lets the student in, by way of the hub."""
        seen = self.get(f"{self._base}/lab")
        return seen.ok and seen.url.startswith(self._base)

    def get(self, url, **options):
        """GET with the session's cookies."""
        return self._session.get(url, timeout=60, **options)

    def _log_in(self):
        page = f"{self.address}/hub/login"
        self.get(page)
        done = self._session.post(
            page,
            data={
                "username": self.name,
                "password": PASSWORD,
                "_xsrf": self._session.cookies.get("_xsrf", path="/hub/"),
            },
            timeout=60,
            allow_redirects=False,
        )
        assert done.status_code == 302, done.text

    def _post(self, url, body):
        secret = self._session.cookies.get("_xsrf", path="/hub/")
        done = self._session.post(
            url, json=body, headers={"X-XSRFToken": secret}, timeout=60
        )
        done.raise_for_status()
        return done

    def pull(self, repository):
        """Follow the teacher's nbgitpuller link, and read its progress to the end."""
        address = f"{self._base}/git-pull/api"
        link = {"repo": repository.as_uri(), "branch": "main", "targetpath": "lesson"}
        to_all = f"{self.address}/hub/user-redirect/git-pull"
        page = self.get(to_all, params={**link, "urlpath": "lab/tree/lesson"})
        assert page.ok and page.url.startswith(f"{self._base}/git-pull"), page.url
        with self.get(
            address, params=link, headers=self._allowed, stream=True
        ) as events:
            events.raise_for_status()
            for line in events.iter_lines(decode_unicode=True):
                if line.startswith("data:"):
                    event = json.loads(line.removeprefix("data:"))
                    assert event["phase"] != "error", event
                    if event["phase"] == "finished":
                        return
        raise AssertionError("the pull did not finish")

    def run(self, path):
        """Run a notebook cell by cell in a kernel of the server; every cell's outputs."""
        import requests
        import websocket

        contents = requests.get(
            f"{self._base}/api/contents/{path}", headers=self._allowed, timeout=60
        ).json()
        kernel = requests.post(
            f"{self._base}/api/kernels",
            json={"name": "python3", "path": path},
            headers=self._allowed,
            timeout=60,
        ).json()["id"]
        channel = websocket.create_connection(
            f"{self._base}/api/kernels/{kernel}/channels".replace("http", "ws", 1),
            header=self._allowed,
            timeout=120,
        )
        try:
            return [
                execute(channel, cell["source"]) if cell["cell_type"] == "code" else []
                for cell in contents["content"]["cells"]
            ]
        finally:
            channel.close()


def execute(channel, source):
    """Run one cell over the kernel's web socket; returns its outputs."""
    message = uuid.uuid4().hex
    channel.send(
        json.dumps(
            {
                "channel": "shell",
                "header": {
                    "msg_id": message,
                    "msg_type": "execute_request",
                    "session": "lesson",
                    "username": "",
                    "version": "5.3",
                },
                "parent_header": {},
                "metadata": {},
                "content": {"code": source, "silent": False, "store_history": True},
                "buffers": [],
            }
        )
    )
    outputs = []
    while True:
        answer = json.loads(channel.recv())
        if answer["parent_header"].get("msg_id") != message:
            continue
        kind, content = answer["msg_type"], answer["content"]
        assert kind != "error", f"{source}: {content['ename']}: {content['evalue']}"
        if kind == "status" and content["execution_state"] == "idle":
            return joined(outputs)
        if kind in ("stream", "display_data", "execute_result"):
            outputs.append(nbformat.v4.output_from_msg(answer))


def joined(outputs):
    """Outputs with the pieces of one stream put together, as a notebook stores them."""
    together = []
    for output in outputs:
        last = together[-1] if together else {}
        if output.get("name") and output.get("name") == last.get("name"):
            last["text"] += output["text"]
        else:
            together.append(output)
    return together


def memory(hub_process, home):
    """(server, kernels) of the student who works in a folder, in MiB.

    Proportional set size where the system tells it: what is shared counts once.
    """
    server = next(
        process
        for process in psutil.Process(hub_process.pid).children(recursive=True)
        if "singleuser" in " ".join(process.cmdline()) and process.cwd() == str(home)
    )

    def size(process):
        full = process.memory_full_info()
        return getattr(full, "pss", full.uss) / 2**20

    return size(server), sum(map(size, server.children(recursive=True)))


def end(process):
    """End a process and all that it has started."""
    with contextlib.suppress(psutil.NoSuchProcess):
        family = psutil.Process(process.pid).children(recursive=True)
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(20)
        for member in [*family, psutil.Process(process.pid)]:
            with contextlib.suppress(psutil.NoSuchProcess):
                member.kill()
    process.wait(10)


def wait_for(condition, seconds, process):
    """Ask until it holds; AssertionError when time is up or the hub has ended."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        assert process.poll() is None, "the hub has ended"
        if condition():
            return
        time.sleep(0.3)
    raise AssertionError(f"not within {seconds} seconds")


def reachable(url):
    """Whether the address answers."""
    import requests

    try:
        return requests.get(url, timeout=5).ok
    except requests.ConnectionError:
        return False


def free_ports(count):
    """Ports that nobody listens on."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


def git(folder, *command):
    """Run git in a folder, as nobody in particular."""
    who = ["-c", "user.name=teacher", "-c", "user.email=teacher@example.org"]
    subprocess.run(["git", "-C", folder, *who, *command], check=True)


def commit(folder, message):
    """Commit all there is."""
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "-m", message)


def test_the_readme_names_the_recipe():
    assert f"`{RECIPE.relative_to(ROOT)}`" in (ROOT / "README.md").read_text()
