"""Altair charts that answer to the pointer, offline and with no kernel running.

Call ``renderer.use();`` once in a notebook. One module a notebook; `renderer` draws,
`controls` makes sliders and boxes, `dials` has what several notebooks' dials share.
"""

from helpers.lighter import FORMS, quickly

# Altair's example data sets come from the network, and bring what speaks with it.
with quickly(without=FORMS, later=["altair.datasets"]):
    import altair  # noqa: F401

from helpers.explore.renderer import use  # noqa: E402

__all__ = ["use"]
