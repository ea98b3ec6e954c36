"""The layers of the diagnosis, each by itself, on answers that no list knows."""

import numpy as np
import pytest
from answers import COUNT, TABLE, answer, count, table, unseen

from helpers.exercises import comparing
from helpers.exercises.core import Demand, Exercise, Mistake, Slip
from helpers.exercises.diagnosis import Budget, Findings, Trial, common
from helpers.exercises.running import Outcome


@pytest.mark.parametrize(
    ("wrong", "name", "said"),
    [
        (lambda n, w: (v for v in table(n, w)), "a generator", "`generator`"),
        (lambda n, w: table(n, w).sum, "a function", "`sum`"),
        (lambda n, w: {"table": table(n, w)}, "not numbers", "`dict`"),
        (lambda n, w: np.r_, "not numbers", "`RClass`"),  # it has items without end
        (lambda n, w: "a table", "text", "text"),
        (
            lambda n, w: (np.arange(n), table(n, w)),
            "a tuple of arrays",
            "value 2 is right",
        ),
        (lambda n, w: table(n, w).sum(), "one number", "a single number"),
        (lambda n, w: table(n, w) if n < 6 else None, "nothing in some cases", "`n=7`"),
    ],
    ids=lambda it: it if isinstance(it, str) else "",
)
def test_what_came_back(wrong, name, said):
    feedback = TABLE.judge(wrong)
    assert feedback.mistake == name
    assert said in feedback.message


def test_one_number_in_an_array_and_many_numbers():
    feedback = COUNT.judge(lambda k: np.array([3 * k + 1]))
    assert feedback.mistake == "one number in an array"
    assert feedback.message.startswith("The number is right")
    assert COUNT.judge(lambda k: np.arange(100)).mistake in (
        "hard-coded",
        "many numbers",
    )
    feedback = COUNT.judge(lambda k: np.array([k, 3 * k + 1]))
    assert feedback.mistake == "many numbers" and "among them" in feedback.message


PATTERNS = {
    "Every number is half of": lambda e: e / 2,
    "Every number is the negative of": lambda e: -e,
    "Every number is 2π times": lambda e: 2 * np.pi * e,
    "Every number is the square of": np.square,
    "Every number is too large by 0.25": lambda e: e + 0.25,
    "rounded to 2 decimals": lambda e: np.round(e, 2),
    "too few digits": lambda e: e.astype(np.float16),
    "The rows stand in reverse order": lambda e: e[::-1],
    "in every pair of columns the two are exchanged": lambda e: e[
        :, np.arange(e.shape[1]) ^ 1
    ],
    "Some numbers are +∞; all others are right": lambda e: np.where(
        np.sin(9 * e) > 0.5, np.inf, e
    ),
    "the last row, where it is 0": lambda e: np.vstack([e[:-1], 0 * e[-1:]]),
    "Rows and columns are exchanged": lambda e: e.T,
    "The last row is missing": lambda e: e[:-1],
    "The first row is missing": lambda e: e[1:],
    "with an axis of length 1": lambda e: e[None],
    "what belongs in row 1 stands in row 0": lambda e: np.vstack(
        [e[1:], e[:1] * 0 + 9]
    ),
    "lie in one row": np.ravel,
    "`reshape` and `view` keep the order": lambda e: e.T.reshape(e.shape),
    "each column is one of the right ones, but not each is in its place: in column 1 "
    "stands what belongs in column 2": lambda e: e[:, np.r_[0, 2, 2, 3 : e.shape[1]]],
}


@pytest.mark.parametrize("said", PATTERNS)
def test_the_pattern_of_the_numbers(said):
    spoil = PATTERNS[said]
    task = Exercise(table, stub="", cases=[(4, 6), (5, 4), (7, 8)], hints=["", ""])
    feedback = task.judge(
        eval("lambda n, w: spoil(table(n, w))", {"spoil": spoil, "table": table})
    )
    assert said.lower() in feedback.message.lower()


