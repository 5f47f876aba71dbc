"""Paragraphs whose lines an editor wrapped, or spread to a right edge, on one line."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from anaphora.ingest.content import unwrap
from anaphora.ingest.prose import LETTERS, NARROWEST, is_worded

_WIDEST = 120  # columns
GAP = re.compile(r"[^\s.!?:](?: {2,}| *\t\s*)\S|\S {3,}\S")  # between columns
_NOT_PROSE = re.compile(r"[ \t]{2,}\S|\t|[-*+•|#>=~_.:]|\(?\w{1,3}[.)]\s|[A-Z][\w-]{1,20}:\s")
_SPREAD = re.compile(r"[^\s.!?:;,] {2,3}[^\s]")
_WORDED = 0.7
_JUSTIFIED_FEW = 0.5
_JUSTIFIED, _FEW_LINES = 0.2, 5  # of the long lines, those that end at one column and are spread
_HYPHEN = re.compile(r"([^\W\d_]{2,})-$")


@dataclass(frozen=True, slots=True)
class Line:
    """A line without its indentation; `number` is that in the file, from 1."""

    number: int
    indent: int
    text: str


class Wrapping:
    """Undoes the line breaks of a text, as its lines show how they were made."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = lines
        self._width = _width(lines)
        self._edge = _edge(lines)
        self._words: frozenset[str] | None = None

    def joined(self, lines: Sequence[Line]) -> str:
        """The text of the lines, in which an editor's line breaks are undone."""
        margin = min(line.indent for line in lines)
        parts = [[lines[0].text]]
        wrapped = self._width and _is_wrapped(lines, 0.75 * self._width)
        for before, line in pairwise(lines):
            full = wrapped or self.full(before, line) or self._goes_on(before, line)
            columns = GAP.search(before.text) or GAP.search(line.text)
            if self._is_justified(before):
                if match := _HYPHEN.search(parts[-1][-1]):
                    parts[-1][-1] = self._without_hyphen(parts[-1][-1], match, line.text)
                else:
                    parts[-1].append(line.text)
            elif full and not columns and not _NOT_PROSE.match(line.text):
                parts[-1].append(line.text)
            else:
                parts.append([" " * (line.indent - margin) + line.text])
        return "\n".join(unwrap("\n".join(part)) if len(part) > 1 else part[0] for part in parts)

    def _is_justified(self, line: Line) -> bool:
        """Whether a line was spread to the right edge of a justified text."""
        at_edge = self._edge - 1 <= line.indent + len(line.text) <= self._edge
        return bool(self._edge) and at_edge and is_worded(line.text, _WORDED)

    def _without_hyphen(self, text: str, hyphen: re.Match[str], following: str) -> str:
        """Two lines of which the first ends with a hyphen. It stays between words of the text."""
        if self._words is None:
            self._words = frozenset(_whole_words([line.text for line in self._lines]))
        rest = LETTERS.match(following)
        parts = (hyphen[1].lower(), rest[0].lower() if rest else "")
        kept = self._words.issuperset(parts) and "".join(parts) not in self._words
        return f"{text if kept or not parts[1] else text[:-1]}{following}"

    def full(self, before: Line, line: Line) -> bool:
        """Whether the first word of a line would not have fitted in the line before it."""
        word = len(line.text.split(None, 1)[0])
        return (
            bool(self._width) and before.indent + len(before.text) + 1 + word > 0.95 * self._width
        )

    def _goes_on(self, before: Line, line: Line) -> bool:
        """Whether a line continues a sentence of a line that is not full but long."""
        return line.text[0].islower() and len(before.text) > 0.5 * max(self._width, NARROWEST)


def _width(lines: Sequence[Line]) -> int:
    """The column at which the text was wrapped, or 0 if it was not wrapped."""
    lengths = sorted(line.indent + len(line.text) for line in lines if line.text)
    fitting = lengths[: bisect_right(lengths, _WIDEST)]
    if len(fitting) < max(2, 0.95 * len(lengths)):
        return 0
    widest = fitting[-1 - len(fitting) // 50]
    return widest if widest >= NARROWEST else 0


def _edge(lines: Sequence[Line]) -> int:
    """The column at which the lines of a justified text end, or 0 if it is not justified."""
    ends = Counter(line.indent + len(line.text) for line in lines if line.text)
    long = {end: count for end, count in ends.items() if NARROWEST <= end <= _WIDEST}
    edge = max(long, key=lambda end: (long[end], end), default=0)
    spread = sum(
        line.indent + len(line.text) == edge
        and bool(_SPREAD.search(line.text))
        and is_worded(line.text, _WORDED)
        for line in lines
    )
    share = _JUSTIFIED if spread > _FEW_LINES else _JUSTIFIED_FEW
    return edge if spread > 1 and spread >= share * sum(long.values()) else 0


def _whole_words(lines: Sequence[str]) -> Iterator[str]:
    """The words of a text, in small letters, without the parts of those that a hyphen divides."""
    for before, line in pairwise(["", *lines]):
        words = [word.lower() for word in LETTERS.findall(line)]
        first, last = bool(_HYPHEN.search(before)), bool(_HYPHEN.search(line))
        yield from words[first : len(words) - last]


def _is_wrapped(lines: Sequence[Line], narrowest: float) -> bool:
    """Whether all lines are full for a column of this paragraph."""
    widest = max(line.indent + len(line.text) for line in lines)
    if widest < (narrowest if len(lines) < 3 else NARROWEST):
        return False
    return all(
        before.indent + len(before.text) + 1 + len(line.text.split(None, 1)[0]) > widest
        for before, line in pairwise(lines)
    )
