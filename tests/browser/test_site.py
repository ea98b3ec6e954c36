"""The site in a real browser, from files and without network."""

import re

import pytest
from controls import changes, unmoved
from stored import NOTEBOOKS
from visits import Visit, serious

from helpers.publish import site as builder

pytestmark = pytest.mark.browser

PAGES = [*(path.stem for path in NOTEBOOKS), "index"]

_FONT = "[...document.fonts].filter(f => f.family === 'Formulas').map(f => f.status)"
# Boxes of all formulas that stand open on the page, as [width, height].
_FORMULAS = """() => [...document.querySelectorAll("math")].map((math) => {
    const box = math.getBoundingClientRect();
    return [box.width, box.height];
})"""


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The folder of a freshly built site."""
    folder = tmp_path_factory.mktemp("site")
    builder.build(folder)
    return folder


@pytest.fixture
def opened(site, visit):
    """Open a page by name, with settings of the browser; it must not complain."""
    visits = []

    def open_page(name, **settings):
        visits.append(visit(**settings))
        visits[-1].page.goto(f"{(site / name).as_uri()}.html")
        return visits[-1].page

    yield open_page
    assert [visited.errors for visited in visits] == [[]] * len(visits)


@pytest.fixture(scope="module", params=PAGES)
def whole(site, chromium, request):
    """A page with every fold open and every chart drawn, for all tests of the page."""
    with chromium.new_context(viewport={"width": 1280, "height": 1000}) as context:
        visited = Visit(context.new_page())
        visited.page.goto((site / f"{request.param}.html").as_uri())
        unfold(visited.page)
        yield visited


def unfold(page):
    """Open every fold of a page, and have its charts drawn: on the screen, they are."""
    page.evaluate(
        "document.querySelectorAll('main details').forEach(d => d.open = true)"
    )
    for chart in charts(page):
        chart.scroll_into_view_if_needed()
        page.wait_for_function("e => e.classList.contains('drawn')", arg=chart)


def charts(page):
    """The charts of a page, live or not."""
    return page.query_selector_all("figure.chart")


def test_a_status_line_says_what_a_control_changed(opened):
    page = opened("00_tour")
    chart = page.wait_for_selector("figure.chart.drawn")
    chart.query_selector("input[type=number]").fill("17")
    page.wait_for_function(
        "e => e.textContent", arg=chart.query_selector("[role=status]")
    )
    assert "17" in chart.query_selector("[role=status]").text_content()


def test_it_draws_itself_without_network_or_complaint(whole):
    page = whole.page
    for chart in charts(page):
        box = chart.query_selector("svg").bounding_box()
        assert box["width"] > 200 and box["height"] > 100
        assert len(chart.query_selector_all("svg path, svg text")) > 7
        assert len(chart.query_selector("[role=img]").get_attribute("aria-label")) > 40
    assert page.evaluate("[...document.images].every(e => e.naturalWidth > 100)")
    assert page.evaluate(_FONT) == ["loaded"]
    assert all(width > 3 and height > 5 for width, height in page.evaluate(_FORMULAS))
    assert whole.errors + whole.outside == []


def test_every_control_changes_its_chart(whole):
    page = whole.page
    problems = [what for chart in charts(page) for what in unmoved(page, chart)]
    assert problems + whole.errors == []


PHONE = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
}


def test_a_finger_plays_chooses_and_pulls_and_controls_stay_in_sight(opened):
    page = opened("01_formula", **PHONE)
    unfold(page)
    chart = page.query_selector("figure.chart:has([class*=grab] path)")
    buttons = "[type=button], [type=radio]:not(:checked)"
    for control in chart.query_selector_all(buttons):
        assert changes(chart, control.tap), control.get_attribute("name")
        if control.get_attribute("name").endswith("_play"):
            control.tap()  # and rest
    face = chart.query_selector("[class*=grab] path")
    assert changes(chart, lambda: pull(page, face))
    tallest = max(charts(page), key=lambda chart: chart.bounding_box()["height"])
    controls = tallest.query_selector(".vega-bindings")
    low = tallest.bounding_box()["height"] - controls.bounding_box()["height"] - 60
    tallest.evaluate("e => e.scrollIntoView({block: 'start', behavior: 'instant'})")
    page.evaluate("by => scrollBy({top: by, behavior: 'instant'})", low)
    assert 0 <= controls.bounding_box()["y"] < 120


def pull(page, mark):
    """Take hold of a mark with a finger, and pull it down."""
    # In the middle: the site's bar covers what is at the top.
    mark.evaluate("e => e.scrollIntoView({block: 'center', behavior: 'instant'})")
    box, session = mark.bounding_box(), page.context.new_cdp_session(page)
    at = {"x": box["x"] + 0.9 * box["width"], "y": box["y"] + box["height"] / 2}
    pulled = {**at, "yDistance": 60, "gestureSourceType": "touch"}
    session.send("Input.synthesizeScrollGesture", pulled)


def test_axe_finds_nothing_serious_in_light_or_dark(whole):
    page = whole.page
    page.evaluate(_EACH_COLOUR_ONCE)
    for scheme, rules in (("light", {}), ("dark", {"runOnly": ["color-contrast"]})):
        page.emulate_media(color_scheme=scheme)
        assert serious(page, **rules) == []
        assert page.evaluate(_FORMULAS_OF_OTHER_COLOUR) == 0


_FORMULAS_OF_OTHER_COLOUR = """() => [...document.querySelectorAll("math *")].filter((e) =>
    getComputedStyle(e).color !== getComputedStyle(e.closest("math").parentElement).color
).length"""
# Thousands of words of code in some twenty colours: one word of each is enough.
_EACH_COLOUR_ONCE = """() => {
    const seen = new Set();
    for (const word of document.querySelectorAll(".highlight span[class]"))
        if (seen.has(word.className)) word.replaceWith(word.textContent);
        else seen.add(word.className);
}"""


def test_a_phone_scrolls_one_way_only(whole):
    page = whole.page
    for width in (360, 320):
        page.set_viewport_size({"width": width, "height": 700})
        page.wait_for_timeout(300)  # formulas find their place once the width is known
        assert page.evaluate(_WIDTH) <= width
        # Nothing is cut off: what is wider stands in a box that scrolls, by keys too.
        assert page.evaluate(_CUT_OFF) == []
        assert page.evaluate(_UNREACHABLE) == []


_WIDTH = "Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)"
_CUT_OFF = """() => [...document.querySelectorAll("main *")].filter((e) => {
    if (e.parentElement.closest("math")) return false;
    const box = e.getBoundingClientRect();
    if (!box.width || box.right <= innerWidth + 1) return false;
    for (let up = e.parentElement; up; up = up.parentElement)
        if (/auto|scroll/.test(getComputedStyle(up).overflowX)) return false;
    return true;
}).map((e) => e.outerHTML.slice(0, 100))"""
_UNREACHABLE = """() => [...document.querySelectorAll("main *")].filter((e) =>
    /auto|scroll/.test(getComputedStyle(e).overflowX)
    && e.scrollWidth > e.clientWidth + 1 && e.clientWidth && e.tabIndex < 0
).map((e) => e.outerHTML.slice(0, 100))"""


def test_without_scripts_the_still_pictures_stay(opened):
    page = opened("04_distances", java_script_enabled=False)
    for picture in page.locator("figure.chart img").all():
        assert picture.is_visible() and picture.bounding_box()["width"] > 200
    assert not page.locator("button.theme").is_visible()


def test_a_question_is_answered_with_the_keyboard_and_uncovers_what_follows(opened):
    page = opened("01_formula")
    covers = page.locator(".cover-up button")
    count = covers.count()
    assert not page.locator(
        ".task:has(.choice) + .cover-up + .covered"
    ).first.is_visible()
    choice = page.query_selector("details.choice.wrong:has(~ .right)")
    choice.query_selector("summary").focus()
    page.keyboard.press("Enter")
    told = choice.query_selector(".told").inner_text()
    assert re.match(r"✘\s+Not yet\.", told) and covers.count() == count - 1
    covers.first.click()
    assert covers.count() == count - 2


def test_the_first_page_searches(opened):
    page = opened("index")
    page.fill(".search input", "look-back head")
    found = page.locator(".search li a")
    assert found.count() >= 1
    found.first.click()
    page.wait_for_url("**#*")


def test_the_cover_leads_to_the_tour_and_rests_where_motion_is_unwanted(opened):
    for motion, ending in (("no-preference", "webp"), ("reduce", "png")):
        page = opened("index", reduced_motion=motion)
        page.wait_for_function(
            "document.querySelector('.cover img').naturalWidth > 100"
        )
        shown = page.evaluate("document.querySelector('.cover img').currentSrc")
        assert shown.endswith(f"cover.{ending}")
        page.click(".cover")
        page.wait_for_url("**/00_tour.html")


def test_light_or_dark_is_chosen_and_remembered(opened):
    page = opened("01_formula", color_scheme="light")
    paper = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(paper)
    button = page.locator("button.theme")
    assert button.inner_text() == "Dark"
    button.press("Enter")
    dark = page.evaluate(paper)
    assert dark != light
    page.reload()
    assert page.evaluate(paper) == dark and button.inner_text() == "Light"
    button.click()
    assert page.evaluate(paper) == light


def test_one_section_at_a_time_for_a_projector(opened):
    page = opened("02_log_space")
    headings, shown = page.locator("main h2"), page.locator("main h2:visible")
    first, second = headings.all_text_contents()[:2]
    headings.first.evaluate("e => e.scrollIntoView()")
    top = "() => document.querySelector('main h2').getBoundingClientRect().top < 200"
    page.wait_for_function(top)
    # Not by the pointer: Playwright scrolls the page to reach what sticks to its top.
    page.dispatch_event("button.single", "click")
    assert shown.all_text_contents() == [first]
    page.keyboard.press("ArrowRight")
    assert shown.all_text_contents() == [second]
    page.click("button.earlier")
    assert shown.all_text_contents() == [first]
    page.click("button.single")
    assert shown.count() == headings.count() > 3


def test_paper_is_light_and_has_no_bars(opened):
    page = opened("01_formula", color_scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    ink = page.evaluate("getComputedStyle(document.body).color")
    assert max(map(int, re.findall(r"\d+", ink)[:3])) < 80
    for part in ("header.bar", "nav.contents", "nav.onward", "details.hint"):
        assert not page.locator(part).first.is_visible()
    assert page.locator("details.choice").first.is_visible()
