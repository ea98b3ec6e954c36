"""What notebook 05 states, computed again at other settings."""

import numpy as np
import pytest
import torch
from defined import cells, definitions
from torch import nn

from helpers import PositionalEncoding, examine, sinusoidal_table
from helpers.encoding import positional_encoding
from helpers.lessons import module

NOTEBOOK = definitions("module")


@cells("0852d60d", "c66f5bdf")
def test_only_a_persistent_table_stops_a_model_from_loading():
    Keeper = NOTEBOOK["Keeper"]
    for keep in ("attribute", "not persistent"):
        Keeper(keep, 300).load_state_dict(Keeper(keep, 7).state_dict())
    with pytest.raises(RuntimeError, match="size mismatch"):
        Keeper("buffer", 300).load_state_dict(Keeper("buffer", 7).state_dict())


@cells("e76c1521", "who-is-blamed", "first_error")
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_a_table_left_behind_makes_the_next_layer_fail(dtype):
    made = NOTEBOOK["Keeper"]("attribute").to(dtype)
    summed = torch.zeros(2, 3, 4, dtype=dtype) + made.table[:3]
    assert summed.dtype == torch.float32
    with pytest.raises(RuntimeError, match="dtype"):
        nn.Linear(4, 4, dtype=dtype)(summed)


@cells("a8460624", "c43d5ee5", "unused_rows")
def test_rows_that_no_sentence_uses_keep_their_random_numbers():
    """With words in front and cross entropy behind, and with another optimiser, too."""
    for optimiser in (torch.optim.Adam, torch.optim.SGD):
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(5)
            table, out = nn.Embedding(60, 8), nn.Linear(8, 5)
            words, labels = torch.randn(40, 20, 8), torch.randint(5, (40, 20))
        before = table.weight.detach().clone()
        steps = optimiser([*table.parameters(), *out.parameters()], lr=0.1)
        for _ in range(5):
            steps.zero_grad()
            guess = out(words + table(torch.arange(20)))
            nn.functional.cross_entropy(
                guess.flatten(0, 1), labels.flatten()
            ).backward()
            steps.step()
        changed = (table.weight != before).any(dim=1)
        assert changed[:20].all() and not changed[20:].any()


@cells("6f33bb59", "f7c9a4d7", "f222db84")
def test_a_table_that_no_checkpoint_holds_is_lost_on_the_meta_device():
    Keeper, keep = NOTEBOOK["Keeper"], "buffer, not persistent"
    with torch.device("meta"):
        left, ours = Keeper(keep), PositionalEncoding(4, max_len=10)
    told = left.load_state_dict(Keeper(keep).state_dict(), assign=True)
    assert not told.missing_keys and not told.unexpected_keys and left.table.is_meta
    torch.use_deterministic_algorithms(True)  # memory without values holds nan then
    try:
        left.to_empty(device="cpu")
    finally:
        torch.use_deterministic_algorithms(False)
    assert left.table.isnan().all()
    assert torch.equal(ours.to_empty(device="cpu").table, sinusoidal_table(10, 4))


@pytest.mark.parametrize("p", [0.1, 0.75])
@cells("b27f3d9f", "d9f8600b", "mean_with_dropout")
def test_dropout_scales_survivors_so_that_the_mean_stays(p):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(3)
        values = nn.Dropout(p)(torch.full((200_064,), 3.0))
    assert values.unique().tolist() == [0, pytest.approx(3 / (1 - p))]
    assert values.mean() == pytest.approx(3, abs=0.05)
    assert torch.equal(nn.Dropout(p).eval()(values), values)


@pytest.mark.parametrize("width", [96, 2000])
@cells("d5789149", "70124dc1", "31b97841")
def test_four_cases_of_the_factor(width):
    position = np.linalg.norm(positional_encoding(50, width), axis=1)
    assert np.allclose(position, np.sqrt(width / 2))
    for size in (1, width**-0.5):
        words = size * np.random.default_rng(width).normal(size=(400, width))
        length = np.linalg.norm(words, axis=1).mean()
        assert length == pytest.approx(size * width**0.5, rel=0.02)
        scaled = length if size == 1 else length * width**0.5
        assert position[7] / scaled == pytest.approx(0.71, abs=0.02)


@pytest.mark.parametrize("pos", [1, 30, 1000])
@cells("does-layer-norm-undo-it", "eb317b76", "934671d3", "where_sqrt_d_matters")
def test_layer_norm_does_not_bring_a_lost_direction_back(pos):
    words = torch.randn(300, 512, generator=torch.Generator().manual_seed(7)).double()
    row, norm = sinusoidal_table(1001, 512)[pos].double(), nn.LayerNorm(512).double()
    (lost, still_lost), (scaled, _) = (
        [
            nn.functional.cosine_similarity(vectors, words, dim=-1).arccos().rad2deg()
            for vectors in (sums, norm(sums).detach())
        ]
        for sums in (words / 512**0.5 + row, words + row)
    )
    assert lost.mean() > 85 and (lost - still_lost).mean() < 2.5
    assert scaled.mean() == pytest.approx(35, abs=1)


@cells("d796050a", "7b8137f2", "newest_token", "f52d87b7")
def test_one_row_that_is_left_goes_to_every_token():
    table = sinusoidal_table(6, 4)
    summed = torch.zeros(2, 3, 4) + table[5 : 5 + 3]
    assert torch.equal(summed, table[5].expand(2, 3, 4))
    mine = NOTEBOOK["MyModule"]
    given = {"add": module.add_rows.reference, "make_table": sinusoidal_table}
    NOTEBOOK.update(given)
    mine, ours = mine(6, max_len=12).eval(), PositionalEncoding(6, max_len=12).eval()
    x = torch.randn(3, 5, 6, generator=torch.Generator().manual_seed(2))
    assert torch.equal(mine(x), ours(x)) and torch.equal(mine(x, 7), ours(x, start=7))
    assert torch.equal(mine(x[:, 4:], 0), x[:, 4:] + table_of_one(6))
    with pytest.raises(ValueError, match="rows"):
        mine(x, 8)


def table_of_one(width):
    return torch.tensor([0.0, 1.0]).repeat(width // 2)


@cells("ae3ed84e", "d3e82c05", "409e0145", "837d4d59")
def test_the_report_tells_each_patient_from_the_others():
    facts = {letter: examine(NOTEBOOK[f"Patient{letter}"]).facts for letter in "ABCD"}
    sound = {"axis": "1", "follows .to()": "yes", "changes input": "no"}
    other = {
        letter: {name for name, value in sound.items() if found.get(name) != value}
        for letter, found in facts.items()
    }
    assert not facts["A"]["call"].startswith("x of") and len(other["A"]) == 2
    assert other["B"] == {"follows .to()"}
    assert other["C"] == {"axis"} and "(length, batch" in facts["C"]["call"]
    assert other["D"] == {"changes input"}
    NOTEBOOK.update(add=module.add_rows.reference, make_table=sinusoidal_table)
    mine = examine(NOTEBOOK["MyModule"]).facts
    assert mine.items() >= sound.items()
    assert mine["numbers"] == "paper" and mine["input times"] == "1"
    assert mine["dropout"] == "on the sum" and "ValueError" in mine["beyond"]
