"""What notebook 02 states, computed again at other settings."""

import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
import torch
from references import speed

from helpers.encoding import angular_speeds


def log_speeds(d_model):
    twice_i = torch.arange(0, d_model, 2, dtype=torch.float32)
    return torch.exp(twice_i * (-math.log(10_000.0) / d_model))


def pow_speeds(d_model):
    twice_i = torch.arange(0, d_model, 2, dtype=torch.float32)
    return 1 / torch.pow(10_000, twice_i / d_model)


def table_from(speeds, max_len=5000):
    angles = torch.arange(max_len).unsqueeze(1) * torch.as_tensor(speeds)
    return torch.stack([angles.sin(), angles.cos()], dim=2).flatten(1)


def kept(number, digits):
    """A whole number rounded to so many binary digits, half to even, by hand."""
    gap = 2 ** max(0, number.bit_length() - digits)
    down, rest = divmod(number, gap)
    return gap * (down + (2 * rest > gap or (2 * rest == gap and down % 2)))


def test_positions_in_16_bits_by_hand():
    """“With bfloat16 positions only 797 of 5000 rows are distinct” “float16 keeps 3299
    and bfloat16 797” “float16 loses nothing up to 2048.” “to round to the neighbour whose
    last kept digit is even (0), which is 256” “There are 257 whole numbers up to 256, and
    then only 128 for each doubling.” “only 797 (bfloat16) or 3299 (float16) of 5000
    rows”"""
    for digits, left in ((8, 797), (11, 3299), (24, 5000)):
        assert len({kept(pos, digits) for pos in range(5000)}) == left
    assert [kept(n, 8) for n in (256, 257, 258, 259, 263)] == [256, 256, 258, 260, 264]
    assert all(kept(n, 11) == n for n in range(2049)) and kept(2049, 11) != 2049
    assert len({kept(n, 8) for n in range(4097)}) == 257 + 4 * 128


@pytest.mark.parametrize("d_model", [32, 128, 512])
def test_built_wide_and_cast_last(d_model):
    """“Built wide and cast last, all 5000 rows differ, and no value is off by more than
    0.002.” “All rows stay distinct in float32, so the third demand is safe.”"""
    wide = table_from(angular_speeds(d_model))
    for form in (torch.bfloat16, torch.float16):
        cast = wide.to(form).double()
        assert len(cast.unique(dim=0)) == 5000
        assert (cast - wide).abs().max() < 0.002
    assert len(table_from(log_speeds(d_model)).unique(dim=0)) == 5000


@pytest.mark.parametrize("d_model", [6, 32, 300, 512])
def test_the_routes_agree(d_model):
    """“Rounding in float32 leaves small differences, so we ask for less than
    $2\\cdot10^{-5}$.”"""
    exact = table_from(angular_speeds(d_model), 100)
    for route in (log_speeds, pow_speeds):
        assert (table_from(route(d_model), 100) - exact).abs().max() < 2e-5


@pytest.mark.parametrize("d_model", [6, 48, 300])
def test_float64_is_far_more_exact_than_float32(d_model):
    """“To measure an error you need a truth that is far more exact. For float32 we can
    use float64”"""
    with localcontext(prec=50):
        for i, found in enumerate(angular_speeds(d_model)):
            exact = Decimal(10_000) ** (Decimal(-2 * i) / d_model)
            assert abs(Decimal(float(found)) / exact - 1) < 2**-50


def units(speeds, d_model):
    true = np.array([speed(i, d_model) for i in range(d_model // 2)])
    return float(np.abs(speeds.double().numpy() / true - 1).max() * 2**24)


@pytest.mark.parametrize("d_model", [16, 48, 200, 300, 400, 512, 640, 1174])
def test_log_space_is_not_more_accurate(d_model):
    """“Log space is **not** more accurate. From width 16 on, its largest error is larger
    than that of `pow` at every width we tried.”"""
    assert units(log_speeds(d_model), d_model) > units(pow_speeds(d_model), d_model)


def test_how_much_less_accurate_depends_on_the_width():
    """“It is large where $d_{model}$ is a power of two, because `pow` has nothing to
    round there, and about 2 at most other widths.” “At 512 it loses 9 to 10 units and
    `pow` loses 1 to 2.”"""

    def factor(d_model):
        return units(log_speeds(d_model), d_model) / units(pow_speeds(d_model), d_model)

    assert all(factor(2**n) > 4 for n in range(4, 11))
    others = [factor(d) for d in range(18, 1200, 38)]
    assert 1.6 < np.median(others) < 2.4
    assert 9 < units(log_speeds(512), 512) < 10
    assert 1 < units(pow_speeds(512), 512) < 2


@pytest.mark.parametrize("d_model", [300, 400, 1000])
def test_the_angle_does_the_damage(d_model):
    """“Rounding the **angle** alone costs 2.4e-4” “Better speeds in float32 can't help,
    since the angle itself needs more digits.” “A perfectly rounded speed costs 1.5e-4”"""
    column = torch.arange(5000).unsqueeze(1)
    angles = column * torch.from_numpy(angular_speeds(d_model))
    rounded = angles.float().double()
    error = (rounded.sin() - angles.sin()).abs().max()
    assert 2.3e-4 < error < 2.45e-4
    speeds = torch.from_numpy(angular_speeds(d_model))
    by_speed = (column * speeds.float().double()).sin() - (column * speeds).sin()
    assert 1e-4 < by_speed.abs().max() < 2e-4


@pytest.mark.parametrize("d_model", [300, 400, 1000])
def test_float32_errors_grow_with_the_position(d_model):
    """“The float32 routes climb with the dashed line, so twice the position means about
    twice the error.” “What remains is $2^{-25}$” “In the table the two float32 routes are
    about equally far off, by about 4e-4.” “The third route is thousands of times better.”
    “the rounding of the angle decides, with errors of 4e-4 in float32 and 3e-8” “Casting
    the table to bfloat16 rounds its values by up to 2e-3”"""
    truth = table_from(angular_speeds(d_model))
    for route in (log_speeds, pow_speeds):
        error = (table_from(route(d_model)) - truth).abs().amax(dim=1)
        assert 2e-4 < error.max() < 8e-4
        up_to = [error[:n].max() for n in (300, 1200, 4800)]
        assert all(2 < b / a < 8 for a, b in zip(up_to, up_to[1:], strict=False))
        assert error.max() > 5000 * (truth.float() - truth).abs().max()
    assert (truth.float() - truth).abs().max() <= 2**-25
    assert 1e-3 < (truth.bfloat16() - truth).abs().max() < 2e-3


def test_the_ladder_of_the_authors():
    """“The library divides by $d_{model}/2-1$, so its slowest speed is exactly 1/10000”"""
    for pairs in (2, 4, 256):
        rungs = [math.exp(-math.log(10_000) * i / (pairs - 1)) for i in range(pairs)]
        assert rungs[-1] == pytest.approx(1e-4, rel=1e-12)
