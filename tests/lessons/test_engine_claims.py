"""What notebook 10 states, computed again with another seed than its own."""

import copy
from functools import cache, partial

import pytest
import torch
from defined import cells

from helpers import RotaryEncoding
from helpers.encoding import angular_speeds
from helpers.lessons.engine import model
from helpers.lessons.engine.by_parts import by_parts
from helpers.lessons.engine.ids_from_documents import ids_from_documents
from helpers.lessons.engine.ids_from_mask import ids_from_mask

THETA = torch.tensor(angular_speeds(16))
NONE = torch.zeros(8)
LARGER_BASE = torch.tensor(angular_speeds(16, 10_000 * 8 ** (16 / 14)))
RAMP = by_parts(THETA, 64, 4, 0.25, 1)
FORMULA = by_parts(THETA, 64, 4, 1, 32)
IN_CODE = model.ramp_over_numbers(THETA, 64, 4, 1, 32)
IDS = torch.randint(0, 40, (3, 60), generator=torch.Generator().manual_seed(4))
slow = pytest.mark.slow
text = cache(model.text)


def trained(seed=2, **how):
    learn, _, characters = text()
    return model.trained(learn, len(characters), seed, **how)


as_trained = cache(trained)


@pytest.fixture
def made():
    return as_trained()


@cache
def passages():
    """Windows of 64 and of 256 characters that no model learned from."""
    unseen = text()[1]
    return model.windows(unseen, 64), model.windows(unseen, 256, 60)


def near_and_far(made, speeds=None):
    """Its loss at 64 characters and at 256, with its own speeds or others."""
    if speeds is not None:
        return model.losses_with(made, speeds, *passages())
    return [model.losses(made, some).mean().item() for some in passages()]


class Unrotated(model.Cache):
    """Keys as they came in, the first ``sinks`` for good; ``renumber`` those kept."""

    def __init__(self, window=None, sinks=0, renumber=False):
        super().__init__(window)
        self.sinks, self.renumber = sinks, renumber

    def extend(self, q, k, v, rotary, positions):
        new = k, v, positions.expand(1, 1, -1)
        if len(self):
            old = self.keys, self.values, self.positions
            new = [torch.cat(pair, 2) for pair in zip(old, new, strict=True)]
        held = torch.arange(new[0].shape[2])
        over = max(len(held) - (self.window or len(held)), 0)
        held = torch.cat([held[: self.sinks], held[self.sinks + over :]])
        self.keys, self.values, self.positions = (part[:, :, held] for part in new)
        where = torch.arange(len(held)) if self.renumber else self.positions[0, 0]
        q = rotary(q, positions=where[-q.shape[2] :])
        return q, rotary(self.keys, positions=where), self.values


def decoded(made, ids, speeds_at=None, Cache=Unrotated, **cache):
    """`model.decode` with other caches, and speeds that may change as the text grows."""
    caches, found, before = (
        [Cache(**cache) for _ in made.layers],
        [],
        made.rotary[0].speeds,
    )
    for step, column in enumerate(ids.T):
        if speeds_at is not None:
            made.set_speeds(speeds_at(step + 1))
        found.append(made(column[:, None], torch.tensor([step]), caches=caches))
    made.set_speeds(before)
    return torch.cat(found, 1)


def decoded_losses(made, some, **how):
    return model.losses(partial(decoded, made), some, **how)


def untrained():
    torch.manual_seed(3)
    return model.LanguageModel(40).eval().requires_grad_(False)


@cells("wrong-layout", "loaded_as_they_are")
def test_scores_in_the_wrong_layout_still_depend_on_the_offset_alone():
    q, k = torch.randn(2, 1, 1, 1, 24, generator=torch.Generator().manual_seed(5))
    right, wrong = (
        rotary(q.expand(1, 1, 12, 24)) @ rotary(k.expand(1, 1, 12, 24)).mT
        for rotary in (RotaryEncoding(24, layout=x) for x in ("interleaved", "halves"))
    )
    assert (wrong - right).abs().max() > 0.1
    assert torch.allclose(wrong[..., 1:, 1:], wrong[..., :-1, :-1], atol=1e-4)


