"""Two students on a JupyterHub from the recipe: neither gets at the other's work."""

import contextlib
import json
import os
import socket
import stat
import subprocess
import sys
import time
import urllib.parse
from pathlib import Path

import psutil
import pytest
import requests

pytestmark = pytest.mark.hub

RECIPE = Path(__file__).with_name("jupyterhub_config.py")
PASSWORD = "a trial's password"


def wait_for(found, log, seconds=60):
    """What ``found`` returns once it is something; the end of the hub's log if not."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if it := found():
            return it
        time.sleep(0.2)
    raise RuntimeError(log.read_text(errors="replace")[-3000:])


def processes(folder):
    """Every process that works in a folder or below it."""
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if Path(process.cwd()).is_relative_to(folder):
                yield process


class Student:
    """One student's browser: its cookies, and what its pages ask the servers."""

    def __init__(self, hub, name):
        self.hub, self.at, self.name = hub, f"/user/{name}", name
        self.http = requests.Session()
        self.http.trust_env = False  # no proxy of this machine's stands in between

    def ask(self, method, path, **more):
        """The answer to a request, with the XSRF token of the cookie that fits best."""
        known = [cookie for cookie in self.http.cookies if cookie.name == "_xsrf"]
        fit = [cookie for cookie in known if path.startswith(cookie.path)]
        xsrf = max(fit, key=lambda cookie: len(cookie.path)).value if fit else ""
        where = self.hub + path
        headers = {"X-XSRFToken": xsrf, "Referer": where}
        return self.http.request(method, where, headers=headers, timeout=60, **more)

    def log_in(self, password=PASSWORD):
        """Fill in the login page; returns whether the hub lets the student in."""
        self.ask("GET", "/hub/login")
        form = {"username": self.name, "password": password}
        answer = self.ask("POST", "/hub/login", data=form)
        return answer.ok and not answer.url.endswith("/hub/login")

    def start(self):
        """Whether the lab is open: the page that waits for the server ends there."""
        page = self.ask("GET", "/hub/user-redirect/lab")
        return urllib.parse.urlsplit(page.url).path.startswith(self.at)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where the hub runs, with a home for each student that allows root, as in CI."""
    folder = tmp_path_factory.mktemp("class")
    for name in ("ana", "ben"):
        settings = folder / "students" / name / ".jupyter/jupyter_server_config.json"
        settings.parent.mkdir(parents=True)
        settings.write_text('{"ServerApp": {"allow_root": true}}', encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def hub(folder):
    """The address of the recipe's hub, on free ports of the loopback."""
    for module in ("jupyterhub", "configurable_http_proxy"):
        pytest.importorskip(
            module, reason=f"{module} is missing: `make hub` installs it"
        )
    with contextlib.ExitStack() as taken:
        sockets = [taken.enter_context(socket.socket()) for _ in range(3)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        public, inner, proxy = (one.getsockname()[1] for one in sockets)
    address, log = f"http://127.0.0.1:{public}", folder / "hub.log"
    with log.open("w") as file:
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "jupyterhub", "-f", str(RECIPE)),
                f"--JupyterHub.bind_url={address}",
                f"--JupyterHub.hub_port={inner}",
                f"--ConfigurableHTTPProxy.api_url=http://127.0.0.1:{proxy}",
            ],
            cwd=folder,
            env={**os.environ, "CLASS_PASSWORD": PASSWORD},
            stdout=file,
            stderr=file,
        )

    def answers():
        with contextlib.suppress(requests.ConnectionError):
            return requests.get(f"{address}/hub/health", timeout=5).ok

    try:
        wait_for(answers, log)
        yield address
    finally:
        process.kill()
        process.wait(10)
        for left in processes(folder):  # proxy, servers and kernels
            with contextlib.suppress(psutil.NoSuchProcess):
                left.kill()


@pytest.fixture(scope="module")
def students(hub, folder):
    """Ana and Ben, each with a server and a kernel."""
    both = [Student(hub, name) for name in ("ana", "ben")]
    with contextlib.ExitStack() as stack:
        for one in both:
            stack.enter_context(one.http)
            assert one.log_in()
            wait_for(one.start, folder / "hub.log")
            made = one.ask("POST", f"{one.at}/api/kernels", json={"name": "python3"})
            assert made.status_code == 201, made.text
        yield both


def test_nobody_enters_without_the_password(hub, students):
    stranger = Student(hub, "ana")
    with stranger.http:
        answer = stranger.ask("GET", "/user/ana/api/contents")
        assert answer.status_code == 403 or answer.url.split("?")[0].endswith("/login")
        assert not stranger.log_in("another password")


def test_ana_cannot_enter_bens_server(students):
    ana, ben = students
    for method, path in (
        ("GET", "/user/ben/api/contents"),
        ("POST", "/user/ben/api/kernels"),
        ("DELETE", "/hub/api/users/ben/server"),
    ):
        assert ana.ask(method, path, json={}).status_code in (403, 404), path
    for one in students:
        assert len(one.ask("GET", f"{one.at}/api/kernels").json()) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="the recipe is for Linux")
def test_kernels_are_private_have_one_thread_and_limited_memory(students, folder):
    found = [p for p in processes(folder) if "ipykernel_launcher" in p.cmdline()]
    assert len(found) == 2
    for kernel in found:
        (file,) = [Path(word) for word in kernel.cmdline() if word.endswith(".json")]
        assert json.loads(file.read_text(encoding="utf-8"))["transport"] == "ipc"
        assert not file.parent.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO)
        assert kernel.environ()["OMP_NUM_THREADS"] == "1"
        assert kernel.exe() == str(Path(sys.executable).resolve())
        assert kernel.rlimit(psutil.RLIMIT_DATA) == (2 * 2**30,) * 2
