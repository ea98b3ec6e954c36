"""Several submissions at a time; what was judged already is not judged again."""

import hashlib
import json
import platform
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version

from tqdm import tqdm

from helpers.marks import reading, sandbox
from helpers.marks.submissions import shown

PARTS = {"mistake": 120, "message": 4000, "letter": 1}  # characters
STATES = ("correct", "incorrect", *reading.WITHOUT)


@dataclass
class Verdict:
    """What the marks say about one task; ``letter`` is the answer to a question."""

    status: str = reading.MISSING
    mistake: str | None = None
    message: str = ""
    letter: str = ""


@dataclass
class Result:
    """A student's verdicts by column, and what is to be told about the submission."""

    submission: object
    verdicts: dict = field(default_factory=dict)
    notices: list = field(default_factory=list)

    def has(self, area):
        """Whether anything of an area was handed in."""
        own = (v for c, v in self.verdicts.items() if c.startswith(f"{area}."))
        return any(verdict.status != reading.MISSING for verdict in own)

    @property
    def correct(self):
        """The columns that are correct."""
        return [c for c, v in self.verdicts.items() if v.status == "correct"]

    @property
    def reason(self):
        """Why something was not judged, and what was left out, in one text."""
        pairs = [(c.partition(".")[2], v) for c, v in self.verdicts.items()]
        unjudged = [(c, v.message) for c, v in pairs if v.status == reading.NOT_JUDGED]
        lost = map(": ".join, unjudged)
        return "; ".join([*self.submission.notices, *self.notices, *lost])


def judge(submissions, areas, output, isolated, at_a_time):
    """The Result of each submission, in order; from the cache where it is there."""
    kept = output / "judged"
    kept.mkdir(parents=True, exist_ok=True)

    def one(number, submission):
        path = kept / f"{_key(submission, areas, isolated)}.json"
        with suppress(OSError, ValueError):
            return json.loads(path.read_text(encoding="utf-8"))
        messages = sandbox.said(submission, areas, isolated, number)
        if any({"column", "done"} & m.keys() for m in messages):  # else tried again
            half = path.with_suffix(".part")
            half.write_text(json.dumps(messages), encoding="utf-8")
            half.replace(path)
        return messages

    pool = ThreadPoolExecutor(at_a_time)
    try:
        jobs = [pool.submit(one, *numbered) for numbered in enumerate(submissions)]
        bar = tqdm(jobs, unit="submission", disable=None)
        columns, said = [*reading.tasks_of(*areas)], [job.result() for job in bar]
        return [_result(s, columns, m) for s, m in zip(submissions, said, strict=True)]
    finally:
        pool.shutdown(cancel_futures=True)


def _result(submission, columns, messages):
    """A Result of messages, of which nothing is believed but their shape."""
    result = Result(submission, {column: Verdict() for column in columns})
    if {"done": True} not in messages:
        begun = {str(m.get("column")).partition(".")[0] for m in messages}
        unjudged = Verdict(reading.NOT_JUDGED, message="it was stopped before")
        stopped = (c for c in columns if c.partition(".")[0] in begun)
        result.verdicts |= dict.fromkeys(stopped, unjudged)
    for message in messages:
        if isinstance(message.get("notice"), str):
            result.notices.append(shown(message["notice"])[:300])
        elif message.get("column") in columns and message.get("status") in STATES:
            verdict = Verdict(message["status"])
            for name, most in PARTS.items():
                text = message.get(name)
                if isinstance(text, str):
                    setattr(verdict, name, shown(text, lines=most > 999)[:most])
            result.verdicts[message["column"]] = verdict
    return result


def _key(submission, areas, isolated):
    """What verdicts depend on: the files, our code, the libraries."""
    digest = hashlib.sha256(repr([_ours(), areas, bool(isolated)]).encode())
    for place, name in submission.places:
        for file in reading.files_in(place):
            about = [name, str(file.relative_to(place)), file.stat().st_mtime]
            digest.update(repr(about).encode())
            with file.open("rb") as opened:
                digest.update(hashlib.file_digest(opened, "sha256").digest())
    return digest.hexdigest()[:32]


@cache
def _ours():
    rooms, kinds = [sandbox.HELPERS, reading.NOTEBOOKS], (".py", ".toml", ".ipynb")
    files = [f for room in rooms for f in reading.files_in(room) if f.suffix in kinds]
    digest = hashlib.sha256(b"".join(f.read_bytes() for f in files)).hexdigest()
    return [digest, platform.python_version(), version("numpy"), version("torch")]
