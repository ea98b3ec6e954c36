"""A JupyterHub started for a test, and students who use it as their browsers do."""

import contextlib
import html
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.parse
from pathlib import Path

import nbformat
import psutil
import requests
import websocket
from jupyter_client.session import Session
from stored import NOTEBOOKS

RECIPE = Path(__file__).with_name("jupyterhub_config.py")
COURSE = "course"
PASSWORD = "a trial's password"


class Hub:
    """The recipe's hub and proxy, on free ports of the loopback, in an empty folder."""

    def __init__(self, folder, recipe=RECIPE, names=()):
        self.folder, self.log = folder, folder / "hub.log"
        for name in names:
            # As in CI, where everything runs as root; no setting for a class.
            settings = self.home(name) / ".jupyter" / "jupyter_server_config.json"
            settings.parent.mkdir(parents=True)
            settings.write_text('{"ServerApp": {"allow_root": true}}', encoding="utf-8")
        public, inner, proxy = _free_ports(3)
        self.address = f"http://127.0.0.1:{public}"
        with self.log.open("w") as log:
            self._process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "jupyterhub", "-f", str(recipe)),
                    f"--JupyterHub.bind_url={self.address}",
                    f"--JupyterHub.hub_port={inner}",
                    f"--ConfigurableHTTPProxy.api_url=http://127.0.0.1:{proxy}",
                ],
                cwd=folder,
                env={**os.environ, "CLASS_PASSWORD": PASSWORD},
                stdout=log,
                stderr=log,
            )

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            stack.callback(self.stop)
            wait_for(self._answers, self)
            stack.pop_all()
        return self

    def __exit__(self, *_):
        self.stop()

    def _answers(self):
        with contextlib.suppress(requests.ConnectionError):
            return requests.get(f"{self.address}/hub/health", timeout=5).ok

    def home(self, name):
        """The folder of a student's files."""
        return self.folder / "students" / name

    def stop(self):
        """End the hub, and whatever it has started: proxy, servers and kernels."""
        self._process.kill()
        self._process.wait(10)
        for process in processes(self.folder):
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()


def wait_for(found, hub, seconds=60):
    """What ``found`` returns once it is something; the end of the hub's log if not."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if it := found():
            return it
        time.sleep(0.2)
    raise RuntimeError(hub.log.read_text(errors="replace")[-3000:])


class Course:
    """The repository that the instructor hands out, and commits to."""

    def __init__(self, folder):
        self.folder = folder
        self._git("init", "--initial-branch=main")
        (folder / "notebooks").mkdir()
        for path in NOTEBOOKS:
            shutil.copy(path, folder / "notebooks")
        self.commit()

    def commit(self):
        """Hand out the notebooks as they are now."""
        who = ("-c", "user.name=Instructor", "-c", "user.email=instructor@localhost")
        self._git("add", "--all")
        self._git(*who, "commit", "--message", "For the class")

    def _git(self, *words):
        subprocess.run(["git", *words], cwd=self.folder, check=True)

    def edit(self, name, change):
        """Change a notebook with ``change(notebook)``."""
        path = self.folder / "notebooks" / f"{name}.ipynb"
        notebook = nbformat.read(path, as_version=4)
        change(notebook)
        nbformat.write(notebook, path)

    def link(self, name):
        """What the instructor gives to the class: an nbgitpuller link to a notebook."""
        asked = {"repo": self.folder.as_uri(), "branch": "main", "targetpath": COURSE}
        asked["urlpath"] = f"lab/tree/{place(name)}"
        return f"/hub/user-redirect/git-pull?{urllib.parse.urlencode(asked)}"


def place(name):
    """Where a notebook lies among a student's files."""
    return f"{COURSE}/notebooks/{name}.ipynb"


