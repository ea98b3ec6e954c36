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
from nbformat.v4 import output_from_msg
from stored import NOTEBOOKS, is_compared, said

RECIPE = Path(__file__).with_name("jupyterhub_config.py")
COURSE = "course"
PASSWORD = "a trial's password"
_OUTPUTS = {"stream", "display_data", "execute_result", "error"}


class Hub:
    """The recipe's hub and proxy, on free ports of the loopback, in an empty folder."""

    def __init__(self, folder, recipe=RECIPE, names=()):
        self.folder = folder
        for name in names:
            # As in CI, where everything runs as root; no setting for a class.
            settings = self.home(name) / ".jupyter" / "jupyter_server_config.json"
            settings.parent.mkdir(parents=True)
            settings.write_text('{"ServerApp": {"allow_root": true}}', encoding="utf-8")
        self.log = folder / "hub.log"
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
        try:
            self._wait()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def _wait(self, seconds=60):
        """Return when the hub answers; RuntimeError with the end of its log if not."""
        until = time.monotonic() + seconds
        while time.monotonic() < until and self._process.poll() is None:
            with contextlib.suppress(requests.ConnectionError):
                if requests.get(f"{self.address}/hub/health", timeout=5).ok:
                    return
            time.sleep(0.2)
        raise RuntimeError(f"the hub did not start:\n{self.said()}")

    def said(self):
        """The end of the hub's log."""
        return self.log.read_text(errors="replace")[-3000:]

    def home(self, name):
        """The folder of a student's files."""
        return self.folder / "students" / name

    def stop(self):
        """End the hub, then whatever is left of proxy, servers and kernels."""
        self._process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(20)
        for process in processes(self.folder):
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        self._process.wait(10)


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


class Student:
    """One student's browser: its cookies, and what its pages ask the servers."""

    def __init__(self, hub, name):
        self.hub, self.name = hub, name
        self.at = f"/user/{name}"
        self._http = requests.Session()
        self._http.trust_env = False  # no proxy of this machine's stands in between

    def close(self):
        """Forget the cookies."""
        self._http.close()

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

    def follow(self, link, seconds=60):
        """Open a link of the hub's; returns the page, once the server has started."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            page = self.get(link)
            if urllib.parse.urlsplit(page.url).path.startswith(self.at):
                page.raise_for_status()
                return page
            time.sleep(0.3)
        raise RuntimeError(f"{self.name}'s server did not start:\n{self.hub.said()}")

    def pull(self, link):
        """Open an nbgitpuller link and do what its page does; returns the page it ends at.

        RuntimeError where git fails.
        """
        page = self.follow(link)
        asked = dict(re.findall(r'data-([\w-]+)="([^"]*)"', page.text))
        asked = {k: urllib.parse.unquote(html.unescape(v)) for k, v in asked.items()}
        known = ("repo", "branch", "targetpath", "depth", "backup")
        answer = self.get(
            f"{self.at}/git-pull/api",
            params={key: asked[key] for key in known if key in asked}
            | {"_xsrf": self._xsrf(f"{self.at}/")},
        )
        lines = re.findall(r"^data: (.*)$", answer.text, re.MULTILINE)
        phases = [json.loads(line) for line in lines]
        if not phases or phases[-1]["phase"] != "finished":
            raise RuntimeError(
                f"git-pull ended with {answer.status_code}: {phases[-1:]}"
            )
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
        session = answer.json()
        channels = f"{self.at}/api/kernels/{session['kernel']['id']}/channels"
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
        ended = self.send("DELETE", f"{self.at}/api/sessions/{session['id']}")
        ended.raise_for_status()


class Kernel:
    """A kernel at the other end of a websocket."""

    def __init__(self, line):
        self._line, self._session = line, Session()

    def run(self, source):
        """The outputs of a cell, as they would be stored."""
        asked = {"code": source, "silent": False, "store_history": True}
        asked |= {"allow_stdin": False, "user_expressions": {}}
        request = {**self._session.msg("execute_request", asked), "channel": "shell"}
        self._line.send(json.dumps(request, default=str))
        outputs, shown, replied, idle = [], {}, False, False
        while not (replied and idle):
            message = json.loads(self._line.recv())
            if message["parent_header"].get("msg_id") != request["msg_id"]:
                continue
            kind, content = message["msg_type"], message["content"]
            replied |= kind == "execute_reply"
            idle |= kind == "status" and content["execution_state"] == "idle"
            if kind == "update_display_data":
                shown[content["transient"]["display_id"]].update(
                    data=content["data"], metadata=content["metadata"]
                )
            elif kind in _OUTPUTS:
                message.setdefault("header", {})["msg_type"] = kind
                output = output_from_msg(message)
                shown[content.get("transient", {}).get("display_id")] = output
                _add(outputs, output)
        return outputs


def changed(student, kernel, name):
    """Runs a notebook as a student has it; the cells that fail, or say something new."""
    cells = nbformat.from_dict(student.contents(place(name))["content"]).cells
    return [
        cell.source
        for cell in cells
        if cell.cell_type == "code" and _says_else(cell, kernel.run(cell.source))
    ]


def _says_else(cell, outputs):
    if "error" in [output.output_type for output in outputs]:
        return True
    new = nbformat.from_dict({**cell, "outputs": outputs})
    return is_compared(cell) and said(new) != said(cell)


def _add(outputs, output):
    """Append an output; what goes on in the same stream is one output."""
    last = outputs[-1] if outputs else {}
    if output.output_type == "stream" and last.get("name") == output.name:
        last.text += output.text
    else:
        outputs.append(output)


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
        with contextlib.suppress(psutil.Error):
            total += process.memory_full_info().pss
    return total / 2**20


def _free_ports(number):
    with contextlib.ExitStack() as stack:
        taken = [stack.enter_context(socket.socket()) for _ in range(number)]
        for one in taken:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in taken]
