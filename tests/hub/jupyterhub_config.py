"""JupyterHub for one class on one machine. `make hub` runs this very file.

    .venv/bin/pip install -e '.[hub]'
    export LESSON_HOMES=/srv/lesson LESSON_PASSWORD='say it in class'
    .venv/bin/jupyterhub -f tests/hub/jupyterhub_config.py

Students open http://<this machine>:8000, or the nbgitpuller link of the README. The
lesson is installed once, in the environment that runs the hub; each student gets a
folder and a server of their own.

For more than a trial in one room, change three things: the authenticator (accounts of
your school: OAuthenticator, LTI), the spawner (a system account or a container for
each student: all servers here run as the user that runs the hub), and put HTTPS in
front.
"""

import os
import sys
from pathlib import Path

c = get_config()  # noqa: F821  (JupyterHub defines it)

programs = Path(sys.executable).parent
homes = Path(os.environ.get("LESSON_HOMES", "/srv/lesson"))

# Where students come in; the hub itself listens on this machine only.
c.JupyterHub.bind_url = "http://:8000"

# The proxy in Python: it needs no Node.js.
c.ConfigurableHTTPProxy.command = [str(programs / "configurable-http-proxy")]

# Any name, one password for the room. CHANGE for a course.
c.JupyterHub.authenticator_class = "dummy"
c.DummyAuthenticator.password = os.environ["LESSON_PASSWORD"]
c.Authenticator.allow_all = True

# One process a student, each in a folder of its own. CHANGE for a course.
c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = str(homes / "{username}")

c.Spawner.cmd = [str(programs / "jupyterhub-singleuser")]
c.Spawner.default_url = "/lab"
c.Spawner.environment = {
    # Thirty students share the cores: one thread each, and it is faster so.
    "OMP_NUM_THREADS": "1",
    # The next kernel starts three times as fast from what Python has compiled.
    "PYTHONDONTWRITEBYTECODE": "",
}
# A kernel that nobody has used for an hour gives its memory back.
c.Spawner.args = [
    "--MappingKernelManager.cull_idle_timeout=3600",
    "--MappingKernelManager.cull_interval=300",
]
# Room for one student's server and two kernels; enforced by spawners with containers.
c.Spawner.mem_limit = "1G"
c.Spawner.start_timeout = 120
