"""The answers that were written to the exercises, and what `corpus.py` counts of them."""

import json

import corpus
import pytest
from corpus import FILES, KINDS, TASKS, Corpus, compared, counted, recorded

each = pytest.mark.parametrize("exercise", FILES)
SOURCES = {"kept", "first", "second", "third", "wild", "fourth"}
MAY_HAVE = {"right", "wrong", "source", "code", "named", "never", "told"}


@pytest.fixture
def patience():
    """The table counts what students are told, within their bounds of time."""
    return 1


@each
def test_answers_are_described(exercise):
    answers = Corpus.read(exercise).answers
    codes = [answer["code"] for answer in answers]
    assert len(set(codes)) == len(codes), "twice the same"
    for answer in answers:
        assert ("right" in answer) is not ("wrong" in answer)
        assert answer.keys() <= MAY_HAVE and answer["source"] in SOURCES
        assert "right" not in answer or not answer.keys() & {"named", "never", "told"}
    assert sum("right" in answer for answer in answers) >= 1
    assert sum("wrong" in answer for answer in answers) >= 4


def test_of_every_exercise_answers_are_kept():
    assert set(FILES) == set(TASKS) == set(recorded())


def kept():
    """The answers that earlier tests held; the rest takes minutes."""
    for exercise in FILES:
        for answer in Corpus.read(exercise).answers:
            if answer["source"] == "kept" or "told" in answer:
                words = answer.get("wrong") or answer["right"]
                yield pytest.param(exercise, answer, id=f"{exercise}: {words}")


@pytest.mark.parametrize(("exercise", "answer"), list(kept()))
def test_an_answer_is_told_what_must_be_told(exercise, answer):
    given = Corpus.read(exercise).defined(answer["code"])
    feedback = TASKS[exercise].judge(given)
    assert feedback.status == ("correct" if "right" in answer else "incorrect")
    told, message = answer.get("told", ""), " ".join(feedback.message.split())
    assert told in (feedback.mistake, "") or told in message, feedback


@pytest.mark.slow
@each
def test_what_answers_are_told_is_no_worse_than_recorded(exercise):
    complaint = compared(exercise, counted(Corpus.read(exercise).results()))
    assert complaint is None, complaint


# --- how the table counts

SPEEDS = "def angular_speeds(d_model):\n    return "
DOUBLED = SPEEDS + "10_000.0 ** (-2 * np.arange(0, d_model, 2) / d_model)\n"
REVERSED = SPEEDS + "10_000.0 ** (-np.arange(0, d_model, 2) / d_model)[::-1]\n"
RIGHT = SPEEDS + "10_000.0 ** (-np.arange(0, d_model, 2) / d_model)\n"


@pytest.mark.parametrize(
    ("answer", "kind", "layers"),
    [
        ({"wrong": "", "code": DOUBLED}, "named", ["match_listed"]),
        ({"wrong": "", "code": DOUBLED, "never": ["exponent"]}, "misleading", None),
        ({"wrong": "", "code": REVERSED}, "located", ["patterns", "repair"]),
        ({"wrong": "", "code": REVERSED, "named": ["one change"]}, "named", None),
        ({"wrong": "", "code": "angular_speeds = 3\n"}, "vague", []),
        ({"wrong": "", "code": RIGHT}, "accepted", []),
        ({"right": "", "code": RIGHT}, "right", []),
        ({"right": "", "code": DOUBLED}, "refused", None),
    ],
)
def test_an_answer_is_counted_by_what_it_is_told(answer, kind, layers):
    result = Corpus("angular_speeds").result({"source": "", **answer})
    assert result.kind == kind, result
    assert layers is None or result.layers == layers


@pytest.mark.parametrize(
    ("named", "located", "vague", "said"),
    [
        (4, 5, 1, None),
        (4, 4, 2, None),  # one answer, by the clock
        (4, 3, 3, "worse"),
        (3, 5, 2, "worse"),
        (5, 4, 1, "better"),
        (4, 4, 1, "others"),
    ],
)
def test_worse_than_recorded_is_told_from_better(
    named, located, vague, said, monkeypatch, tmp_path
):
    monkeypatch.setattr("corpus.RECORD", tmp_path / "recorded.json")
    before = dict.fromkeys(KINDS, 0) | {"located": 5, "vague": 1, "named": 4}
    corpus.RECORD.write_text(json.dumps({"x": before}))
    counts = before | {"named": named, "located": located, "vague": vague}
    found = compared("x", counts)
    assert found is said is None or said in found
