"""What notebook 09 states, computed again at other settings."""

import numpy as np
import pytest
from defined import cells, definitions
from references import row, rows, turned_by_hand

from helpers.encoding import angular_speeds
from helpers.lessons import beyond

NOTEBOOK = definitions("beyond", ("hands", "x", "y"))
hands, fit, signal, pixels = map(NOTEBOOK.get, ("hands", "fit", "signal", "pixels"))
N = np.arange(1024)
X, KNOWN = N[:512] / 512, N[:512] % 2 == 0  # every other point is seen


@cells("5f46f2e2", "bc4b927d", "exam")
def test_shared_columns_and_columns_of_their_own():
    codes = [np.add(row(r, 8), row(c, 8)) for r, c in np.ndindex(5, 5)]
    assert codes[5 * 1 + 3] == pytest.approx(codes[5 * 3 + 1])
    table = beyond.encode_patches.reference(60, 60, 12).reshape(60, 60, 12)
    assert len(np.unique(table.reshape(3600, 12).round(9), axis=0)) == 3600
    for axis in (0, 1):
        steps = np.linalg.norm(np.diff(table, axis=axis), axis=2)
        assert np.allclose(steps, np.linalg.norm(table[0, 1] - table[0, 0]))


@cells("dbce727d", "a931e095", "patch_below")
def test_scores_on_two_axes_and_in_reading_order():
    apart = [np.linalg.norm(np.subtract(row(13, 64), row(n, 64))) for n in range(196)]
    assert set(np.argsort(apart)[1:3]) == {12, 14}  # 13 ends a line of 14 patches
    r, c = np.divmod(np.arange(63), 7)
    query, key = (np.tile(rows(1, 32, seed), (63, 1)) for seed in (1, 2))
    on_two = beyond.rotate_2d.reference
    on_two = on_two(query, r, c) @ on_two(key, r, c).T
    in_line = turned_by_hand(query, range(63)) @ turned_by_hand(key, range(63)).T
    offsets = 1000 * (r - r[:, None]) + c - c[:, None]
    for offset in np.unique(offsets):
        assert np.ptp(on_two[offsets == offset]) < 1e-9
    assert in_line[6, 7] == pytest.approx(in_line[0, 1])  # patch 6 ends a line
    assert abs(on_two[6, 7] - on_two[0, 1]) > 0.01


@cells("qwen-result", "three-axes")
def test_text_is_rotated_as_ever_and_columns_are_slow():
    columns = angular_speeds(128, 1_000_000)[16 + 24 :]
    assert columns.max() == pytest.approx(0.00018, abs=0.000005)


def errors(target, code, known, seed):
    """Mean squared errors of a network on the points that it saw, and between them."""
    made = fit(code[known], target[known], seed)(code)
    return [((made - target)[part] ** 2).mean() for part in (known, ~known)]


def of_the_signal(seed, *ends, x=X):
    """The same for the signal, and hands from `ends` or the coordinate."""
    code = hands(x, 32, *ends) if ends else x[:, None]
    return errors(signal(x), code, N[: len(x)] % 2 == 0, seed)


@pytest.mark.slow
@pytest.mark.parametrize(("every", "seed"), [(20, 5), (40, 7)])
@cells("4c0a08c7")
def test_times_between(every, seed):
    times, seen = np.arange(1001), np.arange(0, 1001, every)
    left = np.cos(times / 1000 * np.pi / 2) ** 2
    tables = np.eye(1001), np.array([row(t, 64) for t in times]), times[:, None] / 1000
    lines = np.array([fit(table[seen], left[seen], seed)(table) for table in tables])
    between = np.setdiff1d(times, seen)
    wrong = np.abs(lines - left)[:, between].mean(axis=1)
    spread = lines[:, between].std(axis=1)
    assert spread[0] < 0.05 < min(spread[1:])
    assert wrong[0] > 2 * wrong[1] and wrong[1] > 2 * wrong[2]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ends", "on", "between"),
    [
        ((), False, False),
        ((5, 0.5), False, False),
        ((150, 1), True, True),
        ((300, 4), True, True),
        ((800, 400), True, False),
        ((2500, 1000), True, False),
    ],
)
@cells("d326461f", "an-image")
def test_too_slow_and_too_fast(ends, on, between):
    assert (20 * angular_speeds(64) > np.pi).sum() == 7 and np.pi * 64 // 1 == 201
    found = of_the_signal(9, *ends)
    assert [error < 0.01 for error in found] == [on, between]
    if not on:  # of the mean squares of the faster waves, 0.18 and 0.08
        assert found[0] > (0.05 if ends else 0.2)
    assert not (on and not between) or found[1] > 0.1


@pytest.mark.slow
@cells("383a05dd")
def test_an_image_from_its_coordinates():
    x, y = map(NOTEBOOK.get, "xy")
    ground, sky = 0.3 + 0.1 * np.sin(80 * x), 0.5 + 0.3 * y
    image = np.where(y > 0.5 + 0.2 * x, ground, sky).ravel()
    known = (np.indices((64, 64)).sum(axis=0) % 2 == 0).ravel()
    codes = [np.stack([x.ravel(), y.ravel()], axis=1)]
    codes += [pixels(ends) for ends in ((6, 0.6), (80, 1), (1600, 400))]
    on, between = np.transpose([errors(image, code, known, 11) for code in codes])
    # The codes are plain, slow, fitting and fast.
    assert between.argmin() == 2 and between.argmax() == 3
    assert on[:2].min() > 5 * on[2] and between[3] > 10 * on[3]


@pytest.mark.slow
@cells("enough-for-145", "fast-and-slow-together")
def test_slow_hands_beside_fast_ones():
    between = [of_the_signal(21, fastest, 1)[1] for fastest in (10, 16, 64, 256)]
    assert min(between[:2]) > 0.02 and max(between[2:]) < 2e-3
    alone, beside = (of_the_signal(3, 2500, low)[1] for low in (256, 1))
    assert beside < alone / 3
    assert (np.geomspace(4096, 1, 16) >= 256 - 1e-9).sum() == 6


@pytest.mark.slow
@cells("fast-and-slow-together")
def test_fast_hands_alone_make_aliases():
    code = hands(X, 32, 3000, 600)
    made = fit(code[KNOWN], signal(X)[KNOWN], 8)(code)
    apart = np.abs(made - signal(X))
    assert apart[KNOWN].max() < 0.1 < 5 * np.median(apart[~KNOWN])
    spectrum = np.abs(np.fft.rfft(made))
    assert min(spectrum[[255, 249, 233]]) > 3 * np.median(spectrum[100:])
