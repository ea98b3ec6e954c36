"""The exercises of notebook 05: what passes, and each demand of the texts enforced."""

from collections import OrderedDict

import answers
import pytest
import torch
from torch import nn

from helpers import sinusoidal_table
from helpers.exercises import module as exercises


def _class_of(keep, forward):
    class Repaired(nn.Module):
        def __init__(self, d_model, max_len):
            super().__init__()
            keep(self, sinusoidal_table(max_len, d_model))

    Repaired.forward = forward
    return Repaired


def _in_place_on_a_copy(self, x):
    x = x.clone()
    x += self.table[: x.shape[1]]
    return x


def _keep_positions_too(self, table):
    self.register_buffer("table", table, False)
    self.register_buffer("positions", torch.arange(len(table)), False)


def _looked_up(self, x):
    return x + nn.functional.embedding(self.positions[: x.shape[1]], self.table)


@pytest.mark.parametrize(
    "repaired",
    [
        _class_of(
            lambda self, table: self.register_buffer("pe", table),
            lambda self, x: x + self.pe[: x.shape[1]],
        ),
        _class_of(
            lambda self, table: self.register_buffer("table", table[None], False),
            lambda self, x: self.table[:, : x.shape[1]] + x,
        ),
        _class_of(
            lambda self, table: self.register_buffer("table", table, False),
            _in_place_on_a_copy,
        ),
        _class_of(_keep_positions_too, _looked_up),
    ],
    ids=[
        "another name, persistent",
        "a dimension for the batch",
        "on a copy",
        "with its positions in a buffer",
    ],
)
def test_other_right_repairs_pass(repaired):
    assert exercises.clinic_e.judge(repaired).status == "correct"


def _repair_with_a_table_of(rows, columns):
    return _class_of(
        lambda self, table: self.register_buffer(
            "table",
            sinusoidal_table(rows or len(table), columns or table.shape[1]),
            persistent=False,
        ),
        lambda self, x: x + self.table[: x.shape[1]],
    )


@pytest.mark.parametrize(
    ("rows", "columns", "mistake"),
    [
        (5000, None, "max_len ignored"),
        (None, 512, "d_model ignored"),
        (5000, 512, "both arguments ignored"),
        (None, None, None),
    ],
)
def test_both_arguments_count_in_the_clinic(rows, columns, mistake):
    repaired = _repair_with_a_table_of(rows, columns)
    feedback = exercises.clinic_d.judge(repaired)
    assert feedback.mistake == mistake
    assert (feedback.status == "correct") == (mistake is None)


def _as_a_list(self, table):
    self.rows = list(table)


def _as_an_array(self, table):
    self.rows = list(table.numpy())


@pytest.mark.parametrize("keep", [_as_a_list, _as_an_array])
def test_what_is_no_tensor_of_the_module_is_not_said_to_be_of_its_class(keep):
    kept = _class_of(
        keep,
        lambda self, x: (
            x + torch.stack([torch.as_tensor(r) for r in self.rows[: x.shape[1]]])
        ),
    )
    feedback = exercises.clinic_b.judge(kept)
    assert "neither a buffer nor a tensor of the module's own" in feedback.message


@pytest.mark.usefixtures("status_only")
def test_a_table_may_be_longer_than_5000():
    short = _class_of(
        lambda self, table: self.register_buffer("table", table[:5000]),
        lambda self, x: x + self.table[: x.shape[1]],
    )
    feedback = exercises.clinic_d.judge(short)
    assert "expected `50030`, got `50000`" in feedback.message


def test_a_repair_lets_the_gradient_through():
    detached = _class_of(
        lambda self, table: self.register_buffer("table", table),
        lambda self, x: x.detach() + self.table[: x.shape[1]],
    )
    feedback = exercises.clinic_e.judge(detached)
    assert feedback.mistake == "cut off from the gradient"


@pytest.mark.usefixtures("status_only")
def test_dropout_must_be_the_one_that_is_given():
    def dropped_at_another_rate(table, x, dropout):
        return nn.functional.dropout(x + table[: x.shape[1]], 0.35)

    def switched_by_hand(table, x, dropout):
        summed = x + table[: x.shape[1]]
        return nn.functional.dropout(summed, dropout.p, training=dropout.training)

    feedback = exercises.forward.judge(dropped_at_another_rate)
    assert "two calls in eval mode: expected equal, got different" in feedback.message
    assert exercises.forward.judge(switched_by_hand).status == "correct"


@pytest.mark.usefixtures("status_only")
def test_what_returns_nothing_or_no_dict_is_told_so():
    def prints(table, x, dropout):
        print(dropout(x + table[: x.shape[1]]))

    silent = _class_of(lambda self, table: None, lambda self, x: None)
    assert exercises.forward.judge(prints).mistake == "printed"
    assert exercises.clinic_b.judge(silent).mistake == "no return"
    feedback = exercises.resize_checkpoint.judge(lambda state, n: [state])
    assert "expected a new dict, got a list" in feedback.message


