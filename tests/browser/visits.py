"""A page in a browser, and what it complains about."""

import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import pytest

_HERE = re.compile(
    r"(https?|wss?)://(127\.0\.0\.1|localhost)[:/]|(file|data|blob|about):"
)


@dataclass
class Visit:
    """A page, the errors it has written, and the addresses outside it asked for."""

    page: object
    errors: list = field(default_factory=list)
    outside: list = field(default_factory=list)

    def __post_init__(self):
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", self._request)

    def _console(self, message):
        # The applications warn of their own; of Vega's warnings every one is ours.
        ours = message.type == "warning" and re.search("[Vv]ega|spec", message.text)
        if message.type == "error" or ours:
            where = urlsplit(message.location.get("url", "")).path
            self.errors.append(f"{message.text} [{where}]")

    def _request(self, request):
        if not _HERE.match(request.url):
            self.outside.append(request.url)


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
