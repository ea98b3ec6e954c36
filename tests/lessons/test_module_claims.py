"""What notebook 05 states, computed again at other settings."""

import numpy as np
import pytest
import torch
from defined import cells, definitions
from torch import nn

from helpers import measuring, sinusoidal_table
from helpers.encoding import positional_encoding

NOTEBOOK = definitions("module")


@cells("0852d60d", "larger_checkpoint")
def test_only_a_persistent_table_stops_a_model_from_loading():
    Keeper = NOTEBOOK["Keeper"]
    for keep in ("attribute", "not persistent"):
        Keeper(keep, 300).load_state_dict(Keeper(keep, 7).state_dict())
    with pytest.raises(RuntimeError, match="size mismatch"):
        Keeper("buffer", 300).load_state_dict(Keeper("buffer", 7).state_dict())


@pytest.mark.parametrize("p", [0.1, 0.75])
@cells("7c3d8f03", "nothing-to-correct", "2b4aa021", "c2304ed6")
def test_dropout_scales_survivors_so_that_the_mean_stays(p):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(3)
        values = nn.Dropout(p)(torch.full((200_064,), 3.0))
    assert values.unique().tolist() == [0, pytest.approx(3 / (1 - p))]
    assert values.mean() == pytest.approx(3, abs=0.05)
    assert values.square().mean().sqrt() == pytest.approx(3 / (1 - p) ** 0.5, rel=0.02)
    dropped = (values == 0).float()
    assert (dropped.reshape(-1, 128).mean(dim=1) - p).abs().max() > 0.03
    assert dropped.mean() == pytest.approx(p, abs=0.005)


@pytest.mark.parametrize("width", [96, 2000])
@cells("d5789149", "660185a7", "70124dc1", "31b97841")
def test_four_cases_of_the_factor(width):
    position = np.linalg.norm(positional_encoding(50, width), axis=1)
    assert np.allclose(position, np.sqrt(width / 2))
    for size in (1, width**-0.5):
        words = size * np.random.default_rng(width).normal(size=(400, width))
        length = np.linalg.norm(words, axis=1).mean()
        assert length == pytest.approx(size * width**0.5, rel=0.02)
        scaled = length if size == 1 else length * width**0.5
        assert position[7] / scaled == pytest.approx(0.71, abs=0.02)


@pytest.mark.parametrize("positions", [[0, 1, 10, 100, 1000], [3, 30, 3000]])
@cells("934671d3")
def test_layer_norm_turns_a_sum_back_where_its_row_has_a_mean(positions):
    words = torch.randn(300, 1, 512, generator=torch.Generator().manual_seed(7))
    rows, norm = sinusoidal_table(3001, 512)[positions].double(), nn.LayerNorm(512)
    degrees = [
        nn.functional.cosine_similarity(vectors, words, dim=-1).arccos().rad2deg()
        for sums in (words / 512**0.5 + rows, words + rows)
        for vectors in (sums, norm.double()(sums).detach())
    ]
    before, after, scaled, turned = (each.mean(dim=0) for each in degrees)
    assert before.min() > 85 and (before > after).all()
    assert (before - after).max() < 2.5
    assert scaled.numpy() == pytest.approx(35, abs=1)
    assert (scaled - turned)[0] > 5 and (scaled - turned)[-1] < 2
    assert rows.mean(dim=1)[0] > 0.4 and rows.mean(dim=1)[-1] < 0.2


@cells("55abba6a")
def test_the_shipped_table_is_more_exact_and_needs_little_memory():
    exact = positional_encoding(3000, 256)
    usual = NOTEBOOK["FirstModule"](256, max_len=3000).table
    theirs = np.abs(usual.numpy() - exact).max()
    for build, tables in ((sinusoidal_table, 1), (NOTEBOOK["float64_formula"], 5)):
        assert theirs > 5000 * np.abs(build(3000, 256).numpy() - exact).max()
        needed = measuring.peak_bytes(lambda build=build: build(3000, 256))
        assert needed == pytest.approx(tables * 4 * exact.size, rel=0.1)
