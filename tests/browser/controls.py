"""The controls of a chart, used as a reader uses them: by pointer, keys and typing."""

from functools import partial

from helpers.draw.controls import PLAY

USABLE = ".vega-bindings input:not([type=hidden], [readonly])"
# A chart's drawing, once nothing is left to be drawn of what was done before.
_AT_REST = """async (chart) => {
    const drawing = () => chart.querySelector("svg").outerHTML;
    let before;
    for (let n = 0; n < 100 && before !== drawing(); n++) {
        before = drawing();
        for (const _ of "ab") await new Promise(requestAnimationFrame);
    }
    return before;
}"""
# Whether it is another one within three seconds: a busy machine draws late.
_CHANGES = """async (chart, before) => {
    for (const end = Date.now() + 3000; Date.now() < end; ) {
        if (chart.querySelector("svg").outerHTML !== before) return true;
        await new Promise(requestAnimationFrame);
    }
    return false;
}"""
_KEYS = {"range": "ArrowLeft", "radio": "ArrowLeft", "button": "Space"}
_WAYS = ((-4, -40), (-4, 40), (-40, 0), (40, 0))


def changes(chart, act):
    """Whether the drawing of a chart changes by what is done."""
    before = chart.evaluate(_AT_REST)
    act()
    return chart.evaluate(_CHANGES, before)


def unmoved(page, chart, strayed=list):
    """What is wrong with the controls of a chart: each is used by pointer and by keys.

    ``strayed`` says what the keys do elsewhere, with a control in focus.
    """
    problems = []

    def tried(what, act):
        if not changes(chart, act):
            problems.append(f"{what} changes nothing")

    controls = chart.query_selector_all(USABLE)
    # A control may work on some choices of an earlier one only: begin with the last. So
    # "step on" comes before "step back", which needs some way to go.
    for place, control in reversed(list(enumerate(controls))):
        name, kind = control.get_attribute("name"), _kind(control)
        if kind == "radio" and control.is_checked():
            continue
        # In the middle: the site's bar covers what is at the top.
        control.evaluate(
            "e => e.scrollIntoView({block: 'center', behavior: 'instant'})"
        )
        if kind == "number":
            problems += untyped(page, controls[place - 1], control)
        else:
            act = partial(drag, page, control) if kind == "range" else control.click
            tried(f"{name} ({kind}) by pointer", act)
        _pause(control, name)
        control.focus()
        if kind in _KEYS and not name.endswith("_back"):
            at_end = control.evaluate("e => e.type == 'range' && e.value == e.min")
            key = "ArrowRight" if at_end else _KEYS[kind]
            tried(f"{name} by key", partial(page.keyboard.press, key))
        _pause(control, name)
        problems += [f"{name}: {what}" for what in strayed()]
        _pause(control, name)
    for mark in chart.query_selector_all("[class*=grab] path"):
        # What lies along the hand does not turn it, and at an end only one way does.
        ways = (partial(turn, page, mark, *way) for way in _WAYS)
        if not any(changes(chart, way) for way in ways):
            problems.append("dragging a hand changes nothing")
    if chart.query_selector("[class*=scrub]"):
        tried("pointing", partial(sweep, page, chart))
    return problems


def untyped(page, slider, box):
    """What is wrong with a number box: box and slider should say one number."""
    low, high = (int(box.get_attribute(end)) for end in ("min", "max"))
    typed, problems = low + round(0.37 * (high - low)), []
    for text, number in ((str(typed), typed), ("", typed), (f"{high}7", high)):
        box.focus()
        page.keyboard.press("Control+a")
        page.keyboard.press("Backspace")
        page.keyboard.type(text)
        page.keyboard.press("Tab")
        for _ in range(60):  # a busy machine is late
            shown = [control.input_value() for control in (slider, box)]
            if shown == [str(number)] * 2:
                break
            page.wait_for_timeout(50)
        else:
            problems.append(f"{text!r} typed for {number}: they say {shown}")
    return problems


def drag(page, slider):
    """Take the thumb of a slider and pull it over, as a hand does."""
    box = slider.bounding_box()
    low, high, value = (
        float(slider.evaluate(f"input => input.{name}"))
        for name in ("min", "max", "value")
    )
    middle = box["y"] + box["height"] / 2
    thumb = 8 + (box["width"] - 16) * (value - low) / (high - low)
    page.mouse.move(box["x"] + thumb, middle)
    page.mouse.down()
    # To the other side: a slider with few stops may stand at its end.
    other = 0.15 if value > (low + high) / 2 else 0.8
    page.mouse.move(box["x"] + other * box["width"], middle, steps=4)
    page.mouse.up()


def turn(page, mark, x, y):
    """Pull a hand by so many pixels."""
    mark.scroll_into_view_if_needed()
    box = mark.bounding_box()
    at = box["x"] + 0.7 * box["width"], box["y"] + box["height"] / 2
    page.mouse.move(*at)
    page.mouse.down()
    page.mouse.move(at[0] + x, at[1] + y, steps=6)
    page.mouse.up()


def sweep(page, chart):
    """Move the pointer across a chart."""
    svg = chart.query_selector("svg")
    svg.scroll_into_view_if_needed()
    box = svg.bounding_box()
    for part in (0.3, 0.35, 0.4):
        page.mouse.move(box["x"] + part * box["width"], box["y"] + 0.3 * box["height"])


def _pause(control, name):
    """Let a chart rest that plays, or that plays again because it was at its end."""
    if name.endswith("_play"):
        while control.input_value() != PLAY:
            control.click()


def _kind(control):
    return control.get_attribute("type").lower()
