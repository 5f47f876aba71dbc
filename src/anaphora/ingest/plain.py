"""Plain text of any encoding."""

from __future__ import annotations

import re
from itertools import pairwise

from anaphora.ingest.content import Content, Element, unwrap
from anaphora.ingest.decoding import decode

_NARROWEST, _WIDEST = 40, 120  # columns; an editor wraps lines within these limits
_PARAGRAPH = re.compile(r"[^\n]+(?:\n(?=[^\n\S]*\S)[^\n]+)*")
_NOT_PROSE = re.compile(r"[ \t]{2,}\S|\t|[-*+•|#>=~_.:]|\(?\w{1,3}[.)]\s")


def read_plain(data: bytes) -> Content:
    r"""Reads the text as one block, with each wrapped paragraph on one line.

    Raises:
        UnreadableFile: the bytes are not text.

    >>> [block.text for block in read_plain(b"A short line.\n\nAnother.").elements]
    ['A short line.\n\nAnother.']
    """
    text = decode(data).replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n\n")
    width = _width(text)
    if width:
        text = _PARAGRAPH.sub(lambda paragraph: _join(paragraph[0], width), text)
    return Content((Element(text),))


def _width(text: str) -> int:
    """The column at which the text was wrapped, or 0 if it was not wrapped."""
    lines = [len(line.rstrip()) for line in text[:200_000].split("\n")]
    full = sorted(length for length in lines if length)
    if len(full) < 2 or full[-1] > _WIDEST:
        return 0
    widest = full[-1]
    return widest if widest >= _NARROWEST else 0


def _join(paragraph: str, width: int) -> str:
    """Joins lines that were broken because the next word would not have fitted."""
    lines = paragraph.split("\n")
    if len(lines) == 1:
        return paragraph
    joined = [lines[0]]
    for before, line in pairwise(lines):
        first = line.split(None, 1)[0] if line.strip() else ""
        wrapped = len(before.rstrip()) + 1 + len(first) > width * 0.95
        if wrapped and not _NOT_PROSE.match(line):
            joined[-1] += "\n" + line
        else:
            joined.append(line)
    return "\n".join(unwrap(part) if "\n" in part else part for part in joined)