def test_a_pattern_must_hold_in_every_failing_case():
    mixed = eval("lambda n, w: table(n, w) / (2 if n == 4 else 5)", {"table": table})
    assert "half" not in TABLE.judge(mixed).message


def test_what_the_failing_cases_share():
    negative = eval("lambda k: 3 * k + 1 if k >= 0 else 0.123 * k * k")
    assert "Of the 5 cases tried, 3 are right: it was wrong where `k` is negative." in (
        COUNT.judge(negative).message
    )
    all_wrong = eval("lambda k: 0.123 * k * k")
    assert "cases tried" not in COUNT.judge(all_wrong).message


def test_the_only_right_case_is_told_and_a_few_wrong_ones_are_listed():
    one = TABLE.judge(unseen(lambda n, w: table(n, w) + (n * w < 50) * np.arange(w)))
    assert "Of the 4 cases tried, only `n=7`, `width=8` came out right." in one.message
    two = COUNT.judge(unseen(lambda k: 3 * k + 1 + (k in (5, -3)) * 0.123 * k))
    assert "It was also wrong for `k=-3`; the other 3 cases tried" in two.message
    seen = COUNT.judge(unseen(lambda k: (3 * k + 1) * (1 + (k in (5, -3)))))
    assert "It was wrong for `k=5` and for `k=-3`; the other 3" in seen.message


def test_an_exception_comes_before_what_later_cases_show():
    def halved_or_not_at_all(n, width):
        if n == 4:
            raise IndexError("no such row")
        return table(n, width) / 2

    said = TABLE.judge(halved_or_not_at_all).message
    assert "no such row" in said and "half" not in said


def test_who_reads_no_argument_is_not_told_of_one_that_is_read_wrongly():
    task = Exercise(
        count,
        stub="",
        cases=[(2,), (3,), (4,)],
        hints=["", ""],
        mistakes=[Slip("rounded", "It rounds.", {"3 * k + 1": "k // 5 + 7"})],
    )
    rounds = task.judge(answer("def f(k):\n    return k // 5 + 7\n"))
    assert rounds.mistake == "rounded"
    assert task.judge(answer("def f(k):\n    return 7\n")).mistake == "hard-coded"


def test_one_right_case_is_chance_unless_its_number_is_special_or_typed_in():
    task = Exercise(table, stub="", cases=TABLE.cases, hints=["", ""])
    code = "def f(n, width):\n    return table(n, width) * (0.1 + 0.9 * {})\n"
    typed = task.judge(answer(code.format("(n == 4)")))
    assert "it was wrong wherever `n` is not 4" in typed.message
    chance = task.judge(answer(code.format("(n * width > 50)")))
    assert chance.status == "incorrect" and "wherever" not in chance.message


def test_where_two_rows_are_all_the_first_may_be_the_only_one_right():
    task = Exercise(table, stub="", cases=[(2, 6), (5, 4)], hints=["", ""])
    made = eval("lambda n, w: np.vstack([t(n, w)[:1], t(n, w)[1:] ** 2 - 7])")
    made.__globals__.update(t=table, np=np)
    assert "Only the first row is right" in task.judge(made).message


def test_words_of_a_repair_fit_the_place():
    task = Exercise(count, stub="", cases=[(2,), (-5,), (8,)], hints=["", ""])
    clipped = answer("def f(k):\n    return 3 * max(0, k) + 1\n")
    assert "look at the axis" not in task.judge(clipped).message


def test_whole_numbers_are_cut_off_only_where_they_lie_near():
    task = Exercise(table, stub="", cases=[(4, 6), (5, 4)], hints=["", ""])
    cut = task.judge(lambda n, w: table(n, w).astype(int)).message
    assert "the fractions were cut off" in cut
    up = task.judge(lambda n, w: np.ceil(table(n, w)).astype(int)).message
    assert "rounded up" in up and "cut off" not in up
    far = task.judge(lambda n, w: 7 * np.ones((n, w), int) + np.arange(w)).message
    assert "cut off" not in far and "the right ones have fractions" in far


