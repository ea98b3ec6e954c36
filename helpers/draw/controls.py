"""Controls of the explorables: sliders with boxes, radio buttons, Play.

This file is the largest of the tricks that helpers/README.md lists: sliders with a
number box, buttons that play and hands that can be dragged need more of Vega than Altair
lets through. It rests on what no manual promises; tests/browser/controls.py has each of
these in the hand, so run ``make browser`` before another version of Altair, JupyterLab
or vl-convert is pinned. It breaks

* when Altair checks or drops ``autocomplete`` of a binding: it refuses Vega's own
  signals, so they travel there as JSON, and `unpacked` restores them in the finished
  specification;
* when Vega no longer writes the other keys of a binding onto an input whose kind it does
  not know, as it knows none in capitals, nor "button". So JupyterLab and Notebook are
  told to keep their shortcuts off: without ``data-lm-suppress-shortcuts``, ``d`` typed
  twice deletes the cell;
* when several inputs may no longer share a ``signal``, or when Vega no longer makes text
  of the NaN that a radio button's is (`_radios`);
* when a chart's style no longer reaches its page: the frames of Play are those of an
  animation in theme/charts.css (`clock`).

The window hears buttons by the name of their signal: two charts that play must not give
it the same name.
"""

import json

import altair as alt

PLAY = "▶ Play"
PAUSE = "❚❚ Pause"


def vega_signal(name, **parts):
    """A parameter that is any signal of Vega: ``value`` or ``expr``, ``bind``, ``on``."""
    return alt.param(
        name=name,
        value=0,
        bind=alt.BindInput(input="packed", autocomplete=json.dumps(parts)),
    )


def handler(events, update, **more):
    """A handler for ``on``: what to set where one of these events of Vega is heard."""
    return {"events": events, "update": update, **more}


def window_event(event, condition=None):
    """An event of the window, and under which condition it counts."""
    filtered = {"filter": condition} if condition else {}
    return {"source": "window", "type": event, **filtered}


def unpacked(params):
    """A specification's parameters, those of `vega_signal` unpacked."""
    return [
        {"name": p["name"]} | json.loads(p["bind"]["autocomplete"])
        if isinstance(p.get("bind"), dict) and p["bind"].get("input") == "packed"
        else p
        for p in params
    ]


def controls(name, value, low, high, label, moved=()):
    """A slider and a number box that hold one whole number.

    Returns a list for ``add_params``. The expression ``name`` is the number, kept
    between ``low`` and ``high``. On leaving the box, a number beyond them becomes the
    nearest that is allowed, and an empty box the number before. ``moved`` are further
    handlers, ``on`` of Vega, that set the number; one that hears a signal needs
    ``force``, or Vega tells nobody where it gives what it gave before.
    """
    dragged = f"{name}_drag"
    ends = {"min": low, "max": high, "step": 1}
    left = f"event.target.name == '{dragged}' && event.target.type == 'number'"
    typed = f"clamp(round(toNumber({dragged})), {low}, {high})"
    handlers = [handler(window_event("change", left), name), *moved]
    following = [one | {"update": _floor(one)} for one in handlers]
    slider = _input("RANGE", label, **ends)
    box = _input("number", signal=dragged, **ends) | {"aria-label": f"{label}, typed"}
    return [
        vega_signal(dragged, value=value, bind=slider, on=following),
        vega_signal(f"{name}_type", value=value, bind=box),
        vega_signal(
            name,
            value=value,
            on=[handler({"signal": dragged}, f"{dragged} === '' ? {name} : {typed}")],
        ),
    ]


def choice(name, value, options, label, texts=None):
    """Radio buttons for texts; for numbers a slider with stops, and the number beside.

    Returns a list for ``add_params``. The expression ``name`` is the option chosen;
    ``texts`` are shown in place of numbers. Raises ValueError if ``value`` is not
    among the options.
    """
    options = list(options)
    first = options.index(value)
    if all(isinstance(option, str) for option in options):
        return _radios(name, first, options, label)
    dragged = f"{name}_drag"
    texts = list(texts or (f"{option:,}" for option in options))
    stops = _input("RANGE", label, min=0, max=len(options) - 1, step=1)
    beside = {"readonly": "", "tabindex": -1, "aria-label": f"{label}, chosen"}
    return [
        vega_signal(dragged, value=first, bind=stops),
        vega_signal(f"{name}_said", expr=f"{json.dumps(texts)}[{dragged}]"),
        vega_signal(
            f"{name}_read", bind=_input("TEXT", signal=f"{name}_said") | beside
        ),
        vega_signal(name, expr=f"{json.dumps(options)}[{dragged}]"),
    ]


