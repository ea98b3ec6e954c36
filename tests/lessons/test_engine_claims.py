"""What notebook 10 states, computed again with another seed than its own."""

import copy

import pytest
import torch
from defined import cells
from torch import nn

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
LEARN, UNSEEN, CHARACTERS = model.text()
NEAR, FAR = model.windows(UNSEEN, 64), model.windows(UNSEEN, 256, 60)
LONG = model.windows(UNSEEN, 192, most=24)
slow = pytest.mark.slow


def trained(seed=2, **how):
    return model.trained(LEARN, len(CHARACTERS), seed, **how)


def near_and_far(made):
    """Its loss at 64 characters and at 256."""
    return [model.losses(made, some).mean().item() for some in (NEAR, FAR)]


@pytest.fixture(scope="module")
def made():
    return trained()


@pytest.fixture
def untrained():
    torch.manual_seed(3)
    return model.LanguageModel(40).eval().requires_grad_(False)


class Unrotated(model.Cache):
    """Keys as they came in, rotated at their place among those kept, with the query.

    The first ``sinks`` are kept for good.
    """

    sinks = 0

    def extend(self, q, k, v, rotary, positions):
        if len(self) == self.window:
            kept = torch.arange(self.window) != self.sinks
            self.keys, self.values = self.keys[:, :, kept], self.values[:, :, kept]
        q, k, v = super().extend(q, k, v, lambda x, positions: x, positions)
        places = torch.arange(len(self))
        return rotary(q, positions=places[-1:]), rotary(k, positions=places), v


@cells("wrong-layout", "loaded_as_they_are")
def test_scores_in_the_wrong_layout_still_depend_on_the_offset_alone():
    both = torch.randn(2, 1, 1, 1, 24, generator=torch.Generator().manual_seed(5))
    q, k = both.expand(2, 1, 1, 12, 24)
    right, wrong = (
        rotary(q) @ rotary(k).mT
        for rotary in (RotaryEncoding(24, layout=x) for x in ("interleaved", "halves"))
    )
    assert (wrong - right).abs().max() > 0.1
    assert torch.allclose(wrong[..., 1:, 1:], wrong[..., :-1, :-1], atol=1e-4)


@cells("through-the-cache", "cache_before_or_after", "seen-not-kept")
@pytest.mark.parametrize("Cache", [model.Cache, Unrotated])
@pytest.mark.parametrize("window", [None, 9])
def test_a_cache_gives_what_is_computed_at_once_and_renumbering_a_window_nothing(
    untrained, monkeypatch, Cache, window
):
    # In the second layer, a cache sees what the first one saw with its own window.
    sight = model.causal(60).triu(1 - (window or 60))
    monkeypatch.setattr(model, "Cache", Cache)
    found = model.decode(untrained, IDS, window=window)
    assert torch.allclose(found, untrained(IDS, mask=sight), atol=1e-4)


@cells("seen-not-kept", "after_eviction", "moved-with-which-speeds")
@slow
def test_the_bug_costs_and_sinks_need_new_numbers(made, monkeypatch):
    sight = model.causal(192) & (model.causal(192).triu(-59) | (torch.arange(192) < 4))
    all_keys, true = model.losses(made, LONG), model.losses(made, LONG, mask=sight)
    right, bug = (
        model.decoded_losses(made, LONG, window=64, position=position)
        for position in ("seen", "kept")
    )
    monkeypatch.setattr(model, "Cache", Unrotated)
    monkeypatch.setattr(Unrotated, "sinks", 4)
    new = model.decoded_losses(made, LONG, window=64)
    assert abs(right[:, 64:].mean() - right[:, :64].mean()) < 0.25  # costs nothing
    assert (bug - right)[:, 64:].mean() > 0.5
    assert (all_keys - right)[:, 64:].mean() > 0.5
    assert (true - right).mean() > 0.05 > (new - right).mean(0).abs().mean()


@cells("moved-with-which-speeds")
@slow
@pytest.mark.parametrize("factor", [4, 1])
def test_a_base_that_changes(made, monkeypatch, factor):
    made = copy.deepcopy(made)

    def slow_down(_, given):
        times = max(1.0, factor * (given[1].item() + 1) / 64 - (factor - 1))
        made.set_speeds(angular_speeds(16, 10_000 * times ** (16 / 14)))

    made.register_forward_pre_hook(slow_down)
    old = model.decoded_losses(made, LONG)
    monkeypatch.setattr(model, "Cache", Unrotated)
    gain = (old - model.decoded_losses(made, LONG))[:, 64:].mean()
    assert gain > 0.05 if factor == 4 else gain < 0.02


