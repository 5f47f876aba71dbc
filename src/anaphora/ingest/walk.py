"""Finds the files to read."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from anaphora.errors import UsageError
from anaphora.ingest.content import Skipped
from anaphora.ingest.kinds import SUFFIXES

_IGNORED_FOLDERS = frozenset({"__pycache__", "node_modules", "CVS"})
# Sphinx puts a copy of each page's source next to the pages.
_SOURCES = frozenset({"_sources"})
_BUILT = frozenset({"_sources", "_static"})
_Identity = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Found:
    """A file to read.

    Attributes:
        path: absolute.
        doc_id: the path from the folder above the root, with "/" as the separator.
        size: in bytes, when the file was found.
        mtime_ns: the time of the last change, in nanoseconds.
    """

    path: Path
    doc_id: str
    size: int
    mtime_ns: int

    @property
    def key(self) -> str:
        """The path as text that is the same in every locale and can be stored; see `path_text`."""
        return path_text(self.path)

    @property
    def root(self) -> str:
        """The name of the folder that is indexed, or of the file where it was named."""
        return self.doc_id.partition("/")[0]


def path_text(path: str | Path) -> str:
    r"""A path as text that UTF-8 can encode: its bytes read as UTF-8, others as `\xe9`.

    Python's own text of a path depends on the locale's encoding, and holds lone surrogates for
    bytes that this encoding does not have.

    >>> path_text("guide/größe.md"), path_text("caf\udce9.txt")
    ('guide/größe.md', 'caf\\xe9.txt')
    """
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def find_files(roots: Sequence[Path], skip: Path) -> Iterator[Found | Skipped]:
    """Walks files and folders in a fixed order, and yields each file once.

    Hidden files, version control, caches, Sphinx's copies of its sources and the folder `skip` (the
    index itself) are ignored.
    Everything else that is not read is reported. Symbolic links are followed after all real files,
    so that a file keeps the name of its real location.

    Raises:
        UsageError: a root does not exist.

    >>> from tempfile import mkdtemp
    >>> root = Path(mkdtemp()) / "docs"
    >>> root.mkdir()
    >>> _ = (root / "guide.md").write_text("# Guide")
    >>> [found.doc_id for found in find_files([root], root / ".anaphora")]
    ['docs/guide.md']
    """
    places = [Path(os.path.abspath(root)) for root in roots]
    for root, place in zip(roots, places, strict=True):
        if not place.exists():
            raise UsageError(f"{root} does not exist: name a file or folder to index")
    walk = _Walk(skip)
    for place in places:
        yield from walk.visit(place, path_text(place.name), follow=True)
    yield from walk.links()


class _Walk:
    def __init__(self, skip: Path) -> None:
        self._skip = os.path.realpath(skip)
        self._seen: dict[_Identity, str] = {}
        self._links: list[tuple[Path, str]] = []

    def visit(self, start: Path, start_name: str, follow: bool) -> Iterator[Found | Skipped]:
        """Everything at and below `start`, without recursion: folders nest without limit."""
        stack = [(start, start_name)]
        while stack:
            path, name = stack.pop()
            try:
                if not follow and path.is_symlink():
                    self._links.append((path, name))
                    continue
                follow = False
                found = path.stat()
            except OSError as error:
                yield Skipped(name, _reason(error, path))
                continue
            if stat.S_ISDIR(found.st_mode):
                if os.path.realpath(path) == self._skip:
                    continue
                earlier = self._register(found, name)
                if earlier is not None:
                    yield Skipped(name, f"is the same folder as {earlier}")
                    continue
                try:
                    children = sorted(os.listdir(path), reverse=True)
                except OSError as error:
                    yield Skipped(name, _reason(error, path))
                    continue
                ignored = _IGNORED_FOLDERS | (_SOURCES if _BUILT.issubset(children) else set())
                stack += [
                    (path / child, f"{name}/{path_text(child)}" if name else path_text(child))
                    for child in children
                    if not child.startswith(".") and child not in ignored
                ]
            elif stat.S_ISREG(found.st_mode):
                suffix = path.suffix.lower()
                if suffix not in SUFFIXES:
                    yield Skipped(name, f"{suffix} files are not read")
                    continue
                earlier = self._register(found, name)
                if earlier is not None:
                    yield Skipped(name, f"is the same file as {earlier}")
                else:
                    yield Found(path, name, found.st_size, found.st_mtime_ns)
            else:
                yield Skipped(name, "is not a regular file")

    def links(self) -> Iterator[Found | Skipped]:
        """Follows the links found so far, and then the links that they lead to."""
        while self._links:
            links, self._links = sorted(self._links), []
            for path, name in links:
                yield from self.visit(path, name, follow=True)

    def _register(self, found: os.stat_result, name: str) -> str | None:
        """Records a file or folder; returns the name under which it was found before, if any."""
        identity = (found.st_dev, found.st_ino)
        earlier = self._seen.get(identity)
        if earlier is None:
            self._seen[identity] = name
        return earlier


def _reason(error: OSError, path: Path) -> str:
    if isinstance(error, FileNotFoundError) and path.is_symlink():
        return "is a link to nothing"
    if isinstance(error, PermissionError):
        return "may not be read (permission denied)"
    if error.errno == errno.ELOOP:
        return "is a link that leads back to itself"
    return f"cannot be read ({error.strerror or error})"
