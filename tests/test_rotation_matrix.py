"""Notebook 03: the shift matrix, its exercises, its pictures and the laboratory."""

import math

import mpmath
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
    assert feedback.mistake not in {m.name for m in exercises.full_rotation.mistakes}
    assert "`[0, 0]`" in feedback.message
    assert "expected `-0.989992`, got `0.989992`" in feedback.message


@pytest.mark.usefixtures("status_only")
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
            query = np.array(shift(-k, d_model)) @ table[pos]
            scores = [
                beta * math.fsum(a * b for a, b in zip(query, key, strict=True))
                for key in table.tolist()
            ]
            scores = [math.exp(score - max(scores)) for score in scores]
            weights.append([score / math.fsum(scores) for score in scores])
        return weights

    assert exercises.look_back_weights.judge(answer).status == "correct"


@pytest.mark.parametrize(
    ("demand", "answer"),
    [
        ("an array (2, 2)", lambda k, theta: _block(k * theta).reshape(1, 2, 2)),
        ("either sign of k", lambda k, theta: _block(abs(k) * theta)),
        ("theta per position", lambda k, theta: _block(float(k))),
    ],
)
def test_a_block_must_do_all_that_is_asked(demand, answer):
    assert exercises.rotation_block.judge(answer).status == "incorrect", demand


