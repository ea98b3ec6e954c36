"""The exercises of notebook 06: what passes, and each demand of the texts enforced."""

import math

import answers
import numpy as np
import pytest
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from helpers import corners
from helpers.exercises import encoder_decoder as exercises
from helpers.training import batches

# ------------------------------------------------------------- other right answers


def test_other_right_masks_pass():
    for mask in (
        lambda n: torch.tensor(np.tri(n, dtype=bool)),
        lambda n: torch.tensor([[k <= q for k in range(n)] for q in range(n)]),
        lambda n: torch.arange(n)[:, None] >= torch.arange(n),
    ):
        assert exercises.causal_mask.judge(mask).status == "correct"


def test_other_right_attentions_pass():
    def renormalised(q, k, v, mask):
        raw = torch.exp(q @ k.mT / q.shape[-1] ** 0.5) * mask
        return raw / raw.sum(dim=-1, keepdim=True) @ v

    def pytorchs(q, k, v, mask):
        return nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)

    for answer in (renormalised, pytorchs):
        assert exercises.attention.judge(answer).status == "correct"


def test_other_right_decoder_layers_pass():
    def named(parts, x, memory, mask):
        first, second, third = parts.norms
        own = first(parts.self_attention(x, x, mask) + x)
        both = second(own + parts.cross_attention(own, memory, None))
        return third(parts.feed_forward(both) + both)

    assert exercises.decoder_forward.judge(named).status == "correct"


def drawn(count, seed):
    return torch.tensor(corners.square_sequences(count, seed=seed)[0])


def test_the_leak_may_be_mended_in_other_forms():
    def other_loaders(count, seed):
        return [
            DataLoader(TensorDataset(drawn(count, s)), batch_size=7)
            for s in (seed, seed + 99)
        ]

    def one_draw(count, seed):
        both = drawn(2 * count, seed)
        return batches(both[count:]), batches(both[:count], shuffle=False)

    for answer in (other_loaders, one_draw):
        assert exercises.find_the_leak.judge(answer).status == "correct"


# ------------------------------- for every demand an answer that ignores just this one


def heads_only(query, key, value, mask):
    """Right for (batch, heads, …) and for nothing else."""
    scores = query @ key.permute(0, 1, 3, 2) / query.shape[-1] ** 0.5
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1) @ value


def root_of_the_values(query, key, value, mask):
    scores = query @ key.mT / math.sqrt(value.shape[-1])
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1) @ value


def needs_contiguous(query, key, value, mask):
    scores = query @ key.view(-1, *key.shape[-2:]).mT / query.shape[-1] ** 0.5
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1) @ value


def writes_into_query(query, key, value, mask):
    query /= query.shape[-1] ** 0.5
    scores = query @ key.mT
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1) @ value


def padding_only(query, key, value, mask):
    """Reads the first row of the mask and takes it for all queries."""
    scores = query @ key.mT / query.shape[-1] ** 0.5
    return scores.masked_fill(~mask[..., :1, :], -math.inf).softmax(dim=-1) @ value


@pytest.mark.usefixtures("status_only")
@pytest.mark.parametrize(
    "answer",
    [heads_only, root_of_the_values, needs_contiguous, writes_into_query, padding_only],
)
def test_demands_on_attention(answer):
    assert exercises.attention.judge(answer).status == "incorrect"


@pytest.mark.parametrize(
    ("answer", "mistake"),
    [
        (lambda n: np.tri(n, dtype=bool), "not a tensor"),
        (lambda n: np.tri(n, dtype=bool).tolist(), "not a tensor"),
        (lambda n: torch.ones(n, n).tril(), "numbers"),
        (lambda n: torch.ones(n + 1, n + 1).tril() > 0, "one size too large"),
        (lambda n: torch.ones(1, n, n).tril() > 0, "a batch axis"),
        (lambda n: torch.ones(n, n).triu(), "transposed, in numbers"),
    ],
)
def test_demands_on_the_mask(answer, mistake):
    assert exercises.causal_mask.judge(answer).mistake == mistake


def changes_x(parts, x, memory, mask):
    x += parts.self_attention(x, x, mask)
    return parts.norms[1](parts.norms[0](x))


