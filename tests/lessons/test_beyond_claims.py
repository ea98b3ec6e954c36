"""What notebook 09 states, computed again at other settings."""

import numpy as np
import pytest
from defined import cells, definitions

from helpers.encoding import positional_encoding
from helpers.lessons import beyond

NOTEBOOK = definitions("beyond", ("hands", "x", "y"))
hands, fit, signal, pixels = map(NOTEBOOK.get, ("hands", "fit", "signal", "pixels"))
X, KNOWN = np.arange(512) / 512, np.arange(512) % 2 == 0  # every other point is seen
slow = pytest.mark.slow


@cells("5f46f2e2", "bc4b927d")
def test_one_step_is_as_long_on_either_axis_and_no_code_comes_twice():
    table = beyond.encode_patches.reference(60, 60, 12).reshape(60, 60, 12)
    assert len(np.unique(table.reshape(3600, 12).round(9), axis=0)) == 3600

    down, across = (np.linalg.norm(np.diff(table, axis=n), axis=2) for n in (0, 1))
    assert np.ptp([down, across.T]) < 1e-9


def errors(target, code, known, seed):
    """Mean squared errors of a network on the points that it saw, and between them."""
    apart = (fit(code[known], target[known], seed)(code) - target) ** 2
    return apart[known].mean(), apart[~known].mean()


@slow
@cells("4c0a08c7")
def test_times_between():
    times = np.arange(1001)
    seen = times % 40 == 0
    left = np.cos(times / 1000 * np.pi / 2) ** 2
    table = positional_encoding(1001, 64)
    lines = [
        fit(code[seen], left[seen], 7)(code)[~seen]
        for code in (np.eye(1001), table, times[:, None] / 1000)
    ]
    one_hot, table, number = np.abs(lines - left[~seen]).mean(axis=1)

    assert one_hot > 2 * table > 4 * number
    assert np.std(lines[0]) < 0.05  # nearly the same number everywhere


@slow
@cells("d326461f", "an-image", "enough-for-145", "fast-and-slow-together")
@pytest.mark.parametrize(
    ("ends", "on", "between"),  # whether it is right on the points, and between them
    [
        ((), False, False),
        ((5, 0.5), False, False),
        ((16, 1), False, False),
        ((64, 1), True, True),
        ((300, 4), True, True),
        ((2500, 1000), True, False),
    ],
)
def test_too_slow_and_too_fast(ends, on, between):
    code = hands(X, 32, *ends) if ends else X[:, None]
    found = errors(signal(X), code, KNOWN, 9)
    assert [error < 0.01 for error in found] == [on, between]


@slow
@cells("383a05dd")
def test_an_image_from_its_coordinates():
    x, y = NOTEBOOK["x"], NOTEBOOK["y"]
    ground = 0.3 + 0.1 * np.sin(80 * x)
    sky = 0.5 + 0.3 * y
    middle = slice(16 * 64, 48 * 64)  # the horizon, and 16 lines above and below
    image = np.where(y > 0.5 + 0.2 * x, ground, sky).ravel()[middle]
    known = np.indices((32, 64)).sum(axis=0).ravel() % 2 == 0
    (_, too_slow), (on, fitting), (memorised, too_fast) = (
        errors(image, pixels(ends)[middle], known, 11)
        for ends in ((6, 0.6), (80, 1), (1600, 400))
    )

    assert fitting < too_slow < too_fast
    assert too_slow > 5 * on
    assert too_fast > 10 * memorised


@slow
@cells("fast-and-slow-together")
def test_fast_hands_alone_make_aliases_and_slow_ones_beside_them_help():
    code = hands(X, 32, 3000, 600)
    made = fit(code[KNOWN], signal(X)[KNOWN], 8)(code)
    apart = np.abs(made - signal(X))
    spectrum = np.abs(np.fft.rfft(made))

    assert apart[KNOWN].max() < 0.1 < 5 * np.median(apart[~KNOWN])
    assert min(spectrum[[255, 249, 233]]) > 3 * np.median(spectrum[100:])

    beside = errors(signal(X), hands(X, 32, 3000, 1), KNOWN, 8)[1]
    assert beside < (apart[~KNOWN] ** 2).mean() / 3
