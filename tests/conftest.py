"""Settings for every test process, and how tests are shared out among workers."""

import os

from xdist.scheduler import LoadScopeScheduling

# Two workers on two cores: one thread each, unless the caller decides otherwise. Set
# before anything imports NumPy or torch.
os.environ.setdefault("OMP_NUM_THREADS", "1")


_KERNELS = (
    "tests/test_rerun.py",
    "tests/test_editions.py::test_every_solution",
    "tests/browser/test_lab.py",
)


class _KernelByKernel(LoadScopeScheduling):
    """One worker for each file, and for each test that starts a kernel of its own."""

    def _split_scope(self, nodeid):
        alone = nodeid.startswith(_KERNELS)
        return nodeid if alone else super()._split_scope(nodeid)


def pytest_xdist_make_scheduler(config, log):
    return _KernelByKernel(config, log)
