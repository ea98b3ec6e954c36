"""What the browser tests share: the browser, and pages that close themselves."""

from contextlib import ExitStack

import pytest
from visits import NoBrowser, Visit, chromium

SIZE = {"width": 1280, "height": 1000}


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
def visit(chromium):
    """Open pages with ``visit(**context)``: each in a context of its own."""
    with ExitStack() as stack:

        def opened(**settings):
            context = chromium.new_context(**{"viewport": SIZE, **settings})
            return Visit(stack.enter_context(context).new_page())

        yield opened
