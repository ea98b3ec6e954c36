"""What the dials of several notebooks share: the pairs' colours, places without axes."""

import altair as alt

from helpers.look import pair_colour


def pair_colours(pairs):
    """The scale that gives each of these pairs its colour."""
    pairs = [int(pair) for pair in pairs]
    return alt.Scale(domain=pairs, range=[pair_colour(pair) for pair in pairs])


def places(across, up):
    """Two functions from a field to its place, across and up, with no axis drawn.

    ``across`` and ``up`` are (lowest, highest).
    """
    wide = alt.Scale(domain=list(across), nice=False)
    high = alt.Scale(domain=list(up), nice=False)

    def x(field):
        return alt.X(f"{field}:Q", scale=wide, axis=None)

    def y(field):
        return alt.Y(f"{field}:Q", scale=high, axis=None)

    return x, y
