"""The shipped rotation in place of that of published models; needs `.[published]`."""

import pytest
import torch
from torch.testing import assert_close

from helpers import RotaryEncoding

pytestmark = [
    pytest.mark.slow,  # .ci/run installs the package
    pytest.mark.filterwarnings("ignore"),  # of the package's own making
]


@pytest.fixture(scope="module")
def transformers():
    return pytest.importorskip("transformers", reason="pip install -e '.[published]'")


def test_it_turns_as_gptj_does(transformers):
    from transformers.models.gptj import modeling_gptj as gptj

    x = torch.randn(2, 4, 7, 16, generator=torch.Generator().manual_seed(0))
    positions = torch.stack([torch.arange(7), torch.arange(90, 97)])
    sine, cosine = gptj.create_sinusoidal_positions(128, 16)[positions].chunk(2, -1)
    expected = gptj.apply_rotary_pos_emb(x.transpose(1, 2), sine, cosine)
    module = RotaryEncoding(16, 128, layout="interleaved")
    result = module(x, positions=positions).transpose(1, 2)
    assert_close(result, expected, atol=3e-5, rtol=0)  # its angles are float32


def test_llama_gives_the_same_logits(transformers, monkeypatch):
    """Its attention with this rotation in place of its own, with padding on the left."""
    from transformers.models.llama import modeling_llama as llama

    config = transformers.LlamaConfig(
        hidden_size=64,
        num_attention_heads=4,
        num_key_value_heads=2,
        vocab_size=50,
        num_hidden_layers=2,
        intermediate_size=64,
    )
    model, module = llama.LlamaForCausalLM(config).eval(), RotaryEncoding(16, 256)
    ids = torch.randint(0, 50, (2, 9), generator=torch.Generator().manual_seed(0))
    mask = torch.ones(2, 9, dtype=torch.long)
    mask[1, :4] = 0
    positions = (mask.cumsum(1) - 1).clamp(min=0)
    call = {"attention_mask": mask, "position_ids": positions}
    calls = []

    def ours(q, k, *_, **__):
        calls.append(q)
        return module(q, positions=positions), module(k, positions=positions)

    with torch.no_grad():
        expected = model(ids, **call).logits
        monkeypatch.setattr(llama, "apply_rotary_pos_emb", ours)
        result = model(ids, **call).logits
    assert len(calls) == config.num_hidden_layers
    assert_close(result[mask.bool()], expected[mask.bool()], atol=1e-4, rtol=0)
