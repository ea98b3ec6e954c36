"""What notebook 02 states, computed again at other settings."""

import numpy as np
import pytest
import torch
from defined import cells, definitions

from helpers.encoding import angular_speeds

NOTEBOOK = definitions("log_space")
NOTEBOOK["joined"] = lambda sines, cosines: torch.stack([sines, cosines], 2).flatten(1)
ROUTES = log_speeds, pow_speeds = NOTEBOOK["log_speeds"], NOTEBOOK["pow_speeds"]
table_from, units = NOTEBOOK["table_from"], NOTEBOOK["error_in_units"]
at_widths = pytest.mark.parametrize("d_model", [300, 400])


def kept(number, digits):
    """A whole number rounded to so many binary digits, half to even, by hand."""
    gap = 2 ** max(0, number.bit_length() - digits)
    down, rest = divmod(number, gap)
    return gap * (down + (2 * rest > gap or (2 * rest == gap and down % 2)))


@cells("7992d95a", "notes", "815d7e5d", "08ef07ba", "numbers-kept", "remedy")
def test_positions_in_16_bits_by_hand():
    for digits, left in ((8, 797), (11, 3299), (24, 5000)):
        assert len({kept(pos, digits) for pos in range(5000)}) == left
    assert [kept(n, 8) for n in (256, 257, 258, 259, 263)] == [256, 256, 258, 260, 264]
    for low, step in ((256, 2), (512, 4), (4096, 32)):
        stored = {kept(pos, 8) for pos in range(low, 2 * low + 1)}
        assert stored == set(range(low, 2 * low + 1, step))
    assert [kept(n, 11) for n in (2047, 2049, 4098)] == [2047, 2048, 4096]


@cells("7992d95a", "wide_then_cast", "c489d3e6")
def test_built_wide_and_cast_last():
    wide = table_from(torch.tensor(angular_speeds(128)), 5000)
    for form in (torch.bfloat16, torch.float16):
        cast = wide.to(form).double()
        assert len(cast.unique(dim=0)) == 5000
        assert (cast - wide).abs().max() < 0.002
    assert (wide.bfloat16() - wide).abs().max() > 1e-3
    assert len(table_from(log_speeds(128), 5000).unique(dim=0)) == 5000


@cells("978d7e9e", "most_accurate_route")
def test_log_space_is_not_more_accurate():
    errors = {d: [units(f(d)) for f in ROUTES] for d in [*range(18, 1200, 40), 32, 512]}
    assert all(log > power for log, power in errors.values())
    assert 9 < errors[512][0] < 10 and 1 < errors[512][1] < 2
    exact = -torch.arange(256).double() * 2 * np.log(10_000) / 512
    assert 7 < units(exact.float().double().exp().float()) < 8
    for d in (6, 100, 300, 768, 8, 64, 256, 1024):
        exponents = np.arange(0, d, 2, dtype=np.float32) / np.float32(d)
        are_exact = (exponents == np.arange(0, d, 2) / d).all()
        assert are_exact == (d.bit_count() == 1) == (units(pow_speeds(d)) < 2)


@cells("neox", "neox-cosine", "08ef07ba")
def test_an_angle_in_float16_spoils_a_cosine_though_positions_are_exact():
    assert len(torch.arange(2048).half().unique()) == 2048
    for width in (32, 64, 128):
        speeds = torch.tensor(angular_speeds(width))
        angles = torch.arange(2048)[:, None] * speeds
        rounded = torch.arange(2048)[:, None].half() * speeds.half()
        off = (rounded.double().cos() - angles.cos()).abs().max()
        assert 0.7 < off < 2


@at_widths
@cells("c489d3e6")
def test_the_angle_does_the_damage(d_model):
    column, speeds = torch.arange(5000)[:, None], torch.tensor(angular_speeds(d_model))
    by_angle, by_speed = (
        (rounded.double().sin() - (column * speeds).sin()).abs().max()
        for rounded in ((column * speeds).float(), column * speeds.float().double())
    )
    assert 2.3e-4 < by_angle < 2.45e-4
    assert 1e-4 < by_speed < 2e-4


@at_widths
@cells("c489d3e6", "notes")
def test_float32_errors_grow_with_the_position(d_model):
    truth = table_from(torch.tensor(angular_speeds(d_model)), 5000)
    assert (truth.float() - truth).abs().max() <= 2**-25
    for route in ROUTES:
        error = (table_from(route(d_model), 5000) - truth).abs().amax(dim=1)
        few, more, most = (error[:n].max() for n in (300, 1200, 4800))
        assert 2e-4 < most < 8e-4 and 2 < more / few < 8 and 2 < most / more < 8
