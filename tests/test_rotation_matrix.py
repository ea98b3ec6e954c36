"""Notebook 03: the shift matrix, its exercises, its pictures and the laboratory."""

import math

import numpy as np
import pytest
from drawing import drawn
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import encoding
from helpers.exercises import rotation_matrix as exercises
from helpers.explore import rotation_matrix as explore
from helpers.pictures import rotation_matrix as pictures

WIDTHS = st.integers(1, 64).map(lambda pairs: 2 * pairs)
OFFSETS = st.integers(-150, 150)


def row(pos, d_model):
    """A row of the paper's table, number by number."""
    values = []
    for pair in range(d_model // 2):
        angle = pos / 10_000 ** (2 * pair / d_model)
        values += [math.sin(angle), math.cos(angle)]
    return values


def shift(k, d_model):
    """The shift matrix, entry by entry."""
    matrix = [[0.0] * d_model for _ in range(d_model)]
    for pair in range(d_model // 2):
        s, c = 2 * pair, 2 * pair + 1
        angle = k / 10_000 ** (2 * pair / d_model)
        matrix[s][s] = matrix[c][c] = math.cos(angle)
        matrix[s][c], matrix[c][s] = math.sin(angle), -math.sin(angle)
    return matrix


# The theorem


@pytest.mark.parametrize("d_model", [2, 6, 8, 64, 128])
def test_one_matrix_moves_every_row(d_model):
    rows = encoding.positional_encoding(350, d_model)
    for k in range(-150, 151):
        here = np.arange(max(0, -k), 200)
        moved = rows[here] @ encoding.rotation_matrix(k, d_model).T
        assert np.abs(moved - rows[here + k]).max() <= 1e-12


@settings(max_examples=60, deadline=None)
@given(k=OFFSETS, pos=st.integers(0, 199), d_model=WIDTHS)
def test_it_moves_rows_of_any_width(k, pos, d_model):
    moved = encoding.rotation_matrix(k, d_model) @ row(pos, d_model)
    assert np.abs(moved - row(pos + k, d_model)).max() <= 1e-12


@settings(max_examples=60, deadline=None)
@given(a=OFFSETS, b=OFFSETS, d_model=WIDTHS)
def test_rotations_compose_and_are_orthogonal(a, b, d_model):
    first, second = (encoding.rotation_matrix(k, d_model) for k in (a, b))
    both = encoding.rotation_matrix(a + b, d_model)
    assert np.abs(first @ second - both).max() <= 1e-12
    assert np.abs(first.T @ first - np.eye(d_model)).max() <= 1e-12
    np.testing.assert_array_equal(encoding.rotation_matrix(-a, d_model), first.T)
    np.testing.assert_allclose(first, shift(a, d_model), rtol=0, atol=1e-12)


# The exercises


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), dense=st.booleans())
def test_any_matrix_right_only_from_position_0_is_named(seed, dense):
    random = np.random.default_rng(seed)

    def answer(k, d_model):
        matrix = np.array(shift(k, d_model))
        matrix[:, 0::2] = random.normal(size=(d_model, d_model // 2))
        if dense:  # the cosine columns may share out their sum as they like
            parts = random.dirichlet(np.ones(d_model // 2), size=d_model)
            matrix[:, 1::2] = parts * matrix[:, 1::2].sum(axis=1, keepdims=True)
        return matrix

    feedback = exercises.full_rotation.judge(answer)
    assert feedback.mistake == "right only from position 0"
    block = exercises.rotation_block.judge(
        lambda k, theta: [
            [random.normal(), math.sin(k * theta)],
            [random.normal(), math.cos(k * theta)],
        ]
    )
    assert block.mistake == "right only from position 0"


@pytest.mark.parametrize("sign", [1, -1])
def test_one_wrong_half_is_told_with_its_starting_positions(sign):
    def answer(k, d_model):
        matrix = np.array(shift(k, d_model))
        if k * sign > 20:
            matrix[:, 0::2] = 0.5
        return matrix

    feedback = exercises.full_rotation.judge(answer)
    assert feedback.status == "incorrect"
    assert "0, 1, 3, 10, 200, got 0" in feedback.message


def test_a_wrong_matrix_without_a_name_shows_its_first_difference():
    def answer(k, d_model):
        return np.abs(shift(k, d_model))

    feedback = exercises.full_rotation.judge(answer)
    assert feedback.mistake is None
    assert "`[0, 0]`" in feedback.message
    assert "expected `-0.989992`, got `0.989992`" in feedback.message


@pytest.mark.parametrize(
    ("made", "says"),
    [
        (np.eye(9), "(8, 8)"),
        (np.full((8, 8), np.nan), "nan"),
        ("rotation", "text"),
        ([[1.0], [2.0, 3.0]], "different lengths"),
    ],
)
def test_unreadable_matrices_get_their_own_sentence(made, says):
    feedback = exercises.full_rotation.judge(lambda k, d_model: made)
    assert feedback.status == "incorrect"
    assert says in feedback.message


@pytest.mark.parametrize("form", [np.float32, np.float64, list])
def test_right_matrices_pass_in_any_form(form):
    def answer(k, d_model):
        matrix = shift(k, d_model)
        return matrix if form is list else np.array(matrix, dtype=form)

    assert exercises.full_rotation.judge(answer).status == "correct"


def test_weights_of_the_head_against_a_loop():
    def answer(table, k, beta):
        n, d_model = table.shape
        weights = []
        for pos in range(n):
            query = row(pos - k, d_model)
            scores = [
                math.exp(
                    beta
                    * (
                        math.fsum(a * b for a, b in zip(query, key, strict=True))
                        - d_model / 2
                    )
                )
                for key in table.tolist()
            ]
            weights.append([score / math.fsum(scores) for score in scores])
        return weights

    assert exercises.look_back_weights.judge(answer).status == "correct"


def test_stepping_back_through_the_matrix_is_right():
    def answer(given, k):
        return encoding.rotation_matrix(k, len(given)).T @ given

    assert exercises.step_back.judge(answer).status == "correct"


# The pictures


def test_hands_point_at_sine_and_cosine():
    picture = pictures.hands(np.array(row(1, 8)), np.array(row(4, 8)), pos=1, k=3)
    assert len(picture.axes) == 4
    for pair, ax in enumerate(picture.axes):
        before, after = ax.lines[1:]
        for hand, pos in ((before, 1), (after, 4)):
            tip = [hand.get_xdata()[1], hand.get_ydata()[1]]
            np.testing.assert_allclose(tip, row(pos, 8)[2 * pair : 2 * pair + 2])
    titles = [ax.get_title(loc="left") or ax.get_title() for ax in picture.axes]
    assert titles == [
        f"pair {pair}: {3 / 10**pair:.3f} rad" for pair in range(4)
    ]  # at width 8 the speeds are 1, 0.1, 0.01 and 0.001
    assert "position 1" in picture.alt
    assert "position 4" in picture.alt


def test_the_matrix_is_drawn_and_written():
    picture = pictures.matrix(encoding.rotation_matrix(3, 8), "$M_3$")
    ax = picture.axes[0]
    np.testing.assert_allclose(ax.images[0].get_array(), shift(3, 8), atol=1e-12)
    written = {t.get_position(): t.get_text() for t in ax.texts}
    assert len(written) == 16
    for (column, line), text in written.items():
        value = float(text.replace("−", "-"))
        assert value == pytest.approx(shift(3, 8)[line][column], abs=6e-4)
    assert len(ax.patches) == 4
    assert not pictures.matrix(encoding.rotation_matrix(3, 64), "wide").axes[0].texts


def test_misses_show_every_starting_position():
    worst = {"right": np.zeros(5), "garbage": np.array([0, 1, 2, 3, 4.0])}
    right, garbage = pictures.misses(worst).axes[0].lines
    assert (right.get_ydata() > 0).all()  # zeros are lifted onto the axis
    np.testing.assert_allclose(garbage.get_ydata()[1:], [1, 2, 3, 4])


def test_drift_has_its_line():
    steps = np.array([10, 100])
    errors = {"float32": np.array([1e-6, 1e-5]), "float64": np.array([1e-15, 1e-14])}
    ulps = {"float32": 2.0**-24, "float64": 2.0**-53}
    jumps = {"float32": np.array([2e-7, 1e-7]), "float64": np.array([3e-15, 2e-14])}
    ax = pictures.drift(steps, errors, ulps, jumps).axes[0]
    lines = [line for line in ax.lines if len(line.get_xdata())]
    np.testing.assert_allclose(lines[0].get_ydata(), errors["float32"])
    np.testing.assert_allclose(lines[1].get_ydata(), [6.5 / 2**24, 65 / 2**24])
    np.testing.assert_allclose(lines[2].get_ydata(), jumps["float32"])
    np.testing.assert_allclose(lines[3].get_ydata(), errors["float64"])
    np.testing.assert_allclose(lines[5].get_ydata(), jumps["float64"])


def test_walking_drifts_in_proportion_to_the_steps():
    step, walked = encoding.rotation_matrix(1, 64).astype(np.float32), []
    now = np.array(row(0, 64), dtype=np.float32)
    for pos in range(1, 3001):
        now = step @ now
        walked.append(np.abs(now - row(pos, 64)).max())
    for pos in (100, 1000, 3000):
        assert 0.2 <= walked[pos - 1] / (pos * 2.0**-24) <= 2


def test_the_drift_comes_from_the_rounded_matrix_and_one_jump_has_none():
    rounded = encoding.rotation_matrix(1, 64).astype(np.float32).astype(float)
    exact = encoding.rotation_matrix(1, 64)
    by_matrix, by_rows = np.array(row(0, 64)), np.array(row(0, 64), dtype=np.float32)
    for _ in range(3000):
        by_matrix = rounded @ by_matrix  # only the matrix was rounded
        by_rows = (exact @ by_rows).astype(np.float32)  # only the rows are
    by_matrix, by_rows = (np.abs(r - row(3000, 64)).max() for r in (by_matrix, by_rows))
    assert by_matrix >= 0.2 * 3000 * 2.0**-24
    assert by_rows <= by_matrix / 10
    for k in (10, 3000, 10_000):
        turn = encoding.rotation_matrix(k, 64).astype(np.float32)
        landed = turn @ np.array(row(1, 64), dtype=np.float32)
        assert np.abs(landed - row(k + 1, 64)).max() < 4 * 2.0**-24


@pytest.mark.parametrize(
    ("answer", "mistake"),
    [
        (lambda k, theta: _block(k * theta)[:, ::-1], "columns exchanged"),
        (lambda k, theta: _block(k * theta)[::-1], "rows exchanged"),
    ],
)
def test_exchanged_columns_and_rows_are_named(answer, mistake):
    assert exercises.rotation_block.judge(answer).mistake == mistake


def _block(angle):
    return np.array(
        [
            [math.cos(angle), math.sin(angle)],
            [-math.sin(angle), math.cos(angle)],
        ]
    )


def test_a_softmax_divided_by_the_wrong_sums_is_named():
    def answer(table, k, beta):
        queries = [row(pos - k, table.shape[1]) for pos in range(len(table))]
        weights = np.exp(beta * np.array(queries) @ table.T)
        return weights / weights.sum(axis=1)

    named = exercises.look_back_weights.judge(answer).mistake
    assert named == "divided by the sums of other rows"


def test_recovered_matrices_stand_beside_the_true_ones():
    true, found = np.array(shift(3, 4)), np.eye(4)
    axes = pictures.recovered({"width 4": (true, found)}).axes
    for ax, entries in zip(axes, (true, found, found - true), strict=False):
        np.testing.assert_allclose(ax.images[0].get_array(), entries)


def test_singular_values_are_drawn_by_width():
    lines = pictures.singular_values({8: [3.0, 1.0], 16: [2.0, 0.0]}, 50).axes[0].lines
    np.testing.assert_allclose(lines[0].get_ydata(), [3, 1])
    assert lines[1].get_ydata()[1] > 0


def test_attention_is_drawn_as_given():
    weights = np.eye(9, k=-2)
    picture = pictures.attention(weights, k=2)
    left, right = picture.axes[:2]
    np.testing.assert_array_equal(left.images[0].get_array(), weights)
    heights = [bar.get_height() for bar in right.patches]
    np.testing.assert_array_equal(heights, weights[4])


def test_sharpness_reads_values_off():
    ax = pictures.sharpness([0, 5, 10], [0.0, 0.99119, 0.99996], read=(5, 10)).axes[0]
    assert [t.get_text() for t in ax.texts] == ["0.991", "0.99996"]


def test_one_sine_has_two_futures():
    marked = math.pi / 6, 5 * math.pi / 6
    wave, plane = pictures.same_sine(np.linspace(0, 6, 50), 2, 1.0, marked).axes
    futures = [line.get_ydata()[0] for line in plane.lines[1:]]
    np.testing.assert_allclose(futures, [math.sin(a + 2) for a in marked])
    heights = [line.get_ydata()[0] for line in wave.lines[1:]]
    np.testing.assert_allclose(heights, [0.5, 0.5])


def test_blocks_of_the_turned_table_are_framed():
    table = np.array([row(pos, 6) for pos in range(20)])
    ax = pictures.turned_blocks(table, size=5).axes[0]
    np.testing.assert_array_equal(ax.images[0].get_array(), table.T)
    assert [frame.get_x() for frame in ax.patches[:4]] == [0, 5, 10, 15]


# The laboratory


def laboratory(**params):
    """The three rows, the matrix and the sentence, as the chart draws them."""
    marks = drawn(explore.laboratory(), **params)
    cells = [m for m in marks if set(m) == {"column", "row", "value"}]
    rows = {
        name: [
            c["value"]
            for c in sorted(cells, key=lambda c: c["column"])
            if c["row"] == name
        ]
        for name in explore.ROWS
    }
    matrix = np.zeros((8, 8))
    for cell in cells:
        if not isinstance(cell["row"], str):
            matrix[int(cell["row"]), int(cell["column"])] = cell["value"]
    (sentence,) = [m["shown"] for m in marks if "shown" in m]
    return rows, matrix, sentence, marks


@pytest.mark.parametrize(("pos", "k"), [(4, 3), (9, -4), (2, -30), (100, 50), (0, 0)])
def test_the_laboratory_turns_rows(pos, k):
    rows, matrix, sentence, marks = laboratory(pos=pos, k=k)
    before, made, wanted = rows.values()
    np.testing.assert_allclose(before, row(pos, 8), atol=1e-9)
    np.testing.assert_allclose(made, row(pos + k, 8), atol=1e-9)
    np.testing.assert_allclose(wanted, row(pos + k, 8), atol=1e-9)
    np.testing.assert_allclose(matrix, shift(k, 8), atol=1e-9)
    assert sentence.endswith("the rows agree")
    after = [m for m in marks if "after_x" in m]
    goal = [m for m in marks if "goal_x" in m]
    for hand, ring in zip(after, goal, strict=True):
        assert hand["after_x"] == pytest.approx(ring["goal_x"], abs=1e-9)
        assert hand["after_y"] == pytest.approx(ring["goal_y"], abs=1e-9)
        sine, cosine = row(pos + k, 8)[2 * int(hand["pair"]) :][:2]
        assert hand["after_x"] == pytest.approx(hand["pair"] + 0.5 + 0.36 * sine)
        assert hand["after_y"] == pytest.approx(0.36 * cosine)


def test_a_wrong_matrix_is_seen_in_the_laboratory():
    transpose, garbage = explore.MATRICES[1:]
    rows, matrix, sentence, _ = laboratory(matrix=transpose, pos=6, k=4)
    np.testing.assert_allclose(matrix, np.transpose(shift(4, 8)), atol=1e-9)
    np.testing.assert_allclose(rows["matrix times PE[pos]"], row(2, 8), atol=1e-9)
    assert sentence.endswith("the rows differ")
    *_, from_0, _ = laboratory(matrix=garbage, pos=0, k=4)
    *_, from_1, _ = laboratory(matrix=garbage, pos=1, k=4)
    assert from_0.endswith("the rows agree")
    assert from_1.endswith("the rows differ")
