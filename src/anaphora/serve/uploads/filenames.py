"""Names of uploaded files: from what a client sent to what may be stored anywhere."""

from __future__ import annotations

import re
import unicodedata
from pathlib import PurePosixPath
from typing import Final

from anaphora.ingest.kinds import SUFFIXES, Kind
from anaphora.normal_form import normal_form

MOST_FOLDERS: Final = 8
MOST_BYTES: Final = 120
"""Of a folder's or file's name in UTF-8; a file system takes 255."""

_SEPARATOR = re.compile(r"[/\\]")
_ABSOLUTE = re.compile(r"\A(?:[/\\]|[A-Za-z]:|~)|\\|(?:\A|/)\.\.(?:/|\Z)")
_RESERVED = re.compile(r"\A(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|\Z)", re.IGNORECASE)
_UNSAFE = re.compile(r'[<>:"|?*]')
_JOINERS = "\u200c\u200d"  # spelling in Persian and in Indian languages
_SUFFIX_OF: dict[Kind, str] = {
    "html": ".html",
    "markdown": ".md",
    "text": ".txt",
    "pdf": ".pdf",
    "docx": ".docx",
    "odt": ".odt",
    "epub": ".epub",
    "records": ".jsonl",
}


def safe_path(name: str) -> PurePosixPath:
    r"""A relative path of visible names, from the name that a client gave a file.

    Folders of an uploaded folder are kept. Of an absolute path, a path of Windows or one that leads
    upwards only the last part is.

    >>> str(safe_path("../../etc/passwd")), str(safe_path("C:\\docs\\báo cáo.pdf"))
    ('passwd', 'báo cáo.pdf')
    >>> str(safe_path("guide/\u202efdp.exe")), str(safe_path("con.txt"))
    ('guide/fdp.exe', '_con.txt')
    """
    parts = [cleaned for part in _SEPARATOR.split(name) if (cleaned := _part(part))]
    if _ABSOLUTE.search(name):
        parts = parts[-1:]
    return PurePosixPath(*(parts or ["document"])[-1 - MOST_FOLDERS :])


def with_suffix_of(path: PurePosixPath, kind: Kind) -> PurePosixPath:
    """The path, with another suffix behind its own if that is not one of the file's kind.

    >>> str(with_suffix_of(PurePosixPath("a.exe"), "pdf"))
    'a.exe.pdf'
    """
    if path.suffix and SUFFIXES.get(path.suffix.lower()) == kind:
        return path
    return path.with_name(_shortened(path.name + _SUFFIX_OF[kind]))


def numbered(path: PurePosixPath, number: int) -> PurePosixPath:
    """Another name for a file: "a (2).pdf"."""
    return path.with_name(f"{path.stem} ({number}){path.suffix}")


def _part(text: str) -> str:
    kept = "".join(
        char
        for char in text
        if char in _JOINERS or unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co", "Cn")
    )
    kept = normal_form("NFC", kept)
    kept = " ".join(_UNSAFE.sub("_", kept).split()).strip(". ")
    if _RESERVED.match(kept):
        kept = f"_{kept}"
    return _shortened(kept)


def _shortened(name: str) -> str:
    if len(name.encode()) <= MOST_BYTES:
        return name
    stem, dot, suffix = name.rpartition(".")
    if not dot or len(suffix.encode()) > MOST_BYTES // 4:
        stem, dot, suffix = name, "", ""
    room = MOST_BYTES - len((dot + suffix).encode())
    cut = stem.encode()[:room].decode(errors="ignore").strip(". ")
    return f"{cut}{dot}{suffix}"
