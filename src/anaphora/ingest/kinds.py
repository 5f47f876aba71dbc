"""Which reader a file needs: by its suffix, and by its first bytes where the suffix lies."""

from __future__ import annotations

import re
from typing import Literal

Kind = Literal["html", "markdown", "text", "pdf", "docx", "epub", "records"]

HEAD = 4096
"""How many bytes from a file's start `sniff` wants to see."""

SUFFIXES: dict[str, Kind] = {
    "": "text",
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
    ".pdf": "pdf",
    ".rst": "text",
    ".text": "text",
    ".txt": "text",
    ".xhtml": "html",
}
"""Suffix, in lower case, to the kind of file it promises."""

_HTML = re.compile(
    rb"\A(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)[\s>]",
    re.IGNORECASE | re.DOTALL,
)
_XML_SUFFIXED: frozenset[Kind] = frozenset({"html", "markdown"})


def sniff(promised: Kind, head: bytes) -> Kind:
    """The kind of a file, from the one its suffix promises and its first `HEAD` bytes.

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
        return promised if promised in ("docx", "epub") else "docx"
    if promised not in _XML_SUFFIXED and _HTML.match(head):
        return "html"
    if promised in ("pdf", "docx", "epub") and head and not _damaged(promised, head):
        return "text"
    return promised


def _damaged(promised: Kind, head: bytes) -> bool:
    """Whether these bytes are a broken file of the promised kind rather than a text misnamed."""
    return any(byte < 9 for byte in head)
