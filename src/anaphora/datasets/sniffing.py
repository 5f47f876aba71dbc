"""What a file is, from its name and its beginning."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any

from anaphora.datasets.json_stream import opened

_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"(\s*:)?')
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
    """The JSON object of the first line; an empty one where that line is not an object."""
    try:
        value = json.loads(first_line(path))
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def field_names(path: Path) -> frozenset[str]:
    """The names of the JSON fields in the beginning of a file."""
    return frozenset(name for name, colon in _STRING.findall(head(path)) if colon)


def with_fields(*names: str) -> Callable[[Path], bool]:
    """A test whether the beginning of a file has all these JSON fields."""
    return lambda path: field_names(path) >= set(names)


def with_first_record(*names: str) -> Callable[[Path], bool]:
    """A test whether the first line of a file is a JSON object with all these fields."""
    return lambda path: first_record(path).keys() >= set(names)


def files_of(path: Path, belongs: Callable[[Path], bool]) -> list[Path]:
    """The path itself, or the `.jsonl` files of a folder, as far as they belong to a data set."""
    inside = [one for one in files(path) if one.suffix == ".jsonl"] if path.is_dir() else [path]
    return [one for one in inside if belongs(one)]


def files(folder: Path) -> list[Path]:
    """The files of a folder by name, without hidden ones; none where it is not a folder."""
    return [path for path in _entries(folder) if path.is_file()]


def folders(folder: Path) -> list[Path]:
    """The folders of a folder by name, without hidden ones; none where it is not a folder."""
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
