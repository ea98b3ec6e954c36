"""A real browser without network; a page, and what it complains about."""

import os
import re
import shutil
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import pytest

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

_HERE = re.compile(
    r"(https?|wss?)://(127\.0\.0\.1|localhost)[:/]|(file|data|blob|about):"
)


class NoBrowser(Exception):
    """No browser can be started; the message says what to do."""


@contextmanager
def chromium():
    """The browser of this machine, headless. Raises NoBrowser where there is none."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise NoBrowser("Playwright is missing: `make browser` installs it") from None
    found = [os.environ.get("CHROMIUM"), *map(shutil.which, _NAMES)]
    program = next(filter(None, found), None)
    if not program:
        raise NoBrowser(
            "No Chromium is found: install it (Debian: apt install chromium), or name "
            "it in CHROMIUM"
        )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=_SWITCHES)
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Visit:
    """A page, the errors it has written, and the addresses outside it asked for."""

    page: object
    errors: list = field(default_factory=list)
    outside: list = field(default_factory=list)

    def __post_init__(self):
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.errors.append(_steady(str(error))))
        self.page.on("request", self._request)

    def _console(self, message):
        # The applications warn of their own; of Vega's warnings every one is ours.
        ours = message.type == "warning" and re.search("[Vv]ega|spec", message.text)
        if message.type == "error" or ours:
            where = urlsplit(message.location.get("url", "")).path
            self.errors.append(_steady(f"{message.text} [{where}]"))

    def _request(self, request):
        if not _HERE.match(request.url):
            self.outside.append(request.url)


def _steady(text):
    """An error without what differs from one run to the next."""
    return re.sub(r"[0-9a-f]{8,}|\d+", "…", text.split("\n")[0])


def serious(page, **options):
    """What axe finds wrong with a page: (rule, where) for what is serious or worse.

    Without formulas: they have the colour of their text, and letter by letter it takes
    minutes.
    """
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    options = {"resultTypes": ["violations"], **options}
    found = axe.run(page, {"exclude": [["math"]]}, options).response["violations"]
    return [
        (v["id"], v["nodes"][0]["html"][:200])
        for v in found
        if v["impact"] in ("serious", "critical")
    ]
