"""Cutting documents into passages.

The sizes follow mRAG (DESIGN §8): about 100 words, or 100 characters of a script that is written
without spaces. Both are counted by one measure, so that a Chinese paragraph in an English document
is cut like Chinese.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from anaphora.language import continues_grapheme, identify, sentences
from anaphora.records import UNKNOWN, Document, Passage

UNITS = 100
"""Words, or characters of a script without spaces, that a passage holds at the most."""

LONGEST = 2_000
"""Characters that a passage holds at the most, whatever they are."""

_TAIL = 25  # a last passage under this many units joins the one before it
_WINDOW = 65_536  # characters whose sentences are found at a time, which bounds memory
_OWN_LANGUAGE = 200  # characters a passage needs to be told another language than its document's

# Scripts written without spaces: Thai, Lao, Tibetan, Burmese, Khmer, kana, Bopomofo, Han; and
# full-width forms and CJK punctuation.
_SPACELESS = (
    "\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u2e80-\u312f\u31a0-\u9fff"
    "\uaa60-\uaa7f\uf900-\ufaff\uff00-\uffef\U0001b000-\U0001b16f\U00020000-\U0003ffff"
)
_HAS_SPACELESS = re.compile(f"[{_SPACELESS}]")
_UNIT = re.compile(f"[{_SPACELESS}]|[^\\s{_SPACELESS}]+")
_WORD = re.compile(r"\S+")
_CLAUSE_END = frozenset(",;:)]}…–—、，；：）」』】〉》،؛।॥၊།")
_JOINERS = frozenset("\u200c\u200d\u2060")


def split(document: Document) -> list[Passage]:
    """The document's passages, in order.

    Every character of the text other than white space is in exactly one of them. None crosses a
    section's border or begins or ends inside a word; sentences stay whole where they fit. A word of
    over `LONGEST` characters (which no language has) is the one thing that is cut.

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
            )
        ]
    passages: list[Passage] = []
    for start, end, path in _sections(document):
        for first, last in _pieces(text, start, end, document.lang):
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


def _path_at(document: Document, start: int) -> tuple[str, ...]:
    path: tuple[str, ...] = ()
    for section in document.sections:
        if section.start > start:
            break
        path = section.path
    return path


def _language(text: str, document_lang: str) -> str:
    """The document's language, unless both halves of a long passage are in another one."""
    if len(text) < _OWN_LANGUAGE:
        return document_lang
    found = identify(text)
    if found in (UNKNOWN, document_lang):
        return document_lang
    if document_lang == UNKNOWN:
        return found
    middle = len(text) // 2
    return found if identify(text[:middle]) == found == identify(text[middle:]) else document_lang


def _pieces(text: str, start: int, end: int, lang: str) -> Iterator[tuple[int, int]]:
    """Pack sentences into pieces, and give a short last piece back to the one before it."""
    pending: tuple[int, int, int] | None = None  # the last whole piece, kept back for its tail
    first = last = -1
    units = 0
    for here, there, size in _parts(text, start, end, lang):
        if first >= 0 and (units + size > UNITS or there - first > LONGEST):
            if pending:
                yield pending[:2]
            pending = (first, last, units)
            first, units = -1, 0
        if first < 0:
            first = here
        last = there
        units += size
    if first < 0:
        return
    if pending and units < _TAIL and last - pending[0] <= LONGEST:
        yield pending[0], last
    else:
        if pending:
            yield pending[:2]
        yield first, last


def _parts(text: str, start: int, end: int, lang: str) -> Iterator[tuple[int, int, int]]:
    """Sentences with their size in units, those that are too large cut into pieces."""
    for here, there in _sentences(text, start, end, lang):
        size = _size(text, here, there)
        if size <= UNITS and there - here <= LONGEST:
            yield here, there, size
        else:
            yield from _cut(text, here, there)


def _sentences(text: str, start: int, end: int, lang: str) -> Iterator[tuple[int, int]]:
    """Trimmed sentence ranges that together cover all text, found a window at a time."""
    while start < end:
        stop = min(end, start + _WINDOW)
        final = stop == end
        if not final:
            break_at = text.rfind("\n", start + _WINDOW // 2, stop)
            if break_at > 0:
                stop, final = break_at + 1, True
        spans = sentences(text[start:stop], lang) or [(0, stop - start)]
        # The window's last sentence may go on after it: it is found again with the next window.
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
    """The last place before `stop` where words may part."""
    spaces = text.rfind(" ", start, stop)
    if spaces > start:
        return spaces + 1
    for place in range(stop, max(start, stop - LONGEST), -1):
        if _separable(text, place):
            return place
    return stop


def _size(text: str, start: int, end: int) -> int:
    part = text[start:end]
    if part.isascii() or not _HAS_SPACELESS.search(part):
        return len(part.split())
    return sum(1 for _ in _UNIT.finditer(part))


def _cut(text: str, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Cut one long sentence at clauses, else between words, else between characters.

    The pieces are about equal, so that no scrap is left at the end.
    """
    atoms = list(_atoms(text, start, end))
    total = len(atoms)
    characters = end - start
    count = max(-(-total // UNITS), -(-characters // LONGEST))
    target = -(-total // count)
    index = 0
    while index < total:
        limit = min(index + target, total)
        while limit > index + 1 and atoms[limit - 1][1] - atoms[index][0] > LONGEST:
            limit = index + (limit - index) // 2
        if limit < total:
            low = index + (limit - index) // 2
            high = min(total - 1, index + UNITS, limit + (limit - index) // 4)
            for at in (*range(limit, low, -1), *range(limit + 1, high + 1)):
                inside = atoms[at - 1][1] - atoms[index][0] <= LONGEST
                if inside and text[atoms[at - 1][1] - 1] in _CLAUSE_END:
                    limit = at
                    break
        here, there = atoms[index][0], atoms[limit - 1][1]
        yield here, there, limit - index
        index = limit


def _atoms(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The smallest parts that a cut leaves whole: words, and characters with their marks."""
    for word in _WORD.finditer(text, start, end):
        here, there = word.span()
        if not _HAS_SPACELESS.search(text, here, there):
            while there - here > LONGEST:
                end_of_piece = _before_marks(text, here, here + LONGEST)
                yield here, end_of_piece
                here = end_of_piece
            yield here, there
            continue
        begin = here
        for place in range(here + 1, there):
            if place - begin >= LONGEST or _separable(text, place):
                yield begin, place
                begin = place
        yield begin, there


def _before_marks(text: str, start: int, place: int) -> int:
    """`place`, or as far before it as the marks reach that belong to the character there."""
    for earlier in range(place, start, -1):
        if not _belongs(text[earlier - 1], text[earlier]):
            return earlier
    return place


def _separable(text: str, place: int) -> bool:
    """Whether two characters that no space parts may stand in two passages."""
    before, after = text[place - 1], text[place]
    if after in _CLAUSE_END or _belongs(before, after):
        return False
    return bool(_HAS_SPACELESS.match(before) or _HAS_SPACELESS.match(after))


def _belongs(before: str, after: str) -> bool:
    """Whether two characters are never parted: one grapheme, or joined by an invisible sign."""
    return before in _JOINERS or after in _JOINERS or continues_grapheme(before, after)


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