@cells("through-the-cache", "cache_before_or_after", "seen-not-kept")
def test_a_cache_gives_what_is_computed_at_once_and_renumbering_a_window_nothing():
    made, back = untrained(), torch.arange(60)[:, None] - torch.arange(60)
    for window in (None, 9):
        # In the second layer, a cache sees what the first one saw with its own window.
        sight = (back >= 0) & (back < (window or 60))
        expected = made(IDS, mask=sight)
        for found in (
            model.decode(made, IDS, window=window),
            decoded(made, IDS, window=window),
            decoded(made, IDS, window=window, renumber=True),
        ):
            assert torch.allclose(found, expected, atol=1e-4)


@cells("seen-not-kept", "after_eviction", "moved-with-which-speeds")
@slow
def test_the_bug_costs_and_sinks_need_new_numbers(made):
    some = model.windows(text()[1], 192, most=24)
    right, all_keys, bug = (
        model.decoded_losses(made, some, **how).mean(0)
        for how in ({"window": 64}, {}, {"window": 64, "position": "kept"})
    )
    true, new = (
        decoded_losses(made, some, window=64, sinks=4, renumber=renumber).mean(0)
        for renumber in (False, True)
    )
    assert abs(right[64:].mean() - right[:64].mean()) < 0.25  # costs nothing
    assert (bug - right)[64:].mean() > 0.5
    assert (all_keys - right)[64:].mean() > 0.5
    assert (true - right).mean() > 0.05 > (new - right).abs().mean()


@cells("moved-with-which-speeds")
@slow
def test_a_base_that_changes(made):
    some, gains = model.windows(text()[1], 192, most=24), []
    for factor in (4, 1):

        def speeds_at(length, factor=factor):
            times = max(1.0, factor * length / 64 - (factor - 1))
            return angular_speeds(16, 10_000 * times ** (16 / 14))

        old, new = (
            decoded_losses(made, some, speeds_at=speeds_at, Cache=kind)
            for kind in (model.Cache, Unrotated)
        )
        gains.append((old - new)[:, 64:].mean())
    assert gains[0] > 0.05
    assert gains[1] < 0.02


@cells("padding-exactly", "left_padding", "why-garbage")
def test_padding_changes_nothing_but_rounding():
    made, padded = untrained(), torch.cat([IDS.new_zeros(3, 25), IDS], 1)
    token = (torch.arange(85) >= 25).expand(3, -1)
    blind = model.causal(85) & token[:, None]
    sight = blind | torch.eye(85, dtype=torch.bool)
    for dtype, most in ((torch.float64, 1e-12), (torch.float32, 1e-4)):
        made.to(dtype)
        for positions in (torch.arange(85), ids_from_mask(token)):
            change = made(padded, positions, sight)[:, 25:] - made(IDS)
            assert change.abs().max() < most
    assert made(padded, mask=blind)[:, 25:].isnan().any()


@cells("padding-exactly")
@slow
def test_padding_by_column_is_as_exact_in_bfloat16_as_no_padding(made):
    some = model.windows(text()[1], 48, most=64)[:, :-1]
    padded, places = torch.cat([some.new_zeros(64, 40), some], 1), torch.arange(88)
    sight = model.causal(88) & (places >= 40) | torch.eye(88).bool()
    coarse = copy.deepcopy(made).bfloat16()
    alone, by_column = coarse(some), coarse(padded, places, sight)[:, 40:]
    assert 0.05 < (by_column - alone).abs().max() < 0.4
    errors = [
        (found.float() - made(some)).square().mean() for found in (by_column, alone)
    ]
    assert errors[0] < 1.3 * errors[1]


@cells("mask-does-the-work", "restart_or_mask")
def test_a_mask_is_enough_without_restarting():
    made, documents = untrained().double(), torch.arange(60).expand(3, -1) // 35
    own = model.causal(60) & (documents[:, :, None] == documents[:, None, :])
    alone, restarted = made(IDS[:, 35:]), ids_from_documents(documents)
    for positions in (torch.arange(60), restarted):
        assert torch.allclose(made(IDS, positions, own)[:, 35:], alone, atol=1e-10)
    assert (made(IDS, restarted)[:, 35:] - alone).abs().max() > 0.01