def test_a_count_has_no_digits_to_lose():
    task = Exercise(count, stub="", cases=[(4000,), (5000,)], hints=["", ""])
    assert "digits" not in task.judge(lambda k: 3 * k - 2).message


def test_names_that_are_not_used_or_come_from_outside():
    feedback = TABLE.judge(
        answer("def f(n, width):\n    return np.zeros((n, n)) + 0.3\n")
    )
    assert "argument `width` is not used" in feedback.message
    code = "def f(n, width):\n    return mine[:n, :width] * 1.7\n"
    feedback = TABLE.judge(answer(code, mine=np.ones((9, 9))))
    assert feedback.mistake == "uses the notebook's data"
    assert "In line 2, `mine`" in feedback.message


REPAIRS = {
    "np.sin(rows + 1.5 * np.arange(width))": None,
    "np.sin(rows - 1.5 * np.arange(width))": "operator",
    "np.cos(rows + 1.5 * np.arange(width))": "function",
    "np.sin(rows + 2.5 * np.arange(width))": "number",
    "np.sin(rows + 1.5 * np.arange(n))": "name",
    "np.sin(rows) + 1.5 * np.arange(width)": "operation comes first",
    "np.sin(rows + 1.5 * np.arange(width)).T": "what does this call do",
    "rows + 1.5 * np.arange(width)": "missing",
    "np.sin(rows + 1.5 * np.arange(width))[:-1]": "slice",
}


@pytest.mark.parametrize("code", REPAIRS)
def test_the_smallest_repair_names_the_place_and_never_the_code(code):
    right = next(iter(REPAIRS))
    lines = "def f(n, width):\n    rows = np.arange(n)[:, None]\n    return "
    feedback = TABLE.judge(answer(lines + code + "\n"))
    if REPAIRS[code] is None:
        assert feedback.status == "correct"
        return
    assert feedback.mistake == "one change"
    assert "in line 3" in feedback.message
    assert REPAIRS[code] in feedback.message
    assert right in code or right not in feedback.message


def test_a_constant_of_few_digits_and_a_number_for_an_argument_are_found():
    def wave(n, width):
        return np.sin(2 * np.pi * np.arange(n)[:, None] / (width + 1.5 * np.arange(4)))

    task = Exercise(wave, stub="", cases=[(9, 3), (5, 7), (6, 4)], hints=["", ""])

    def written(angle):
        return task.judge(answer(f"def f(n, width):\n    return np.sin({angle})\n"))

    right = "2 * np.pi * np.arange(n)[:, None] / (width + 1.5 * np.arange(4))"
    assert written(right).status == "correct"
    short = written(right.replace("np.pi", "3.14")).message
    assert "at `3.14`: does this number have enough digits?" in short
    fixed = written(right.replace("arange(n)", "arange(len(range(n)))"))
    assert fixed.status == "correct"
    large = written(right.replace("2 * np.pi", "np.divide(200, 1_000) * np.pi"))
    assert "in line 2 at `200`: look at this number." in large.message
    typed = written(right.replace("(width +", "(3 +"))
    assert "at `3`: look at this number." in typed.message


def test_a_repair_breaks_no_demand_that_the_answer_keeps():
    def shares(n):
        return _softmax(table(n, n))

    def overflows(answer):
        with np.errstate(all="ignore"):
            return not np.isfinite(answer(900)).all()

    large = Demand("large", "It must stand large numbers.", overflows)
    task = Exercise(
        shares, stub="", cases=[(3,), (4,)], hints=["", ""], demands=[large]
    )

    def judged(exponential, divided):
        code = "def f(n):\n    s = table(n, n) * (900 if n > 99 else 1)\n"
        code += f"    e = np.exp({exponential})\n    return {divided}\n"
        return task.judge(answer(code))

    kept, total = "s - s.max(axis=1, keepdims=True)", "e.sum(axis=1, keepdims=True)"
    assert judged(kept, f"e / {total}").status == "correct"
    assert judged("s", f"e / {total}").mistake == "large"
    cut = judged("np.clip(s, -0.5, 0.5)", f"e / {total}").message
    assert "First, in line 3 at `np.clip(s, -0.5, 0.5)`" in cut
    assert "Second, once that is mended: It must stand large numbers." in cut


