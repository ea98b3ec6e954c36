"""What the browser tests share: the browser, and pages that close themselves."""

import os
import shutil
from contextlib import ExitStack

import pytest
from visits import Visit

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
SIZE = {"width": 1280, "height": 1000}
SWITCHES = [
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
    """The browser of this machine, headless."""
    why = "Playwright is missing: `make browser` installs it"
    api = pytest.importorskip("playwright.sync_api", reason=why)
    found = [os.environ.get("CHROMIUM"), *map(shutil.which, NAMES)]
    if not any(found):
        pytest.skip("no Chromium is found: install it, or name it in CHROMIUM")
    program = next(filter(None, found))
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=SWITCHES)
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium):
    """Open pages with ``visit(**context)``: each in a context of its own."""
    with ExitStack() as stack:

        def opened(**settings):
            context = chromium.new_context(**{"viewport": SIZE, **settings})
            return Visit(stack.enter_context(context).new_page())

        yield opened
