"""What notebook 05 states, computed again at other settings."""

import numpy as np
import pytest
import torch
from torch import nn

from helpers import PositionalEncoding, measuring, sinusoidal_table
from helpers.encoding import positional_encoding


class Keeper(nn.Module):
    def __init__(self, rows, **how):
        super().__init__()
        self.register_buffer("table", sinusoidal_table(rows, 6), **how)
        self.weight = nn.Parameter(torch.zeros(3))


def test_only_a_persistent_table_stops_a_model_from_loading():
    """“With `persistent=False` the table is not part of the checkpoint, so the weights
    load into a model of any `max_len`.”
    “The checkpoint holds 100 rows and the module has 200. A table that anybody can
    compute again keeps your model from loading.”
    """
    for rows, more in ((7, 9), (300, 20)):
        kept, fresh = (Keeper(n, persistent=False) for n in (rows, more))
        fresh.load_state_dict(kept.state_dict())
        with pytest.raises(RuntimeError, match="size mismatch"):
            Keeper(more).load_state_dict(Keeper(rows).state_dict())


@pytest.mark.parametrize("p", [0.1, 0.5, 0.75])
def test_dropout_scales_survivors_so_that_the_mean_stays(p):
    """“The *mean* of all values stays what it was, so nothing has to be corrected
    in `eval()`, where dropout is off. Their spread does grow”
    “dropout returns 0 or $1/(1-p)$ times the sum”
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(3)
        values = nn.Dropout(p)(torch.full((200_000,), 3.0))
    lost, kept = values.unique().tolist()
    assert (lost, kept) == (0, pytest.approx(3 / (1 - p)))
    assert values.mean() == pytest.approx(3, abs=0.05)
    assert values.square().mean().sqrt() == pytest.approx(3 / (1 - p) ** 0.5, rel=0.02)


@pytest.mark.parametrize("p", [0.1, 0.5])
def test_among_few_cells_the_share_of_zeros_varies(p):
    """“The seed decides which cells are dropped, and among only 128 cells their share can
    miss $p$ by several percentage points. Over 100 000 draws the share comes close”
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(11)
        few = (nn.Dropout(p)(torch.ones(40, 128)) == 0).float().mean(dim=1)
        many = (nn.Dropout(p)(torch.ones(300_000)) == 0).float().mean()
    assert (few - p).abs().max() > 0.03
    assert many == pytest.approx(p, abs=0.005)


@pytest.mark.parametrize("width", [10, 96, 2000])
def test_four_cases_of_the_factor(width):
    """“A word of $d$ entries of size $s$ has the length $s\\sqrt d$.”
    “In general a position has the length $\\sqrt{d_{model}/2}$, because it consists of
    $d_{model}/2$ hands of length 1.”
    “Two of the four cases are the same line, 0.71 at every width”
    """
    rows = positional_encoding(50, width)
    assert np.allclose(np.linalg.norm(rows, axis=1), np.sqrt(width / 2))
    words = np.random.default_rng(width).normal(size=(400, width))
    lengths = np.linalg.norm(words, axis=1).mean()
    position, factor = np.sqrt(width / 2), np.sqrt(width)
    assert position / lengths == pytest.approx(0.71, abs=0.03)
    small = lengths / factor
    assert position / (small * factor) == pytest.approx(0.71, abs=0.03)
    assert position / small == pytest.approx(np.sqrt(width / 2), rel=0.04)
    assert position / (lengths * factor) == pytest.approx(
        1 / np.sqrt(2 * width), rel=0.04
    )


@pytest.mark.parametrize(("width", "seed"), [(512, 2), (512, 3), (512, 4), (1024, 5)])
def test_layer_norm_does_not_bring_a_direction_back(width, seed):
    """“Without the factor the normed sum hardly points towards the word at this width. With
    the factor it does, at every one of these positions.”
    """
    word = (
        torch.randn(width, generator=torch.Generator().manual_seed(seed)) / width**0.5
    )
    rows = sinusoidal_table(3001, width)[[0, 1, 7, 30, 200, 3000]]
    norm = nn.LayerNorm(width, elementwise_affine=False)
    plain, scaled = (
        nn.functional.cosine_similarity(norm(factor * word + rows), word)
        for factor in (1, width**0.5)
    )
    assert plain.abs().max() < 0.25
    assert scaled.min() > 0.75


@pytest.mark.parametrize("size", [(3000, 256), (9000, 512)])
def test_the_shipped_table_is_more_exact_and_needs_little_memory(size):
    """“the shipped table is ten thousand times more exact than the usual one, and it
    needs hardly more memory than the result”
    """
    exact = positional_encoding(*size)

    def usual(rows=size[0], d=size[1]):
        speeds = torch.exp(torch.arange(0, d, 2) * (-np.log(10_000.0) / d))
        angles = torch.arange(rows).unsqueeze(1) * speeds
        return torch.stack([angles.sin(), angles.cos()], dim=2).flatten(1)

    theirs, ours = (
        np.abs(table.numpy() - exact).max()
        for table in (usual(), sinusoidal_table(*size))
    )
    assert theirs / ours > 5000
    needed = measuring.peak_bytes(lambda: sinusoidal_table(*size))
    assert needed < 1.1 * 4 * size[0] * size[1]


@pytest.mark.slow
def test_fewer_sines_are_not_why_it_is_quicker():
    """“It is also the quickest to build there, although fewer sines are not the main
    reason. We replaced the sines and cosines of the usual way by plain copies, and it
    took nearly as long as before.”
    """

    def usual(sine, cosine):
        speeds = torch.exp(torch.arange(0, 512, 2) * (-np.log(10_000.0) / 512))
        table, position = torch.zeros(4000, 512), torch.arange(4000).unsqueeze(1)
        table[:, 0::2], table[:, 1::2] = (
            sine(position * speeds),
            cosine(position * speeds),
        )

    calls = {
        "sines": lambda: usual(torch.sin, torch.cos),
        "copies": lambda: usual(torch.clone, torch.clone),
        "shipped": lambda: sinusoidal_table(4000, 512),
    }
    seconds = measuring.median_seconds(calls, repeats=15)
    assert seconds["shipped"] < seconds["sines"]
    assert seconds["copies"] > 0.6 * seconds["sines"]


def test_each_patient_fails_as_the_notes_say():
    """“Broadcasting makes (2, 5, 8), one number spread over eight columns.”
    “With a table of one row not even the sum fails”
    """
    assert (torch.zeros(2, 5, 1) + sinusoidal_table(5, 8)).shape == (2, 5, 8)
    assert (torch.zeros(2, 5, 8) + sinusoidal_table(1, 8)[:5]).shape == (2, 5, 8)


def test_rounded_arrows_are_as_long_as_the_hand():
    """“Every arrow has the length 1, because a hand is a point of the unit circle.”"""
    module = PositionalEncoding(2, dropout=0.0, max_len=40)
    moved = module(torch.randn(1, 40, 2, generator=torch.Generator().manual_seed(1)))
    started = torch.randn(1, 40, 2, generator=torch.Generator().manual_seed(1))
    assert torch.allclose((moved - started).norm(dim=2), torch.ones(40))