def test_the_cases_of_an_exercise_may_have_words_of_their_own():
    task = Exercise(
        np.sum,
        name="total",
        stub="",
        cases=[(np.array(row),) for row in ([-1.0], [2.0, 3.0], [-2.0], [4.0])],
        hints=["", ""],
        words=lambda row: f"the row that begins with {row[0]:g}",
    )
    trials = [Trial(c, Outcome(1.0), Outcome(0.0), c[0][0] < 0) for c in task.cases]
    findings = Findings(task, None, trials, Budget(0))
    assert common.shared(findings) is None  # though the wrong rows are negative
    listed = common.others(findings, told=True)
    assert listed.startswith("It was also wrong for the row that begins with -2; the")


def test_changes_of_lines_are_found():
    lines = [
        "total = 0",
        "for step in range(k):",
        "    total = total + 3",
        "return total + 1",
    ]
    task = Exercise(count, stub="", cases=[(2,), (5,), (8,)], hints=["", ""])

    def written(*lines):
        return task.judge(
            answer("def f(k):\n" + "".join(f"    {li}\n" for li in lines))
        )

    assert written(*lines).status == "correct"
    inside = written(*lines[:3], "    return total + 1")
    assert "in line 5" in inside.message and "indented" in inside.message
    lost = written(lines[0], lines[1], "    total + 3", lines[3])
    assert "in line 4" in lost.message and "result" in lost.message
    missing = written(*lines[:3], "total + 1")
    assert missing.status == "incorrect" and "no `return`" in missing.message


def test_what_is_set_once_and_belongs_in_each_round_is_found():
    def triangle(n):
        return np.array([sum(range(row + 1)) * 1.5 for row in range(n)])

    task = Exercise(triangle, stub="", cases=[(4,), (6,), (9,)], hints=["", ""])

    def written(before, inside):
        return task.judge(
            answer(
                f"def f(n):\n    found = []\n{before}    for row in range(n):\n{inside}"
                "        for other in range(row + 1):\n            total += other\n"
                "        found.append(total * 1.5)\n    return np.array(found)\n"
            )
        )

    assert written("", "        total = 0\n").status == "correct"
    once = written("    total = 0\n", "").message
    assert "in line 3 at `total = 0`: look at which lines belong to the loop" in once
    always = task.judge(
        answer(
            "def f(n):\n    total = 0\n    for row in range(n):\n        found = []\n"
            "        total += row\n        found.append(total * 1.5)\n"
            "    return np.array(found)\n"
        )
    ).message
    assert "in line 4 at `found = []`: look at which lines belong to the loop" in always


def test_nothing_in_some_cases_is_told_of_a_wrapped_function_too():
    task = Exercise(
        count,
        stub="",
        cases=[(2,), (3,), (4,)],
        hints=["", ""],
        run=lambda answer, k: answer(k),
    )
    feedback = task.judge(lambda k: None if k == 3 else 3 * k + 1)
    assert feedback.mistake == "nothing in some cases"


def test_two_listed_slips_at_once_are_named():
    task = Exercise(
        table,
        stub="",
        cases=[(4, 6), (5, 4)],
        hints=["", ""],
        mistakes=[
            Slip("cosine", "That is the cosine.", {"np.sin": "np.cos"}),
            Slip("wide", "The step is too wide.", {"1.5": "2.25"}),
            Mistake("zero", "All zero.", lambda n, width: np.zeros((n, width))),
        ],
    )
    made = eval(
        "lambda n, w: cos(n, w)",
        {"cos": lambda n, w: np.cos(np.arange(n)[:, None] + 2.25 * np.arange(w))},
    )
    feedback = task.judge(made)
    assert feedback.mistake == "cosine, and wide"
    assert "That is the cosine." in feedback.message


