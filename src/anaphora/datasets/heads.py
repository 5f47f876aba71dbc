"""The beginning of a file, to tell cheaply what it is."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any

from anaphora.datasets.reading import opened

_SIZE = 1 << 16
_LONGEST_LINE = 1 << 20


def head(path: Path) -> str:
    """The first 64 KiB as text; "" for a folder and for a file that cannot be read."""
    return _start(path, lambda file: file.read(_SIZE)).decode("utf-8-sig", "replace")


def first_line(path: Path) -> str:
    """The first line of up to a mebibyte; "" for a folder and for a file that cannot be read."""
    line = _start(path, lambda file: file.readline(_LONGEST_LINE))
    return line.decode("utf-8-sig", "replace").rstrip("\r\n")


def first_record(path: Path) -> Mapping[str, Any]:
    """The JSON object of the first line; an empty one where that line is none."""
    try:
        value = json.loads(first_line(path))
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def files(folder: Path) -> list[Path]:
    """The files of a folder by name, without hidden ones; none where it is no folder."""
    return [path for path in _entries(folder) if path.is_file()]


def folders(folder: Path) -> list[Path]:
    """The folders of a folder by name, without hidden ones; none where it is no folder."""
    return [path for path in _entries(folder) if path.is_dir()]


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except OSError:
        return []


def _start(path: Path, read: Callable[[IO[bytes]], bytes]) -> bytes:
    try:
        if not path.is_file():
            return b""
        with opened(path) as file:
            return read(file)
    except (OSError, EOFError, zlib.error):
        return b""
