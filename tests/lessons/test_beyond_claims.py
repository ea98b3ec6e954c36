"""What notebook 09 states, computed again at other settings."""

import math

import numpy as np
import pytest
from defined import definitions
from references import row, rows, speed, turned_by_hand

from helpers.encoding import angular_speeds
from helpers.lessons import beyond


def places(height, width):
    return np.divmod(np.arange(height * width), width)


@pytest.mark.parametrize(("base", "pairs"), [(1, 1), (100, 3), (10_000, 8)])
def test_both_steps_look_alike_with_columns_of_their_own(base, pairs):
    """“Both steps look alike, wherever the patch stands.” “the distance is
    $\\sqrt{0.77^2+0.57^2}\\approx0.96$” “the distance is
    $\\sqrt{0.07^2+0.96^2}\\approx0.96$ again”"""

    def code(r, c):
        angles = [axis * base ** (-i / pairs) for axis in (r, c) for i in range(pairs)]
        return [wave(angle) for angle in angles for wave in (math.sin, math.cos)]

    steps = [
        math.dist(code(r, c), code(r + down, c + 1 - down))
        for r, c in ((1, 2), (0, 9), (40, 3))
        for down in (0, 1)
    ]
    assert np.ptp(steps) < 1e-9
    if pairs == 1:
        assert steps[0] == pytest.approx(0.96, abs=0.005)


@pytest.mark.parametrize(("size", "width"), [(5, 8), (11, 32)])
def test_shared_columns_mix_up_mirrored_patches(size, width):
    """“That breaks the demand *unique*.” “a sum doesn't tell which axis a number came
    from”"""
    codes = np.array(
        [np.add(row(r, width), row(c, width)) for r, c in np.ndindex(size, size)]
    )
    apart = np.linalg.norm(codes[:, None] - codes, axis=2)
    twins = {tuple(map(int, pair)) for pair in np.argwhere(apart < 1e-9)}
    assert (size + 3, 3 * size + 1) in twins
    own = beyond.encode_patches.reference(size, size, 2 * width)
    assert (np.linalg.norm(own[:, None] - own, axis=2) < 1e-9).sum() == size**2


@pytest.mark.parametrize(("height", "width", "d_model"), [(3, 5, 8), (9, 7, 32)])
def test_scores_on_two_axes_and_in_reading_order(height, width, d_model):
    """“With pairs of its own for each axis, the score depends on the two offsets alone”
    “In reading order, the score depends on $14\\,\\Delta row+\\Delta column$.”"""
    r, c = places(height, width)
    query, key = (np.tile(rows(1, d_model, seed), (len(r), 1)) for seed in (1, 2))
    on_two, in_line = (
        turn(query) @ turn(key).T
        for turn in (
            lambda x: beyond.rotate_2d.reference(x, r, c),
            lambda x: turned_by_hand(x, range(len(r))),
        )
    )
    offsets = 1000 * (r - r[:, None]) + c - c[:, None]
    for offset in np.unique(offsets):
        assert np.ptp(on_two[offsets == offset]) < 1e-9
    end = width - 1  # of the first line; the next patch begins the second
    assert in_line[end, end + 1] == pytest.approx(in_line[0, 1])
    assert abs(on_two[end, end + 1] - on_two[0, 1]) > 0.01


def test_text_is_rotated_as_ever_and_columns_are_slow():
    """“1000 columns rotate their fastest hand by 0.18 radians”"""
    columns = angular_speeds(128, 1_000_000)[16 + 24 :]
    assert 1000 * columns.max() == pytest.approx(0.18, abs=0.005)