@cells("mask-does-the-work")
@slow
def test_restarting_without_the_mask_is_worst(made):
    first, second = model.windows(text()[1], 32, most=400).split(200)
    packed, place = torch.cat([first[:, :-1], second], 1), torch.arange(64)
    alone = model.losses(made, second).mean()
    neither, restarted = (
        model.losses(made, packed, positions=positions)[:, 32:].mean()
        for positions in (place, place % 32)
    )
    assert alone < neither < alone + 0.2
    assert restarted > neither + 0.5
    again = place % 32
    level = model.causal(64) & (again <= again[:, None])  # what seems ahead is hidden
    hidden = model.losses(made, packed, positions=again, mask=level)[:, 32:].mean()
    assert 0.5 < (hidden - neither) / (restarted - neither) < 0.85


@cells("two-counts")
@slow
def test_two_ways_of_counting_cost(made):
    row, place = passages()[0], torch.arange(64)
    one, high, low = (
        model.losses(made, row, positions=place + gap * (place >= 32))
        for gap in (0, 40, -20)
    )
    assert 0.15 < (high - one)[:, 32:40].mean() < 0.4
    assert (low - one)[:, 32:40].mean() > 0.6


@cells("code-and-formula", "by_parts", "table-of-models")
@slow  # .ci/run installs the package
@pytest.mark.filterwarnings("ignore")  # of the package's own making
@pytest.mark.parametrize("d_head, length", [(16, 64), (32, 512), (128, 4096)])
def test_published_code_draws_these_ramps(d_head, length):
    reason = "pip install -e '.[published]'"
    rope = pytest.importorskip("transformers.modeling_rope_utils", reason=reason)
    from transformers import LlamaConfig

    theta = torch.tensor(angular_speeds(d_head))
    ramps = {
        "yarn": model.ramp_over_numbers(theta, length, 4, 1, 32),
        "llama3": by_parts(theta, length, 4, 1, 4),
    }
    scaling = {"rope_theta": 1e4, "factor": 4.0, "low_freq_factor": 1.0}
    scaling |= {"high_freq_factor": 4.0, "original_max_position_embeddings": length}
    for kind, ours in ramps.items():
        config = LlamaConfig(
            hidden_size=128,
            num_attention_heads=128 // d_head,
            max_position_embeddings=4 * length,
            rope_parameters={"rope_type": kind, **scaling},
        )
        theirs, _ = rope.ROPE_INIT_FUNCTIONS[kind](config, torch.device("cpu"))
        assert torch.allclose(ours.float(), theirs)


@cells("ramps", "code-and-formula", "which_ramp", "one-hand-hurts")
@slow
def test_what_each_ramp_saves_and_each_hand(made):
    short, long = near_and_far(made)

    def cost_and_saved(speeds):
        near, far = near_and_far(made, speeds)
        return near - short, (long - far) / (long - short)

    assert cost_and_saved(THETA / 4)[1] < 0
    assert cost_and_saved(FORMULA)[1] < 0.2 < 0.5 < cost_and_saved(IN_CODE)[1]
    assert IN_CODE[0] == THETA[0]
    assert FORMULA[0] < THETA[0] / 2
    (cost, saved), (cost_of_base, by_base) = map(cost_and_saved, (RAMP, LARGER_BASE))
    assert saved > 0.5
    assert abs(saved - by_base) < 0.15
    first, fast = (torch.where(torch.arange(8) < n, THETA, FORMULA) for n in (1, 3))
    assert 0.2 < cost_and_saved(first)[1] < 0.6
    assert cost_and_saved(fast)[1] > 0.7
    assert 0 < cost < cost_of_base
    by_hand = [cost_and_saved(s)[1] for s in THETA - torch.diag(THETA * 3 / 4)]
    assert by_hand[3] > 0.7
    assert by_hand[0] < -0.2
    assert max(by_hand[:3]) < 0.35
    assert max(map(abs, by_hand[4:])) < 0.1


