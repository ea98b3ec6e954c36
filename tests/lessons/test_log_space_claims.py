"""What notebook 02 states, computed again at other settings."""

import numpy as np
import pytest
import torch
from defined import definitions

from helpers.encoding import angular_speeds

NOTEBOOK = definitions("log_space")
ROUTES = log_speeds, pow_speeds = NOTEBOOK["log_speeds"], NOTEBOOK["pow_speeds"]
table_from, units = NOTEBOOK["stacked_table_from"], NOTEBOOK["error_in_units"]
at_widths = pytest.mark.parametrize("d_model", [300, 400])


def kept(number, digits):
    """A whole number rounded to so many binary digits, half to even, by hand."""
    gap = 2 ** max(0, number.bit_length() - digits)
    down, rest = divmod(number, gap)
    return gap * (down + (2 * rest > gap or (2 * rest == gap and down % 2)))


def test_positions_in_16_bits_by_hand():
    """“With bfloat16 positions only 797 of 5000 rows are distinct” “float16 keeps 3299 and
    bfloat16 797” “to round to the neighbour whose last kept digit is even (0), which is
    256” “There are 257 whole numbers up to 256, and then only 128 for each doubling.”
    “only 797 (bfloat16) or 3299 (float16) of 5000 rows” “Of
    the 5000 positions this leaves the 257 from 0 to 256, 128 in each of the four
    doublings up to 4096, and 28 beyond, which makes 797.”"""
    for digits, left in ((8, 797), (11, 3299), (24, 5000)):
        assert len({kept(pos, digits) for pos in range(5000)}) == left
    assert [kept(n, 8) for n in (256, 257, 258, 259, 263)] == [256, 256, 258, 260, 264]
    assert len({kept(n, 8) for n in range(4097)}) == 257 + 4 * 128
    assert {kept(n, 8) for n in range(4113, 5000)} == set(range(4128, 4993, 32))


def test_built_wide_and_cast_last():
    """“When the table is built wide and cast last, all 5000 rows differ, and no value
    is off by more than 0.002.” “All rows stay distinct in float32, so the third demand
    is safe.” “Casting the table to bfloat16 rounds its values by up to 2e-3”"""
    wide = table_from(torch.tensor(angular_speeds(128)), 5000)
    for form in (torch.bfloat16, torch.float16):
        cast = wide.to(form).double()
        assert len(cast.unique(dim=0)) == 5000
        assert (cast - wide).abs().max() < 0.002
    assert (wide.bfloat16() - wide).abs().max() > 1e-3
    assert len(table_from(log_speeds(128), 5000).unique(dim=0)) == 5000


@at_widths
def test_the_routes_agree(d_model):
    """“Rounding in float32 leaves small differences, so we ask for less than
    $2\\cdot10^{-5}$.”"""
    exact = table_from(torch.tensor(angular_speeds(d_model)), 100)
    for route in ROUTES:
        assert (table_from(route(d_model), 100) - exact).abs().max() < 2e-5


def test_log_space_is_not_more_accurate():
    """“At usual widths log space is **not** more accurate. From width 16 on, its largest
    error exceeds that of `pow` at every width we tried.” “because `pow` has nothing to
    round there, and about 2 at most other widths.” “Here it is 5.2e-7 or 8.7 units, which
    is most of the 9 to 10 at this width.” “At 512 it is off by 9 to 10 units, and `pow`
    by 1 to 2.” “Only the power and the division still cost about a unit each.”"""
    widths = [*range(18, 1200, 40), *(2**n for n in range(4, 11))]
    gain = np.divide(*([units(route(d)) for d in widths] for route in ROUTES))
    others, powers_of_two = gain[:30], gain[30:]
    assert 1 < min(others) < max(others) < 3.5 and 1.6 < np.median(others) < 2.4
    assert min(powers_of_two) > 4
    assert 9 < units(log_speeds(512)) < 10
    assert 1 < units(pow_speeds(512)) < 2
    stored = torch.tensor(460.0) * float(np.log(10_000) / 512)
    off = stored.double() - 460 * np.log(10_000) / 512
    assert f"{stored:.7f} {off:.1e}" == "8.2749157 5.2e-07"
    assert f"{off * 2**24:.1f}" == "8.7" and np.float32(460 / 512) == 460 / 512


@at_widths
def test_the_angle_does_the_damage(d_model):
    """“Rounding the **angle** alone costs 2.4e-4” “Better speeds in float32 can't help,
    since the angle itself needs more digits.” “Rounding the **speed** alone
    costs 1.5e-4”"""
    column, speeds = torch.arange(5000)[:, None], torch.tensor(angular_speeds(d_model))
    by_angle, by_speed = (
        (rounded.double().sin() - (column * speeds).sin()).abs().max()
        for rounded in ((column * speeds).float(), column * speeds.float().double())
    )
    assert 2.3e-4 < by_angle < 2.45e-4
    assert 1e-4 < by_speed < 2e-4


@at_widths
def test_float32_errors_grow_with_the_position(d_model):
    """“Both errors grow roughly in proportion to the position” “It is at most $2^{-25}$”
    “In the table the two float32 routes are both off by about 4e-4.” “The third route is
    thousands of times better.” “at 5000 positions and 512 columns, float32 speeds and
    angles leave errors of 4e-4”"""
    truth = table_from(torch.tensor(angular_speeds(d_model)), 5000)
    rounded = (truth.float() - truth).abs().max()
    assert rounded <= 2**-25
    for route in ROUTES:
        error = (table_from(route(d_model), 5000) - truth).abs().amax(dim=1)
        assert max(2e-4, 5000 * rounded) < error.max() < 8e-4
        few, more, most = (error[:n].max() for n in (300, 1200, 4800))
        assert 2 < more / few < 8 and 2 < most / more < 8