def right_but_changes_x(parts, x, memory, mask):
    right = exercises.decoder_forward.reference(parts, x, memory, mask)
    x.zero_()
    return right


@pytest.mark.usefixtures("status_only")
@pytest.mark.parametrize("answer", [changes_x, right_but_changes_x])
def test_demands_on_the_decoder(answer):
    assert exercises.decoder_forward.judge(answer).status == "incorrect"


def loaders(train, test):
    return batches(train, size=16), batches(test, size=16, shuffle=False)


def with_noise(spread):
    def answer(count, seed):
        torch.manual_seed(seed)
        train = drawn(count, seed)
        return loaders(train, train + spread * torch.randn_like(train))

    return answer


@pytest.mark.usefixtures("status_only")
@pytest.mark.parametrize(
    ("answer", "mistake"),
    [
        (lambda n, s: (drawn(n, s), drawn(n, s + 1)), "tensors, not loaders"),
        (with_noise(0.01), "noisy copies"),
        (with_noise(0.05), "noisy copies"),
        (with_noise(0.1), "noisy copies"),
        (with_noise(0.15), "noisy copies"),
        (lambda n, s: loaders(drawn(n, s), -drawn(n, s)), "turned copies"),
        (lambda n, s: loaders(drawn(n, s), drawn(n, s).flip(1)), "turned copies"),
        (lambda n, s: loaders(drawn(n, s), drawn(n, s).roll(1, 1)), "turned copies"),
        (lambda n, s: loaders(drawn(n, s), drawn(n, s + 1).half()), None),
        (lambda n, s: loaders(drawn(n, s), 2 * drawn(n, s + 1)), None),
        (lambda n, s: loaders(drawn(n, s), drawn(n, s + 1).sort(1).values), None),
        (lambda n, s: loaders(drawn(n, 1), drawn(n, 2)), "seed ignored"),
        (lambda n, s: loaders(drawn(n, s), drawn(n // 2, s + 1)), None),
        (lambda n, s: loaders(drawn(n, s), drawn(n, s + 1)[:, :2]), "points cut off"),
        (
            lambda n, s: loaders(drawn(n, s), drawn(n, s)[torch.randperm(n)]),
            "still leaking",
        ),
        (
            lambda n, s: loaders(
                torch.cat([drawn(n, s), drawn(n, s + 9)]), drawn(n, s + 9)
            ),
            "both sets in the training set",
        ),
    ],
)
def test_demands_on_the_two_sets(answer, mistake):
    feedback = exercises.find_the_leak.judge(answer)
    assert feedback.status == "incorrect"
    assert mistake is None or feedback.mistake == mistake


def one_shared(count, seed):
    both = drawn(2 * count - 1, seed).to(torch.float32)
    return loaders(both[:count], both[count - 1 :])


@pytest.mark.parametrize("patience", [1])
def test_no_repair_hides_a_shared_sequence():
    feedback = exercises.find_the_leak.judge(one_shared)
    assert feedback.mistake == "one shared"

    def three_shared(count, seed):
        both = drawn(2 * count - 3, seed).to(torch.float32)
        return loaders(both[:count], both[count - 3 :])

    feedback = exercises.find_the_leak.judge(three_shared)
    assert "expected `0`, got `3`" in feedback.message
    for word in ("type of the numbers", "sign", "a factor"):
        assert word not in feedback.message


@pytest.mark.parametrize("patience", [1])  # nothing is found, however long
def test_reciprocals_hide_no_shared_sequence():
    def drawn_twice(count, seed, turned=lambda points: points):
        pool = drawn(count * 2, seed)
        draw = np.random.default_rng(seed)
        train, test = (pool[draw.choice(2 * count, count, replace=False)] for _ in "ab")
        return loaders(turned(train), test)

    feedback = exercises.find_the_leak.judge(drawn_twice)
    assert "expected `0`, got `32`" in feedback.message
    assert "One change" not in feedback.message
    feedback = exercises.find_the_leak.judge(
        lambda count, seed: drawn_twice(count, seed, lambda points: 1 / points)
    )
    assert feedback.status == "incorrect"


def test_one_loader_instead_of_two_is_said_so():
    def one(count, seed):
        return batches(drawn(count, seed))

    feedback = exercises.find_the_leak.judge(one)
    assert feedback.status == "incorrect"
    assert "2" in feedback.message and "DataLoader" in feedback.message


def test_axes_that_fail_on_a_batch_only_are_named():
    def every_axis(query, key, value, mask):
        turned = key.permute(*reversed(range(key.ndim)))
        return (query @ turned / query.shape[-1] ** 0.5).softmax(dim=-1) @ value

    told = exercises.attention.judge(every_axis)  # it uses no mask either
    assert told.mistake == "mask forgotten, and all axes reversed"


def test_who_asks_whom_in_the_cross_attention_is_said_truly():
    def asked(*both):
        def answer(parts, x, memory, mask):
            given = {"x": x, "memory": memory}
            x = parts.norms[0](x + parts.self_attention(x, x, mask))
            given["x"] = x
            x = parts.norms[1](x + parts.cross_attention(*(given[n] for n in both)))
            return parts.norms[2](x + parts.feed_forward(x))

        return exercises.decoder_forward.judge(answer).mistake

    assert asked("memory", "memory") == "memory asks itself"
    assert asked("memory", "x") == "memory asks"


def test_a_layer_norm_that_is_missing_is_named():
    for n, which in enumerate(("first", "second", "last")):
        code = exercises.decoder_forward.solution_code
        changed = code.replace(f"parts.norms[{n}]", "")
        told = exercises.decoder_forward.judge(answers.answer(changed))
        assert told.mistake == f"{which} layer norm forgotten"


def test_a_test_loader_that_shuffles_is_not_said_to_be_the_first():
    def shuffled(count, seed):
        train, test = drawn(count, seed), drawn(count, seed + 1)
        return batches(train, size=16, shuffle=False), batches(test, size=16)

    told = exercises.find_the_leak.judge(shuffled)
    assert "or `shuffle`?" in told.message


def test_exponentials_are_no_weights_yet():
    told = exercises.attention.judge(_attention(lambda s, m: torch.exp(s) * m))
    assert told.mistake == "exponentials without their sum"


def _attention(turned):
    def answer(query, key, value, mask):
        scores = query @ key.mT / query.shape[-1] ** 0.5
        return turned(scores, mask) @ value

    return answer


def test_sentences_about_the_mask_fit_other_functions_and_a_softmax_that_is_missing():
    def pytorchs(q, k, v, mask):
        return nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=~mask)

    told = exercises.attention.judge(pytorchs)
    assert told.mistake == "mask inverted"
    assert "`scaled_dot_product_attention` looks there" in told.message
    told = exercises.attention.judge(_attention(lambda s, m: s.masked_fill(~m, 0.0)))
    assert "no softmax" in told.mistake
    assert "still a weight" not in told.message


def test_the_notebooks_weights_are_told_to_be_its_own():
    code = "def attention(query, key, value, mask):\n    return weights @ value\n"
    told = exercises.attention.judge(answers.answer(code, weights=torch.rand(3, 3)))
    assert told.mistake == "uses the notebook's data"
    assert "`weights` is none of its arguments" in told.message


def test_a_first_row_by_hand_is_named():
    def by_hand(size):
        mask = torch.ones(size, size, dtype=torch.bool).tril(-1)
        mask[0, 0] = True
        return mask

    told = exercises.causal_mask.judge(by_hand)
    assert told.mistake == "not itself, but for the first"


def test_two_draws_cut_in_half_are_not_sent_to_draw_again():
    def halves(count, seed):
        first, second = drawn(count, seed), drawn(count, seed + 1)
        return loaders(first[: count // 2], second[count // 2 :])

    told = exercises.find_the_leak.judge(halves)
    assert told.mistake == "split"
    assert "Draw a second" not in told.message


def test_tensors_for_loaders_are_told_whatever_they_hold():
    def same(count, seed):
        return drawn(count, seed), drawn(count, seed)

    told = exercises.find_the_leak.judge(same)
    assert told.mistake == "tensors, not loaders"
    assert "right" not in told.message