@cells("moved-with-which-speeds")
def test_a_key_moved_in_many_small_steps_drifts_in_bfloat16():
    generator = torch.Generator().manual_seed(6)
    key = torch.randn(200, 1, 1, 16, generator=generator).bfloat16()
    rotary = RotaryEncoding(16)
    step_by_step = key
    for _ in range(300):
        step_by_step = rotary(step_by_step, start=1)
    off = (step_by_step - rotary(key, start=300)).float()
    assert 0.1 < off.square().mean().sqrt() < 0.25
    assert off.abs().max() > 1


@cells("no-use", "second_copy")
@slow
def test_the_remedy_gives_no_use(made):
    trials = ((THETA, 180), (LARGER_BASE, 180), (RAMP, 180), (THETA, 34))
    before, *remedies, near = (
        model.copied(made, text()[1], *trial, rows=75) for trial in trials
    )
    for found in (*remedies, near):
        assert abs(found["not seen"] - found["seen before"]) < 0.15
    for found in remedies:
        assert before["seen before"] > found["seen before"] + 0.5


@cells("dropped-and-slopes")
@slow
def test_a_code_that_is_dropped(monkeypatch):
    made = copy.deepcopy(as_trained())
    before, _ = near_and_far(made)
    made.set_speeds(NONE)
    assert near_and_far(made)[0] > 2.7
    never, _ = near_and_far(trained(speeds=NONE))
    going_on = made.train().requires_grad_(True)
    monkeypatch.setattr(model, "LanguageModel", lambda _: going_on)
    monkeypatch.setattr(model, "RATE", 3e-3)
    short, long = near_and_far(trained(seed=102))
    assert before + 0.3 < short < never - 0.02
    assert long < short + 0.12


@cells("dropped-and-slopes")
@slow
def test_slopes_by_head(monkeypatch):
    def with_slopes(slopes):
        def attention(self, x, rotary, positions, mask, cache):
            q, k, v = (
                made(x).unflatten(-1, (4, -1)).transpose(1, 2)
                for made in (self.query, self.key, self.value)
            )
            place = torch.arange(x.shape[1])
            away = torch.tensor(slopes)[:, None, None] * (place[:, None] - place).abs()
            scores = (q @ k.mT / 4 - away).masked_fill(~mask, -torch.inf)
            return self.output((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))

        monkeypatch.setattr(model.Layer, "attention", attention)
        return near_and_far(trained(speeds=NONE))

    _, rotary = near_and_far(as_trained())
    by_head = with_slopes([2.0**-n for n in (2, 4, 6, 8)])
    one = with_slopes([0.25] * 4)
    assert by_head[1] < by_head[0]
    assert by_head[1] < rotary - 0.4
    assert one[0] < by_head[0]
    assert one[1] < by_head[1]


@cells("the-hand-that-hurts", "half_of_the_columns")
@slow
def test_a_hand_that_made_a_part_of_a_turn_is_the_one_that_hurts():
    def rise(**how):
        short, long = near_and_far(trained(**how))
        assert abs(short - near_and_far(as_trained())[0]) < 0.05
        return long - short

    some = [rise(rotary_dim=8, base=base) for base in (10_000, 1000)]
    assert some[0] < 0.1
    assert some[1] > 0.5
    of_a_part, of_a_turn = (
        rise(speeds=THETA * (torch.arange(8) != hand)) for hand in (3, 2)
    )
    assert of_a_part < 0.2
    assert of_a_turn > 0.5


@cells("dropped-and-slopes")
@slow
def test_a_layer_without_a_code(monkeypatch):
    def with_one_code(characters):
        made = LanguageModel(characters)
        made.rotary[1] = RotaryEncoding(16, 1024, speeds=NONE)
        return made

    with_both, _ = near_and_far(as_trained())
    LanguageModel = model.LanguageModel
    monkeypatch.setattr(model, "LanguageModel", with_one_code)
    short, long = near_and_far(trained())
    assert with_both < short < with_both + 0.13
    assert long > short + 0.25