def test_where_the_reference_cannot_run_nothing_is_right(monkeypatch):
    def half(k):
        return np.half_of(k)

    task = Exercise(half, stub="", cases=[(2,), (5,)], hints=["", ""])
    monkeypatch.setattr(np, "half_of", 0.5, raising=False)
    feedback = task.judge(answer("def f(k):\n    return np.half_of(k)\n"))
    assert (feedback.status, feedback.mistake) == ("incorrect", "broken kernel")
    monkeypatch.setattr(np, "half_of", lambda k: k / 2)
    assert task.judge(answer("def f(k):\n    return k / 2\n")).status == "correct"


def test_a_whole_number_beyond_64_bits_is_a_number():
    feedback = COUNT.judge(answer("def f(k):\n    return 10**30 * k\n"))
    assert feedback.mistake != "not numbers"
    assert "got `2e+30`" in feedback.message
    fractions = answer("def f(k):\n    return [Fraction(k), 'x']\n", Fraction=float)
    assert COUNT.judge(fractions).status == "incorrect"


def test_refused_input_and_input_that_was_not_refused():
    def root(x):
        if x < 0:
            raise ValueError("negative")
        return x**0.5

    task = Exercise(root, stub="", cases=[(4.0,), (9.0,), (-1.0,)], hints=["", ""])
    said = task.judge(
        answer("def f(x):\n    if x > 5:\n        raise ValueError\n    return x**.5\n")
    )
    assert said.mistake == "refuses good input" and "line 3" in said.message
    said = task.judge(
        answer("def f(x):\n    if x < 0:\n        raise KeyError\n    return x**.5\n")
    )
    assert said.mistake == "another exception" and "`ValueError`" in said.message
    said = task.judge(answer("def f(x):\n    return abs(x)**.5\n"))
    assert said.mistake == "not refused"


def test_the_other_cases_are_told_where_one_is_wrong():
    wrong = COUNT.judge(lambda k: 3 * k + 1 + (k == 5) / 7)
    assert "The other 4 cases tried came out right." in wrong.message
    half = TABLE.judge(lambda n, w: table(n, w) * (1 + (n == 5)))
    assert "So it is for `n=5`, `width=4`; the other 3 cases" in half.message


def test_a_list_is_told_from_an_array():
    def total(values):
        return float(np.sum(values))

    task = Exercise(
        total,
        stub="def total(values): ...",
        cases=[([1, 2],), (np.array([1.0, 5.0]),), ([4, 1],), (np.array([3, 3, 1]),)],
        hints=["", ""],
    )
    feedback = task.judge(unseen(lambda values: values.sum()))
    assert "it was wrong where `values` is a list" in feedback.message