@cells("padding-exactly", "left_padding", "why-garbage")
def test_padding_changes_nothing_but_rounding(untrained):
    made, token = untrained.double(), torch.arange(85) >= 25
    padded, blind = nn.functional.pad(IDS, (25, 0)), model.causal(85) & token
    sight = blind | torch.eye(85, dtype=torch.bool)
    for positions in (torch.arange(85), ids_from_mask(token.expand(3, -1))):
        found = made(padded, positions, sight)[:, 25:]
        assert torch.allclose(found, made(IDS), atol=1e-12)
    assert made(padded, mask=blind)[:, 25:].isnan().any()


@cells("padding-exactly")
@slow
def test_padding_by_column_is_as_exact_in_bfloat16_as_no_padding(made):
    some = model.windows(UNSEEN, 48, most=64)[:, :-1]
    padded, places = nn.functional.pad(some, (40, 0)), torch.arange(88)
    sight = model.causal(88) & (places >= 40) | torch.eye(88).bool()
    coarse = copy.deepcopy(made).bfloat16()
    alone, by_column = coarse(some), coarse(padded, places, sight)[:, 40:]
    assert 0.05 < (by_column - alone).abs().max() < 0.4
    assert (by_column - made(some)).norm() < 1.15 * (alone - made(some)).norm()


@cells("mask-does-the-work", "restart_or_mask")
def test_a_mask_is_enough_without_restarting(untrained):
    made, documents = untrained.double(), torch.arange(60).expand(3, -1) // 35
    own = model.causal(60) & (documents[:, :, None] == documents[:, None, :])
    alone, restarted = made(IDS[:, 35:]), ids_from_documents(documents)
    for positions in (torch.arange(60), restarted):
        assert torch.allclose(made(IDS, positions, own)[:, 35:], alone, atol=1e-10)
    assert (made(IDS, restarted)[:, 35:] - alone).abs().max() > 0.01


@cells("mask-does-the-work")
@slow
def test_restarting_without_the_mask_is_worst(made):
    first, second = model.windows(UNSEEN, 32, most=400).split(200)
    packed, again = torch.cat([first[:, :-1], second], 1), torch.arange(64) % 32
    level = model.causal(64) & (again <= again[:, None])  # what seems ahead is hidden
    neither, restarted, hidden = (
        model.losses(made, packed, **how)[:, 32:].mean()
        for how in ({}, {"positions": again}, {"positions": again, "mask": level})
    )
    alone = model.losses(made, second).mean()
    assert alone < neither < alone + 0.2
    assert restarted > neither + 0.5
    assert 0.5 < (hidden - neither) / (restarted - neither) < 0.85


@cells("two-counts")
@slow
def test_two_ways_of_counting_cost(made):
    place = torch.arange(64)
    level, *lower, forty, hundred, two_hundred = (
        model.losses(made, NEAR, positions=place + gap * (place >= 32))[:, 32:].mean()
        for gap in (0, -5, -10, -20, -31, 40, 100, 200)
    )
    assert level < min(forty, two_hundred) and max(forty, two_hundred) < level + 0.2
    assert hundred - level == pytest.approx(1.1, abs=0.2)
    assert lower == sorted(lower) and lower[0] > level + 0.1


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

    def saved(speeds):
        (far,) = model.losses_with(made, speeds, FAR)
        return (long - far) / (long - short)

    def cost(speeds):
        return model.losses_with(made, speeds, NEAR)[0] - short

    assert saved(THETA / 4) < 0
    assert saved(FORMULA) < 0.2 < 0.5 < saved(IN_CODE)
    assert saved(RAMP) > 0.5
    assert saved(RAMP) == pytest.approx(saved(LARGER_BASE), abs=0.15)
    assert 0 < cost(RAMP) < cost(LARGER_BASE)
    # The formula's, with the speeds of the first hands given back.
    first, fast = (torch.cat([THETA[:n], FORMULA[n:]]) for n in (1, 3))
    assert 0.2 < saved(first) < 0.6 < 0.7 < saved(fast)
    by_hand = [saved(speeds) for speeds in THETA - torch.diag(THETA * 3 / 4)]
    assert by_hand[3] > 0.7
    assert by_hand[0] < -0.2
    assert max(by_hand[:3]) < 0.35
    assert max(map(abs, by_hand[4:])) < 0.1


