"""Several submissions at a time; what was judged already is not judged again."""

import hashlib
import json
import platform
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version
from pathlib import Path
from queue import SimpleQueue

from tqdm import tqdm

from helpers.marks import reading, sandbox
from helpers.marks.submissions import shown

STATES = ("correct", "incorrect", "not attempted", "missing", "not judged")


@dataclass
class Verdict:
    """What the marks say about one task; ``letter`` of a question, ``code`` as written."""

    status: str = "missing"
    mistake: str | None = None
    message: str = ""
    letter: str = ""
    code: str = ""


@dataclass
class Result:
    """A student's verdicts by column, and what is to be told about the submission."""

    submission: object
    verdicts: dict = field(default_factory=dict)
    notices: list = field(default_factory=list)

    def has(self, area):
        """Whether anything of an area was handed in."""
        verdicts = self.verdicts.items()
        return any(
            v.status != "missing" for c, v in verdicts if c.startswith(f"{area}.")
        )

    @property
    def correct(self):
        """The columns that are correct."""
        return [c for c, v in self.verdicts.items() if v.status == "correct"]

    @property
    def reason(self):
        """Why something was not judged, and what was left out, in one text."""
        lost = [
            f"{column.partition('.')[2]}: {verdict.message}"
            for column, verdict in self.verdicts.items()
            if verdict.status == "not judged"
        ]
        return "; ".join([*self.submission.notices, *self.notices, *lost])


def judge(submissions, areas, output, isolated, at_a_time):
    """The Result of each submission, in order; from the cache where it is there."""
    kept = output / "judged"
    kept.mkdir(parents=True, exist_ok=True)
    slots = SimpleQueue()
    for slot in range(at_a_time):
        slots.put(slot)

    def one(submission):
        path = kept / f"{_key(submission, areas, isolated)}.json"
        try:
            return json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            slot = slots.get()
        try:
            messages = sandbox.said(submission, areas, isolated, slot)
        finally:
            slots.put(slot)
        if any(
            "column" in m or "done" in m for m in messages
        ):  # else it is tried again
            half = path.with_suffix(".part")
            half.write_text(json.dumps(messages), encoding="utf-8")
            half.replace(path)
        return messages

    pool = ThreadPoolExecutor(at_a_time)
    try:
        jobs = [pool.submit(one, submission) for submission in submissions]
        bar = tqdm(jobs, unit="submission", disable=None)
        columns = [*reading.tasks_of(*areas)]
        return [
            _result(submission, columns, job.result())
            for submission, job in zip(submissions, bar, strict=True)
        ]
    finally:
        pool.shutdown(cancel_futures=True)


def _result(submission, columns, messages):
    """A Result of messages, of which nothing is believed but their shape."""
    result = Result(submission, {column: Verdict() for column in columns})
    if {"done": True} not in messages:
        begun = {str(m.get("column")).partition(".")[0] for m in messages}
        for column in (c for c in columns if c.partition(".")[0] in begun):
            unjudged = Verdict("not judged", message="it was stopped before")
            result.verdicts[column] = unjudged
    for message in messages:
        if isinstance(message.get("notice"), str):
            result.notices.append(shown(message["notice"])[:300])
        elif message.get("column") in columns and message.get("status") in STATES:
            texts = {k: v for k, v in message.items() if isinstance(v, str)}
            mistake = shown(texts.get("mistake", ""))[:120] or None
            result.verdicts[message["column"]] = Verdict(
                message["status"],
                mistake,
                shown(texts.get("message", ""), lines=True)[:4000],
                shown(texts.get("letter", ""))[:1],
                shown(texts.get("code", ""), lines=True)[:4000],
            )
    return result


def _key(submission, areas, isolated):
    """What verdicts depend on: the files, our code, the libraries."""
    digest = hashlib.sha256(repr([_ours(), areas, bool(isolated)]).encode())
    for place, name in submission.places:
        files = [f for f in [place, *sorted(place.rglob("*"))] if f.is_file()]
        for file in (f for f in files if not f.is_symlink()):
            about = [name, str(file.relative_to(place)), file.stat().st_mtime]
            digest.update(repr(about).encode())
            with file.open("rb") as opened:
                digest.update(hashlib.file_digest(opened, "sha256").digest())
    return digest.hexdigest()[:32]


@cache
def _ours():
    rooms = [sandbox.HELPERS, sandbox.NOTEBOOKS]
    kinds = (".py", ".toml", ".ipynb")
    files = sorted(f for room in rooms for f in Path(room).rglob("*") if f.is_file())
    digest = hashlib.sha256(
        b"".join(f.read_bytes() for f in files if f.suffix in kinds)
    ).hexdigest()
    return [digest, platform.python_version(), version("numpy"), version("torch")]