def _softmax(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def shares(n):
    return _softmax(table(n, n + 1))


def products(n):
    return table(n, n) @ table(n, n).T


def turned(n):
    return np.linalg.qr(table(n, n) + 3 * np.eye(n))[0]


def falling(n):
    return 0.5 ** np.arange(n)


def rising(n):
    return 1.7 ** np.arange(n)


@pytest.mark.parametrize(
    ("right", "wrong", "name", "says"),
    [
        (
            shares,
            lambda n: 1 / (1 + np.exp(-(table(n, n + 1) ** 3))),
            "rows do not sum to 1",
            "Each row should sum to 1; not all of yours do.",
        ),
        (
            products,
            lambda n: table(n, n) @ table(n, n) + 0.2,
            "not symmetric",
            "both sides of the diagonal",
        ),
        (
            turned,
            lambda n: (table(n, n) + 3 * np.eye(n)) / 2,
            "columns not of length 1",
            "Each column should have the length 1",
        ),
        (
            falling,
            lambda n: (np.arange(n) - 2.0) ** 2 / 3,
            "does not fall",
            "smaller than the one before",
        ),
        (
            rising,
            lambda n: 3 * np.cos(np.arange(n) + 1.5),
            "does not rise",
            "larger than the one before",
        ),
    ],
    ids=lambda it: it if isinstance(it, str) else "",
)
def test_what_every_right_answer_is(right, wrong, name, says):
    cases = [(4,), (6,), (5,)]
    task = Exercise(right, stub="def f(n): ...", cases=cases, hints=["", ""])
    feedback = task.judge(wrong)
    assert feedback.mistake == name
    assert says in feedback.message and "first difference" in feedback.message
    has_it = task.judge(lambda n: right(n + 1)[1:] if right(n).ndim == 1 else right(n))
    assert says not in has_it.message


@pytest.mark.usefixtures("status_only")
def test_numbers_outside_of_the_blocks_are_told():
    def blocks(n):
        return np.kron(np.eye(n), [[0.8, 0.7], [0.2, 0.3]])

    task = Exercise(blocks, stub="", cases=[(4,), (3,), (5,)], hints=["", ""])
    feedback = task.judge(lambda n: blocks(n) ** 2 + np.eye(2 * n, k=2) / 9)
    assert feedback.mistake == "numbers outside of the blocks"
    assert "outside of the 2 × 2 blocks on the diagonal should be 0" in feedback.message
    inside = task.judge(lambda n: blocks(n) ** 2 + np.eye(2 * n) / 9)
    assert "outside" not in inside.message


def test_what_has_items_without_end_is_not_read():
    round_and_round = [1.0]
    round_and_round.append([round_and_round])
    for endless in (np.r_, [[np.c_, np.c_]], (1.0, np.r_), round_and_round):
        with pytest.raises(comparing.Unreadable):
            comparing.as_array(endless)


def test_an_assert_is_told_from_the_exception_that_was_asked_for():
    def half(n):
        if n % 2:
            raise ValueError("odd")
        return n / 2

    task = Exercise(
        half, stub="def half(n): ...", cases=[(2,), (4,), (3,)], hints=["", ""]
    )
    feedback = task.judge(
        answer("def half(n):\n    assert n % 2 == 0\n    return n / 2\n")
    )
    assert feedback.mistake == "another exception"
    assert "`AssertionError`; a `ValueError` was asked for" in feedback.message


def test_an_argument_with_its_numbers_moved_is_told_so():
    feedback = TABLE.judge(lambda n, w: table(n, w)[::-1])
    assert (
        feedback.mistake != "only moved"
    )  # of the result: these are the right numbers

    def turned(row, k):
        return np.cos(row) * k

    cases = [(np.arange(5.0), 1), (np.arange(3.0), 2), (np.array([3.0, 1.5]), 1)]
    task = Exercise(turned, stub="def turned(row, k): ...", cases=cases, hints=["", ""])
    feedback = task.judge(unseen(lambda row, k: np.roll(row, k)))
    assert feedback.mistake == "only moved" and "`row`" in feedback.message


def test_brackets_are_found_at_any_depth():
    def scaled(base, factor, d):
        return base * factor ** (d / (d - 2))

    cases = [(10.0, 3.0, 8), (100.0, 2.0, 6), (7.0, 4.0, 12)]
    stub = "def scaled(base, factor, d): ..."
    task = Exercise(scaled, stub=stub, cases=cases, hints=["", ""])
    wrong = answer(
        "def scaled(base, factor, d):\n    return base * factor ** d / (d - 2)\n"
    )
    assert "brackets" in task.judge(wrong).message


def test_columns_in_another_order_at_every_width():
    """Two columns exchanged are an order, too."""
    feedback = TABLE.judge(
        lambda n, w: np.concatenate(
            [table(n, w)[:, 1::2], table(n, w)[:, 0::2]], axis=1
        )
    )
    assert feedback.mistake == "columns in another order"


def test_a_change_in_several_places_is_said_to_be_one():
    task = Exercise(table, stub="", cases=[(4, 6), (5, 4)], hints=["", ""])
    wide = answer(
        "def f(n, w):\n    return t(n, 8) + 0 * t(n, 8)\n",
        t=table,
    )
    said = task.judge(wide).message
    assert "in 2 places where this stands" in said, said


def test_axes_of_a_batch_that_are_exchanged_are_named():
    def cube(n, w):
        return np.arange(n * w * 2.0).reshape(n, w, 2)

    task = Exercise(cube, stub="", cases=[(4, 6), (5, 4)], hints=["", ""])
    turned = task.judge(lambda n, w: np.swapaxes(cube(n, w), 0, 1))
    assert "The axes 0 and 1 are exchanged" in turned.message


def test_beside_numbers_that_are_infinite_the_first_is_told():
    task = Exercise(table, stub="", cases=[(4, 6), (5, 4)], hints=["", ""])
    hidden = task.judge(
        lambda n, w: np.where(np.sin(9 * table(n, w)) > 0.5, -np.inf, table(n, w))
    )
    assert "Some numbers are −∞" in hidden.message
    assert "holds -inf at `[" in hidden.message


def test_what_holds_for_some_numbers_of_a_row_is_not_said_of_all():
    task = Exercise(table, stub="", cases=[(4, 6), (5, 4)], hints=["", ""])

    def turned(n, w):
        made = table(n, w)
        made[-1, ::2] *= -1
        return made

    said = task.judge(turned).message
    assert "for some numbers in the last row, where the sign is the other one" in said


def test_a_shift_below_the_tolerance_is_no_common_shift():
    feedback = TABLE.judge(lambda n, w: table(n, w).round(3) + 1e-9 * n)
    assert "every number is too" not in feedback.message


def test_what_holds_elsewhere_for_some_numbers_is_not_said_of_all():
    task = Exercise(table, stub="", cases=[(4, 6), (5, 4)], hints=["", ""])

    def hidden(n, w):
        made = table(n, w)
        made[1:, ::2] = 0
        return made

    said = task.judge(hidden).message
    assert "Only the first row is right; where others are wrong, it is 0." in said

    def emptied(n, w):
        made = table(n, w)
        made[1:] = 0
        return made

    assert (
        "Only the first row is right; elsewhere it is 0." in task.judge(emptied).message
    )


def test_true_and_false_are_not_called_numbers():
    def mask(n):
        return np.tri(n, dtype=bool)

    task = Exercise(mask, stub="", cases=[(4,), (6,)], hints=["", ""])
    said = task.judge(lambda n: mask(n) & (np.arange(n) % 3 < 2)).message
    assert " 0" not in said and "number" not in said
    assert "False" in said


def test_a_name_that_only_the_solution_makes_is_the_notebooks_own():
    def halved(n):
        half = np.arange(n) / 2
        return half + half**2

    task = Exercise(halved, stub="", cases=[(4,), (6,)], hints=["", ""])
    code = "def f(n):\n    return np.cos(half[:n]) - n * np.sqrt(3)\n"
    told = task.judge(answer(code, half=np.arange(9.0)))
    assert told.mistake == "uses the notebook's data"
    assert "`half` is none of its arguments" in told.message


def test_an_exception_about_other_sizes_in_every_case_is_another_mistake():
    def doubled(n, width):
        return np.zeros((n, width)) + np.arange(width)

    slips = [
        Slip("width typed in", "Ten.", {"np.arange(width)": "np.arange(10)"}),
        Slip("one too many", "One.", {"np.arange(width)": "np.arange(width + 1)"}),
    ]
    cases = [(2, 5), (3, 7), (6, 4)]
    task = Exercise(doubled, stub="", cases=cases, hints=["", ""], mistakes=slips)

    def judged(size):
        code = (
            f"def f(n, width):\n    return np.zeros((n, width)) + np.arange({size})\n"
        )
        return task.judge(answer(code))

    assert judged("12").mistake == "width typed in"
    assert judged("width + 1").mistake == "one too many"
    assert judged("2 * n + 10").mistake not in ("width typed in", "one too many")


def test_a_number_that_may_be_rounded_or_cut_off_is_said_to_be_neither():
    def third(k):
        return k / 3

    task = Exercise(third, stub="", cases=[(5,), (8,)], hints=["", ""])
    said = task.judge(lambda k: round(k / 3)).message
    assert "rounded up" not in said
    said = task.judge(lambda k: np.array(round(k / 3))).message
    assert "the fractions are lost" in said and "rounded up" not in said


def test_a_sum_that_keeps_its_axis_is_one_change():
    def shares(n):
        made = np.exp(np.sin(np.arange(3.0 * n))).reshape(n, 3)
        return made / made.sum(axis=1, keepdims=True)

    task = Exercise(shares, stub="", cases=[(2,), (4,)], hints=["", ""])
    code = (
        "def f(n):\n    made = np.exp(np.sin(np.arange(3.0 * n))).reshape(n, 3)\n"
        "    return made / made.sum()\n"
    )
    told = task.judge(answer(code))
    assert told.mistake == "one change"
    assert "line 3 at `made.sum()`: look at the axis" in told.message


def test_an_exception_in_one_case_does_not_speak_for_values_in_another():
    def first(n, m):
        return np.arange(n) + np.arange(n)

    slip = Slip("the other length", "The other.", {"+ np.arange(n)": "+ np.arange(m)"})
    cases = [(3, 2), (4, 4)]
    task = Exercise(first, stub="", cases=cases, hints=["", ""], mistakes=[slip])
    assert task.judge(lambda n, m: np.arange(n) + np.arange(m)).mistake == slip.name
    told = task.judge(lambda n, m: np.arange(n) + np.arange(m)[::-1])
    assert told.mistake != slip.name


def test_a_maximum_that_is_not_needed_is_no_sign():
    def steps(n, m):
        return np.arange(2.0 * m)

    task = Exercise(steps, stub="", cases=[(5, 2), (3, 4), (2, 6)], hints=["", ""])
    code = "def f(n, m):\n    return np.arange(2.0 * max(n, m))\n"
    told = task.judge(answer(code))
    assert "at `max(n, m)`: what does this call do here?" in told.message


def test_infinity_above_the_diagonal_is_not_said_to_be_everywhere_else():
    def products(n):
        return np.cos(np.arange(n)[:, None] * np.arange(1.0, n + 1))

    task = Exercise(products, stub="", cases=[(4,), (5,)], hints=["", ""])

    def hidden(n):
        return np.where(np.tri(n) > 0, products(n), -np.inf)

    said = task.judge(hidden).message
    assert "; elsewhere it is infinite" not in said
    assert "where others are wrong, it is infinite" in said


def test_an_argument_that_is_only_measured_is_told():
    def waves(x, width):
        return np.sin(np.asarray(x)[:, None] * np.arange(1, width + 1))

    cases = [(np.array([0.3, 1.7]), 2), (np.array([-0.2, 0.4, 2.9]), 3)]
    task = Exercise(waves, stub="", cases=cases, hints=["", ""])
    code = "def f(t, width):\n    return np.ones((len(t), 1)) * np.arange(width) - 7\n"
    told = task.judge(answer(code))
    assert told.mistake == "only the size of an argument"
    assert "Of its argument `t` it uses the length or shape" in told.message
    assert (
        "length or shape"
        not in task.judge(lambda x, width: 3 * waves(x, width)).message
    )


def test_what_is_not_a_number_anywhere_names_no_mistake():
    def halves(n):
        return np.arange(1.0, n) / 2

    slip = Slip("times nan", "By nan.", {"/ 2": "* np.nan"})
    task = Exercise(
        halves, stub="", cases=[(4,), (6,)], hints=["", ""], mistakes=[slip]
    )
    told = task.judge(lambda n: halves(n) + np.inf - np.inf)
    assert told.mistake != slip.name


def test_what_pytorch_does_not_implement_is_no_code_that_is_missing():
    code = "def f(n, width):\n    return torch.ones(n, width, dtype=torch.bool).abs()\n"
    told = TABLE.judge(answer(code))
    assert told.status == "incorrect"
    assert "line 2" in told.message and "`...`" not in told.message
    code = "def f(n, width):\n    raise NotImplementedError\n"
    assert TABLE.judge(answer(code)).status == "not attempted"
