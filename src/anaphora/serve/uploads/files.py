"""Uploaded files in their places among the files of an index."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path, PurePosixPath

from anaphora.ingest import path_text
from anaphora.ingest.ledger import record_of
from anaphora.serve.uploads.filenames import numbered
from anaphora.serve.uploads.jobs import UploadedFile


def place(staged: Path, root: Path, name: PurePosixPath) -> Path:
    """Moves a file to its place, or to one with a number if there is another file."""
    number = 1
    while True:
        target = root / (name if number == 1 else numbered(name, number))
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            name = PurePosixPath(name.name)  # a folder has the name of an earlier file
            continue
        try:
            # Another server may choose the same name: the one that creates the file has it.
            target.open("xb").close()
        except (FileExistsError, IsADirectoryError):
            number += 1
            continue
        try:
            staged.replace(target)
        except OSError:
            target.unlink()
            raise
        return target


def delete(file: Path, root: Path) -> None:
    """Deletes a file, and the folders below the root that are empty then."""
    with suppress(OSError):
        file.unlink()
        for folder in file.parents:
            if folder == root:
                break
            folder.rmdir()


def restore(file: UploadedFile, root: Path) -> None:
    """Deletes a file that was not read, and puts back the one that it replaced."""
    if file.before and file.before.is_file():
        file.before.replace(file.path or root / file.name)
    elif file.path:
        delete(file.path, root)


def is_read(folder: Path, path: Path) -> bool:
    """Whether the index knows a file as it is now."""
    known = record_of(folder, path_text(path))
    stat = path.stat() if path.is_file() else None
    return bool(known and stat and (known.size, known.mtime_ns) == (stat.st_size, stat.st_mtime_ns))


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def megabytes(size: int) -> str:
    return f"{size / 1_000_000:g} MB"
