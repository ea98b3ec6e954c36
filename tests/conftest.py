"""Settings for every test process, and how tests are shared out among workers."""

import os

import pytest

# Two workers on two cores: one thread each, unless the caller decides otherwise. Set
# before anything imports NumPy or torch.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("JUPYTER_PLATFORM_DIRS", "1")  # silences a deprecation notice


def pytest_itemcollected(item):
    """One worker for each file, as a notebook's cells share a kernel.

    A test with a parameter ``notebook`` starts a kernel of its own: one worker for
    each notebook.
    """
    notebook = getattr(item, "callspec", None) and item.callspec.params.get("notebook")
    group = f"{item.path.name} {notebook.stem}" if notebook else item.path.name
    item.add_marker(pytest.mark.xdist_group(group))
