"""A real browser without network, and what it complains about."""

import os
import re
import shutil
from pathlib import Path

import pytest
from visits import Visit

ARTEFACTS = Path(__file__).parents[2] / "build" / "browser"
_NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
_SWITCHES = [
    "--no-sandbox",  # CI runs as root
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # No name leads out of this machine: the notebooks must do without network.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
]


@pytest.fixture(scope="session")
def chromium():
    """The browser of this machine, headless; skips where there is none."""
    playwright = pytest.importorskip(
        "playwright.sync_api",
        reason="Playwright is missing: `make browser` installs it",
    )
    program = os.environ.get("CHROMIUM") or next(
        filter(None, map(shutil.which, _NAMES)), None
    )
    if not program:
        pytest.skip(
            "No Chromium is found: install it (Debian: apt install chromium) or name "
            "it in CHROMIUM"
        )
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=program, args=_SWITCHES)
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium, request):
    """Open pages with ``visit(**context)``: each in a context of its own.

    Where the test fails, what they showed is kept in build/browser/.
    """
    visits = []

    def opened(**settings):
        context = chromium.new_context(
            **{"viewport": {"width": 1280, "height": 1000}, **settings}
        )
        visits.append(Visit(context.new_page()))
        return visits[-1]

    yield opened
    for number, visited in enumerate(visits):
        if request.node.stash.get(_FAILED, False):
            ARTEFACTS.mkdir(parents=True, exist_ok=True)
            name = re.sub(r"[^\w-]+", "_", request.node.name).strip("_")
            visited.page.screenshot(path=ARTEFACTS / f"{name}_{number}.png")
        visited.page.context.close()


_FAILED = pytest.StashKey()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Note on the test whether it failed, for `visit`."""
    report = yield
    if report.failed:
        item.stash[_FAILED] = True
    return report
