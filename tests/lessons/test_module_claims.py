"""What notebook 05 states, computed again at other settings."""

import re
import textwrap

import numpy as np
import pytest
import torch
from defined import cells, definitions
from stored import notebook_of, prose_cells
from torch import nn

from helpers import PositionalEncoding, examine, sinusoidal_table
from helpers.encoding import positional_encoding

NOTEBOOK = definitions("module", ["make_table"])
Keeper, MyModule = NOTEBOOK["Keeper"], NOTEBOOK["MyModule"]


@cells("0852d60d", "c66f5bdf")
def test_only_a_persistent_table_stops_a_model_from_loading():
    for keep in ("attribute", "not persistent"):
        Keeper(keep, 300).load_state_dict(Keeper(keep, 7).state_dict())
    with pytest.raises(RuntimeError, match="size mismatch"):
        Keeper("buffer", 300).load_state_dict(Keeper("buffer", 7).state_dict())


@cells("e76c1521", "who-is-blamed", "half_model")
def test_a_table_left_behind_makes_the_next_layer_fail():
    for dtype in (torch.float16, torch.bfloat16):
        made = Keeper("attribute").to(dtype)
        summed = torch.zeros(2, 3, 4, dtype=dtype) + made.table[:3]
        assert summed.dtype == torch.float32
        with pytest.raises(RuntimeError, match="dtype"):
            nn.Linear(4, 4, dtype=dtype)(summed)


@cells("a8460624", "c43d5ee5", "unused_rows")
def test_rows_that_no_sentence_uses_keep_their_random_numbers():
    """With words in front and a layer behind, and with another optimiser, too."""
    for optimiser in (torch.optim.Adam, torch.optim.SGD):
        table, out, words = nn.Embedding(60, 8), nn.Linear(8, 5), torch.ones(40, 20, 8)
        before = table.weight.detach().clone()
        steps = optimiser([*table.parameters(), *out.parameters()], lr=0.1)
        for _ in range(5):
            steps.zero_grad()
            out(words + table(torch.arange(20))).square().mean().backward()
            steps.step()
        changed = (table.weight != before).any(dim=1)
        assert changed[:20].all() and not changed[20:].any()


@cells("6f33bb59", "f7c9a4d7", "f222db84")
def test_a_table_that_no_checkpoint_holds_is_lost_on_the_meta_device():
    (told,) = [
        c.source for c in prose_cells(notebook_of("module")) if c.id == "f222db84"
    ]
    (repair,) = re.findall("```python\n(.*?)```", told, flags=re.DOTALL)
    exec("class Repaired(Keeper):\n" + textwrap.indent(repair, "    "), NOTEBOOK)
    with torch.device("meta"):
        left, repaired = (
            Keeper("not persistent"),
            NOTEBOOK["Repaired"]("not persistent"),
        )
        ours = PositionalEncoding(4, max_len=10)
    told = left.load_state_dict(Keeper("not persistent").state_dict(), assign=True)
    assert not told.missing_keys and not told.unexpected_keys and left.table.is_meta
    torch.use_deterministic_algorithms(True)  # memory without values holds nan then
    try:
        assert left.to_empty(device="cpu").table.isnan().all()
    finally:
        torch.use_deterministic_algorithms(False)
    for kept in (ours, repaired):
        assert torch.equal(kept.to_empty(device="cpu").table, sinusoidal_table(10, 4))
    assert repaired.half().table.dtype == torch.float16


@cells("2d352614")
def test_dropout_scales_survivors_so_that_the_mean_stays():
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(3)
        values = nn.Dropout(0.75)(torch.full((200_064,), 3.0))
    assert values.unique().tolist() == [0, 12]
    assert values.mean() == pytest.approx(3, abs=0.05)
    assert torch.equal(nn.Dropout(0.75).eval()(values), values)


@cells("d5789149", "70124dc1", "31b97841")
def test_four_cases_of_the_factor():
    for width in (96, 2000):
        position = np.linalg.norm(positional_encoding(50, width), axis=1)
        assert np.allclose(position, np.sqrt(width / 2))
        for size in (1, width**-0.5):
            words = size * np.random.default_rng(width).normal(size=(400, width))
            length = np.linalg.norm(words, axis=1).mean()
            assert length == pytest.approx(size * width**0.5, rel=0.02)


@cells("does-layer-norm-undo-it", "eb317b76", "934671d3", "where_sqrt_d_matters")
def test_layer_norm_does_not_bring_a_lost_direction_back():
    words = torch.randn(300, 512, generator=torch.Generator().manual_seed(7)).double()
    norm = nn.LayerNorm(512, elementwise_affine=False)

    def angle(vectors):
        cosines = nn.functional.cosine_similarity(vectors, words, dim=-1)
        return cosines.arccos().rad2deg().mean()

    for row in sinusoidal_table(1001, 512)[[1, 30, 1000]].double():
        lost = words / 512**0.5 + row
        assert angle(lost) == pytest.approx(np.degrees(np.arctan(16)), abs=0.6)
        assert angle(lost) - angle(norm(lost)) < 2.5
        assert angle(words + row) == pytest.approx(
            np.degrees(np.arctan(0.5**0.5)), abs=0.6
        )


@cells("d796050a", "7b8137f2", "newest_token", "f52d87b7")
def test_one_row_that_is_left_goes_to_every_token():
    table = sinusoidal_table(12, 6)
    summed = torch.zeros(2, 3, 6) + table[11 : 11 + 3]
    assert torch.equal(summed, table[11].expand(2, 3, 6))
    mine, ours = (made(6, max_len=12).eval() for made in (MyModule, PositionalEncoding))
    x = torch.randn(3, 5, 6, generator=torch.Generator().manual_seed(2))
    assert torch.equal(mine(x), ours(x)) and torch.equal(mine(x, 7), ours(x, start=7))
    assert torch.equal(mine(x[:, 4:]), x[:, 4:] + table[0])
    with pytest.raises(ValueError, match="rows"):
        mine(x, 8)


@cells("ae3ed84e", "d3e82c05", "409e0145", "837d4d59")
def test_the_report_tells_each_patient_from_the_others():
    facts = {letter: examine(NOTEBOOK[f"Patient{letter}"]).facts for letter in "ABCD"}
    sound = {"axis": "1", "follows .to()": "yes", "changes input": "no"}
    other = {
        letter: {name for name, value in sound.items() if found.get(name) != value}
        for letter, found in facts.items()
    }
    assert other.pop("A") == {"axis", "changes input"}
    assert other == {"B": {"follows .to()"}, "C": {"axis"}, "D": {"changes input"}}
    assert not facts["A"]["call"].startswith("x of")
    assert "(length, batch" in facts["C"]["call"]
    mine = examine(MyModule).facts
    assert mine.items() >= sound.items() | {("numbers", "paper"), ("input times", "1")}
    assert mine["dropout"] == "on the sum" and "ValueError" in mine["beyond"]