def _radios(name, first, options, label):
    """A caption, then a button for each option, in the form of this chart alone.

    The window hears the buttons of every chart, so a change must be known as this
    chart's own. All its buttons write into one signal, ``name_pick``, which has two
    states. At rest it is the number NaN, which Vega writes into each button as a text.
    A button that is used gives its text back, so that the signal is a string: the state
    *used*. The window's event, which comes after that, says in ``alt`` which button it
    was, and sets the signal to rest again.
    """
    picked = f"{name}_pick"
    changed = _on("change", picked)
    used = f"isString({picked})"
    number_of_button = "toNumber(event.target.alt)"
    chosen = f"{used} ? {json.dumps(options)}[{number_of_button}] : {name}"
    to_rest = handler(changed, "NaN")
    params = [
        # Of the two that hear the event, the first in the list is told first.
        vega_signal(name, value=options[first], on=[handler(changed, chosen)]),
        # The hidden input has no use but its label, which is the caption.
        vega_signal(picked, expr="NaN", bind=_input("hidden", label), on=[to_rest]),
    ]
    for number, option in enumerate(options):
        about = {"alt": number}
        if number == first:
            about["checked"] = ""
        about["aria-label"] = f"{label}: {option}"
        params.append(
            vega_signal(
                f"{name}_{number}", bind=_input("RADIO", option, signal=picked, **about)
            )
        )
    return params


def player(name, value, low, high, label, speed, moved=()):
    """`controls` that also play: a button, and steps back and on.

    The expression ``name`` runs through all numbers between two whole ones while it
    plays, ``speed`` of them a second, and is whole at rest. Nothing plays until the
    button is pressed; the chart needs the layer `clock`, which gives the ticks. At the
    end, Play and the step on begin anew.
    """
    play, back, on, tick, whole, part = (
        f"{name}_{p}" for p in ("play", "back", "on", "tick", "whole", "part")
    )
    frame = window_event("animationiteration", "event.animationName == 'ticking'")
    ticked = f"{{at: now(), passed: (now() - {tick}.at) / 1000}}"
    ticking = handler(frame, f"{play} == '{PAUSE}' ? {ticked} : {tick}")
    toggled = handler(_on("click", play), f"{play} == '{PLAY}' ? '{PAUSE}' : '{PLAY}'")
    ended = handler({"signal": tick}, f"{name} >= {high} ? '{PLAY}' : {play}")
    ran = f"min({name} + {speed} * min({tick}.passed, 0.1), {high})"
    begun = f"{name} < {high} ? {name} : {low}"
    rested = f"{play} == '{PLAY}' ? round({name}) : {begun}"
    moved = [
        handler({"signal": tick}, ran),
        handler({"signal": play}, rested, force=True),
        handler(_on("click", back), f"max({low}, ceil({name}) - 1)"),
        handler(_on("click", on), f"{name} < {high} ? floor({name}) + 1 : {low}"),
        *moved,
    ]
    # What moves the number sets its whole part, which slider and box hold, and its
    # fraction, each by the same handlers.
    fractions = [m | {"update": f"({m['update']}) - {_floor(m)}"} for m in moved]
    return [
        *controls(whole, value, low, high, label, moved=moved),
        vega_signal(part, value=0, on=fractions),
        vega_signal(name, expr=f"{whole} + {part}"),
        vega_signal(tick, value={"at": 0, "passed": 0}, on=[ticking]),
        vega_signal(play, value=PLAY, bind=_input("button"), on=[toggled, ended]),
        vega_signal(back, value="◀ step back", bind=_input("button")),
        vega_signal(on, value="step on ▶", bind=_input("button")),
    ]


def clock(name):
    """The ticks of a `player`: a mark unseen, which the browser animates while it plays.

    Each frame ends a round of its animation, and says so to the page. A timer of Vega's
    would tick at rest, too.
    """
    return (
        alt.Chart(alt.sequence(0, 1, as_="n"))
        .transform_filter(f"{name}_play == '{PAUSE}'")
        .mark_point(fill="transparent", stroke="transparent")
        .encode(x=alt.value(0), y=alt.value(0))
        .properties(name="ticking")
    )


def pointed(name, field, otherwise):
    """A selection for marks, and a parameter: the ``field`` under the pointer.

    While there is none, the expression ``name`` is ``otherwise``.
    """
    under = alt.selection_point(
        name="under", fields=[field], on="pointerover", clear="pointerout", empty=False
    )
    here = f"isDefined(under.{field}) ? under.{field}[0] : {otherwise}"
    return under, alt.param(name=name, expr=here)


def power(base, exponent):
    """What a stop of a slider means: "4⁶ = 4,096"."""
    raised = str(exponent).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{base}{raised} = {base**exponent:,}"


def _input(kind, name=" ", **attributes):
    own = {"data-lm-suppress-shortcuts": "true"}
    # A form sends its only box on Enter, which leaves the page; it keeps radio buttons
    # of one chart together.
    own |= {} if kind == "RADIO" else {"form": "none"}
    return {"input": kind, "name": name, **attributes, **own}


def _floor(handled):
    """The whole part of what a handler sets; a sum of fractions may be 1e-16 too small."""
    return f"floor(({handled['update']}) + 1e-6)"


def _on(event, name):
    return window_event(event, f"event.target.name == '{name}'")
