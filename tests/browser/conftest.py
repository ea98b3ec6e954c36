"""What the browser tests share: the browser, and pages that are kept on failure."""

import re
from contextlib import ExitStack
from pathlib import Path

import pytest
from visits import NoBrowser, Visit, chromium

ARTEFACTS = Path(__file__).parents[2] / "build" / "browser"


@pytest.fixture(scope="session", name="chromium")
def chromium_():
    """The browser; skips with one sentence where there is none."""
    with ExitStack() as stack:
        try:
            browser = stack.enter_context(chromium())
        except NoBrowser as reason:
            pytest.skip(str(reason))
        yield browser


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
