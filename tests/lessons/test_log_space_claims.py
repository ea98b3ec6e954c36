"""What notebook 02 states, computed again at other settings."""

import numpy as np
import pytest
import torch
from defined import cells, definitions

from helpers.encoding import angular_speeds

NOTEBOOK = definitions("log_space")
NOTEBOOK["joined"] = lambda sines, cosines: torch.stack([sines, cosines], 2).flatten(1)
log_speeds, pow_speeds = NOTEBOOK["log_speeds"], NOTEBOOK["pow_speeds"]
table_from, units = NOTEBOOK["table_from"], NOTEBOOK["error_in_units"]


def exact(d_model):
    return torch.tensor(angular_speeds(d_model))


def largest(difference):
    return difference.abs().max().item()


@pytest.mark.parametrize(
    ("form", "digits", "left"), [(torch.bfloat16, 8, 797), (torch.float16, 11, 3299)]
)
@cells("7992d95a", "notes", "815d7e5d", "08ef07ba", "numbers-kept", "remedy")
def test_positions_in_16_bits_by_hand(form, digits, left):
    positions = np.arange(5000)
    gaps = 2.0 ** np.maximum(np.frexp(positions)[1] - digits, 0)
    by_hand = gaps * np.rint(positions / gaps)  # half to even
    assert by_hand.tolist() == torch.tensor(positions).to(form).tolist()
    assert len(np.unique(by_hand)) == left


@cells("7992d95a", "wide_then_cast", "c489d3e6")
def test_built_wide_and_cast_last():
    wide = table_from(exact(128), 5000)
    for form in (torch.bfloat16, torch.float16):
        cast = wide.to(form).double()
        assert len(cast.unique(dim=0)) == 5000
        assert largest(cast - wide) < 0.002


@cells("978d7e9e", "most_accurate_route")
def test_log_space_is_not_more_accurate():
    for d_model in [*range(18, 1200, 40), 32, 512]:
        assert units(log_speeds(d_model)) > units(pow_speeds(d_model))
    exponents = exact(512).log().float()
    assert 7 < units(exponents.double().exp().float()) < 8
    assert max(units(pow_speeds(2**n)) for n in (3, 6, 8, 10)) < 2
    assert min(units(pow_speeds(d_model)) for d_model in (6, 100, 300, 768)) >= 2


@cells("neox", "neox-cosine", "08ef07ba")
def test_an_angle_in_float16_spoils_a_cosine_though_positions_are_exact():
    positions = torch.arange(2048)[:, None]
    for width in (32, 64, 128):
        rounded = positions.half() * exact(width).half()
        off = largest(rounded.double().cos() - (positions * exact(width)).cos())
        assert 0.7 < off < 2


@pytest.mark.parametrize("d_model", [300, 400])
@cells("c489d3e6", "notes")
def test_errors_grow_with_the_angle_by_either_route(d_model):
    positions = torch.arange(4800)[:, None]
    angles = positions * exact(d_model)
    by_angle = angles.float().double().sin()
    by_speed = (positions * exact(d_model).float().double()).sin()
    assert largest(by_angle - angles.sin()) == pytest.approx(2.4e-4, rel=0.05)
    assert largest(by_speed - angles.sin()) == pytest.approx(1.5e-4, rel=0.35)
    truth = table_from(exact(d_model), 4800)
    for route in (log_speeds, pow_speeds):
        error = table_from(route(d_model), 4800) - truth
        assert 2e-4 < largest(error) < 8e-4 and largest(error[:300]) < 8e-5
