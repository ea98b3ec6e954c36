"""Mark a folder of submissions: ``python -m helpers.marks FOLDER``, `make marks`.

Writes marks.csv, class.html and a page a student into build/marks (or ``--output``).
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

from helpers.lessons import AREAS
from helpers.marks import batch, page, reading, sandbox, submissions, table

OUTPUT = Path(__file__).resolve().parents[2] / "build" / "marks"


def main(arguments=None):
    """The command line; ends with one sentence where no marks can be made."""
    options = _options(arguments)
    areas = _areas(options.only)
    isolated = _isolation(options.trust)
    with tempfile.TemporaryDirectory() as unpacked:
        try:
            found = submissions.find(options.folder, unpacked)
            if not found:
                raise FileNotFoundError(f"{options.folder} holds no submissions")
            results = batch.judge(found, areas, options.output, isolated, options.jobs)
        except OSError as error:
            sys.exit(f"No marks were made: {error}.")
        except KeyboardInterrupt:
            sys.exit("\nInterrupted. The same command goes on where it was.")
    if not options.only:
        areas = _assigned(areas, results)
    columns = [*reading.tasks_of(*areas)]
    for result in results:
        result.verdicts = {c: result.verdicts[c] for c in columns}
    _write(options, areas, columns, results)


def _write(options, areas, columns, results):
    try:
        points = table.weights(options.weights, columns) if options.weights else {}
    except (OSError, ValueError, IndexError) as error:
        sys.exit(f"No marks were written: the weights cannot be read ({error}).")
    name = " ".join(options.only) or "positional encoding"
    paths = table.write(options.output, results, columns, points, name)
    print(f"Students: {len(results)}, exercises and questions: {len(columns)}.")
    if lost := sum(bool(result.reason) for result in results):
        print(f"For {lost} something was left out or not judged: see marks.csv.")
    print(*paths, *page.write(options.output, areas, results), sep="\n")


def _assigned(areas, results):
    """The areas that half of the class handed in; without any, those anybody did."""
    counts = {area: sum(result.has(area) for result in results) for area in areas}
    found = [a for a in areas if 2 * counts[a] >= len(results)]
    found = found or [a for a in areas if counts[a]]
    for area in areas:
        if counts[area] and area not in found:
            print(f"Left out: {area}, of {counts[area]} only. Add it with --only.")
    return found or areas


def _options(arguments):
    about = "Mark a folder of submissions, see helpers/marks/README.md."
    parser = argparse.ArgumentParser("python -m helpers.marks", description=about)
    add, jobs = parser.add_argument, min(4, os.cpu_count() or 1)
    add("folder", type=Path, help="folder of submissions, or class zip")
    add("--output", type=Path, default=OUTPUT, help="build/marks")
    add("--only", nargs="+", default=[], help="this assignment: 01 02 …")
    add("--weights", type=Path, help="CSV of task,points")
    add("--jobs", type=int, default=jobs, help="at a time")
    trusting = "run answers without bubblewrap: they see your files and the network"
    add("--trust", action="store_true", help=trusting)
    return parser.parse_args(arguments)


def _areas(only):
    """The areas of the notebooks whose numbers or names are given; all without any."""
    stems = {f"{number:02}_{area}": area for number, area in enumerate(AREAS, 1)}
    for start in only:
        if not any(stem.startswith(start) for stem in stems):
            sys.exit(f"No marks were made: there is no notebook {start!r}.")
    return [stems[stem] for stem in stems if stem.startswith(tuple(only) or "")]


def _isolation(trust):
    try:
        return sandbox.isolation()
    except sandbox.NoSandbox as reason:
        seen = "answers can see and change your files, and use the network"
        if not trust:
            sys.exit(
                f"No marks were made: {reason}. Without it, {seen}. Install it (Debian "
                "and Ubuntu: `apt install bubblewrap`), or, for a class that you trust, "
                "add --trust (with make: TRUST=--trust)."
            )
        print(f"Not isolated: {reason}; {seen}.")
        return None


if __name__ == "__main__":
    main()
