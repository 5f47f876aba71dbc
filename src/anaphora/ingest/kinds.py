"""Detects the kind of a file by its suffix and its first bytes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

Kind = Literal["html", "markdown", "text", "pdf", "docx", "odt", "epub", "records"]

HEAD = 4096
"""The number of bytes from a file's start that `sniff` needs."""

SUFFIXES: dict[str, Kind] = {
    "": "text",
    ".adoc": "text",
    ".docx": "docx",
    ".epub": "epub",
    ".htm": "html",
    ".html": "html",
    ".json": "records",
    ".jsonl": "records",
    ".log": "text",
    ".markdown": "markdown",
    ".md": "markdown",
    ".ndjson": "records",
    ".odt": "odt",
    ".pdf": "pdf",
    ".rst": "text",
    ".text": "text",
    ".txt": "text",
    ".xhtml": "html",
}
"""Maps suffixes in lower case to the kind that they declare."""

_HTML = re.compile(
    rb"\A(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)[\s>]",
    re.IGNORECASE | re.DOTALL,
)
_ARCHIVES: frozenset[Kind] = frozenset({"docx", "odt", "epub"})
_XML_SUFFIXED: frozenset[Kind] = frozenset({"html", "markdown"})


def sniff(declared: Kind, head: bytes) -> Kind:
    """The kind of a file, from the kind that its suffix declares and its first `HEAD` bytes.

    >>> sniff("text", b"%PDF-1.7 ...")
    'pdf'
    >>> sniff("pdf", b"<!DOCTYPE html><html>")
    'html'
    """
    if b"%PDF-" in head[:1024]:
        return "pdf"
    if head.startswith(b"PK\x03\x04"):
        if b"application/epub+zip" in head[:200]:
            return "epub"
        if b"application/vnd.oasis.opendocument.text" in head[:200]:
            return "odt"
        return declared if declared in _ARCHIVES else "docx"
    if declared not in _XML_SUFFIXED and _HTML.match(head):
        return "html"
    if declared in ("pdf", *_ARCHIVES) and head and not _damaged(declared, head):
        return "text"
    return declared


def kind_of(path: Path) -> Kind:
    """The kind of a file.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        return sniff(SUFFIXES.get(path.suffix.lower(), "text"), file.read(HEAD))


def _damaged(declared: Kind, head: bytes) -> bool:
    """Whether these bytes are a damaged file of the declared kind rather than misnamed text."""
    return any(byte < 9 for byte in head)