@pytest.mark.parametrize("d_model", [8, 32, 320])
def test_the_shift_changes_the_slowest_speed(d_model):
    """“The slowest one is exactly $1/10000$, and ours is $10000^{-(d-2)/d}$, which is ten
    times faster at $d=8$.” “The layouts of diffusion code differ in the order of columns
    or, with the shift, in the speeds”"""
    shifted = 10_000 ** -((d_model // 2 - 1) / (d_model // 2 - 1))
    ours = speed(d_model // 2 - 1, d_model)
    assert shifted == 1e-4 and ours == pytest.approx(
        10_000 ** (-(d_model - 2) / d_model)
    )
    assert d_model != 8 or ours / shifted == pytest.approx(10)


@pytest.mark.parametrize(("count", "turns"), [(256, 23), (256, 7), (100, 31)])
def test_aliases(count, turns):
    """“At our 256 points a wave of 23 turns and one of $256-23=233$ turns take the same
    values, up to the sign.” “Above half a turn from point to point, waves have aliases”
    “The points can't tell the two waves apart, so a network that has fast hands can pick
    the wrong one.”"""
    x = np.arange(count) / count
    one, other = (np.sin(2 * np.pi * n * x) for n in (turns, count - turns))
    assert one == pytest.approx(-other, abs=1e-9)


@pytest.fixture(scope="module")
def names():
    return definitions("beyond", ("hands",))


@pytest.mark.slow
@pytest.mark.parametrize(("every", "seed"), [(20, 5), (25, 6), (40, 7)])
def test_times_between(names, every, seed):
    """“In the one-hot code all steps are equally far apart, so the network knows nothing
    between those that it has seen.” “For *this* smooth curve the plain number is best.”
    “The table does much better, but its fast hands make several turns between two seen
    steps, and the curve gets noisy there.” “With a one-hot time a network learns nothing
    about the times between, and for a smooth curve the plain number is best”"""
    times, seen = np.arange(1001), np.arange(0, 1001, every)
    left = np.cos(times / 1000 * np.pi / 2) ** 2
    tables = np.eye(1001), [row(t, 64) for t in times], times[:, None] / 1000
    wrong = []
    for table in map(np.asarray, tables):
        line = names["fit"](table[seen], left[seen], seed)(table)
        wrong.append(np.abs(line - left)[np.setdiff1d(times, seen)].mean())
    assert wrong[0] > 2 * wrong[1] and wrong[1] > 2 * wrong[2]


def errors(names, target, code, known, seed):
    made = names["fit"](code[known], target[known], seed)(code)
    return [((made - target)[part] ** 2).mean() for part in (known, ~known)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ends", "on", "between"),
    [
        (None, False, False),
        ((5, 0.5), False, False),
        ((8, 1), False, False),
        ((150, 1), True, True),
        ((300, 4), True, True),
        ((2500, 1000), True, False),
        ((6000, 900), True, False),
    ],
)
def test_too_slow_and_too_fast(names, ends, on, between):
    """“**Too slow underfits.** The coordinate alone and the slow hands miss the fast waves
    even on the points. **Too fast memorises.** The error on the points is small, but
    between them the network is far off. With the fitting range both errors are small.”"""
    x = np.arange(512) / 512
    code = x[:, None] if ends is None else names["hands"](x, 32, *ends)
    known = np.arange(512) % 2 == 0
    found = errors(names, names["signal"](x), code, known, seed=9)
    assert [error < 0.01 for error in found] == [on, between]
    if on and not between:
        assert found[1] > 0.1


@pytest.mark.slow
@pytest.mark.parametrize("seed", [11, 12])
def test_an_image_from_its_coordinates(names, seed):
    """“The coordinates give a blurred hill.” “The fast hands have memorised the white
    pixels and fill the black ones with noise.” “For a signal and for an image, hands that
    are too slow underfit, and hands that are too fast memorise”"""
    y, x = np.mgrid[:64, :64] / 64
    image = np.where(
        y > 0.5 + 0.2 * x, 0.3 + 0.1 * np.sin(80 * x), 0.5 + 0.3 * y
    ).ravel()
    known = (np.indices((64, 64)).sum(axis=0) % 2 == 0).ravel()

    def pixels(*ends):
        return np.hstack([names["hands"](axis.ravel(), 32, *ends) for axis in (x, y)])

    codes = [np.stack([x.ravel(), y.ravel()], axis=1)]
    codes += [pixels(*ends) for ends in ((6, 0.6), (80, 1), (1600, 400))]
    plain, slow, fitting, fast = (
        errors(names, image, code, known, seed) for code in codes
    )
    assert fitting[1] < min(slow[1], plain[1]) and max(slow[1], plain[1]) < fast[1]
    assert min(slow[0], plain[0]) > 5 * fitting[0] and fast[1] > 10 * fast[0]


@pytest.mark.slow
def test_slow_hands_beside_fast_ones_help(names):
    """“With slow hands beside them, the same fast hands do far less harm.”"""
    x, known = np.arange(512) / 512, np.arange(512) % 2 == 0
    for fastest in (2500, 4096):
        alone, beside = (
            errors(
                names, names["signal"](x), names["hands"](x, 32, fastest, low), known, 3
            )
            for low in (256, 1)
        )
        assert beside[1] < alone[1] / 3


@pytest.mark.slow
@pytest.mark.parametrize("seed", [21, 22])
def test_which_fastest_hand_is_enough(names, seed):
    """“At 2 the line is still too stiff, and from 3 on it follows the signal.” “(A hand
    of speed $4^3=64$ is enough for a wave of speed 145, because a network can make faster
    waves out of those that it gets.)”
    """
    x, known = np.arange(512) / 512, np.arange(512) % 2 == 0
    for fastest, follows in ((10, False), (16, False), (64, True), (100, True)):
        code = names["hands"](x, 32, fastest, 1)
        _, between = errors(names, names["signal"](x), code, known, seed)
        assert (between < 0.002) == follows and (between > 0.02) == (not follows)


@pytest.mark.slow
@pytest.mark.parametrize("ends", [(4096, 256), (3000, 600)])
def test_fast_hands_alone_make_aliases(names, ends):
    """“Its spectrum shows waves that the signal doesn't have, among them the aliases of
    1, 7 and 23 turns at 255, 249 and 233.” “Every dot lies on the signal, but between the
    dots the network is far off.”
    """
    x, known = np.arange(512) / 512, np.arange(512) % 2 == 0
    code = names["hands"](x, 32, *ends)
    made = names["fit"](code[known], names["signal"](x)[known], 8)(code)
    apart = np.abs(made - names["signal"](x))
    assert apart[known].max() < 0.1 < 5 * np.median(apart[~known])
    spectrum = np.abs(np.fft.rfft(made))
    usual = np.median(spectrum[100:])
    assert min(spectrum[[255, 249, 233]]) > 3 * usual