@cells("ramps", "code-is-not-formula")
def test_the_code_leaves_the_fastest_hand_alone_and_the_formula_does_not():
    assert IN_CODE[0] == THETA[0]
    assert FORMULA[0] < THETA[0] / 2


@cells("moved-with-which-speeds")
def test_a_key_moved_in_many_small_steps_drifts_in_bfloat16():
    generator = torch.Generator().manual_seed(6)
    key = torch.randn(200, 1, 1, 16, generator=generator).bfloat16()
    rotary, step_by_step = RotaryEncoding(16), key
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
        model.copied(made, UNSEEN, *trial, rows=75) for trial in trials
    )
    for found in (*remedies, near):
        assert abs(found["not seen"] - found["seen before"]) < 0.15
    for found in remedies:
        assert before["seen before"] > found["seen before"] + 0.5


@cells("dropped-and-slopes")
@slow
@pytest.mark.weekly
def test_a_code_that_is_dropped(made, monkeypatch):
    dropped = copy.deepcopy(made)
    dropped.set_speeds(NONE)
    assert near_and_far(dropped)[0] > 2.7
    never, _ = near_and_far(trained(speeds=NONE))
    going_on = dropped.train().requires_grad_(True)
    monkeypatch.setattr(model, "LanguageModel", lambda _: going_on)
    monkeypatch.setattr(model, "RATE", 3e-3)
    short, long = near_and_far(trained(seed=102))
    assert near_and_far(made)[0] + 0.3 < short < never - 0.02
    assert long < short + 0.12


@cells("dropped-and-slopes")
@slow
@pytest.mark.weekly
def test_slopes_by_head(made, monkeypatch):
    def with_slopes(slopes):
        def attention(self, x, rotary, positions, mask, cache):
            q, k, v = (
                model._split(given(x)) for given in (self.query, self.key, self.value)
            )
            ahead = torch.tensor(slopes)[:, None, None] * (
                positions - positions[:, None]
            )
            bias = ahead.masked_fill(~mask, -torch.inf)
            heads = nn.functional.scaled_dot_product_attention(q, k, v, bias)
            return self.output(heads.transpose(1, 2).flatten(2))

        monkeypatch.setattr(model.Layer, "attention", attention)
        return near_and_far(trained())

    _, rotary = near_and_far(made)
    by_head = with_slopes([2.0**-n for n in (2, 4, 6, 8)])
    one = with_slopes([0.25] * 4)
    assert one[0] < by_head[0]
    assert one[1] < by_head[1] < min(by_head[0], rotary - 0.4)


@cells("the-hand-that-hurts", "half_of_the_columns")
@slow
@pytest.mark.parametrize(
    ("how", "rises"),
    [
        ({"rotary_dim": 8}, False),
        pytest.param({"rotary_dim": 8, "base": 1000}, True, marks=pytest.mark.weekly),
        pytest.param(
            {"speeds": THETA * (torch.arange(8) != 3)}, False, marks=pytest.mark.weekly
        ),
    ],
)
def test_a_hand_that_made_a_part_of_a_turn_is_the_one_that_hurts(made, how, rises):
    short, long = near_and_far(trained(**how))
    assert short == pytest.approx(near_and_far(made)[0], abs=0.05)
    assert long - short > 0.5 if rises else long - short < 0.15


@cells("dropped-and-slopes")
@slow
@pytest.mark.weekly
def test_a_layer_without_a_code(made, monkeypatch):
    class OneCode(model.LanguageModel):
        def __init__(self, characters):
            super().__init__(characters)
            self.rotary[1] = RotaryEncoding(16, 1024, speeds=NONE)

    monkeypatch.setattr(model, "LanguageModel", OneCode)
    short, long = near_and_far(trained())
    assert 0 < short - near_and_far(made)[0] < 0.13
    assert long > short + 0.25
