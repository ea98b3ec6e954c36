"""What 139 public implementations compute, as a picture, for notebooks 00 and 05."""

from helpers.draw.boxes import box, sheet, write
from helpers.draw.look import BAD, GOOD, MUTED
from helpers.draw.style import pale

# Of 139 different public implementations that were found by 26 strings and run, in
# November 2026: how many compute which numbers at even widths.
CENSUS = {
    "the paper's table": 88,
    "the same numbers, all sines first": 16,
    "tensor2tensor's speeds (d/2 − 1)": 9,
    "other numbers, exponent doubled": 12,
    "other numbers, every speed 1": 5,
    "other numbers, sine and cosine differ": 5,
    "other numbers, one of a kind": 4,
}
_COLUMNS = 20


def census(counts=None):
    """One square for each public implementation, by the numbers that it computes."""
    counts = counts or CENSUS
    total = sum(counts.values())
    wrong = sum(n for name, n in counts.items() if name.startswith("other"))
    rows = -(-total // _COLUMNS)
    told = ", ".join(f"{name}: {count}" for name, count in counts.items())
    alt = (
        f"{total} squares, one for each public implementation of the encoding that was "
        f"found and run, coloured by the numbers it computes. {told}. So {wrong} of "
        f"{total} compute other numbers than the paper or tensor2tensor."
    )
    right = len(counts) - sum(name.startswith("other") for name in counts)
    picture, ax = sheet(8.6, 2.75, (_COLUMNS + 17, rows + 1.7), (0, -1.1), alt=alt)
    ax.set_aspect("equal")
    headline = f"{wrong} of {total} public codes compute other numbers"
    write(ax, 0, rows + 1.1, headline, ha="left", fontsize=12, weight="bold")
    place = 0
    for number, (name, count) in enumerate(counts.items()):
        base, rank = (GOOD, number) if number < right else (BAD, number - right)
        colour = pale(base, 1 - 0.25 * rank)
        for _ in range(count):
            row, column = divmod(place, _COLUMNS)
            box(ax, column, rows - 1 - row, 0.86, 0.86, facecolor=colour, linewidth=0)
            place += 1
        y = rows - 0.55 - number * rows / len(counts)
        box(ax, _COLUMNS + 0.7, y - 0.4, 0.8, 0.8, facecolor=colour, linewidth=0)
        write(ax, _COLUMNS + 3.1, y, f"{count}", ha="right", fontsize=10)
        write(ax, _COLUMNS + 3.5, y, name, ha="left", fontsize=10)
    note = (
        "found by 26 search strings, not a random sample; shares carry about ±7 points"
    )
    write(ax, 0, -0.4, note, ha="left", va="top", fontsize=8.5, color=MUTED)
    return picture
