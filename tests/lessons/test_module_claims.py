"""What notebook 05 states, computed again at other settings."""

import numpy as np
import pytest
import torch
from defined import definitions
from torch import nn

from helpers import measuring, sinusoidal_table
from helpers.encoding import positional_encoding

NOTEBOOK = definitions("module")


def usual(rows, d):
    """The table as it is usually built, in float32."""
    speeds = torch.exp(torch.arange(0, d, 2) * (-np.log(10_000.0) / d))
    table, position = torch.zeros(rows, d), torch.arange(rows).unsqueeze(1)
    table[:, 0::2] = torch.sin(position * speeds)
    table[:, 1::2] = torch.cos(position * speeds)
    return table


def test_only_a_persistent_table_stops_a_model_from_loading():
    """“With `persistent=False` the table is not part of the checkpoint, so the weights
    load into a model of any `max_len`.”
    “The checkpoint holds 100 rows and the module has 200. A table that anybody can
    compute again keeps your model from loading.”
    """
    Keeper = NOTEBOOK["Keeper"]
    for keep in ("attribute", "not persistent"):
        Keeper(keep, 300).load_state_dict(Keeper(keep, 7).state_dict())
    with pytest.raises(RuntimeError, match="size mismatch"):
        Keeper("buffer", 300).load_state_dict(Keeper("buffer", 7).state_dict())


@pytest.mark.parametrize("p", [0.1, 0.75])
def test_dropout_scales_survivors_so_that_the_mean_stays(p):
    """“The *mean* of all values stays what it was, so nothing has to be corrected
    in `eval()`, where dropout is off. Their spread does grow”
    “dropout returns 0 or $1/(1-p)$ times the sum”
    “The seed decides which cells are dropped, and among only 128 cells their share can
    miss $p$ by several percentage points. Over 100 000 draws the share comes close”
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(3)
        values = nn.Dropout(p)(torch.full((200_064,), 3.0))
    lost, kept = values.unique().tolist()
    assert (lost, kept) == (0, pytest.approx(3 / (1 - p)))
    assert values.mean() == pytest.approx(3, abs=0.05)
    assert values.square().mean().sqrt() == pytest.approx(3 / (1 - p) ** 0.5, rel=0.02)
    dropped = (values == 0).float()
    assert (dropped.reshape(-1, 128).mean(dim=1) - p).abs().max() > 0.03
    assert dropped.mean() == pytest.approx(p, abs=0.005)


@pytest.mark.parametrize("width", [96, 2000])
def test_four_cases_of_the_factor(width):
    """“A word of $d$ entries of size $s$ has the length $s\\sqrt d$.”
    “In general a position has the length $\\sqrt{d_{model}/2}$, because it consists of
    $d_{model}/2$ hands of length 1.”
    “Two of the four cases are the same line, 0.71 at every width”
    “Every arrow has the length 1, because a hand is a point of the unit circle.”
    """
    position = np.linalg.norm(positional_encoding(50, width), axis=1)
    assert np.allclose(position, np.sqrt(width / 2))
    for size in (1, width**-0.5):
        words = size * np.random.default_rng(width).normal(size=(400, width))
        length = np.linalg.norm(words, axis=1).mean()
        assert length == pytest.approx(size * width**0.5, rel=0.02)
        scaled = length if size == 1 else length * width**0.5
        assert position[7] / scaled == pytest.approx(0.71, abs=0.02)


@pytest.mark.parametrize(("width", "seed"), [(512, 2), (1024, 5)])
def test_layer_norm_turns_a_sum_back_a_little(width, seed):
    """“Without the factor the normed sum hardly points towards the word at this width. With
    the factor it does, at every one of these positions.” “But the factor also changes the
    direction of the sum, and a layer norm turns it back only a little.”
    """
    random = torch.Generator().manual_seed(seed)
    word = torch.randn(width, generator=random) / width**0.5
    rows = sinusoidal_table(3001, width)[[0, 1, 7, 30, 200, 3000]]
    norm = nn.LayerNorm(width, elementwise_affine=False)
    plain, scaled = (
        nn.functional.cosine_similarity(norm(factor * word + rows), word)
        for factor in (1, width**0.5)
    )
    assert plain.abs().max() < 0.25
    assert scaled.min() > 0.75
    before = nn.functional.cosine_similarity(word + rows, word)
    assert (plain - before).abs().max() < 0.1


def test_the_shipped_table_is_more_exact_and_needs_little_memory():
    """“the shipped table is ten thousand times more exact than the usual one, and it
    needs hardly more memory than the result”
    """
    exact = positional_encoding(3000, 256)
    theirs, ours = (
        np.abs(build(3000, 256).numpy() - exact).max()
        for build in (usual, sinusoidal_table)
    )
    assert theirs / ours > 5000
    needed = measuring.peak_bytes(lambda: sinusoidal_table(3000, 256))
    assert needed < 1.1 * 4 * exact.size


def test_each_patient_fails_as_the_notes_say():
    """“Broadcasting makes (2, 5, 8), one number spread over eight columns.”
    “With a table of one row not even the sum fails”
    """
    assert (torch.zeros(2, 5, 1) + sinusoidal_table(5, 8)).shape == (2, 5, 8)
    assert (torch.zeros(2, 5, 8) + sinusoidal_table(1, 8)[:5]).shape == (2, 5, 8)
