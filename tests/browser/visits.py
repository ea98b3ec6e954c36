"""A page, with what it complains about and what it asks for outside."""

import re
from dataclasses import dataclass, field
from urllib.parse import urlsplit

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
        self.page.on("pageerror", lambda error: self.errors.append(_steady(str(error))))
        self.page.on("request", self._request)

    def _console(self, message):
        if message.type == "error":
            where = urlsplit(message.location.get("url", "")).path
            self.errors.append(_steady(f"{message.text} [{where}]"))

    def _request(self, request):
        if not _HERE.match(request.url):
            self.outside.append(request.url)


def _steady(text):
    """An error without what differs from one run to the next."""
    return re.sub(r"[0-9a-f]{8,}|\d+", "…", text.split("\n")[0])
