"""Splits documents into passages.

The size follows Chirkova et al., "Retrieval-augmented generation in multilingual settings" (2024):
100 words, or 100 characters of scripts without spaces. It is counted by script rather than by the
document's language, so that a Chinese paragraph in an English document is split like Chinese.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from anaphora.ingest.content import unwrap
from anaphora.language import continues_grapheme, identify, sentences
from anaphora.records import (
    UNKNOWN,
    Block,
    Document,
    Passage,
    belongs,
    introducing,
    lead_ins,
    paragraphs,
    together,
)

MAX_UNITS = 100
"""The usual maximum of units in a passage: words, or characters of scripts without spaces."""

MAX_TOGETHER = 160
"""The maximum of units in a passage of blocks that belong together, such as a list and its lead-in.
"""

MAX_CHARACTERS = 2_000
"""The maximum number of characters in a passage."""

_SHORT_TAIL = 25  # a last passage with fewer units is merged with the one before it
_WINDOW = 65_536  # characters that are split into sentences at a time, which bounds memory
_OWN_LANGUAGE = 200  # characters that a passage needs for a language of its own

# Scripts written without spaces: Thai, Lao, Tibetan, Burmese, Khmer, kana, Bopomofo, Han; and
# full-width forms and CJK punctuation.
_SPACELESS = (
    "\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u2e80-\u312f\u31a0-\u9fff"
    "\uaa60-\uaa7f\uf900-\ufaff\uff00-\uffef\U0001b000-\U0001b16f\U00020000-\U0003ffff"
)
_HAS_SPACELESS = re.compile(f"[{_SPACELESS}]")
_UNIT = re.compile(f"[{_SPACELESS}]|[^\\s{_SPACELESS}]+")
_WORD = re.compile(r"\S+")
_LINE = re.compile(r"[^\n]+")
_CLAUSE_END = frozenset(",;:)]}…–—、，；：）」』】〉》،؛।॥၊།")
_JOINERS = frozenset("\u200c\u200d\u2060")


def split(document: Document) -> list[Passage]:
    """Returns the document's passages, in order.

    Every character of the text other than white space is in exactly one passage. No passage crosses
    the border of a section, or begins or ends inside a word. Blocks that belong together are kept
    together, blocks are kept whole, and sentences are, if they fit. Only a "word" of more than
    `MAX_CHARACTERS` characters is split.

    >>> [part.passage_id for part in split(Document("a.md", "A", "One. Two.", "en"))]
    ['a.md#1']
    """
    text = document.text
    if document.whole:
        start, end = _trim(text, 0, len(text))
        if start == end:
            return []
        return [
            Passage(
                document.doc_id,
                document.doc_id,
                document.title,
                text[start:end],
                document.lang,
                _path_at(document, start),
                start,
                end,
                _blocks_of(document, start, end, ()),
            )
        ]
    passages: list[Passage] = []
    leads = _leads(document)
    for start, end, path in _sections(document):
        for first, last in _pieces(document, start, end):
            own = text[first:last]
            passages.append(
                Passage(
                    f"{document.doc_id}#{len(passages) + 1}",
                    document.doc_id,
                    document.title,
                    own,
                    _language(own, document.lang),
                    path,
                    first,
                    last,
                    _blocks_of(document, first, last, leads),
                )
            )
    return passages


def _sections(document: Document) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    length = len(document.text)
    starts = [(0, ())] if not document.sections or document.sections[0].start > 0 else []
    marks = starts + [(min(section.start, length), section.path) for section in document.sections]
    ends = [start for start, _ in marks[1:]] + [length]
    for (start, path), end in zip(marks, ends, strict=True):
        if start < end:
            yield start, end, path


def _leads(document: Document) -> list[int]:
    """For each block, the number of the block in its section that introduces it; -1 without one."""
    blocks = document.blocks
    leads: list[int] = []
    for _, end, _ in _sections(document):
        first = len(leads)
        last = bisect_left(blocks, end, lo=first, key=lambda block: block.start)
        found = lead_ins(document.text, blocks[first:last])
        leads += [lead + first if lead >= 0 else -1 for lead in found]
    return leads


def _blocks_of(document: Document, start: int, end: int, leads: Sequence[int]) -> tuple[Block, ...]:
    """The blocks of a passage with their offsets in it. If it begins within a list or between a
    sentence and its code, the header of its first block is what introduces it."""
    blocks = document.blocks
    first = bisect_right(blocks, start, key=lambda block: block.end)
    last = bisect_left(blocks, end, lo=first, key=lambda block: block.start)
    found = [block.within(start, end) for block in blocks[first:last]]
    if found and leads and not found[0].header:
        above = (blocks[at] for at in introducing(blocks, leads, first))
        header = tuple(unwrap(document.text[one.start : one.end]) for one in above)
        found[0] = replace(found[0], header=header)
        if blocks[first].start < start:
            found[0] = replace(found[0], marker="")
    return tuple(found)


def _path_at(document: Document, start: int) -> tuple[str, ...]:
    path: tuple[str, ...] = ()
    for section in document.sections:
        if section.start > start:
            break
        path = section.path
    return path


def _language(text: str, document_lang: str) -> str:
    """The document's language, unless both halves of a long passage are in another language."""
    if len(text) < _OWN_LANGUAGE:
        return document_lang
    found = identify(text)
    if found in (UNKNOWN, document_lang):
        return document_lang
    if document_lang == UNKNOWN:
        return found
    middle = len(text) // 2
    return found if identify(text[:middle]) == found == identify(text[middle:]) else document_lang


