"""Mark a folder of submissions: ``python -m helpers.marking FOLDER``, `make marks`.

Writes marks.csv and class.html into build/marks (or ``--output``). What was judged
already is not judged again, also where an earlier run was interrupted.
"""

import argparse
import os
import sys
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from helpers.exercises import AREAS
from helpers.marking import batch, judging, reading, sandbox, submissions, table
from helpers.publishing.lesson import ROOT

OUTPUT = ROOT / "build" / "marks"


def main(arguments=None):
    """The command line; ends with one sentence where no marks can be made."""
    options = _options(arguments)
    shut_in = _walls(options.trust)
    try:
        found = submissions.find(options.folder)
    except OSError as error:
        sys.exit(f"No marks were made: {error}.")
    if not found:
        sys.exit(f"No marks were made: {options.folder} holds no submissions.")
    read = [batch.read(submission) for submission in found]
    areas = [a for a in AREAS if any(a in answers for answers in read)]
    options.output.mkdir(parents=True, exist_ok=True)
    try:
        judged = batch.judge_all(read, options.output, shut_in, options.jobs)
    except (sandbox.NoStart, BrokenProcessPool) as error:
        sys.exit(f"The marks are not finished: {error or type(error).__name__}.")
    except KeyboardInterrupt:
        sys.exit("\nInterrupted. The same command goes on where it was.")
    columns = [column for area in areas for column in reading.tasks_of(area)]
    missing = judging.Verdict(reading.MISSING)
    rows = [
        (submission.student, {c: verdicts.get(c, missing) for c in columns})
        for submission, verdicts in zip(found, judged, strict=True)
    ]
    table.write(options.output / "marks.csv", columns, rows)
    for submission in found:
        for notice in submission.notices:
            print(_printable(f"{submission.student}: {notice}"))
    many = "student" if len(rows) == 1 else "students"
    print(f"{len(rows)} {many}, {len(columns)} exercises and questions.")
    print(options.output / "marks.csv")
    print(_page(options.output, areas, [verdicts for _, verdicts in rows]))


def _options(arguments):
    parser = argparse.ArgumentParser(
        prog="python -m helpers.marking",
        description="Mark a folder of submissions: marks.csv, and class.html "
        "about what the class believes.",
    )
    parser.add_argument("folder", type=Path, help="folder or zip of submissions")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="build/marks")
    parser.add_argument(
        "--trust",
        action="store_true",
        help="run the answers without bubblewrap: they see your files and the network",
    )
    parser.add_argument(
        "--jobs", type=int, default=min(4, os.cpu_count() or 1), help="at a time"
    )
    return parser.parse_args(arguments)


def _walls(trust):
    try:
        return sandbox.walls()
    except sandbox.NoWalls as reason:
        if not trust:
            sys.exit(
                f"No marks were made: {reason}. Without it, answers could read and "
                "change your files and use the network. Install it (Debian and Ubuntu: "
                "`apt install bubblewrap`), or, for a class that you trust, add "
                "--trust (with make: TRUST=--trust)."
            )
        limits = "the limits of time, memory and file size hold"
        if os.name == "nt":
            limits = "only the time is limited"
        print(f"Without walls: {reason}; {limits}, but answers can see your files.")
        return None


def _printable(text):
    """The text without what a terminal would obey."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)


def _page(output, areas, verdicts):
    try:
        from helpers.marking.page import write
    except ModuleNotFoundError as error:
        return f"class.html was not made: it needs {error.name} (the extra `site`)."
    return write(output / "class.html", areas, verdicts)


if __name__ == "__main__":
    main()