# ------------------------------- for every demand an answer that ignores just this one


def adds_in_place(table, x, dropout):
    x += table[: x.shape[1]]
    return dropout(x)


def writes_into_the_table(table, x, dropout):
    table *= 1.5
    return dropout(x + table[: x.shape[1]] / 1.5)


def of_numpy(table, x, dropout):
    return dropout(x + table[: x.shape[1]]).numpy()


def of_width_six(table, x, dropout):
    return dropout(x + table[: x.shape[-1]])


@pytest.mark.parametrize(
    "answer", [adds_in_place, writes_into_the_table, of_numpy, of_width_six]
)
def test_demands_on_the_forward_pass(answer):
    assert exercises.forward.judge(answer).status == "incorrect"


def with_table(make, also=None):
    """A resizing that is right but for the table or for the dict."""

    def answer(state, max_len):
        new = {**state, "table": make(max_len, state["table"].shape[1])}
        return also(state, new) if also else new

    return answer


@pytest.mark.parametrize(
    ("answer", "mistake"),
    [
        (with_table(lambda n, d: sinusoidal_table(n, d).numpy()), "a NumPy table"),
        (with_table(lambda n, d: sinusoidal_table(n, 8)), "width typed in"),
        (with_table(lambda n, d: sinusoidal_table(n + 1, d)), None),
        (
            with_table(sinusoidal_table, lambda old, new: {"table": new["table"]}),
            "only the table",
        ),
        (
            with_table(sinusoidal_table, lambda old, new: (old.update(new), old)[1]),
            "changes the old checkpoint",
        ),
        (with_table(sinusoidal_table, lambda old, new: {**new, "more": 1}), None),
        (with_table(sinusoidal_table, lambda old, new: [*new.items()]), None),
    ],
)
def test_demands_on_a_resized_checkpoint(answer, mistake):
    feedback = exercises.resize_checkpoint.judge(answer)
    assert feedback.status == "incorrect"
    assert mistake is None or feedback.mistake == mistake


def test_other_right_checkpoints_pass():
    ordered = with_table(sinusoidal_table, lambda old, new: OrderedDict(new))
    cloned = with_table(
        sinusoidal_table, lambda old, new: {k: v.clone() for k, v in new.items()}
    )
    for answer in (ordered, cloned):
        assert exercises.resize_checkpoint.judge(answer).status == "correct"


def _register(self, table):
    self.register_buffer("table", table, persistent=False)


def _sum(self, x):
    return x + self.table[: x.shape[1]]


def _writes_into_its_table(self, x):
    result = x + self.table[: x.shape[1]]
    self.table.mul_(2)
    return result


def _keeps_its_last_sum(self, x):
    if not hasattr(self, "seen"):
        object.__setattr__(self, "seen", [x + self.table[: x.shape[1]]])
    return self.seen[0]


def _only_in_one_block(self, x):
    return x + self.table[: x.shape[1]] if x.is_contiguous() else x.clone()


@pytest.mark.usefixtures("status_only")
@pytest.mark.parametrize(
    "answer",
    [
        _class_of(_register, _writes_into_its_table),
        _class_of(_register, _keeps_its_last_sum),
        _class_of(_register, _only_in_one_block),
        _class_of(lambda self, table: _register(self, table.requires_grad_()), _sum),
        _class_of(lambda self, table: setattr(self, "table", table), _sum),
        _class_of(lambda self, table: _register(self, table[:, :2]), _sum),
        _class_of(
            lambda self, table: _register(self, sinusoidal_table(99, table.shape[1])),
            _sum,
        ),
        _class_of(_register, lambda self, x: (x + self.table[: x.shape[1]]).float()),
        _class_of(_register, lambda self, x: _sum(self, x).detach()),
    ],
)
def test_demands_on_a_repaired_module(answer):
    for clinic in (exercises.clinic_e, exercises.clinic_a):
        assert clinic.judge(answer).status == "incorrect"


def _plain_with_a_to_of_its_own(self, *where):
    self.table = self.table.to(*where)
    return self


def test_a_to_of_its_own_is_told_from_code_in_forward():
    def keep(self, table):
        self.table = table

    def moves(self, x):
        return x + self.table[: x.shape[1]].to(x)

    own = _class_of(keep, _sum)
    own.to = _plain_with_a_to_of_its_own
    told = exercises.clinic_b.judge(own)
    assert told.mistake == "a `.to()` of its own"
    told = exercises.clinic_b.judge(_class_of(keep, moves))
    assert told.mistake == "moved by your own code"


