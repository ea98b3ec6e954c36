"""Notebook 06: its own definitions against PyTorch's."""

import torch
from defined import definitions
from torch import nn

NOTEBOOK = definitions("encoder_decoder")


def normal(*shape, seed=0):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


def test_attention_is_pytorchs():
    query, key, value = normal(3, 2, 3, 6, 8)
    mask = normal(6, 6) > 0
    mask[:, 0] = True  # somebody to look at, in every row
    theirs = nn.functional.scaled_dot_product_attention(query, key, value, mask)
    ours, weights = NOTEBOOK["attend"](query, key, value, mask)
    assert torch.allclose(ours, theirs, atol=1e-5)
    assert torch.allclose(weights @ value, ours, atol=1e-5)


def give_weights(ours, theirs):
    """Copy a layer of several heads into PyTorch's."""
    for name in ("weight", "bias"):
        three = (getattr(x, name) for x in (ours.query, ours.key, ours.value))
        getattr(theirs, f"in_proj_{name}").data = torch.cat(list(three)).detach()
    theirs.out_proj.load_state_dict(ours.out.state_dict())


def give(ours, theirs):
    """Copy a layer into PyTorch's, with norms that are not alike."""
    give_weights(ours.self_attention, theirs.self_attn)
    theirs.linear1.load_state_dict(ours.feed_forward[0].state_dict())
    theirs.linear2.load_state_dict(ours.feed_forward[2].state_dict())
    for number, norm in enumerate(ours.norms, start=1):
        norm.weight.data = 1 + 0.1 * normal(len(norm.weight), seed=number)
        getattr(theirs, f"norm{number}").load_state_dict(norm.state_dict())


def test_the_layers_are_pytorchs():
    torch.manual_seed(0)
    details = {"dropout": 0.0, "batch_first": True}
    ours = NOTEBOOK["EncoderLayer"](16, 2)
    theirs = nn.TransformerEncoderLayer(16, 2, 64, **details)
    give(ours, theirs)
    x, memory = normal(3, 5, 16), normal(3, 7, 16, seed=1)
    assert torch.allclose(ours(x), theirs(x), atol=1e-5)

    ours = NOTEBOOK["DecoderLayer"](16, 2)
    theirs = nn.TransformerDecoderLayer(16, 2, 64, **details)
    give(ours, theirs)
    give_weights(ours.cross_attention, theirs.multihead_attn)
    mask = torch.ones(5, 5, dtype=torch.bool).tril()
    expected = theirs(x, memory, tgt_mask=~mask)
    assert torch.allclose(ours(x, memory, mask), expected, atol=1e-5)
