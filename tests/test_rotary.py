"""Notebook 07: rotation, layouts and theorems; what its readers do."""

import ast
import math
import re

import answers
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from references import adjacent, halves, rows, turned_by_hand
from stored import code_cells, notebook_of

from helpers import encoding
from helpers.exercises import rotary


def diagonal_spread(scores):
    """Plain loops: the largest difference between scores with the same offset."""
    found = {}
    for p, row in enumerate(scores):
        for j, score in enumerate(row):
            found.setdefault(j - p, []).append(float(score))
    return max(max(same) - min(same) for same in found.values())


@given(
    st.integers(1, 16),
    st.lists(st.integers(-300, 5000), min_size=1, max_size=6),
    st.integers(0, 99),
)
def test_rotate_is_the_loop_and_the_matrix(pairs, positions, seed):
    x = rows(len(positions), 2 * pairs, seed)
    turned = rotary.rotate.reference(x, np.array(positions))
    assert turned == pytest.approx(turned_by_hand(x, positions, adjacent), abs=1e-9)
    whole = [
        encoding.rotation_matrix(pos, 2 * pairs) @ row
        for pos, row in zip(positions, x, strict=True)
    ]
    assert turned == pytest.approx(np.array(whole), abs=1e-9)
    assert np.linalg.norm(turned, axis=1) == pytest.approx(np.linalg.norm(x, axis=1))


@pytest.mark.parametrize("d_model", [2, 6, 64, 128])
@pytest.mark.parametrize("start", [0, 3, 1000])
def test_rotated_scores_are_constant_along_diagonals(d_model, start):
    query, key = (np.tile(rows(1, d_model, seed), (40, 1)) for seed in (1, 2))
    positions = np.arange(start, start + 40)
    made = rotary.scores.reference(query, key, positions)
    assert diagonal_spread(made) < 1e-12 * max(1, start)
    table = encoding.positional_encoding(start + 40, d_model)[start:]
    assert diagonal_spread((query + table) @ (key + table).T) > 1


def test_both_layouts_agree_after_permuting_columns():
    for d_model in (4, 8, 64):
        x, positions = rows(9, d_model), np.arange(5, 14)
        order = np.r_[0:d_model:2, 1:d_model:2]
        turned = rotary.rotate.reference(x, positions)
        apart = rotary.spot_the_layout_bug.reference(x[:, order], positions)
        assert np.abs(turned[:, order] - apart).max() < 1e-12
        assert apart == pytest.approx(turned_by_hand(x[:, order], positions, halves))


def test_mixed_layouts_and_opposite_turns_are_not_offset_only():
    positions = np.arange(30)
    query, key = (np.tile(rows(1, 16, seed), (30, 1)) for seed in (1, 2))
    one = turned_by_hand(query, positions, adjacent)
    assert diagonal_spread(one @ turned_by_hand(key, positions, adjacent).T) < 1e-12
    assert diagonal_spread(one @ turned_by_hand(key, positions, halves).T) > 1
    assert (
        diagonal_spread(one @ turned_by_hand(key, positions, adjacent, sign=-1).T) > 1
    )


def test_the_published_sign_is_offset_only_and_told_kindly():
    def published(x, positions):
        return turned_by_hand(x, positions, adjacent, sign=-1)

    feedback = rotary.rotate.judge(published)
    assert feedback.mistake == "other sign"
    assert feedback.message.startswith("A rotation, but the other way round.")
    query, key = (np.tile(rows(1, 16, seed), (30, 1)) for seed in (1, 2))
    both = published(query, range(30)) @ published(key, range(30)).T
    assert diagonal_spread(both) < 1e-12


def test_the_layout_bug_is_a_bug_and_hides_at_two_columns():
    namespace = {"np": np}
    exec(rotary.spot_the_layout_bug.stub, namespace)
    faulty, right = namespace["turn_halves"], rotary.spot_the_layout_bug.reference
    positions = np.arange(12)
    x = rows(12, 8)
    assert np.abs(faulty(x, positions) - right(x, positions)).max() > 0.5
    assert faulty(x, 0 * positions) == pytest.approx(x)
    assert np.array_equal(faulty(x[:, :2], positions), right(x[:, :2], positions))


def test_a_right_answer_that_builds_matrices_is_told():
    def by_matrix(x, positions):
        turned = [
            encoding.rotation_matrix(int(pos), x.shape[1]) @ row
            for pos, row in zip(positions, x, strict=True)
        ]
        return np.array(turned)

    feedback = rotary.rotate.judge(by_matrix)
    assert (feedback.status, feedback.mistake) == ("incorrect", "a matrix")

    def in_a_loop(x, positions):
        return turned_by_hand(x.tolist(), positions.tolist(), adjacent)

    assert rotary.rotate.judge(in_a_loop).status == "correct"


