"""Submissions as they come: folders, files named by Moodle, Canvas or nbgrader, zips.

Nothing is unpacked onto the disk, and no link is followed.
"""

import io
import re
import stat
import zipfile
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

LARGEST = 30_000_000  # bytes of one notebook
MOST = 300_000_000  # bytes of all notebooks of one student
_MOODLE = re.compile(
    r"(?P<name>.+?)_(?P<id>\d+)_assignsubmission_\w*?(?:_(?P<rest>.*))?"
)
_CANVAS = re.compile(r"(?P<name>[^_]+)(?:_LATE)?_(?P<id>\d+)_\d+_(?P<rest>.+)", re.I)
_WRAPPERS = {"submitted", "submissions"}  # nbgrader's folder of all submissions
_ASIDE = {"__MACOSX", ".ipynb_checkpoints"}
_NESTED = 2  # zips within a zip


@dataclass
class Submission:
    """What one student handed in: notebooks by their path, and what is wrong with it."""

    student: str
    notebooks: dict = field(default_factory=dict)  # path -> bytes
    notices: list = field(default_factory=list)
    size: int = 0

    def add(self, path, content):
        """Add a notebook, as long as there are not too many bytes."""
        self.size += len(content)
        if self.size > MOST:
            self.notices.append(f"{path}: left out, this student's files are too large")
        else:
            self.notebooks[str(path)] = content


def find(source):
    """The submissions in a folder or zip, ordered by student."""
    source = Path(source)
    found = {}
    if source.is_dir():
        for path in sorted(_unwrapped(source).iterdir()):
            _take(found, path)
    elif zipfile.is_zipfile(source):
        _take_class(found, source.read_bytes())
    else:
        raise FileNotFoundError(f"{source} is neither a folder nor a zip file")
    return _named(found)


def _unwrapped(folder):
    inner = [folder / name for name in _WRAPPERS if (folder / name).is_dir()]
    return inner[0] if inner else folder


def _take(found, path):
    """One thing of the outermost folder: a student's folder, file or zip."""
    if path.name.startswith(".") or path.name in _ASIDE:
        return
    if path.is_symlink():
        _of(found, path.name).notices.append(f"{path.name}: a link, not followed")
    elif path.is_dir():
        submission = _of(found, path.name)
        for file in sorted(path.rglob("*")):
            _take_file(submission, file, file.relative_to(path))
    elif path.suffix.lower() == ".zip":
        content = path.read_bytes()
        if _holds_a_class(content):
            _take_class(found, content)
        else:
            _take_zip(_of(found, path.stem), content, path.name)
    elif path.suffix.lower() == ".ipynb":
        _take_file(_of(found, path.stem), path, Path(path.name))


def _take_file(submission, file, shown):
    suffix = file.suffix.lower()
    if suffix not in (".ipynb", ".zip") or _ASIDE & set(shown.parts):
        return
    try:
        information = file.lstat()
        if not stat.S_ISREG(information.st_mode):
            submission.notices.append(f"{shown}: a link or no plain file, not followed")
        elif information.st_size > LARGEST:
            submission.notices.append(f"{shown}: larger than {LARGEST:,} bytes")
        elif suffix == ".zip":
            _take_zip(submission, file.read_bytes(), str(shown))
        else:
            submission.add(shown, file.read_bytes())
    except OSError as error:
        submission.notices.append(f"{shown}: {error.strerror}")


def _take_zip(submission, content, shown, depth=0):
    """The notebooks of a student's zip."""
    for path, read in _entries(content, submission, shown):
        if path.suffix.lower() == ".ipynb":
            submission.add(f"{shown}/{path}", read())
        elif path.suffix.lower() == ".zip" and depth < _NESTED:
            _take_zip(submission, read(), f"{shown}/{path}", depth + 1)


def _entries(content, submission, shown):
    """Path and reader of each entry of a zip that may be read."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for entry in archive.infolist():
                path = PurePosixPath(entry.filename.replace("\\", "/"))
                wanted = path.suffix.lower() in (".ipynb", ".zip")
                if entry.is_dir() or not wanted or _ASIDE & set(path.parts):
                    continue
                if entry.file_size > LARGEST:
                    submission.notices.append(f"{shown}/{path}: too large")
                    continue
                yield path, lambda entry=entry: archive.open(entry).read(LARGEST)
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, OSError, EOFError):
        submission.notices.append(f"{shown}: a zip that cannot be read")
    except Exception as error:  # zlib and lzma have errors of their own
        submission.notices.append(f"{shown}: a damaged zip ({type(error).__name__})")


def _holds_a_class(content):
    """Whether a zip is what Moodle or Canvas gives for a whole class."""
    try:
        names = zipfile.ZipFile(io.BytesIO(content)).namelist()
    except (zipfile.BadZipFile, OSError):
        return False
    tops = {PurePosixPath(name).parts[0] for name in names if PurePosixPath(name).parts}
    tops -= _ASIDE
    return bool(tops) and all(
        _MOODLE.fullmatch(top) or _CANVAS.fullmatch(top) for top in tops
    )


def _take_class(found, content):
    """A zip of all submissions: its outermost folders and files are the students."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = [PurePosixPath(n.replace("\\", "/")) for n in archive.namelist()]
    tops = {path.parts[0] for path in names if path.parts}
    if len(tops - _ASIDE) == 1 and any(len(path.parts) > 2 for path in names):
        cut = 1 if (tops - _ASIDE) <= _WRAPPERS else 0
    else:
        cut = 0
    for path in names:
        if len(path.parts) > cut + 1 and path.parts[0] not in _ASIDE:
            _of(found, path.parts[cut])
    whole = Submission("")
    for path, read in _entries(content, whole, ""):
        if len(path.parts) <= cut:
            continue
        top = path.parts[cut]
        alone = len(path.parts) == cut + 1
        submission = _of(found, PurePosixPath(top).stem if alone else top)
        shown = "/".join(path.parts[cut if alone else cut + 1 :])
        if path.suffix.lower() == ".zip":
            _take_zip(submission, read(), shown)
        else:
            submission.add(shown, read())
    for notice in whole.notices:
        _of(found, "?").notices.append(notice)


def _of(found, name):
    """The submission that a folder or file belongs to, by its name."""
    match = _MOODLE.fullmatch(name) or _CANVAS.fullmatch(name)
    key = (match["name"], match["id"]) if match else (name, "")
    return found.setdefault(key, Submission(key[0]))


def _named(found):
    """All of them; two students of one name are told apart by their numbers."""
    names = [name for name, _ in found]
    for (name, number), submission in found.items():
        if names.count(name) > 1 and number:
            submission.student = f"{name} ({number})"
    return [found[key] for key in sorted(found, key=lambda key: (key[0].lower(), key))]
