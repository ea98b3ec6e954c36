"""Who handed in what: folders, files and zips as Moodle, Canvas and nbgrader name them.

Nothing is opened here but a zip of a whole class, which comes from the course and not
from a student; what students made is read in the sandbox alone.
"""

import os
import re
import time
import zipfile
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

LARGEST = 100_000_000  # bytes of one file that are unpacked; the worker reads less
LONGEST = 240  # characters of a name
_WRAPPERS = ("submitted", "submissions")  # nbgrader's folder of all submissions
_NAMES = {
    "Moodle": r"(.+)_(\d{1,20})_assignsubmission_",
    "Canvas": r"([^_]+)_(?:LATE_)?(\d{1,20})_\d{1,20}_",
}
_ASIDE = {"__MACOSX", ".ipynb_checkpoints", "Thumbs.db", "desktop.ini"}


@dataclass
class Submission:
    """What one student handed in.

    ``places`` are files and folders with the name each was handed in by; ``number`` is
    the id that the course gave, in the system ``system``.
    """

    student: str
    number: str = ""
    system: str = ""
    places: list = field(default_factory=list)  # (path, name)
    notices: list = field(default_factory=list)


def find(source, unpacked):
    """The submissions in a folder or class zip, ordered by student.

    A class zip is unpacked into the folder ``unpacked``, under names of our own.
    """
    source, found = Path(source), {}
    if source.is_dir():
        inner = [source / n for n in _WRAPPERS if (source / n).is_dir()]
        paths = sorted((inner or [source])[0].iterdir())
        for path in (p for p in paths if p.name[0] != "." and p.name not in _ASIDE):
            link, folder = path.is_symlink(), path.is_dir()
            made = _of(found, path.name, link or not folder)
            if (folder or path.is_file()) and not link:
                made.places.append((path, path.name))
            else:
                made.notices.append(f"{path.name}: no plain file, not followed")
    elif zipfile.is_zipfile(source):
        _unpack(source, Path(unpacked), found)
    else:
        raise FileNotFoundError(f"{source} is neither a folder nor a zip file")
    return sorted(found.values(), key=lambda s: (s.student.lower(), s.number))


def identity(name):
    """(student, number, system) of a folder's or file's name."""
    for system, pattern in _NAMES.items():
        if found := re.match(pattern, name, re.IGNORECASE):
            return *found.groups(), system
    return name, "", ""


def shown(text, lines=False):
    """The text with every sign that is not to be seen written out: ``\\x1b``."""
    hidden = {sign for sign in text if not sign.isprintable()} - {"\n" * lines}
    codes = {sign: sign.encode("unicode_escape").decode() for sign in hidden}
    return text.translate(str.maketrans(codes))


def _of(found, top, alone):
    """The submission that an outermost name belongs to; ``alone`` where it is a file."""
    student, number, system = identity(top)
    if alone and not system:
        student = PurePosixPath(top).stem
    made = Submission(shown(student), number, system)
    return found.setdefault((student, number), made)


def _unpack(source, folder, found):
    """Write the entries of a class zip under numbers, and add each to its student."""
    with zipfile.ZipFile(source) as archive:
        entries = [e for e in archive.infolist() if not e.is_dir()]
        paths = [PurePosixPath(e.filename.replace("\\", "/")) for e in entries]
        tops = {p.parts[0] for p in paths if p.parts} - _ASIDE
        deep = len(tops) == 1 and any(len(p.parts) > 2 for p in paths)
        cut = 1 if deep and not identity(next(iter(tops)))[2] else 0
        for number, (entry, path) in enumerate(zip(entries, paths, strict=True)):
            if len(path.parts) <= cut or _ASIDE & set(path.parts):
                continue
            top, name = path.parts[cut], "/".join(path.parts[cut:])[-LONGEST:]
            alone = len(path.parts) == cut + 1
            made = _of(found, top[:LONGEST], alone)
            target = folder / f"{number}{path.suffix[:10]}"
            try:
                with archive.open(entry) as packed:
                    target.write_bytes(packed.read(LARGEST))
                # The newer of two versions counts, and what is judged is known again.
                when = time.mktime((*entry.date_time, 0, 0, -1))
                os.utime(target, (when, when))
            except Exception as error:  # zlib and lzma have errors of their own
                made.notices.append(f"{name}: a damaged zip ({type(error).__name__})")
            else:
                made.places.append((target, name))
