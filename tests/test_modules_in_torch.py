"""Both shipped modules where torch compiles or exports them, or empties their table."""

import pytest
import torch
from references import batch
from torch.testing import assert_close

from helpers import PositionalEncoding, RotaryEncoding

pytestmark = pytest.mark.filterwarnings("default")  # torch warns of its own
both_modules = pytest.mark.parametrize("made", [PositionalEncoding, RotaryEncoding])


def embedded(made, length):
    """An input: two rows, and two heads where the module turns heads."""
    heads = [2] * (made is RotaryEncoding)
    return batch(2, *heads, length, 8)


@both_modules
@pytest.mark.parametrize("by_row", [False, True])
def test_forty_steps_need_two_graphs(made, by_row):
    """This backend traces like any other, gradients too, and needs no C++ compiler."""
    from torch._dynamo.testing import CompileCounterWithBackend  # takes two seconds

    module, x = made(8, max_len=64).eval(), embedded(made, 1).requires_grad_()
    torch.compiler.reset()
    counted = CompileCounterWithBackend("aot_eager")
    compiled = torch.compile(module, backend=counted, fullgraph=True)
    for step in range(40):
        where = {"start": step}
        if by_row:
            where = {"positions": torch.tensor([[step], [step + 7]])}
        results = [call(x, **where) for call in (compiled, module)]
        assert_close(*results)
        gradients = [torch.autograd.grad(y.square().sum(), x) for y in results]
        assert_close(*gradients)
    assert counted.frame_count <= 2


@both_modules
@pytest.mark.parametrize("wrong", [-1, 10])
def test_compiled_code_refuses_a_position_without_a_row(made, wrong):
    compiled = torch.compile(made(8, max_len=10), backend="eager", fullgraph=True)
    with pytest.raises(IndexError, match="out of range"):
        compiled(embedded(made, 1), positions=torch.tensor([[0], [wrong]]))


@both_modules
def test_export_with_a_length_that_varies(made):
    module, length = made(8).eval(), torch.export.Dim("length", max=60)
    short, long = (embedded(made, n) for n in (5, 9))
    ids = torch.randint(0, 5000, (2, 9))
    program = torch.export.export(
        module,
        (short,),
        {"positions": ids[:, :5].contiguous()},
        dynamic_shapes={"x": {short.dim() - 2: length}, "positions": {1: length}},
    )
    assert_close(program.module()(long, positions=ids), module(long, positions=ids))


@both_modules
def test_a_table_without_values_gets_them(made):
    """Nothing in a checkpoint fills a buffer that is not persistent."""
    whole, x = made(8), embedded(made, 3)
    assert not whole.state_dict() and not list(whole.parameters())
    with torch.device("meta"):
        module = made(8)
        assert module(torch.zeros_like(x, device="meta")).is_meta
    with pytest.raises(RuntimeError, match=r"call the module's reset_parameters\(\)"):
        module(x)
    module.reset_parameters()
    assert torch.equal(module.table, whole.table)
    module.table.zero_()
    assert torch.equal(module.to_empty(device="cpu").table, whole.table)
    exact = module.half().double().table  # computed again, not widened
    assert torch.equal(exact.float(), whole.table) and (exact != whole.table).any()
