"""The units that are quoted whole: sentences and table rows."""

from __future__ import annotations

import re
from collections.abc import Iterator

from anaphora.language import continues_grapheme, sentences
from anaphora.records import Passage

LONGEST = 600
"""Characters of a quote."""
_WORD = 40
"""The most characters that a quote loses so that it is not cut inside a word."""
_SPACE = re.compile(r"\s+")
_STOPS = (".", "!", "…", "。", "！", "．", "।", "۔", "።", "။")
_CLOSERS = "\"'”’»«)]）」』】 "


def units(passage: Passage) -> list[tuple[int, int]]:
    """The sentences and table rows of a passage as character ranges, in order."""
    text = passage.text
    found: list[tuple[int, int]] = []
    prose = 0  # the start of the text that is not yet split into sentences
    for start, end in _rows(text):
        found += _sentences(passage, prose, start)
        found.append((start, end))
        prose = end
    return [*found, *_sentences(passage, prose, len(text))]


def quoted(passage: Passage, start: int, end: int) -> tuple[int, int]:
    """The range of whole units around characters `start` to `end`.

    Longer than `LONGEST`, it is cut between words where there are spaces, and never inside a
    grapheme.
    """
    around = [unit for unit in units(passage) if unit[0] < end and start < unit[1]]
    first = min([start, *(unit[0] for unit in around)])
    last = max([end, *(unit[1] for unit in around)])
    if last - first <= LONGEST:
        return first, last
    text = passage.text
    spare = max(0, LONGEST - (end - start))
    begin = max(first, start - spare // 2)
    stop = min(last, max(end, begin + LONGEST))
    if begin > first:
        space = _SPACE.search(text, begin, min(start, begin + _WORD))
        begin = space.end() if space else begin
    if stop < last:
        spaces = [*_SPACE.finditer(text, max(end, stop - _WORD), stop)]
        stop = spaces[-1].start() if spaces else stop
    return whole(text, begin, stop)


def whole(text: str, start: int, end: int) -> tuple[int, int]:
    """The range widened to whole graphemes."""
    while 0 < start < end and continues_grapheme(text[start - 1], text[start]):
        start -= 1
    while start < end < len(text) and continues_grapheme(text[end - 1], text[end]):
        end += 1
    return start, end


def _sentences(passage: Passage, start: int, end: int) -> Iterator[tuple[int, int]]:
    for first, last in sentences(passage.text[start:end], passage.lang):
        yield start + first, start + last


def _rows(text: str) -> Iterator[tuple[int, int]]:
    """Lines with cells as ingestion writes them: "a | b", or tabs."""
    if " | " not in text and "\t" not in text:
        return
    start = 0
    for line in text.split("\n"):
        row = line.strip()
        if " | " in row or "\t" in row:
            begin = start + line.index(row)
            yield begin, begin + len(row)
        start += len(line) + 1


def is_sentence(text: str) -> bool:
    """Whether a text ends as a statement does; code and list items do not.

    >>> is_sentence("It was built in 1887."), is_sentence("他说：“对。”"), is_sentence("pip list")
    (True, True, False)
    """
    return text.rstrip(_CLOSERS).endswith(_STOPS)
