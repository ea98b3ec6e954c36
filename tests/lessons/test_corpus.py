"""The answers that were written to the exercises, and what `corpus.py` counts of them."""

import corpus
import pandas as pd
import pytest
from corpus import FILES, TASKS, compared, counted, defined, read, recorded, results

each = pytest.mark.parametrize("exercise", FILES)
SOURCES = {"kept", "first", "second", "third", "wild", "fourth", "fifth"}
MAY_HAVE = {"right", "wrong", "source", "code", "named", "never", "told"}


@pytest.fixture
def patience():
    """The table counts what students are told, within their bounds of time."""
    return 1


@each
def test_answers_are_described(exercise):
    answers = read(exercise)["answers"]
    assert len({answer["code"] for answer in answers}) == len(answers), "twice the same"
    right = [answer for answer in answers if "right" in answer]
    assert len(right) >= 1 and len(answers) - len(right) >= 4
    for answer in answers:
        assert ("right" in answer) is not ("wrong" in answer)
        assert answer.keys() <= MAY_HAVE and answer["source"] in SOURCES


def test_of_every_exercise_answers_are_kept():
    assert set(FILES) == set(TASKS)


TOLD = [
    pytest.param(exercise, answer, id=f"{exercise}: {answer['wrong']}")
    for exercise in FILES
    for answer in read(exercise)["answers"]
    if "told" in answer
]


@pytest.mark.parametrize(("exercise", "answer"), TOLD)
def test_an_answer_is_told_what_must_be_told(exercise, answer):
    feedback = TASKS[exercise].judge(defined(exercise, answer["code"]))
    assert feedback.status == "incorrect"
    message = f"{feedback.mistake}: {' '.join(feedback.message.split())}"
    assert answer["told"] in message


@pytest.mark.slow
@pytest.mark.weekly
@each
def test_what_answers_are_told_is_as_recorded(exercise):
    complaint = compared(exercise, counted(results(exercise)))
    assert complaint is None, complaint


# --- how the table counts

SPEEDS = "def angular_speeds(d_model):\n    return "
DOUBLED = SPEEDS + "10_000.0 ** (-2 * np.arange(0, d_model, 2) / d_model)\n"
REVERSED = SPEEDS + "10_000.0 ** (-np.arange(0, d_model, 2) / d_model)[::-1]\n"
RIGHT = SPEEDS + "10_000.0 ** (-np.arange(0, d_model, 2) / d_model)\n"


@pytest.mark.parametrize(
    ("code", "says", "kind", "layers"),
    [
        (DOUBLED, {}, "named", ["match_listed"]),
        (DOUBLED, {"never": ["exponent"]}, "misleading", ["match_listed"]),
        (DOUBLED, {"named": ["column index"]}, "misleading", ["match_listed"]),
        (REVERSED, {}, "located", ["repair"]),
        ("angular_speeds = 3\n", {}, "vague", []),
        (RIGHT, {}, "accepted", []),
        (DOUBLED, {"right": ""}, "refused", ["match_listed"]),
    ],
)
def test_an_answer_is_counted_by_what_it_is_told(code, says, kind, layers):
    result = corpus.result("angular_speeds", {"code": code, **says})
    assert (result.kind, result.layers) == (kind, layers)


@pytest.mark.parametrize(
    ("changes", "is_told"),
    [
        ({}, False),
        ({"located": -1, "vague": 1}, False),  # one answer, by the clock
        ({"located": -2, "vague": 2}, True),
        ({"named": -1, "located": 1}, True),
    ],
)
def test_what_is_not_as_recorded_is_told(changes, is_told):
    counts = recorded().loc["forward"].add(pd.Series(changes), fill_value=0)
    assert bool(compared("forward", counts)) is is_told
