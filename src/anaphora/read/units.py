"""What is quoted as a whole: sentences, and rows of tables."""

from __future__ import annotations

from collections.abc import Iterator

from anaphora.language import sentences
from anaphora.passage import Passage

LONGEST = 600
"""Characters of a quote."""


def units(passage: Passage) -> list[tuple[int, int]]:
    """The sentences and table rows of a passage as character ranges, in order."""
    text = passage.text
    found: list[tuple[int, int]] = []
    prose = 0  # where the prose begins that is not yet cut into sentences
    for start, end in _rows(text):
        found += _sentences(passage, prose, start)
        found.append((start, end))
        prose = end
    return [*found, *_sentences(passage, prose, len(text))]


def quoted(passage: Passage, start: int, end: int) -> tuple[int, int]:
    """The range of whole units around characters `start` to `end`, at most `LONGEST` long."""
    around = [unit for unit in units(passage) if unit[0] < end and start < unit[1]]
    first = min([start, *(unit[0] for unit in around)])
    last = max([end, *(unit[1] for unit in around)])
    if last - first <= LONGEST:
        return first, last
    spare = max(0, LONGEST - (end - start))
    first = max(first, start - spare // 2)
    return first, min(last, max(end, first + LONGEST))


def _sentences(passage: Passage, start: int, end: int) -> Iterator[tuple[int, int]]:
    for first, last in sentences(passage.text[start:end], passage.lang):
        yield start + first, start + last


def _rows(text: str) -> Iterator[tuple[int, int]]:
    """Lines that hold cells, as the readers of files write them: "a | b", or tabs."""
    if " | " not in text and "\t" not in text:
        return
    start = 0
    for line in text.split("\n"):
        row = line.strip()
        if " | " in row or "\t" in row:
            begin = start + line.index(row)
            yield begin, begin + len(row)
        start += len(line) + 1
