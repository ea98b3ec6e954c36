"""What notebook 05 states, computed again at other settings."""

import textwrap

import numpy as np
import pytest
import torch
from defined import cells, definitions
from stored import notebook_of, prose_cells
from torch import nn

from helpers import PositionalEncoding, sinusoidal_table
from helpers.encoding import positional_encoding

NOTEBOOK = definitions("module", ["make_table"])
MyModule = NOTEBOOK["MyModule"]


@cells("6f33bb59", "f222db84")
def test_the_repair_fills_a_table_that_no_checkpoint_holds():
    (told,) = (c for c in prose_cells(notebook_of("module")) if c.id == "f222db84")
    repair = told.source.split("```python\n")[1].split("```")[0]
    exec("class Repaired(Keeper):\n" + textwrap.indent(repair, "    "), NOTEBOOK)
    with torch.device("meta"):
        repaired = NOTEBOOK["Repaired"]("buffer, not persistent")
    repaired.to_empty(device="cpu")
    assert torch.equal(repaired.table, sinusoidal_table(10, 4))
    assert repaired.half().table.dtype == torch.float16


@pytest.mark.parametrize("width", [96, 2000])
@cells("d5789149", "70124dc1", "31b97841")
def test_a_word_is_as_long_as_its_entries_times_the_root_of_the_width(width):
    position = np.linalg.norm(positional_encoding(50, width), axis=1)
    assert np.allclose(position, np.sqrt(width / 2))
    words = np.random.default_rng(width).normal(size=(400, width))
    lengths = np.linalg.norm(words, axis=1)
    assert lengths.mean() == pytest.approx(width**0.5, rel=0.02)


@cells("does-layer-norm-undo-it", "eb317b76", "934671d3", "where_sqrt_d_matters")
def test_layer_norm_does_not_bring_a_lost_direction_back():
    words = torch.randn(300, 512, generator=torch.Generator().manual_seed(7))
    norm = nn.LayerNorm(512, elementwise_affine=False)

    def angle(vectors):
        cosines = nn.functional.cosine_similarity(vectors, words, dim=-1)
        return cosines.arccos().rad2deg().mean().item()

    for row in sinusoidal_table(1001, 512)[[1, 30, 1000]]:
        lost, kept = words / 512**0.5 + row, words + row
        found = [angle(lost), angle(norm(lost)), angle(kept)]
        assert found == pytest.approx([86.4, 86.4 - 1.2, 35.3], abs=1.2)


@cells("d796050a", "7b8137f2", "newest_token", "f52d87b7")
def test_a_token_alone_gets_row_0_unless_its_start_is_told():
    table, mine = sinusoidal_table(12, 6), MyModule(6, max_len=12).eval()
    x = torch.randn(3, 5, 6, generator=torch.Generator().manual_seed(2))
    assert torch.equal(mine(x[:, 4:]), x[:, 4:] + table[0])
    ours = PositionalEncoding(6, max_len=12).eval()
    assert torch.equal(mine(x, 7), ours(x, start=7))