def test_other_right_answers_pass():
    torch = pytest.importorskip("torch")

    def as_complex(x, positions):
        theta = 10_000.0 ** (-np.arange(0, x.shape[1], 2) / x.shape[1])
        pairs = x[:, 0::2] + 1j * x[:, 1::2]
        turned = pairs * np.exp(-1j * positions[:, None] * theta)
        return np.stack([turned.real, turned.imag], axis=2).reshape(x.shape)

    def chosen(offset, slope):
        return torch.where(offset > 0, -torch.inf, slope * offset)

    def from_wavelengths(d_head, base):
        return [math.pi * base ** (2 * i / d_head) for i in range(d_head // 2)]

    def by_dictionary(scores):
        return diagonal_spread(scores.tolist())

    def by_one_side(query, key, positions):
        offset = rotary.rotate.reference
        return np.array(
            [
                [
                    offset(q[None], positions[[r]] - positions[[c]])[0] @ key[c]
                    for c in range(len(key))
                ]
                for r, q in enumerate(query)
            ]
        )

    for task, answer in (
        (rotary.rotate, as_complex),
        (rotary.one_sided, chosen),
        (rotary.half_turns, from_wavelengths),
        (rotary.offset_spread, by_dictionary),
        (rotary.scores, by_one_side),
    ):
        assert task.judge(answer).status == "correct", task


def test_half_turns_are_where_the_sine_changes_its_sign():
    for base in (500, 10_000):
        half = rotary.half_turns.reference(16, base)
        for i, offset in enumerate(half):
            theta = 1 / base ** (2 * i / 16)
            assert math.sin(0.99 * offset * theta) > 0 > math.sin(1.01 * offset * theta)


@pytest.mark.parametrize("seed", range(3))
def test_offset_spread_is_the_double_loop(seed):
    scores = rows(7, 7, seed)
    made = rotary.offset_spread.reference(scores)
    assert made == pytest.approx(diagonal_spread(scores))


# The notebook


@pytest.fixture(scope="module")
def notebook():
    return notebook_of("rotary")


@pytest.fixture(scope="module")
def names(notebook):
    """The notebook's own definitions, without its training."""
    kept = {"n", "d_model", "q", "k", "PE", "angles", "A", "B", "FILLERS"}
    namespace = {}
    for cell in code_cells(notebook):
        body = ast.parse(cell.source).body
        wanted = [node for node in body if _is_definition(node, kept)]
        exec(compile(ast.Module(wanted, []), "<cell>", "exec"), namespace)
    return namespace


def _is_definition(node, kept):
    if isinstance(node, ast.Assign):
        names = {name.id for name in ast.walk(node.targets[0]) if hasattr(name, "id")}
        return names <= kept
    return isinstance(node, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef))


def some(names, task, *size, seed=0):
    return names[task](*size, names["torch"].Generator().manual_seed(seed))


def made(names, code, seed=3):
    names["torch"].manual_seed(seed)
    return names[code]()


def test_the_tasks_are_what_they_say(names):
    for task, truth in (
        ("sequences", lambda a, b: a < b),
        ("neighbours", lambda a, b: b == a + 1),
    ):
        tokens, answer = some(names, task, 1000, 12)
        for row, said in zip(tokens.tolist(), answer, strict=True):
            assert row.count(0) == row.count(1) == 1
            assert truth(row.index(0), row.index(1)) == bool(said)
            assert max(row) < 10
        assert 0.45 < answer.float().mean() < 0.56


def test_mirror_images_look_the_same_to_a_symmetric_bias(names):
    tokens, _ = some(names, "sequences", 40, 16)
    for code in ("Reader", "Placed", "LinearBias"):
        reader = made(names, code)
        assert (reader(tokens) - reader(tokens.flip(-1))).abs().max() < 1e-5
    for code in ("Sinusoidal", "Learned", "Rotary", "OneSided", "SideOnly"):
        reader = made(names, code)
        assert (reader(tokens) - reader(tokens.flip(-1))).abs().max() > 1e-3


def test_the_places_do_nothing_until_they_are_filled(names):
    tokens, _ = some(names, "sequences", 40, 16)
    assert names["torch"].equal(
        made(names, "Reader")(tokens), made(names, "Placed")(tokens)
    )


def test_rotary_readers_turn_by_the_matrix(names):
    torch, reader = names["torch"], made(names, "Rotary")
    reader.theta = torch.tensor(encoding.angular_speeds(16))
    x, positions = torch.randn(3, 9, 16).double(), torch.arange(9.0).double()
    turned = reader.turn(x, positions)
    for row, done in zip(x.numpy(), turned.numpy(), strict=True):
        assert done == pytest.approx(turned_by_hand(row, range(9), adjacent), abs=1e-9)


def test_a_rotary_reader_sees_the_offset_alone(names):
    """The same sequence with fillers around it that nobody looks at differently."""
    reader = made(names, "Rotary")
    torch = names["torch"]
    tokens, _ = some(names, "sequences", 20, 16)
    seen = reader(tokens)
    moved = reader.turn
    reader.turn = lambda x, positions: moved(x, positions + 100)
    assert torch.allclose(reader(tokens), seen, atol=1e-4)


def test_layouts_of_the_notebook_agree_after_sorting_columns(names):
    x, angles = rows(names["n"], 64), names["angles"]
    order = np.r_[0:64:2, 1:64:2]
    near = names["turn_adjacent"](x, angles)
    assert np.array_equal(
        near[:, order], names["turn_halves_apart"](x[:, order], angles)
    )
    wanted = turned_by_hand(x, range(names["n"]), adjacent)
    assert near == pytest.approx(wanted, abs=1e-9)


def test_a_converted_weight_has_its_rows_sorted_head_by_head():
    """What the text says of conversion scripts: rows, not columns, for each head."""
    heads, width, positions = 3, 8, np.arange(11)
    rng = np.random.default_rng(0)
    tokens = rng.normal(size=(11, 24))
    weights = rng.normal(size=(2, 24, 24))  # as nn.Linear has them: (out, in)
    order = np.r_[0:width:2, 1:width:2]
    by_head = np.concatenate([head * width + order for head in range(heads)])

    def scores(weights, partner, head):
        part = slice(head * width, (head + 1) * width)
        q, k = ((tokens @ w.T)[:, part] for w in weights)
        return (
            turned_by_hand(q, positions, partner)
            @ turned_by_hand(k, positions, partner).T
        )

    for head in range(heads):
        wanted = scores(weights, adjacent, head)
        rows_sorted = scores(weights[:, by_head], halves, head)
        assert rows_sorted == pytest.approx(wanted, abs=1e-9)
        columns_sorted = scores(weights[:, :, by_head], halves, head)
        assert np.abs(columns_sorted - wanted).max() > 1


def test_the_learned_table_is_trained_and_the_sinusoids_are_the_shipped_ones(names):
    torch = names["torch"]
    learned, fixed = made(names, "Learned"), made(names, "Sinusoidal")
    assert "table" in dict(learned.named_parameters())
    x = torch.zeros(2, 7, 32)
    assert torch.equal(learned.add(x)[0], learned.table[:7])
    wanted = encoding.positional_encoding(7, 32)
    assert fixed.add(x)[1].numpy() == pytest.approx(wanted, abs=1e-6)


def test_stopping_a_hand_leaves_the_reader_as_it_was(names):
    reader = made(names, "Rotary")
    before = reader.theta.clone()
    shares = names["stopped"]([reader])
    assert shares.shape == (8,)
    assert names["torch"].equal(reader.theta, before)


# What the stored outputs show is what the text tells, at other seeds as well


def stored(notebook, piece):
    (cell,) = [cell for cell in code_cells(notebook) if piece in cell.source]
    return cell.outputs[-1].data["text/plain"]


def test_the_stored_results_are_the_ones_that_the_text_tells(notebook):
    said = stored(notebook, "pictures.extrapolation")
    able = dict(re.findall(r"At (\d+) every seed is above 0.9 for: ([^.]*)\.", said))
    assert able["16"] == "learned, sinusoidal, rotary and one-sided bias"
    assert able["24"] == able["32"] == "rotary and one-sided bias"
    assert able["64"] == "one-sided bias"
    missed = stored(notebook, "pictures.stopped_hands")
    assert re.findall(r"pair (\d)", missed)[:4] == ["2", "2", "1", "1"]
    shares = re.findall(
        r"([\d.]+) outside the bands, ([\d.]+) inside",
        stored(notebook, "pictures.reach("),
    )
    assert len(shares) == 4
    for outside, inside in shares:
        assert float(outside) > 0.85 and float(outside) - float(inside) > 0.3


def test_llama_slows_down_as_many_hands_as_the_text_says(names):
    """Llama 3.1's published `rope_scaling`: factor 8, 1 to 4 turns in 8192."""
    count, theta = names["slow_hands"], encoding.angular_speeds(128, 500_000)
    turns = 8192 * theta / (2 * math.pi)
    share = np.clip((turns - 1) / (4 - 1), 0, 1)
    scaled = theta * (share + (1 - share) / 8)
    assert sum(scaled < theta) == sum(turns < 4)
    assert count(500_000, 131_072) == 15
    assert sum(131_072 * scaled < 2 * math.pi) == 25


@pytest.mark.slow
def test_one_hand_carries_the_order_at_other_seeds(names):
    """Six readers from seeds that the notebook does not use, at two of its bases."""
    torch = names["torch"]
    for base, carrier, right, wrong in (
        (10_000, 2, range(1, 28), range(36, 58)),
        (1_000_000, 1, range(1, 15), range(22, 31)),
    ):
        readers, seeds = [], range(50, 56)
        for seed in seeds:
            torch.manual_seed(seed)
            readers.append(names["Rotary"](base=base))
        names["train"](readers, seeds, names["sequences"], 120)
        share = np.mean([names["by_offset"](reader) for reader in readers], axis=0)
        assert share[np.array(right) - 1].mean() > 0.9
        assert share[np.array(wrong) - 1].mean() < 0.4
        assert names["stopped"](readers).argmin() == carrier


def test_sentences_of_the_checks_fit_positions_with_the_other_sign_and_a_mask():
    turn = rotary.rotate.reference
    for told in (
        rotary.rotate.judge(lambda x, positions: turn(x, -positions)),
        rotary.scores.judge(lambda q, k, pos: turn(q, -pos) @ turn(k, -pos).T),
    ):
        assert told.mistake == "other sign"
        assert "sign?" in told.message and "keep" in told.message
    told = rotary.scores.judge(lambda q, k, pos: np.tril(turn(q, pos) @ turn(k, pos).T))
    assert told.mistake == "causal mask"
    assert "rows" not in told.message


def test_half_of_the_rows_is_not_taken_for_angles_below_one_another():
    code = rotary.spot_the_layout_bug.solution_code
    for half, mistake in (("x.shape[0]", "half of the rows"), ("len(x) + 2", None)):
        changed = code.replace("x.shape[1]", half)
        told = rotary.spot_the_layout_bug.judge(answers.answer(changed))
        assert told.mistake == mistake or mistake is None
        assert told.mistake != "tiled downwards"


def test_any_large_negative_number_is_told_from_infinity():
    for large in (-1e5, -1e30):

        def hidden(offset, slope, large=large):
            return (-slope * offset.abs()).masked_fill(offset > 0, large)

        assert rotary.one_sided.judge(hidden).mistake.startswith("hidden with")


def test_what_is_0_for_every_matrix_is_not_said_to_be_the_smallest_of_all():
    def last(scores):
        for k in range(1 - len(scores), len(scores)):
            diagonal = np.diagonal(scores, k)
            spread = diagonal.max() - diagonal.min()
        return spread

    told = rotary.offset_spread.judge(last)
    assert told.mistake == "smallest spread"
    assert told.message.startswith("It is 0 for every matrix.")


def test_angles_that_are_not_repeated_are_no_half_of_the_rows():
    code = rotary.spot_the_layout_bug.solution_code
    changed = code.replace(
        "np.tile(positions[:, None] * theta, 2)", "positions[:, None] * theta"
    )
    told = rotary.spot_the_layout_bug.judge(answers.answer(changed))
    assert told.mistake == "one angle for each pair"


def test_keys_hidden_by_their_place_and_products_entry_by_entry_are_named():
    turn = rotary.rotate.reference

    def hidden(q, k, positions):
        scores = turn(q, positions) @ turn(k, positions).T
        scores[np.triu_indices(len(scores), 1)] = -np.inf
        return scores

    assert rotary.scores.judge(hidden).mistake == "later keys hidden"
    told = rotary.scores.judge(lambda q, k, pos: turn(q, pos) * turn(k, pos))
    assert told.mistake == "entry by entry"


def test_the_table_in_place_of_the_turn_is_named():
    def of_table(positions, width):
        return encoding.positional_encoding(max(positions) + 1, width)[positions]

    told = rotary.rotate.judge(lambda x, pos: x + of_table(pos, x.shape[1]))
    assert told.mistake == "table added"
    told = rotary.rotate.judge(lambda x, pos: x * of_table(pos, x.shape[1]))
    assert told.mistake == "multiplied by the table"