class Student:
    """One student's browser: its cookies, and what its pages ask the servers."""

    def __init__(self, hub, name):
        self.hub, self.name, self.at = hub, name, f"/user/{name}"
        self._http = requests.Session()
        self._http.trust_env = False  # no proxy of this machine's stands in between
        self.close = self._http.close

    def get(self, path, **more):
        """The answer to a GET, redirects followed."""
        return self._http.get(self.hub.address + path, timeout=60, **more)

    def send(self, method, path, **more):
        """The answer to a request that changes something, with the page's XSRF token."""
        where = self.hub.address + path
        headers = {"X-XSRFToken": self._xsrf(path), "Referer": where}
        return self._http.request(method, where, headers=headers, timeout=60, **more)

    def _xsrf(self, path):
        # A browser sends the cookie whose path fits best.
        known = [cookie for cookie in self._http.cookies if cookie.name == "_xsrf"]
        fit = [cookie for cookie in known if path.startswith(cookie.path)]
        return max(fit, key=lambda cookie: len(cookie.path)).value if fit else ""

    def log_in(self, password=PASSWORD):
        """Fill in the login page; returns whether the hub lets the student in."""
        self.get("/hub/login")
        form = {"username": self.name, "password": password}
        form["_xsrf"] = self._xsrf("/hub/")
        answer = self.send("POST", "/hub/login", data=form)
        return answer.ok and not answer.url.endswith("/hub/login")

    def follow(self, link):
        """Open a link of the hub's; returns the page, once the server has started."""

        def arrived():
            page = self.get(link)
            return urllib.parse.urlsplit(page.url).path.startswith(self.at) and page

        return wait_for(arrived, self.hub)

    def pull(self, link):
        """Open an nbgitpuller link and do what its page does; returns where it ends."""
        page = self.follow(link)
        asked = dict(re.findall(r'data-([\w-]+)="([^"]*)"', page.text))
        asked = {k: urllib.parse.unquote(html.unescape(v)) for k, v in asked.items()}
        known = {"repo", "branch", "targetpath", "depth", "backup"} & asked.keys()
        form = {key: asked[key] for key in known} | {"_xsrf": self._xsrf(f"{self.at}/")}
        answer = self.get(f"{self.at}/git-pull/api", params=form)
        phases = re.findall(r"^data: (.*)$", answer.text, re.MULTILINE)
        if not phases or json.loads(phases[-1])["phase"] != "finished":
            raise RuntimeError(f"git-pull ended with {answer.status_code}: {phases}")
        return self.get(f"{self.at}/{asked['path']}")

    def contents(self, path):
        """A file as JupyterLab reads it: its JSON model."""
        answer = self.get(f"{self.at}/api/contents/{path}")
        answer.raise_for_status()
        return answer.json()

    def save(self, path, notebook):
        """Store a notebook as JupyterLab does."""
        model = {"type": "notebook", "format": "json", "content": notebook}
        where = f"{self.at}/api/contents/{path}"
        self.send("PUT", where, json=model).raise_for_status()

    @contextlib.contextmanager
    def kernel(self, path):
        """A Kernel for the notebook at a path, in a session as JupyterLab opens it."""
        wanted = {"path": path, "name": path, "type": "notebook"}
        wanted["kernel"] = {"name": "python3"}
        answer = self.send("POST", f"{self.at}/api/sessions", json=wanted)
        answer.raise_for_status()
        channels = f"{self.at}/api/kernels/{answer.json()['kernel']['id']}/channels"
        address = self.hub.address.replace("http", "ws", 1) + channels
        request = requests.Request("GET", self.hub.address + channels)
        line = websocket.create_connection(
            f"{address}?_xsrf={self._xsrf(channels)}",
            cookie=self._http.prepare_request(request).headers["Cookie"],
            http_no_proxy=["127.0.0.1"],
            timeout=120,
        )
        with contextlib.closing(line):
            yield Kernel(line)


class Kernel:
    """A kernel at the other end of a websocket."""

    def __init__(self, line):
        self._line, self._session = line, Session()

    def run(self, source):
        """What a cell prints, or the name of the error that it ends in."""
        asked = {"code": source, "silent": False, "allow_stdin": False}
        request = {**self._session.msg("execute_request", asked), "channel": "shell"}
        self._line.send(json.dumps(request, default=str))
        printed, self.error, waiting = "", None, {"execute_reply", "idle"}
        while waiting:
            message = json.loads(self._line.recv())
            if message["parent_header"].get("msg_id") != request["msg_id"]:
                continue
            kind, content = message["msg_type"], message["content"]
            waiting -= {kind, content.get("execution_state")}
            printed += content["text"] if kind == "stream" else ""
            self.error = content.get("ename", self.error)
        return self.error or printed.strip()


def failing(student, kernel, name):
    """The code cells of a student's notebook that end in an error when they are run."""
    cells = student.contents(place(name))["content"]["cells"]
    sources = [cell["source"] for cell in cells if cell["cell_type"] == "code"]
    return [source for source in sources if kernel.run(source) and kernel.error]


def processes(folder):
    """Every process that works in a folder or below it."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if Path(process.cwd()).is_relative_to(folder):
                found.append(process)
    return found


def memory(folder):
    """Memory of the processes that work in a folder, in MiB.

    What processes share is divided among them (`pss`): that is what a student costs.
    """
    total = 0
    for process in processes(folder):
        with contextlib.suppress(psutil.Error):  # one that has just ended
            total += process.memory_full_info().pss
    return total / 2**20


def _free_ports(number):
    with contextlib.ExitStack() as stack:
        taken = [stack.enter_context(socket.socket()) for _ in range(number)]
        for one in taken:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in taken]
