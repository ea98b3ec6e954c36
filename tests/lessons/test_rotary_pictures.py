"""Notebook 07: its pictures, read back, and their texts for data and their opposite."""

import numpy as np
from drawing import shows
from matplotlib.colors import to_rgba
from references import adjacent, halves, rows
from seen import titles, words

from helpers.draw.look import pair_colour
from helpers.lessons.rotary import pictures

LENGTHS = (16, 24, 32, 64)
STRIPED = 9 * np.subtract.outer(np.arange(6.0), np.arange(6.0))


def test_scores_are_drawn_and_it_is_said_which_are_striped():
    for names in ("one", "two"), ("two", "one"):
        maps = dict(zip(names, (STRIPED, rows(6, 6)), strict=True))
        picture = pictures.score_maps(maps)
        told = [f"along every diagonal: {names[0]}."]
        shows(picture, *maps.values(), says=told)
        assert picture.axes[1].images[0].get_clim() == (-45, 45)
        picture = pictures.by_offset(maps)
        shows(picture, says=[f"on one curve: {names[0]}."])
        for ax, scores in zip(picture.axes, maps.values(), strict=True):
            wanted = [[j - p, scores[p, j]] for p in range(6) for j in range(6)]
            assert ax.lines[0].get_xydata().tolist() == wanted


def test_layouts_colour_the_two_columns_of_a_pair_alike():
    picture = pictures.layouts(8)
    patches = picture.axes[0].patches
    boxes = [(round(b.get_x() + 0.43, 9), b.get_edgecolor()) for b in patches]
    for partner, drawn in ((adjacent, boxes[:8]), (halves, boxes[8:])):
        wanted = [(c, to_rgba(pair_colour(i))) for i in range(4) for c in partner(i, 8)]
        assert drawn == wanted
    told = "adjacent columns, columns 0 and 1 are", "halves, columns 0 and 4 are pair 0"
    shows(picture, says=told)


def test_extrapolation_shows_every_seed_and_the_mean():
    results = {
        "strong": {length: np.array([0.99, 0.97, 1.0]) for length in LENGTHS},
        "fading": {length: np.array([16, 15.8, 14]) / length for length in LENGTHS},
    }
    seeds = [np.array(list(found.values())).T for found in results.values()]
    drawn = [line for of_code in seeds for line in (of_code.mean(axis=0), *of_code)]
    told = ("At 64 the mean is above 0.9 for: strong.", "for: strong and fading.")
    shows(pictures.extrapolation(results), *drawn, says=told)


def test_where_right_says_in_the_frame_and_outside():
    place = np.arange(0, 64, 2)
    inside = (place[:, None] < 16) & (place < 16)
    maps = {"square": inside * 1.0, "all": np.ones((32, 32)), "rest": 1.0 - inside}
    told = "inside it: square and all. Outside it too: all and rest."
    shows(pictures.where_right(maps), *maps.values(), says=[told])


def test_reach_draws_the_shares_and_the_bands_of_one_hand():
    share = (np.arange(1, 64) // 20) % 2 == 0
    hand, bands = {100: (1, 20.0)}, "fewer right in the grey bands: "
    picture = pictures.reach({100: np.array([share, share * 1.0])}, hand)
    shows(picture, share, says=[f"{bands}1 of 1"])
    ax = picture.axes[0]
    back = ax.transData.inverted()
    drawn = [patch.get_extents().transformed(back) for patch in ax.patches]
    assert np.allclose([(band.x0, band.x1) for band in drawn], [(20, 40), (60, 63.5)])
    opposite = pictures.reach({100: 1 - np.array([share])}, hand, marked=(10, 30))
    assert opposite.get_suptitle().startswith(f"{bands}0 of 1")
    assert words(opposite.axes[0]) == ["0%\nat 10", "100%\nat 30"]


def test_one_pair_alone_shows_every_number_and_frames_the_best():
    shares = {"one": np.array([0.7, 0.6, 0.93]), "two": np.array([1, 0.5, 0.6])}
    picture = pictures.one_pair_alone(shares)
    shows(picture, list(shares.values()), says=["namely one, 0 and 2; two, 0."])
    frames = [
        (box.get_x() + 0.46, box.get_y() + 0.36) for box in picture.axes[0].patches
    ]
    assert np.allclose(frames, [(0, 0), (2, 0), (0, 1)])
    assert titles(picture) == ["at most 2 pairs are right two times in three, alone"]


def test_yes_is_numbered_at_each_peak():
    offsets = np.r_[-40:0, 1:41]
    shares = np.isin(offsets, (-18, 1, 20)) * 0.8 + np.isin(offsets, (19, 21)) * 0.6
    picture = pictures.share_of_yes(offsets, shares)
    assert words(picture.axes[0]) == ["−18", "1", "20"]
    shows(picture, shares, says=["one half: -18, 1, 19, 20 and 21."])
    assert titles(picture) == ["most say yes at 5 offsets, and only 1 is right"]