def test_a_list_that_forward_moves_is_not_said_to_be_computed_anew():
    def keep(self, table):
        self.rows = [table]

    def forward(self, x):
        return x + self.rows[0][: x.shape[1]].to(x)

    told = exercises.clinic_b.judge(_class_of(keep, forward))
    assert told.mistake == "table rebuilt every call"
    assert "or kept where PyTorch does not look" in told.message


def _changed_and_changed_back(self, x):
    rows = self.table[: x.shape[1]]
    x += rows
    summed = x.clone()
    x -= rows
    return summed


def _sentence_by_sentence(self, x):
    for sentence in x:
        sentence += self.table[: len(sentence)]
    return x


def _as_a_new_tensor(self, x):
    return torch.from_numpy(x.detach().numpy().copy()).to(x) + self.table[: x.shape[1]]


def _as_it_came(self, x):
    return x


@pytest.mark.parametrize(
    ("forward", "mistake", "says", "does_not_say"),
    [
        (_changed_and_changed_back, "changed and changed back", "last digits", "new"),
        (_sentence_by_sentence, "modifies its input", "input is changed", "raised"),
        (_as_a_new_tensor, "cut off from the gradient", "NumPy", "without"),
        (_as_it_came, "sum thrown away", "as it was", "is computed"),
    ],
)
def test_what_forward_does_to_its_input_is_said_truly(
    forward, mistake, says, does_not_say
):
    told = exercises.clinic_e.judge(_class_of(_register, forward))
    assert told.mistake == mistake
    assert says in told.message
    assert f" {does_not_say} " not in told.message.replace("makes a new tensor", "")


def test_a_class_that_takes_other_arguments_is_told_so():
    class Handed(nn.Module):
        def __init__(self, table):
            super().__init__()
            self.register_buffer("table", table)

    told = exercises.clinic_a.judge(Handed)
    assert told.mistake == "arguments"
    assert "`(d_model, max_len)`; yours takes `(table)`" in told.message


def test_a_checkpoint_cut_everywhere_else_is_named():
    def cut(state, max_len):
        table = sinusoidal_table(max_len, state["table"].shape[1])
        return {k: v[:max_len] for k, v in state.items()} | {"table": table}

    def by_rows(state, max_len):
        return {**state, "table": sinusoidal_table(max_len, len(state["table"]))}

    assert exercises.resize_checkpoint.judge(cut).mistake == "every entry is cut"
    told = exercises.resize_checkpoint.judge(by_rows)
    assert told.mistake == "rows taken for columns"
    assert "exchanged" not in told.message


def test_who_switches_the_mode_of_dropout_is_told_so():
    for mode in (True, False):

        def switches(table, x, dropout, mode=mode):
            return dropout.train(mode)(x + table[: x.shape[1]])

        told = exercises.forward.judge(switches)
        assert told.mistake == "the mode switched"


def test_a_buffer_that_forward_converts_is_not_said_to_be_another_table():
    def converts(self, x):
        return x + self.table[: x.shape[1]].float()

    told = exercises.clinic_b.judge(_class_of(_register, converts))
    assert told.mistake == "registered, and another one used"
    assert "the buffer converted, or a new one" in told.message


def test_positions_without_the_input_are_told():
    def filled(self, x):
        made = torch.empty_like(x)
        made[:] = self.table[: x.shape[1]]
        return made

    for forward in (filled, lambda self, x: self.table[: x.shape[1]]):
        told = exercises.clinic_e.judge(_class_of(_register, forward))
        assert told.mistake == "the table alone"


@pytest.mark.usefixtures("status_only")
def test_a_module_without_a_forward_is_told_so():
    class Misspelt(nn.Module):
        def __init__(self, d_model, max_len):
            super().__init__()
            self.register_buffer("table", sinusoidal_table(max_len, d_model))

        def foward(self, x):
            return x + self.table[: x.shape[1]]

    told = exercises.clinic_a.judge(Misspelt)
    assert told.status == "incorrect"
    assert 'missing the required "forward" function' in told.message


@pytest.mark.usefixtures("status_only")
def test_what_else_is_seen_of_a_module_is_told():
    code = """
class PatientD(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()
        wide = sinusoidal_table(max_len, 512)
        self.register_buffer("table", wide, persistent=False)
        self.fit = nn.Linear(512, d_model, bias=False)

    def forward(self, x):
        return x + self.fit(self.table[: x.shape[1]])
"""
    made = answers.answer(code, nn=nn, sinusoidal_table=sinusoidal_table)
    feedback = exercises.clinic_d.judge(made)
    assert "the output: first difference" in feedback.message
    assert "Tensors that are trained: expected `0`, got `1`." in feedback.message
