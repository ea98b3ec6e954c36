"""What 139 public implementations compute, as a picture, for notebooks 00 and 05."""

from itertools import islice

from helpers.draw.boxes import box, sheet, write
from helpers.draw.look import BAD, GOOD, MUTED
from helpers.draw.style import pale
from helpers.draw.words import each

# Of 139 different public implementations that were found by searching for 26 strings
# and run, in November 2026: how many compute which numbers at even widths.
RIGHT = {
    "the paper's table": 88,
    "the paper's numbers, all sines first": 16,
    "tensor2tensor's speeds (d/2 − 1)": 9,
}
WRONG = {
    "the exponent is doubled": 12,
    "every speed is 1": 5,
    "sine and cosine have two speeds": 5,
    "one of a kind": 4,
}
_COLUMNS = 20


def census(right=RIGHT, wrong=WRONG):
    """One square for each public implementation, by the numbers that it computes."""
    counts = right | wrong
    bad = sum(wrong.values())
    total = sum(counts.values())
    head = f"{bad} of {total} compute neither the paper's numbers nor tensor2tensor's"
    alt = f"{each(counts, str)}."
    rows = -(-total // _COLUMNS)
    picture, ax = sheet(2.65, (_COLUMNS + 14, rows), (-0.1, -1.0), alt=alt, title=head)
    ax.set_aspect("equal")
    shades = [(pale(GOOD, 1 - 0.25 * n), name) for n, name in enumerate(right)]
    shades += [(pale(BAD, 1 - 0.25 * n), name) for n, name in enumerate(wrong)]
    places = iter(range(total))
    for number, (colour, name) in enumerate(shades):
        for place in islice(places, counts[name]):
            row, column = divmod(place, _COLUMNS)
            box(ax, column, rows - 1 - row, 0.86, 0.86, facecolor=colour, linewidth=0)
        y = rows - 0.55 - number * rows / len(counts)
        box(ax, _COLUMNS + 0.7, y - 0.4, 0.8, 0.8, facecolor=colour, linewidth=0)
        write(ax, _COLUMNS + 3.1, y, f"{counts[name]}", ha="right", fontsize=10)
        write(ax, _COLUMNS + 3.5, y, name, ha="left", fontsize=10)
    note = "found by searching public code for fixed strings, so not a random sample"
    write(ax, 0, -0.4, note, ha="left", va="top", fontsize=9, color=MUTED)
    return picture
