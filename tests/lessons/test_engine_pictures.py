"""Notebook 10: its pictures and explorables, read back as they are drawn."""

import numpy as np
import pytest
import torch
from drawing import drawn, shows, values
from seen import titles

from helpers.lessons.engine import explore, pictures

FOUND = {
    "as trained": (np.ones(3), 1.5, 2.5),
    "slower": (np.array([1.0, 2.0, 4.0]), 1.6, 1.75),
}


@pytest.mark.parametrize("seen", [1, 5, 6, 10])
@pytest.mark.parametrize("counted", explore.COUNTED)
def test_the_cache_shows_the_offsets_that_a_query_sees(seen, counted):
    most = seen if counted == "tokens seen" else 5  # the highest position that is given
    marks = drawn(explore.cache, seen=seen, counted=counted)
    offsets = {m["place"]: m["offset"] for m in marks if m.get("state") == "kept"}
    query = seen - 1
    for place in range(max(0, query - 4), query):
        assert offsets[place] == min(place, most) - min(query, most)
    # The colours show as many keys kept as are counted, wrong offsets and no others.
    held = [m for m in marks if m.get("state", "").startswith("kept")]
    assert len(held) == min(query, 5)
    orange = [m["place"] for m in marks if set(m) == {"place"}]
    true = {m["place"]: m["true_offset"] for m in marks if "true_offset" in m}
    assert true == {place: place - query for place in [*offsets, query]}
    assert orange == [place for place in offsets if offsets[place] != true[place]]


def test_rows_have_a_position_for_each_token_and_count_what_moves():
    picture = pictures.batches()
    shows(
        picture,
        told=["For 8 of 11 tokens"],
        says=["padded, · at 0, · at 0, · at 0, a at 0, ␣ at 1, c at 2"],
    )
    found = {t.get_position(): t.get_text() for t in picture.axes[0].texts}
    for y, tokens, positions in (
        (0, "···a␣cat", "00001234"),
        (-2.8, "catdog", "012012"),
    ):
        for up, row in (0, tokens), (-0.8, positions), (0.78, "01234567"):
            told = [found[x + 0.5, y + up] for x in range(len(tokens))]
            assert told == list(row[: len(tokens)])


def test_offsets_tell_whether_a_key_seems_to_lie_ahead():
    ways = torch.tensor([[[0, 1, 2, 3]], [[0, 1, 0, 1]]])
    causal = torch.ones(4, 4, dtype=torch.bool).tril()
    picture = pictures.offsets({"plain": (ways[0], causal), "again": (ways[1], causal)})

    shows(
        picture,
        says=["plain, a key seems ahead 0 times; again, a key seems ahead 1 times"],
    )

    for wanted, ax in zip(ways - ways.mT, picture.axes[:2], strict=True):
        found = ax.images[0].get_array()
        assert (found.mask == ~causal.numpy()).all()
        assert (found == wanted.numpy()).all()


def test_the_hand_that_hurts_is_named():
    picture = pictures.hands([3.2, 0.31, 0.02], [-0.3, 0.8, 0.01])
    shows(picture, [-30, 80, 1], says=["percent: -30, 80 and 1"])
    told = "Slowing hand 1 alone, which made 0.31 turns, saves 80% of the added loss"
    assert titles(picture)[0] == told


def test_copies_are_bars_of_their_losses():
    found = {"one": {"seen": 1.5, "not": 1.6}, "two": {"seen": 3.0, "not": 3.25}}
    picture = pictures.copies(found)
    shows(picture, [1.5, 3.0], [1.6, 3.25], says=["one, seen 1.5 and not 1.6"])


@pytest.mark.parametrize(("scaling", "saved"), [("as trained", 0), ("slower", 75)])
def test_one_scaling_is_shown_with_its_losses(scaling, saved):
    slower, short, long = FOUND[scaling]
    marks = drawn(lambda: explore.scalings(FOUND), scaling=scaling)
    assert values(marks, "times slower", "hand") == slower.tolist()
    assert values(marks, "loss", "scaling") == [short, long]

    said = f"{short:.2f} nats at 64, {long:.2f} at 256, saved {saved}%'"
    assert {f"Title text 'Loss {scaling}": said} in marks
