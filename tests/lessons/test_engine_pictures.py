"""Notebook 10: its pictures and explorables, read back as they are drawn."""

import numpy as np
import pytest
from drawing import drawn, shows
from seen import titles

from helpers.lessons.engine import explore, pictures


def cache():
    return explore.cache("abcdefghij", window=4)


FOUND = {
    "as trained": (np.ones(3), 1.5, 2.5),
    "slower": (np.array([1.0, 2.0, 4.0]), 1.6, 1.75),
}


def scalings():
    return explore.scalings(FOUND)


@pytest.mark.parametrize("seen", [1, 4, 5, 9])
@pytest.mark.parametrize("counted", explore.COUNTED)
def test_the_cache_shows_the_offsets_that_a_query_sees(seen, counted):
    class Kept(list):
        """Keys of the last four tokens, by the positions that they were given."""

        def place(self):
            return total if counted == "tokens seen" else min(len(self), 4)

    kept = Kept()
    for total in range(seen):
        position = kept.place()
        kept.append((total, position))
        if len(kept) > 4:
            gone = kept.pop(0)
            assert gone[0] == total - 4
    marks = drawn(cache, seen=seen, counted=counted)
    offsets = {m["place"]: m["offset"] for m in marks if m.get("state") == "kept"}
    expected = {place: pos - position for place, pos in kept[:-1]}
    # The chart keeps the window beside the query, as a cache does before it drops.
    assert {p: offsets[p] for p in expected} == expected


def test_rows_name_what_is_hidden():
    rows = {"padded": ("··ab", [0, 0, 0, 1], [None, None, 0, 0])}
    assert "2 hidden, then positions 0 and 1" in pictures.batches(rows).alt
    assert "0 hidden" in pictures.batches({"whole": ("ab", [3, 4], [0, 0])}).alt
    assert len(pictures.batches().axes[0].patches) == 9 + 8 + 6


def test_offsets_tell_whether_a_key_seems_to_lie_ahead():
    plain = np.where(
        np.tri(4, dtype=bool), np.arange(4) - np.arange(4)[:, None], np.nan
    )
    ahead = plain + 2
    picture = pictures.offsets({"plain": plain, "moved": ahead})
    shows(picture, says=["plain, 10 offsets in sight, no key ahead"])
    shows(picture, says=["moved, 10 offsets in sight, some keys seem to lie ahead"])
    drawn_maps = [ax.images[0].get_array() for ax in picture.axes if ax.images]
    assert np.ma.allclose(drawn_maps[1], np.ma.masked_invalid(ahead))


def test_losses_along_the_text():
    level, rising = np.full(128, 1.5), np.linspace(1.5, 3.5, 128)
    picture = pictures.along_the_text({"level": level, "rising": rising})
    shows(picture, rising.reshape(8, 16).mean(1), says=["rising, rises"])
    more = (rising - level)[64:].mean()
    assert f"“rising” loses {more:.1f} nats" in titles(picture)[0]
    assert "level, stays near its level" in picture.alt


def test_copies_are_bars_of_their_losses():
    found = {"one": {"seen": 1.5, "not": 1.6}, "two": {"seen": 3.0, "not": 3.25}}
    picture = pictures.copies(found)
    shows(picture, [1.5, 3.0], [1.6, 3.25], says=["one: seen 1.5, not 1.6"])
    assert "0.25 nats at most" in titles(picture)[0]


@pytest.mark.parametrize("scaling", FOUND)
def test_one_scaling_is_shown_with_its_losses(scaling):
    slower, short, long = FOUND[scaling]
    marks = drawn(scalings, scaling=scaling)
    assert [m["times slower"] for m in marks if "hand" in m] == slower.tolist()
    assert [m["loss"] for m in marks if "scaling" in m] == [short, long]
    said = f"{short:.2f} nats at 64, {long:.2f} at 256'"
    assert {f"Title text '{scaling}": said} in marks
