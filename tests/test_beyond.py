"""Notebook 08: its identities, its demands, and what its cells define."""

import math
import re

import answers
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from references import rows, turned_by_hand
from stored import code_cells, imports, notebook_of

from helpers import encoding
from helpers.exercises import beyond

# The solutions against independent computations


@given(
    st.floats(10, 1e6),
    st.floats(1, 32),
    st.integers(2, 64).map(lambda pairs: 2 * pairs),
)
def test_the_larger_base_slows_the_slowest_hand_by_the_factor(base, factor, d_model):
    larger = beyond.ntk_base.reference(base, factor, d_model)
    before, after = (encoding.angular_speeds(d_model, b) for b in (base, larger))
    assert before[-1] / after[-1] == pytest.approx(factor, rel=1e-9)
    assert after[0] == before[0] == 1
    slowed = before / after
    assert np.all(np.diff(slowed) > -1e-9)  # no hand is slowed more than a slower one


@pytest.mark.parametrize(("height", "width", "d_model"), [(3, 5, 8), (14, 14, 64)])
def test_two_axes_in_one_table_keep_distances_by_both_offsets(height, width, d_model):
    table = beyond.encode_patches.reference(height, width, d_model)
    assert table.shape == (height * width, d_model)
    half = encoding.distances(
        encoding.positional_encoding(max(height, width), d_model // 2)
    )
    far = encoding.distances(table)
    for one in range(height * width):
        for other in range(height * width):
            (r, c), (s, t) = divmod(one, width), divmod(other, width)
            wanted = math.hypot(half[0, abs(r - s)], half[0, abs(c - t)])
            assert far[one, other] == pytest.approx(wanted, abs=1e-12)
    assert len(np.unique(table.round(9), axis=0)) == height * width


def test_the_bug_gives_mirrored_patches_one_code():
    namespace = {"np": np, "positional_encoding": encoding.positional_encoding}
    exec(beyond.encode_patches.stub, namespace)
    table = namespace["encode_2d"](6, 6, 8)
    assert table[2 * 6 + 5] == pytest.approx(table[5 * 6 + 2], abs=1e-12)
    assert len(np.unique(table.round(9), axis=0)) == 21  # of 36


@given(
    st.integers(1, 8).map(lambda quarter: 4 * quarter),
    st.lists(
        st.tuples(st.integers(-50, 400), st.integers(-50, 400)), min_size=1, max_size=5
    ),
    st.integers(0, 99),
)
def test_rotate_2d_is_two_rotations_side_by_side(d_model, patches, seed):
    x = rows(len(patches), d_model, seed)
    down, across = (np.array(axis) for axis in zip(*patches, strict=True))
    half = d_model // 2
    wanted = np.hstack(
        [turned_by_hand(x[:, :half], down), turned_by_hand(x[:, half:], across)]
    )
    made = beyond.rotate_2d.reference(x, down, across)
    assert made == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("move", [(0, 0), (3, -7), (100, 41)])
def test_scores_on_two_axes_depend_on_both_offsets_alone(move):
    row, column = np.divmod(np.arange(35), 7)
    query, key = (np.tile(rows(1, 16, seed), (35, 1)) for seed in (1, 2))

    def scores(down, across):
        place = row + down, column + across
        turn = beyond.rotate_2d.reference
        return turn(query, *place) @ turn(key, *place).T

    assert np.abs(scores(*move) - scores(0, 0)).max() < 1e-12


def test_at_whole_times_it_is_the_table():
    for d_model in (2, 8, 64):
        table = beyond.timestep_table.reference(range(200), d_model)
        wanted = encoding.positional_encoding(200, d_model)
        assert np.abs(table - wanted).max() < 1e-12


@given(st.lists(st.floats(-1000, 1000), min_size=1, max_size=5), st.integers(1, 8))
def test_at_real_times_it_is_the_formula(times, pairs):
    table = beyond.timestep_table.reference(times, 2 * pairs)
    for time, row in zip(times, table, strict=True):
        for i in range(pairs):
            angle = time / 10_000 ** (i / pairs)
            assert row[2 * i] == pytest.approx(math.sin(angle), abs=1e-9)
            assert row[2 * i + 1] == pytest.approx(math.cos(angle), abs=1e-9)


def test_fourier_features_hold_the_papers_table():
    d_model = 32
    slowest = 10_000.0 ** (-(d_model - 2) / d_model)
    made = beyond.fourier_features.reference(np.arange(50), d_model, 1.0, slowest)
    assert np.abs(made - encoding.positional_encoding(50, d_model)).max() < 1e-12


# Each demand of the text, ignored alone


def without(task, *edits):
    """The solution of a task with pieces replaced, as a function."""
    code = task.solution_code
    for piece, instead in edits:
        assert code.count(piece) == 1
        code = code.replace(piece, instead)
    namespace = {"np": np, "positional_encoding": encoding.positional_encoding}
    exec(code, namespace)
    return namespace[task.reference.__name__]


DEMANDS = {
    "one hand raises": (beyond.ntk_base, ("d_model == 2", "False")),
    "the base counts": (beyond.ntk_base, ("return base *", "return 1e4 *")),
    "the width of the head counts": (
        beyond.ntk_base,
        ("d_model / (d_model - 2)", "16 / 14"),
    ),
    "left is the row": (
        beyond.encode_patches,
        ("[table[row], table[column]]", "[table[column], table[row]]"),
    ),
    "images need not be square": (
        beyond.encode_patches,
        ("max(height, width)", "height"),
    ),
    "images larger than the width": (
        beyond.encode_patches,
        ("positional_encoding(max(height, width)", "positional_encoding(d_model"),
    ),
    "a table of half the width": (beyond.encode_patches, ("d_model // 2", "d_model")),
    "every row counts": (beyond.rotate_2d, ("rows[:, None]", "rows[0]")),
    "the columns count": (beyond.rotate_2d, ("columns[:, None]", "columns[0]")),
    "negative rows": (beyond.rotate_2d, ("rows[:, None]", "np.abs(rows)[:, None]")),
    "speeds of half the width": (beyond.rotate_2d, ("2) / half", "2) / half / 2")),
    "real times": (beyond.timestep_table, ("dtype=float", "dtype=int")),
    "times in their order": (
        beyond.timestep_table,
        ("np.asarray(times, dtype=float)", "np.sort(np.asarray(times, dtype=float))"),
    ),
    "negative times": (
        beyond.timestep_table,
        ("np.asarray(times, dtype=float)", "np.abs(times)"),
    ),
    "lists too": (
        beyond.timestep_table,
        ("np.asarray(times, dtype=float)", "times"),
    ),
    "an odd width raises": (
        beyond.timestep_table,
        ("d_model % 2:", "False:"),
        ("np.arange(0, d_model, 2)", "np.arange(0, d_model - 1, 2)"),
        ("(len(angles), d_model)", "(len(angles), d_model // 2 * 2)"),
    ),
    "both ends included": (
        beyond.fourier_features,
        ("d_model // 2)", "d_model // 2, endpoint=False)"),
    ),
    "one constant factor": (beyond.fourier_features, ("geomspace", "linspace")),
    "any real numbers": (beyond.fourier_features, ("np.asarray(x)", "np.abs(x)")),
    "fastest and slowest may be equal": (
        beyond.fourier_features,
        ("fastest, slowest,", "fastest, slowest * (0.5 if fastest == slowest else 1),"),
    ),
}


@pytest.mark.usefixtures("status_only")
@pytest.mark.parametrize("demand", DEMANDS)
def test_an_answer_that_ignores_one_demand_is_not_right(demand):
    task, *edits = DEMANDS[demand]
    assert task.judge(without(task, *edits)).status == "incorrect"


OTHER_WAYS = {
    "by pairs instead of columns": (
        beyond.ntk_base,
        lambda base, factor, d: (
            base * factor ** (d / 2 / (d / 2 - 1)) if d > 2 else int("one hand")
        ),
    ),
    "by logarithms": (
        beyond.ntk_base,
        lambda base, factor, d: (
            math.exp(math.log(base) + d / (d - 2) * math.log(factor))
            if d > 2
            else float("one hand")
        ),
    ),
    "patch by patch": (
        beyond.encode_patches,
        lambda height, width, d: [
            [
                *encoding.positional_encoding(height, d // 2)[r],
                *encoding.positional_encoding(width, d // 2)[c],
            ]
            for r in range(height)
            for c in range(width)
        ],
    ),
    "loops": (
        beyond.rotate_2d,
        lambda x, down, across: np.hstack(
            [
                turned_by_hand(x[:, : x.shape[1] // 2], down),
                turned_by_hand(x[:, x.shape[1] // 2 :], across),
            ]
        ).tolist(),
    ),
    "a factor at each step": (
        beyond.fourier_features,
        lambda x, d, fast, slow: np.stack(
            [
                wave(x * fast * (slow / fast) ** (i / (d // 2 - 1)))
                for i in range(d // 2)
                for wave in (np.sin, np.cos)
            ],
            axis=1,
        ).astype(np.float32),
    ),
}


@pytest.mark.parametrize("way", OTHER_WAYS)
def test_other_right_ways_are_right(way):
    task, answer = OTHER_WAYS[way]
    assert task.judge(answer).status == "correct"


@pytest.mark.parametrize(
    ("size", "joined", "mistake"),
    [
        ("max(height, width), d_model", "S([R, C], axis=1)", "twice the width"),
        ("max(height, width), d_model // 2", "(C + R) / 2", "still averaged"),
        ("max(height, width), d_model // 2", "R * C", "still multiplied"),
        ("height, d_model // 2", "S([C, R], axis=1)", "as long as the height"),
        ("max(height, width), d_model // 2", "np.stack([R, C], axis=1)", "an axis for"),
    ],
)
@pytest.mark.parametrize("grid", ["width", "height"])
def test_two_mistakes_in_one_table_of_patches_are_told(size, joined, mistake, grid):
    code = (
        "def encode_2d(height, width, d_model):\n"
        f"    row, column = np.divmod(np.arange(height * width), {grid})\n"
        f"    table = positional_encoding({size})\n"
        f"    return {joined}\n"
    )
    for short, long in (
        ("S(", "np.concatenate("),
        ("R", "table[row]"),
        ("C", "table[column]"),
    ):
        code = code.replace(short, long)
    made = answers.answer(code, positional_encoding=beyond.positional_encoding)
    told = beyond.encode_patches.judge(made)
    assert mistake in told.mistake
    lines = ("counted along the height", "column by column")
    assert grid == "width" or any(name in told.mistake for name in lines)


def test_right_letters_are_spread():
    letters = [task.answer for task in beyond.EXERCISES if task.kind == "question"]
    assert set(letters) == set("abcd")
    assert max(letters.count(letter) for letter in letters) <= 2


# The notebook


@pytest.fixture(scope="module")
def notebook():
    return notebook_of("beyond")


@pytest.fixture(scope="module")
def names(notebook):
    """The notebook's own definitions, without its training."""
    wanted = (
        r"^A, B, FILLERS|^def turn\(|^class Reader|^def by_parts|^def turn_rows"
        r"|^def in_diffusion_code|^axis = np.repeat"
    )
    namespace = {}
    exec(imports(notebook).replace("renderer.use();", ""), namespace)
    namespace["theta"] = namespace["torch"].tensor(encoding.angular_speeds(16)).float()
    for cell in code_cells(notebook):
        if re.search(wanted, cell.source, flags=re.MULTILINE):
            exec(cell.source, namespace)
    return namespace


@pytest.mark.parametrize("question", ["before?", "directly after?"])
@pytest.mark.parametrize("length", [16, 64])
def test_the_questions_are_what_they_say(names, question, length):
    generator = names["torch"].Generator().manual_seed(0)
    tokens, yes = names["sequences"](question, 400, length, generator)
    for row, said in zip(tokens.tolist(), yes.tolist(), strict=True):
        assert row.count(0) == row.count(1) == 1
        step = row.index(1) - row.index(0)
        assert said == (step == 1 if question == "directly after?" else step > 0)
    assert 0.4 < yes.float().mean() < 0.6


def test_the_reader_turns_by_the_speeds_it_is_given(names):
    torch = names["torch"]
    x, positions = torch.randn(5, 16).double(), torch.arange(5.0).double()
    speeds = torch.tensor(encoding.angular_speeds(16))
    made = names["turn"](x, positions, speeds).numpy()
    assert made == pytest.approx(turned_by_hand(x.numpy(), range(5)), abs=1e-9)
    torch.manual_seed(0)
    reader = names["Reader"]()
    tokens = torch.tensor([[2, 0, 3, 1, 4]])
    with torch.no_grad():
        one, two = (reader(tokens, s * speeds.float()) for s in (1.0, 0.25))
    assert abs(float(one - two)) > 1e-6  # other speeds reach the scores


def test_dividing_the_speeds_is_dividing_the_positions(names):
    x = rows(6, 16)
    turned = names["turn_rows"](x, np.arange(6) / 4)
    angles = np.arange(6)[:, None] * encoding.angular_speeds(16) / 4
    a, b = x[:, 0::2], x[:, 1::2]
    assert turned[:, 0::2] == pytest.approx(a * np.cos(angles) + b * np.sin(angles))


def test_by_parts_keeps_divides_and_mixes(names):
    speeds = 2 * np.pi * np.array([64.0, 32, 16.5, 1, 0.5]) / 16
    made = names["by_parts"](speeds, 16, 4, low=1, high=32)
    assert made / speeds == pytest.approx([1, 1, 0.5 + 0.5 / 4, 0.25, 0.25])


def test_diffusion_layouts_against_loops(names):
    times = np.array([0.0, 3.5, 999])
    for shift in (0, 1):
        for flip in (False, True):
            made = names["in_diffusion_code"](times, 8, flip, shift)
            for row, time in zip(made, times, strict=True):
                angles = [time / 10_000 ** (i / (4 - shift)) for i in range(4)]
                parts = [list(map(math.sin, angles)), list(map(math.cos, angles))]
                wanted = sum(parts[::-1] if flip else parts, [])
                assert row == pytest.approx(wanted, abs=1e-9)


def test_text_is_turned_as_ever_with_three_positions(names):
    for pos in (0, 7, 1000):
        made = names["qwen_angles"](pos, pos, pos)
        assert np.array_equal(made, pos * encoding.angular_speeds(128, 1_000_000))
    assert np.bincount(names["axis"]).tolist() == [16, 24, 24]


def test_the_stored_outputs_are_the_ones_that_the_text_tells(notebook):
    said = {}
    for cell in code_cells(notebook):
        for output in cell.outputs:
            text = output.get("text") or output.get("data", {}).get("text/plain", "")
            said[cell.source] = said.get(cell.source, "") + text

    def of(piece):
        (text,) = [text for source, text in said.items() if piece in source]
        return text

    assert of("beats the larger base").count("True") == 4
    assert re.findall(r"(\d+)\n", of("of 64 hands below one turn") + "\n")[:4] == [
        *("18", "29", "15", "25")
    ]
    assert "[64.  62.1 35.  19.6 13.5]" in of("top of the turned key")
    assert "'causal': False, 'unmasked': False, 'window of 8': True" in of("one_value")
    assert "one-hot row, table, t / 1000" in of("worst first")
    assert re.findall("our numbers: (True|False)", of("flipped")) == [
        *("True", "True", "False")
    ]
    table = of("def mean_square")
    assert re.search(r"fitting\s+below 0.01\s+below 0.01", table)
    assert re.search(r"fast\s+below 0.01\s+above 1", table)


def test_added_rows_and_counted_points_are_named():
    def added(x, rows, columns):
        half = x.shape[1] // 2
        parts = [beyond.timestep_table.reference(p, half) for p in (rows, columns)]
        return x + np.concatenate(parts, axis=1)

    def counted(x, d_model, fastest, slowest):
        return beyond.fourier_features.reference(
            np.arange(len(x)), d_model, fastest, slowest
        )

    assert beyond.rotate_2d.judge(added).mistake == "added"
    assert beyond.fourier_features.judge(counted).mistake == "points counted"


def test_the_other_sign_is_told_beside_another_mistake():
    turn = beyond.rotate_2d
    edits = {"a * np.cos(angles) + b": "a * np.cos(angles) - b"}
    edits |= {"b * np.cos(angles) - a": "b * np.cos(angles) + a"}
    code = turn.solution_code.replace(
        "np.arange(0, half, 2) / half", "np.arange(0, half, 2) / x.shape[1]"
    )
    for piece, instead in edits.items():
        code = code.replace(piece, instead)
    told = turn.judge(answers.answer(code))
    assert "other sign" in told.mistake and "speeds of the whole width" in told.mistake
