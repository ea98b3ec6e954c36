"""Who handed in what: folders, files and zips as Moodle, Canvas and nbgrader name them.

Files are read where they lie, and those of a zip out of it: nothing is unpacked onto
the disk, no link is followed, and size and depth are bounded.
"""

import io
import re
import zipfile
from collections import defaultdict
from dataclasses import dataclass, field
from functools import partial
from pathlib import PurePosixPath

from helpers.checks.feedback import CORRECT
from helpers.checks.timing import TimeUp, time_limit
from helpers.marks.reading import JUDGED, MISSING, NOT_JUDGED, Verdict, shown, verdicts

LARGEST, MOST = 100_000_000, 400_000_000  # bytes of a file, and of a submission
DEEPEST = 3  # zips in zips
SECONDS = 5  # to read a notebook, which takes a few hundredths

# What Moodle and Canvas call a folder or file: name_id_assignsubmission_file,
# name_LATE_id_number_file.
_COURSE = re.compile(
    r"(.+?)_(?:late_)?(?=\d+_assignsubmission_|\d{3,}_\d{3,}_)(\d{1,20})_", re.I
)
_ASIDE = re.compile(r"\.|__MACOSX$|Thumbs\.db$|.*\.csv$")  # hidden ones, and rosters


@dataclass
class Student:
    """What one student handed in, and what is known of it.

    ``number`` is the id that the course gave; ``files`` are names, each with what opens
    it; ``verdicts`` go by columns ("formula.angular_speeds"), and those that are not
    there are missing; ``unread`` are the kinds of file that were not looked at.
    """

    name: str
    number: str = ""
    files: list = field(default_factory=list)
    verdicts: dict = field(default_factory=lambda: defaultdict(Verdict))
    notices: list = field(default_factory=list)
    unread: set = field(default_factory=set)
    left: int = MOST  # bytes that may be read

    def of(self, status, columns):
        """The columns that have a status."""
        return [column for column in columns if self.verdicts[column].status == status]

    def has(self, columns):
        """Whether the notebook with these columns was handed in."""
        return len(self.of(MISSING, columns)) < len(columns)

    def reason(self, columns):
        """Why something was not judged, and what else the instructor should know."""
        told = list(self.notices)
        if self.unread and self.of(MISSING, columns):
            told.append(f"not read: {' '.join(sorted(self.unread))} (only .ipynb is)")
        for status in NOT_JUDGED:
            if own := self.of(status, columns):
                names = "everything" if len(own) == len(columns) else ", ".join(own)
                told.append(f"{status}: {names}")
        return "; ".join(told)

    def read(self, tasks):
        """Take the verdicts of all files; of several copies the best answered counts."""
        best = {}  # area -> column -> Verdict
        for file in self.files:
            for name, content in self._notebooks(*file):
                try:
                    with time_limit(SECONDS):
                        found = verdicts(content, tasks)
                except (Exception, TimeUp) as error:  # no file stops the class
                    self.tell(name, f"damaged, or no notebook: {error!r}")
                    continue
                if not found:
                    self.tell(name, "no exercise of this assignment is in it")
                for area, own in found.items():
                    if area in best:
                        self.tell(name, "another copy; the best answered one counts")
                    best[area] = max(best.get(area, own), own, key=_answered)
        for own in best.values():
            self.verdicts |= own

    def _notebooks(self, name, opened, depth=DEEPEST):
        """(name, bytes) of each notebook in a file; what cannot be read is told."""
        suffix = PurePosixPath(name).suffix.lower()
        most = min(LARGEST, self.left)
        if ".ipynb" not in name.lower() and suffix != ".zip":
            self.unread.add(suffix or "a file without ending")
            return
        try:
            with opened() as file:
                content = file.read(most + 1)
            self.left -= len(content)
            if len(content) > most or not depth:
                raise ValueError("too large, or too deep in zips")
            if suffix != ".zip":
                yield name, content
                return
            for parts, inner in _entries(zipfile.ZipFile(io.BytesIO(content))):
                if not any(map(_ASIDE.match, parts)):
                    yield from self._notebooks(f"{name}/{parts[-1]}", inner, depth - 1)
        except Exception as error:  # zlib, lzma and passwords have errors of their own
            self.tell(name, f"cannot be read: {error!r}")

    def tell(self, name, what):
        """Add a notice about a file or a task."""
        self.notices.append(shown(f"{name[-150:]}: {what}", 300))


def _answered(verdicts):
    """What orders copies: answers that were judged, and right ones."""
    statuses = [verdict.status for verdict in verdicts.values()]
    return sum(s in JUDGED for s in statuses), statuses.count(CORRECT)


def find(source):
    """The students of a folder, or of the zip of a whole class, in its order.

    Nobody where there is neither; BadZipFile for another file.
    """
    zipped = source.is_file()  # and stays open to be read
    files = _entries(zipfile.ZipFile(source)) if zipped else _files(source)
    found = {}
    for parts, opened in files:
        if any(map(_ASIDE.match, parts)):
            continue
        known = _COURSE.match(parts[0])
        name, number = known.groups() if known else (parts[0], "")
        name = name if parts[1:] else PurePosixPath(name).stem
        student = found.setdefault((name, number), Student(shown(name, 200), number))
        student.files.append(("/".join(parts), opened))
    return [*found.values()]


def _files(root):
    """(parts of the name, what opens it) of all files below a folder."""
    for path in sorted(root.rglob("*")):
        if path.is_symlink() or not path.is_dir():
            yield path.relative_to(root).parts, partial(_opened, path)


def _opened(path):
    if path.is_symlink() or not path.is_file():
        raise OSError("a link, or no plain file")
    return path.open("rb")


def _entries(archive):
    """The same of the entries of a zip."""
    for entry in archive.infolist():
        parts = entry.filename.replace("\\", "/").split("/")
        parts = [part for part in parts if part not in ("", ".", "..")]
        if parts and not entry.is_dir():
            yield parts, partial(archive.open, entry)