@pytest.mark.parametrize(
    ("demand", "answer"),
    [
        ("any even width", lambda k, d: shift(k, d) if d in (2, 8) else np.eye(d)),
        ("any k", lambda k, d: np.linalg.matrix_power(shift(1, d), max(k, 0))),
        ("not from 0 only", lambda k, d: np.array(shift(k, d)) * ([0, 1] * (d // 2))),
    ],
)
def test_a_matrix_must_do_all_that_is_asked(demand, answer):
    assert exercises.full_rotation.judge(answer).status == "incorrect", demand


def _searching(furthest):
    """Finds the position of the row in a table, then looks up the row before."""

    def answer(given, k):
        table = encoding.positional_encoding(furthest, len(given))
        pos = int(np.abs(table - given).sum(axis=1).argmin())
        return row(pos - k, len(given)) if pos >= k else table[0]

    return answer


@pytest.mark.usefixtures("status_only")
@pytest.mark.parametrize(
    ("demand", "answer"),
    [
        ("any position", _searching(1000)),
        ("before position 0", _searching(30_000)),
        ("negative k", lambda given, k: shift(-max(k, 0), len(given)) @ given),
        ("shape (d_model,)", lambda given, k: (shift(-k, len(given)) @ given)[None]),
    ],
)
def test_a_step_back_must_do_all_that_is_asked(demand, answer):
    assert exercises.step_back.judge(answer).status == "incorrect", demand


def _weights(table, k, beta, scale=1.0, mask=False):
    scores = scale * beta * table @ np.array(shift(k, table.shape[1])) @ table.T
    if mask:
        scores = np.where(np.tri(len(table)) > 0, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def _nothing_before_0(table, k, beta):
    weights = _weights(table, k, beta)
    weights[: max(k, 0)] = 0
    return weights


@pytest.mark.usefixtures("status_only")
@pytest.mark.parametrize(
    ("demand", "answer"),
    [
        ("no other scale", lambda t, k, b: _weights(t, k, b, t.shape[1] ** -0.5)),
        ("no mask", lambda t, k, b: _weights(t, k, b, mask=True)),
        (
            "any rows",
            lambda t, k, b: _weights(encoding.positional_encoding(*t.shape), k, b),
        ),
        ("first rows like all others", _nothing_before_0),
    ],
)
def test_a_head_must_do_all_that_is_asked(demand, answer):
    assert exercises.look_back_weights.judge(_weights).status == "correct"
    assert exercises.look_back_weights.judge(answer).status == "incorrect", demand


def test_a_head_must_stand_a_large_beta():
    def answer(table, k, beta):
        weights = np.exp(beta * table @ shift(k, table.shape[1]) @ table.T)
        return weights / weights.sum(axis=1, keepdims=True)

    feedback = exercises.look_back_weights.judge(answer)
    assert feedback.mistake == "maximum not subtracted"


def _without_a_maximum(scores):
    return [math.exp(score) for score in scores]


def _one_maximum_for_all(scores):
    # A row of an encoding has no larger product than that with itself: 32 at width 64.
    return [math.exp(score - 50 * 32) for score in scores]


@pytest.mark.parametrize(
    ("exponentials", "mistake"),
    [
        (_without_a_maximum, "maximum not subtracted"),
        (_one_maximum_for_all, "one maximum for all rows"),
    ],
)
def test_a_head_of_plain_numbers_must_stand_a_large_beta_too(exponentials, mistake):
    """`math.exp` and division by zero raise where NumPy's would give inf and nan."""

    def answer(table, k, beta):
        scores = beta * table @ np.array(shift(k, table.shape[1])) @ table.T
        if beta < 50:
            scores += 50 * 32 * (exponentials is _one_maximum_for_all) - scores.max()
        rows = [exponentials(row) for row in scores.tolist()]
        return [[value / sum(row) for value in row] for row in rows]

    assert exercises.look_back_weights.judge(answer).mistake == mistake


def test_a_head_must_stand_rows_of_different_lengths():
    def answer(table, k, beta):
        scores = beta * table @ np.array(shift(k, table.shape[1])) @ table.T
        weights = np.exp(scores - scores.max())  # one maximum for all
        return weights / weights.sum(axis=1, keepdims=True)

    feedback = exercises.look_back_weights.judge(answer)
    assert feedback.mistake == "one maximum for all rows"


@pytest.mark.usefixtures("status_only")
def test_a_step_back_that_looks_rows_up_is_told_from_which_rows_it_fails():
    def answer(given, k):
        rows = encoding.positional_encoding(100, len(given))
        return rows[np.abs(rows - given).sum(axis=1).argmin() - k]

    said = exercises.step_back.judge(answer).message
    assert "For the row at position 0 (width 4), `k=1`" in said
    assert "also wrong for the row at position 20000" in said


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


def test_drift_draws_both_ways_and_the_fit():
    steps = np.array([10, 100, 1000])
    walked, jumped = np.array([1e-6, 1e-5, 1e-4]), np.array([2e-7, 1e-7, 2e-7])
    ax = pictures.drift(steps, walked, jumped, 1e-7 * steps).axes[0]
    fit, dots, squares = ax.lines
    np.testing.assert_allclose(fit.get_ydata(), 1e-7 * steps)
    np.testing.assert_allclose(dots.get_ydata(), walked)
    np.testing.assert_allclose(squares.get_ydata(), jumped)
    shown = [text.get_text() for text in ax.get_legend().get_texts()]
    assert shown == [
        "fit: the same for every step",
        "walking, step by step",
        "one jump",
    ]


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
        queries = table @ np.transpose(shift(-k, table.shape[1]))
        weights = np.exp(beta * queries @ table.T)
        return weights / weights.sum(axis=1)

    named = exercises.look_back_weights.judge(answer).mistake
    assert named == "divided by the sums of other rows"


def test_recovered_matrices_stand_beside_the_true_ones():
    true, found = np.array(shift(3, 4)), np.eye(4)
    axes = pictures.recovered({"width 4": (true, found)}, "$M_3$").axes
    assert axes[0].get_title(loc="left") == "width 4: $M_3$"
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
    np.testing.assert_array_equal(ax.images[0].get_array(), table)
    assert [frame.get_y() for frame in ax.patches[:4]] == [0, 5, 10, 15]
    names = [text.get_text() for text in ax.texts if text.get_text()]
    assert names == ["sine and cosine", "$M_{5}$", "$M_{10}$", "$M_{15}$"]


def test_heads_with_words_are_drawn_with_their_names():
    means = {"one": [1.0, 0.5], "other": [0.9, 0.8]}
    picture = pictures.with_words([0, 0.1], means)
    ax = picture.axes[0]
    for line, (name, weights) in zip(ax.lines, means.items(), strict=True):
        assert line.get_label() == name
        np.testing.assert_array_equal(line.get_ydata(), weights)
    assert len({line.get_marker() for line in ax.lines}) == 2  # colour is not alone
    assert "one: from 1.00 to 0.50; other: from 0.90 to 0.80" in picture.alt


# Text alternatives say what is drawn: draw the opposite, read the text


def test_hands_say_how_far_they_turn():
    told = pictures.hands(np.array(row(4, 4)), np.array(row(1, 4)), pos=4, k=-3).alt
    assert "the hand at position 4 dashed, the hand at position 1 solid" in told
    assert "turn by −3.000, −0.030 radians" in told


def test_a_matrix_says_what_is_outside_its_blocks():
    blocks = np.array(shift(3, 8))
    assert "zeros elsewhere" in pictures.matrix(blocks, "M").alt
    assert "zeros elsewhere" not in pictures.matrix(blocks + 0.1, "M").alt


def test_misses_say_from_where_a_matrix_arrives():
    worst = {
        "good": np.full(4, 1e-16),
        "bad": np.array([0, 1.0, 1, 1]),
        "worse": np.ones(4),
        "mixed": np.array([1.0, 0, 0, 1]),
    }
    told = {n: pictures.misses({n: errors}).alt for n, errors in worst.items()}
    assert "good stays at the level of rounding everywhere" in told["good"]
    assert "bad is exact from position 0 and misses from every" in told["bad"]
    assert "worse misses from every position" in told["worse"]
    assert "mixed misses from 2 of 4 positions" in told["mixed"]


def test_drift_says_what_grows():
    steps = np.array([10, 100, 1000])
    growing, level = 1e-7 * steps, np.full(3, 1e-7)
    usual = pictures.drift(steps, growing, level, growing).alt
    assert "Walking grows in proportion to them" in usual
    assert "meets the dots" in usual
    assert "One jump stays level" in usual
    opposite = pictures.drift(steps, level, growing**2, growing).alt
    assert "Walking stays level" in opposite
    assert "misses the dots" in opposite
    assert "One jump grows with them, not in proportion" in opposite


def test_recovered_matrices_say_where_they_differ():
    true = np.array(shift(3, 8))
    last = true.copy()
    last[6:] = 0
    told = pictures.recovered({"a": (true, true), "b": (true, last)}, "M").alt
    assert "a, blank; b, blank in the rows of the first pairs" in told
    first = true.copy()
    first[:2] = 0
    assert "1 of 4 pairs" in pictures.recovered({"c": (true, first)}, "M").alt


def test_singular_values_say_how_many_are_rounding():
    told = pictures.singular_values({8: [3.0, 1.0], 16: [2.0, 1e-15]}, 50).alt
    assert "width 8: 2 directions, none of them at the level of rounding" in told
    assert "width 16: 2 directions, 1 of them at the level of rounding" in told


def test_attention_says_where_its_queries_look():
    back, ahead = np.eye(9, k=-2), np.eye(9, k=2)
    assert "for 7 of 7 queries" in pictures.attention(back, k=2).alt
    assert "position 2 back" in pictures.attention(back, k=2).alt
    assert "for 7 of 7 queries" in pictures.attention(ahead, k=-2).alt
    assert "position 2 ahead" in pictures.attention(ahead, k=-2).alt
    assert "for 0 of 7 queries" in pictures.attention(ahead, k=2).alt
    assert (
        "the tallest bar is at 6, with the weight 1.00"
        in pictures.attention(ahead, 2).alt
    )


def test_sharpness_says_what_is_read_off():
    up = pictures.sharpness([0, 5, 10], [0.0, 0.99119, 0.99996], read=(5,)).alt
    down = pictures.sharpness([0, 5, 10], [0.5, 0.2, 0.1], read=(5,)).alt
    assert "rises all the way. Read off: β = 5: 0.991" in up
    assert "rises all the way" not in down
    assert "β = 5: 0.200" in down


def test_one_sine_says_its_futures():
    wave = np.linspace(0, 6, 50)
    two = pictures.same_sine(wave, 2, 1.0, (math.pi / 6, 5 * math.pi / 6)).alt
    assert "of one height" in two
    assert "from 0.50 to 0.58 and from 0.50 to −1.00" in two
    assert "of different heights" in pictures.same_sine(wave, 2, 1.0, (0.1, 2.0)).alt


# The head among words


def on_target(size, beta=5.0, columns=64, free=0, d_model=64, k=3, seed=0):
    """Attention weights on the position k back, words of a given size added."""
    random = np.random.default_rng(seed)
    words = size * random.normal(size=(100, d_model))
    words[:, :free] = 0
    x = (np.array([row(pos, d_model) for pos in range(100)]) + words)[:, :columns]
    back = np.array(shift(-k, d_model))[:columns, :columns]
    scores = beta * x @ back.T @ x.T
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.diagonal(weights / weights.sum(axis=1, keepdims=True), -k)


@pytest.mark.parametrize("seed", range(3))
def test_words_blur_the_head_and_room_of_its_own_keeps_it_sharp(seed):
    bare, tenth, usual = (on_target(s, seed=seed) for s in (0, 0.1, 1))
    assert bare.min() > 0.99
    assert 0.7 < tenth.mean() < 0.9
    assert tenth.min() < 0.05
    assert usual.mean() < 0.03
    sharper = on_target(0.1, beta=50, seed=seed).mean()
    fewer = on_target(0.1, columns=16, seed=seed).mean()
    own = on_target(1, columns=16, free=16, seed=seed)
    assert abs(sharper - tenth.mean()) < 0.08  # a larger beta hardly helps
    assert fewer > tenth.mean() + 0.05
    assert own.min() > 0.98


# What 50 rows determine


def test_120_digits_recover_the_matrix_that_float64_loses():
    d_model, k = 16, 3
    with mpmath.workdps(120):
        speeds = [
            mpmath.mpf(10_000) ** (-mpmath.mpf(2 * i) / d_model) for i in range(8)
        ]
        rows = [
            [f(pos * speed) for speed in speeds for f in (mpmath.sin, mpmath.cos)]
            for pos in range(50)
        ]
        seen, later = mpmath.matrix(rows[:-k]), mpmath.matrix(rows[k:])
        found = ((seen.T * seen) ** -1 * (seen.T * later)).T
        far = np.array(found.tolist(), dtype=float) - shift(k, d_model)
        assert np.abs(far).max() < 1e-15
    table = np.array(rows, dtype=float)
    lost, *_ = np.linalg.lstsq(table[:-k], table[k:], rcond=1e-13)
    assert np.abs(lost.T - shift(k, d_model)).max() > 0.1


# The laboratory# The laboratory


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
