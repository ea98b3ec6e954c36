"""Controls of the explorables: what is dragged and what is typed are one value.

A slider and a number box share a signal, since a Vega binding may name another signal
than its own. And Vega writes the keys of a binding as attributes onto an input whose
kind it does not know; it does not know ``RANGE``, which browsers read as ``range``. So
a slider can be wide, and JupyterLab and Notebook are told to keep their shortcuts off
it: without ``data-lm-suppress-shortcuts``, ``d`` typed twice on it deletes the cell.
A menu cannot be told; `choice` is a slider with stops.

Altair refuses such bindings: `wired` puts them into the finished specification.
"""

import altair as alt

_DRAG, _TYPE = "_drag", "_type"
# No shortcuts; and no form, which Enter in its only box would send, leaving the page.
_OWN_KEYS = {"data-lm-suppress-shortcuts": "true", "form": "none"}


def controls(name, value, low, high, label):
    """A slider and a number box that hold one whole number.

    Returns a list for ``add_params``. The expression ``name`` is the number, kept
    between ``low`` and ``high``. On leaving the box, a number beyond them becomes the
    nearest that is allowed, and an empty box the number before.
    """
    slider = alt.binding_range(min=low, max=high, step=1, name=f"{label} ")
    box = alt.BindInput(input="number", name="or type ", placeholder=label)
    return [
        alt.param(name=name + _DRAG, value=value, bind=slider),
        alt.param(name=name + _TYPE, value=value, bind=box),
        alt.param(name=name, value=value),
    ]


def choice(name, value, options, label):
    """A slider with a stop for each option; texts are numbered and listed beside it.

    Returns a list for ``add_params``. The expression ``name`` is the option chosen: say
    in the chart which it is. Raises ValueError if ``value`` is not among the options.
    """
    options = list(options)
    if all(isinstance(option, str) for option in options):
        listed = ", ".join(f"{n} {option}" for n, option in enumerate(options, 1))
        label = f"{label}: {listed}"
    stops = alt.binding_range(min=1, max=len(options), step=1, name=f"{label} ")
    chosen = f"{options!r}[{name}{_DRAG} - 1]"
    return [
        alt.param(name=name + _DRAG, value=options.index(value) + 1, bind=stops),
        alt.param(name=name, expr=chosen),
    ]


def wired(params):
    """A specification's parameters, with the bindings that Altair cannot write."""
    named = {param["name"]: param for param in params}
    return [_wired(param, named) for param in params]


def _wired(param, named):
    bind = param.get("bind")
    kind = bind.get("input") if isinstance(bind, dict) else None
    if kind == "range":
        number = param["name"].removesuffix(_DRAG)
        stops = bind["max"] - bind["min"] + 1
        wide = "36em" if number + _TYPE in named else f"{min(30, 2 * stops + 2)}em"
        style = f"width:{wide};max-width:100%;vertical-align:middle"
        bind = {**bind, "input": "RANGE", "style": style, **_OWN_KEYS}
        back = [_on_leaving_the_box(number)] if number + _TYPE in named else []
        return {**param, "bind": bind} | ({"on": back} if back else {})
    if kind == "number" and param["name"].endswith(_TYPE):
        dragged = param["name"].removesuffix(_TYPE) + _DRAG
        ends = {key: named[dragged]["bind"][key] for key in ("min", "max", "step")}
        about = {"aria-label": f"{bind['placeholder']}, typed", "style": "width:5.5em"}
        return {
            **param,
            "bind": {**bind, "signal": dragged, **ends, **about, **_OWN_KEYS},
        }
    if {param["name"] + _DRAG, param["name"] + _TYPE} <= named.keys():
        return {**param, "on": [_kept_between(named[param["name"] + _DRAG])]}
    return param


def _kept_between(slider):
    """How a number follows its slider and box; a box hands over what was typed, as text."""
    said, ends = slider["name"], slider["bind"]
    return {
        "events": {"signal": said},
        "update": f"{said} === '' ? {said.removesuffix(_DRAG)} : "
        f"clamp(round(toNumber({said})), {ends['min']}, {ends['max']})",
    }


def _on_leaving_the_box(number):
    """What the box then shows: the number that the chart shows."""
    left = f"event.target.name == '{number}{_DRAG}' && event.target.type == 'number'"
    return {
        "events": {"source": "window", "type": "change", "filter": left},
        "update": number,
    }
