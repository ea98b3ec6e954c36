"""JupyterHub for one class on one Linux machine. `make hub` runs this very file.

    make .venv/with-hub                    # once, in the repository: for everybody
    mkdir /srv/class; cd /srv/class        # the hub's own files lie where it is started
    export CLASS_PASSWORD=...              # eight characters or more
    L=/path/to/repository; $L/.venv/bin/jupyterhub -f $L/tests/hub/jupyterhub_config.py

It listens on http://127.0.0.1:8000. It is ready for a trial as it is. For a class,
change what the paragraphs marked FOR A CLASS say.
"""

import os
import sys
from pathlib import Path

BIN = Path(sys.executable).parent
c = get_config()  # noqa: F821  (JupyterHub gives it to this file)

# --- The address. FOR A CLASS: "https://:443", and
# c.JupyterHub.ssl_key and c.JupyterHub.ssl_cert, or a web server in front of it.
c.JupyterHub.bind_url = "http://127.0.0.1:8000"
# The proxy in Python: the usual one needs Node.js.
c.ConfigurableHTTPProxy.command = [str(BIN / "configurable-http-proxy")]

# --- Who may enter, and where files lie. This is for a trial only: any name enters
# with one password, and all servers run in one account, which can read every file.
# FOR A CLASS: delete this paragraph and start the hub as root. JupyterHub then asks
# for the names and passwords of the machine's own accounts (PAM), and each student
# works in that account's home folder, where the others cannot read (chmod 700).
# Write who may enter: c.Authenticator.allowed_users = {"ana", "ben"}
# If the notebooks come from a git repository on this machine, every account must trust
# it: git config --system --add safe.directory /path/to/course.git
c.JupyterHub.authenticator_class = "shared-password"
c.SharedPasswordAuthenticator.user_password = os.environ["CLASS_PASSWORD"]
c.Authenticator.allow_all = True
c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = f"{Path.cwd()}/students/{{username}}"

# --- A student's server: JupyterLab from this environment, so that Python, torch and
# `helpers` are installed once. The account must be able to read the environment.
c.Spawner.cmd = [str(BIN / "jupyterhub-singleuser")]
c.Spawner.default_url = "/lab"
c.Spawner.http_timeout = 60  # thirty students who start together make the disk slow
# One thread each: with more, students who train at the same time wait for each other.
c.Spawner.environment = {"OMP_NUM_THREADS": "1"}

# --- Memory: no process (server or kernel) may hold more than 2 GiB, here in KiB. The
# cell then ends in a MemoryError, and everyone works on. `make bench` prints what a
# notebook takes. For one limit on all that a student runs, see SystemdSpawner.
LIMIT = f"ulimit -d {2 * 1024 * 1024}"

# --- Kernels listen on sockets in a folder that only their account may enter. Over TCP,
# the usual way, any account of the machine could connect to them. The folder's path is
# short: a socket's may have 107 characters.
PRIVATE = "export JUPYTER_RUNTIME_DIR=$(mktemp -d)"
c.LocalProcessSpawner.shell_cmd = [
    "/bin/sh",
    "-c",
    f'{LIMIT}; {PRIVATE}; eval exec "$0"',
]

# --- Idle: a kernel that nobody looks at ends after an hour, a server without kernels
# half an hour later. The files stay, and the next visit starts the server again.
c.Spawner.args = [
    "--KernelManager.transport=ipc",
    "--MappingKernelManager.cull_idle_timeout=3600",
    "--ServerApp.shutdown_no_activity_timeout=1800",
]
