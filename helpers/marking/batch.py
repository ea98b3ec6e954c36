"""From submissions to verdicts: read, judge several at a time, keep what is done."""

import hashlib
import json
import multiprocessing
import os
import platform
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict
from importlib.metadata import version

from tqdm import tqdm

from helpers.exercises.core import INCORRECT
from helpers.exercises.timing import TimeUp, processor_limit
from helpers.marking import judging, reading, sandbox

LONGEST = 60.0  # seconds of processor time to read one notebook
FAILURE = "could not be judged"


def read(submission):
    """Area -> column -> Answer, from all notebooks of a student."""
    best = {}
    for path, content in submission.notebooks.items():
        try:
            cells = reading.cells_of(content)
            areas = reading.areas_in(cells)
            for area in areas:
                reading.tasks_of(area)  # no import may be cut short
            with processor_limit(LONGEST):
                found = {area: reading.read(cells, area) for area in areas}
        except reading.Unreadable as error:
            submission.notices.append(f"{path}: {error}")
            continue
        except TimeUp:
            submission.notices.append(f"{path}: reading it takes too long")
            continue
        if not found:
            submission.notices.append(f"{path}: no exercise of the lesson is in it")
        for area, answers in found.items():
            attempted = sum(a.state == reading.ATTEMPTED for a in answers.values())
            if area in best:
                submission.notices.append(
                    f"{area} was handed in more than once: the fuller one counts"
                )
            if area not in best or attempted >= best[area][0]:
                best[area] = attempted, answers
    return {area: answers for area, (_, answers) in best.items()}


def judge_all(submissions, output, shut_in, at_a_time):
    """The verdicts of each submission, in order; from the cache where they are there."""
    cache = output / "judged"
    cache.mkdir(exist_ok=True)
    keys = [_key(answers, shut_in) for answers in submissions]
    verdicts = {key: _cached(cache / f"{key}.json") for key in keys}
    jobs = {
        k: answers
        for k, answers in zip(keys, submissions, strict=True)
        if verdicts[k] is None
    }
    with tqdm(total=len(keys), unit="submission", disable=None) as bar:
        bar.update(len(keys) - sum(key in jobs for key in keys))
        if jobs:
            spawn = multiprocessing.get_context("spawn")
            count = min(at_a_time, len(jobs))
            with ProcessPoolExecutor(count, mp_context=spawn) as pool:
                running = {
                    pool.submit(judge_one, answers, shut_in): key
                    for key, answers in jobs.items()
                }
                try:
                    for future in as_completed(running):
                        key = running[future]
                        verdicts[key] = future.result()
                        if not _is_failure(verdicts[key]):
                            _store(cache / f"{key}.json", verdicts[key])
                        bar.update(keys.count(key))
                except BaseException:
                    pool.shutdown(wait=False, cancel_futures=True)
                    raise
    return [
        {column: judging.Verdict(**kept) for column, kept in verdicts[key].items()}
        for key in keys
    ]


def judge_one(read, shut_in):
    """Column -> verdict as a dict, for one submission; in a process of the pool."""
    answers = {c: a for columns in read.values() for c, a in columns.items()}
    try:
        verdicts = judging.judged(answers, walls=shut_in, slot=os.getpid() % 5000)
    except sandbox.NoStart:
        raise
    except Exception as error:
        said = f"Judging failed: {type(error).__name__}: {error}"
        failed = judging.Verdict(INCORRECT, FAILURE, said)
        verdicts = {
            column: failed
            if answer.state == reading.ATTEMPTED
            else judging.Verdict(reading.MISSING)
            for column, answer in answers.items()
        }
    return {column: verdict.as_dict() for column, verdict in verdicts.items()}


def _is_failure(verdicts):
    return any(verdict["mistake"] == FAILURE for verdict in verdicts.values())


def _key(read, shut_in):
    """What verdicts depend on: the answers, our code, the libraries."""
    answers = {
        area: {column: asdict(answer) for column, answer in columns.items()}
        for area, columns in read.items()
    }
    text = json.dumps([answers, bool(shut_in), _ours()], sort_keys=True, default=repr)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _ours():
    files = sorted(sandbox.HELPERS.glob("*.py"))
    for room in ("exercises", "marking"):
        files += sorted((sandbox.HELPERS / room).rglob("*.py"))
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
    libraries = [version(name) for name in ("numpy", "torch")]
    return [digest, platform.python_version(), *libraries]


def _cached(path):
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _store(path, verdicts):
    half = path.with_suffix(".part")
    half.write_text(json.dumps(verdicts), encoding="utf-8")
    half.replace(path)
