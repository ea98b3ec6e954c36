"""Controls as they are written into a specification; browser/ has them in the hand."""

import altair as alt
from drawing import drawn

from helpers.draw.controls import PLAY, clock, player, unpacked


def test_nothing_plays_by_itself():
    controls = player("pos", 0, 0, 9, "position", 5)
    spec = alt.Chart().mark_point().add_params(*controls).to_dict()
    (play,) = (p for p in unpacked(spec["params"]) if p["name"] == "pos_play")
    assert play["value"] == PLAY
    assert not drawn(clock("pos").add_params(alt.param(name="pos_play", value=PLAY)))