def _pieces(document: Document, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Packs units into pieces, and merges a short last piece with the piece before it."""
    pending: tuple[int, int, int] | None = (
        None  # the last complete piece, which may take a short tail
    )
    first = last = -1
    size = 0
    for here, there, added in _units(document, start, end):
        if first >= 0 and (size + added > MAX_UNITS or there - first > MAX_CHARACTERS):
            if pending:
                yield pending[:2]
            pending = (first, last, size)
            first, size = -1, 0
        if first < 0:
            first = here
        last = there
        size += added
    if first < 0:
        return
    if pending and size < _SHORT_TAIL and last - pending[0] <= MAX_CHARACTERS:
        yield pending[0], last
    else:
        if pending:
            yield pending[:2]
        yield first, last


def _units(document: Document, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """What stays together, with its size: blocks that belong together, or their parts if they are
    too large."""
    text = document.text
    for group in together(text, _blocks(document, start, end)):
        here, there = group[0].start, group[-1].end
        size = _size(text, here, there)
        if size <= MAX_TOGETHER and there - here <= MAX_CHARACTERS:
            yield here, there, size
        else:
            yield from _packed(_parts(document, group))


def _blocks(document: Document, start: int, end: int) -> list[Block]:
    """The blocks of a section; paragraphs where the document has none."""
    blocks = document.blocks
    if not blocks:
        text = document.text
        here, there = _trim(text, start, end)
        return paragraphs(text, here, there)
    first = bisect_left(blocks, start, key=lambda block: block.start)
    last = bisect_left(blocks, end, lo=first, key=lambda block: block.start)
    return list(blocks[first:last])


def _parts(document: Document, group: Sequence[Block]) -> Iterator[tuple[int, int, int, bool]]:
    """The parts of blocks that are too large to stay together, with their size, and whether a
    passage may begin with the part."""
    text = document.text
    before: Block | None = None
    for block in group:
        free = before is None or not belongs(text, before, block) or _begins(before, block)
        size = _size(text, block.start, block.end)
        small = size <= MAX_UNITS and block.end - block.start <= MAX_CHARACTERS
        if small and (block.kind != "paragraph" or block is not group[0]):
            yield block.start, block.end, size, free
        else:
            for here, there in _inner_parts(document, block):
                size = _size(text, here, there)
                if size <= MAX_UNITS and there - here <= MAX_CHARACTERS:
                    yield here, there, size, free
                else:
                    for piece in _cut(text, here, there):
                        yield *piece, free
                        free = True
                free = True
        before = block


def _begins(before: Block, block: Block) -> bool:
    """Whether a passage may begin with a block in the middle of a list or table: with an item, a
    term or a row that is not the first one after what introduces it."""
    if block.kind == "row":
        return before.kind == "row"
    nested = before.depth < block.depth
    return block.kind in ("item", "term") and not nested and before.kind != "term"


def _inner_parts(document: Document, block: Block) -> Iterator[tuple[int, int]]:
    """The lines of code, or the sentences of another block."""
    if block.kind != "code":
        yield from _sentences(document.text, block.start, block.end, document.lang)
        return
    for line in _LINE.finditer(document.text, block.start, block.end):
        here, there = _trim(document.text, *line.span())
        if here < there:
            yield here, there


def _packed(parts: Iterable[tuple[int, int, int, bool]]) -> Iterator[tuple[int, int, int]]:
    """Joins a part with the part before it if it may not begin a passage."""
    first = last = -1
    size = 0
    for here, there, added, free in parts:
        fits = size + added <= MAX_TOGETHER and there - first <= MAX_CHARACTERS
        if first >= 0 and (free or not fits):
            yield first, last, size
            first, size = -1, 0
        if first < 0:
            first = here
        last = there
        size += added
    if first >= 0:
        yield first, last, size


def _sentences(text: str, start: int, end: int, lang: str) -> Iterator[tuple[int, int]]:
    """Trimmed sentence ranges that together cover the text, found in windows."""
    while start < end:
        stop = min(end, start + _WINDOW)
        final = stop == end
        if not final:
            break_at = text.rfind("\n", start + _WINDOW // 2, stop)
            if break_at > 0:
                stop, final = break_at + 1, True
        spans = sentences(text[start:stop], lang) or [(0, stop - start)]
        # The last sentence may continue after the window. The next window begins with it.
        keep = spans if final or len(spans) == 1 else spans[:-1]
        borders = [start, *(start + span[0] for span in keep[1:])]
        done = stop if keep is spans else start + spans[-1][0]
        if done <= start:
            done, borders = stop, [start]
        if not final and done == stop:
            done = _border(text, start, stop)
        for here, there in zip(borders, [*borders[1:], done], strict=True):
            here, there = _trim(text, here, there)
            if here < there:
                yield here, there
        start = done


def _border(text: str, start: int, stop: int) -> int:
    """The last position before `stop` between two words."""
    spaces = text.rfind(" ", start, stop)
    if spaces > start:
        return spaces + 1
    for place in range(stop, max(start, stop - MAX_CHARACTERS), -1):
        if _separable(text, place):
            return place
    return stop


def _size(text: str, start: int, end: int) -> int:
    part = text[start:end]
    if part.isascii() or not _HAS_SPACELESS.search(part):
        return len(part.split())
    return sum(1 for _ in _UNIT.finditer(part))


def _cut(text: str, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Splits a long sentence between clauses, or else words, or else characters.

    The pieces are about equal, so that the last one is not short.
    """
    atoms = list(_atoms(text, start, end))
    total = len(atoms)
    characters = end - start
    count = max(-(-total // MAX_UNITS), -(-characters // MAX_CHARACTERS))
    target = -(-total // count)
    index = 0
    while index < total:
        limit = min(index + target, total)
        while limit > index + 1 and atoms[limit - 1][1] - atoms[index][0] > MAX_CHARACTERS:
            limit = index + (limit - index) // 2
        if limit < total:
            low = index + (limit - index) // 2
            high = min(total - 1, index + MAX_UNITS, limit + (limit - index) // 4)
            for at in (*range(limit, low, -1), *range(limit + 1, high + 1)):
                inside = atoms[at - 1][1] - atoms[index][0] <= MAX_CHARACTERS
                if inside and text[atoms[at - 1][1] - 1] in _CLAUSE_END:
                    limit = at
                    break
        here, there = atoms[index][0], atoms[limit - 1][1]
        yield here, there, limit - index
        index = limit


def _atoms(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The smallest parts that are never split: words, and characters with their marks."""
    for word in _WORD.finditer(text, start, end):
        here, there = word.span()
        if not _HAS_SPACELESS.search(text, here, there):
            while there - here > MAX_CHARACTERS:
                end_of_piece = _before_marks(text, here, here + MAX_CHARACTERS)
                yield here, end_of_piece
                here = end_of_piece
            yield here, there
            continue
        begin = here
        for place in range(here + 1, there):
            if place - begin >= MAX_CHARACTERS or _separable(text, place):
                yield begin, place
                begin = place
        yield begin, there


def _before_marks(text: str, start: int, place: int) -> int:
    """`place`, or the start of the grapheme around it."""
    for earlier in range(place, start, -1):
        if not _belongs(text[earlier - 1], text[earlier]):
            return earlier
    return place


def _separable(text: str, place: int) -> bool:
    """Whether a passage may end between two characters without a space between them."""
    before, after = text[place - 1], text[place]
    if after in _CLAUSE_END or _belongs(before, after):
        return False
    return bool(_HAS_SPACELESS.match(before) or _HAS_SPACELESS.match(after))


def _belongs(before: str, after: str) -> bool:
    """Whether two characters are inseparable: one grapheme, or joined by an invisible character."""
    return before in _JOINERS or after in _JOINERS or continues_grapheme(before, after)


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
