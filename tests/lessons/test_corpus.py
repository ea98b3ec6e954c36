"""The answers that were written to the exercises, and what `corpus.py` counts of them."""

import json

import pytest
from corpus import FILES, KINDS, TASKS, Corpus, compared, counted, record, recorded

each = pytest.mark.parametrize("exercise", FILES)
SOURCES = {"kept", "first", "second", "third", "wild"}
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
    corpus = Corpus.read(exercise)
    feedback = corpus.task.judge(corpus.defined(answer["code"]))
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
        (
            {"wrong": "", "code": DOUBLED, "never": ["exponent"]},
            "misleading",
            ["match_listed"],
        ),
        (
            {"wrong": "", "code": DOUBLED, "named": ["degrees"]},
            "named",
            ["match_listed"],
        ),
        ({"wrong": "", "code": REVERSED}, "located", ["patterns", "repair"]),
        ({"wrong": "", "code": REVERSED, "named": ["one change"]}, "named", None),
        ({"wrong": "", "code": "angular_speeds = 3\n"}, "vague", []),
        ({"wrong": "", "code": RIGHT}, "accepted", []),
        ({"right": "", "code": RIGHT}, "right", []),
        ({"right": "", "code": DOUBLED}, "refused", ["match_listed"]),
    ],
)
def test_an_answer_is_counted_by_what_it_is_told(answer, kind, layers):
    result = Corpus("angular_speeds").result({"source": "", **answer})
    assert result.kind == kind, result
    assert layers is None or result.layers == layers


def test_worse_than_recorded_is_told_from_better(monkeypatch, tmp_path):
    monkeypatch.setattr("corpus.RECORD", tmp_path / "recorded.json")
    result = Corpus("angular_speeds").result
    wrong = result({"wrong": "", "source": "", "code": DOUBLED})
    vague = result({"wrong": "", "source": "", "code": "angular_speeds = 3\n"})
    name = "angular_speeds"
    record({name: [wrong, wrong]})
    assert compared(name, counted([wrong, wrong])) is None
    assert "worse" in compared(name, counted([wrong, vague]))
    assert "others" in compared(name, counted([wrong]))
    record({name: [vague, wrong]})
    assert "better" in compared(name, counted([wrong, wrong]))


def test_one_answer_located_or_vague_by_the_clock_is_no_complaint(
    monkeypatch, tmp_path
):
    monkeypatch.setattr("corpus.RECORD", tmp_path / "recorded.json")
    name, kinds = "angular_speeds", dict.fromkeys(KINDS, 0)
    before = kinds | {"located": 5, "vague": 1, "named": 4}
    (tmp_path / "recorded.json").write_text(json.dumps({name: before}))
    assert compared(name, before | {"located": 4, "vague": 2}) is None
    assert "worse" in compared(name, before | {"located": 3, "vague": 3})
    assert "worse" in compared(name, before | {"named": 3, "vague": 2})
