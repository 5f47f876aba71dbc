"""Extracts: the part of a passage that is shown, in whole blocks and sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TypeAlias

from anaphora.language import continues_grapheme, sentences
from anaphora.records import (
    Block,
    Passage,
    Span,
    belongs,
    introducing,
    lead_ins,
    leads_in,
    paragraphs,
    together,
)

Range: TypeAlias = tuple[int, int]

_PROSE = frozenset({"paragraph", "note", "quotation", "description"})
_SPOKEN = _PROSE | {"item"}
LONGEST = 600
"""Characters of a single sentence or block that is shown whole although the budget is smaller."""
ENOUGH = 350
"""Characters to which an extract grows that has all that answers."""
_TITLE = 12
"""Characters of a title such as "Note"."""
_WORD = 40
"""The most characters that a cut loses so that it is not inside a word."""
_FIGURE = re.compile(
    r"(?:fig(?:ur[ea]?)?|abb(?:ildung)?|table(?:au)?|tabelle|tabl?[ea]la|tabella|tablo|kuva|taulukko"
    r"|рис(?:унок)?|таблица|табл|şekil|hình|bảng|图|圖|図|表|그림|표|รูปที่|ตารางที่|ตาราง|شكل|الشكل|جدول"
    r"|الجدول|चित्र|तालिका)\.?\s*\d[\d.–-]*",
    re.IGNORECASE,
)
"""What a caption begins with."""
_LONGEST_CAPTION = 120
_FOOTNOTE = re.compile(r"\[\d{1,3}\]\s+(?=\w)")
"""The number of a footnote, before its text."""
_SPACE = re.compile(r"\s+")
_LINE = re.compile(r"\S[^\n]*(?<=\S)")
_ROW = re.compile(r"\S \| \S|\S\t+\S")


def extract(
    passage: Passage,
    spans: Sequence[Span],
    budget: int,
    longest: int = LONGEST,
    extent: Range | None = None,
) -> Range:
    """The range of about `budget` characters around the best span, in whole blocks or sentences.

    A passage that fits is shown whole. In a longer one the extract grows from the block, or in
    prose the sentence, around the best span: first to the blocks that belong together with it, such
    as the list with its lead-in or the command with its sentence, but not to a whole table, then to
    its neighbours, towards other spans first. Only a single sentence or block that is too long
    itself is cut. An extract does not begin with a caption, the title of a note, the number of a
    footnote or a mark such as "[D]", unless the best span is in it.

    Args:
        spans: of the passage, the best first; without any the extract begins with the passage.
        longest: characters of a single sentence or block that is shown whole nevertheless.
        extent: the range of all that answers, where it is known. If it and the best span fit, the
            extract has both, is completed to the blocks that belong together, and grows beyond
            them only to `ENOUGH` characters.
    """
    start, end = _range(passage, spans, budget, longest, extent)
    span = spans[0].start if spans else end
    start = _beginning(passage, start, span)
    mark = _FOOTNOTE.match(passage.text, start, span)
    return mark.end() if mark else start, end


def _beginning(passage: Passage, start: int, span: int) -> int:
    """Where an extract from `start` begins that leaves out what does not answer by itself."""
    text = passage.text
    for block in blocks_of(passage):
        if block.end <= start:
            continue
        own = text[block.start : block.end]
        title = own.find("\n") if block.kind == "note" else -1
        if block.start < start or (span < block.end and not 0 < title <= span - block.start):
            return start
        if 0 < title <= _TITLE and title < span - block.start:
            return block.start + title + 1
        if not _is_label(own, block):
            return start
        following = _SPACE.match(text, block.end)
        start = following.end() if following else block.end
    return start


def _is_label(own: str, block: Block) -> bool:
    """Whether a block is a caption, or holds next to no letter."""
    if block.kind == "caption" or sum(map(str.isalnum, own)) < 2:
        return True
    figure = block.kind == "paragraph" and len(own) <= _LONGEST_CAPTION
    return figure and _FIGURE.match(own) is not None and own[-1] not in ".。:：?？!"


def _range(
    passage: Passage, spans: Sequence[Span], budget: int, longest: int, extent: Range | None
) -> Range:
    text = passage.text
    blocks = blocks_of(passage)
    groups = together(text, blocks)
    atoms = [
        (number, atom) for number, group in enumerate(groups) for atom in units(passage, group)
    ]
    start, end = whole(text, *((spans[0].start, spans[0].end) if spans else (0, 0)))
    core = _overlapping(atoms, start, end) or [0]
    around = budget
    if extent:
        answering = [*core, *_overlapping(atoms, *extent)]
        if atoms[max(answering)][1][1] - atoms[min(answering)][1][0] <= budget:
            core, around = [min(answering), max(answering)], min(budget, ENOUGH)
    if len(text) <= around:
        return 0, len(text)
    first, last = core[0], core[-1]
    begin, stop = min(start, atoms[first][1][0]), max(end, atoms[last][1][1])
    if stop - begin > max(budget, longest):
        return _cut(text, begin, stop, start, end, budget)
    others = [span.start for span in spans[1:]]
    if not any(block.kind == "row" for at in (first, last) for block in groups[atoms[at][0]]):
        first, last = _grown(atoms, first, last, budget, others, inside=True)
    first, last = _grown(atoms, first, last, around, others, inside=False)
    while last > core[-1] and _announces(text, atoms[last][1], blocks):
        last -= 1
    last = _completed(text, atoms, first, last, budget + longest, blocks)
    return min(start, atoms[first][1][0]), max(end, atoms[last][1][1])


def _overlapping(atoms: Sequence[tuple[int, Range]], start: int, end: int) -> list[int]:
    return [at for at, (_, atom) in enumerate(atoms) if atom[0] < end and start < atom[1]]


def _completed(
    text: str,
    atoms: Sequence[tuple[int, Range]],
    first: int,
    last: int,
    most: int,
    blocks: Sequence[Block],
) -> int:
    """The last atom of an extract. One that would end with what introduces a list or a command gets
    its beginning too, if they have at most `most` characters together."""
    for end in range(last, len(atoms)):
        if atoms[end][1][1] - atoms[first][1][0] > most:
            return last
        if not _announces(text, atoms[end][1], blocks):
            return end
    return last


def _announces(text: str, atom: Range, blocks: Sequence[Block]) -> bool:
    """Whether the end of an extract only introduces what follows it: a term, the title of a note,
    the header of a table, or a sentence that ends with a colon."""
    if leads_in(text, Block("paragraph", *atom)):
        return True
    block = next(block for block in blocks if atom[1] <= block.end)
    title = block.kind == "note" and atom[0] == block.start and atom[1] - atom[0] <= _TITLE
    return block.kind in ("term", "header") or title


def _grown(
    atoms: Sequence[tuple[int, Range]],
    first: int,
    last: int,
    budget: int,
    others: Sequence[int],
    inside: bool,
) -> tuple[int, int]:
    """Adds neighbouring atoms while they fit, the next one before the one before, but towards the
    other spans first; with `inside` only atoms of the same groups."""
    groups = {atoms[at][0] for at in (first, last)}
    while True:
        sides = []
        for place, side in ((last + 1, 1), (first - 1, -1)):
            if not 0 <= place < len(atoms) or (inside and atoms[place][0] not in groups):
                continue
            begin = min(atoms[first][1][0], atoms[place][1][0])
            stop = max(atoms[last][1][1], atoms[place][1][1])
            if stop - begin <= budget:
                promising = any(
                    (other >= stop if side > 0 else other < begin)
                    or atoms[place][1][0] <= other < atoms[place][1][1]
                    for other in others
                )
                sides.append((not promising, -side, place))
        if not sides:
            return first, last
        place = min(sides)[-1]
        first, last = min(first, place), max(last, place)


def units(passage: Passage, group: Sequence[Block]) -> list[Range]:
    """What is not cut if it can be avoided: sentences of prose, other blocks whole, a term with the
    beginning of its description."""
    found: list[Range] = []
    term = -1
    for block in group:
        if block.kind == "term":
            term = block.start if term < 0 else term
            continue
        ranges = [(block.start, block.end)]
        if block.kind in _PROSE:
            text = passage.text[block.start : block.end]
            ranges = [
                (block.start + start, block.start + end)
                for start, end in sentences(text, passage.lang)
            ] or ranges
        if term >= 0:
            ranges[0], term = (term, ranges[0][1]), -1
        found += ranges
    return [*found, (term, group[-1].end)] if term >= 0 else found


def blocks_of(passage: Passage) -> list[Block]:
    """The passage's blocks. Where it has none they are its paragraphs and rows, by empty lines and
    by lines with cells: "a | b", or tabs."""
    if passage.blocks:
        return list(passage.blocks)
    text = passage.text
    found: list[Block] = []
    for paragraph in paragraphs(text, 0, len(text)):
        lines = [line.span() for line in _LINE.finditer(text, paragraph.start, paragraph.end)]
        rows = [bool(_ROW.search(text, *line)) for line in lines]
        if any(rows):
            for line, row in zip(lines, rows, strict=True):
                found.append(Block("row" if row else "paragraph", *line))
        else:
            found.append(paragraph)
    return found


def is_cut(passage: Passage, at: int) -> bool:
    """Whether a place is inside a sentence or an item of a list, so that an extract that begins or
    ends there breaks it."""
    text = passage.text
    for block in blocks_of(passage):
        if block.start < at < block.end and block.kind in _SPOKEN:
            own = text[block.start : block.end]
            borders = (edge for found in sentences(own, passage.lang) for edge in found)
            marked = text[at - 1] == "\n" or text[:at].rstrip().endswith("]")
            return not marked and at - block.start not in borders
    return False


def shown_blocks(passage: Passage, start: int, end: int) -> tuple[Block, ...]:
    """The blocks of an extract with their offsets in it. If it begins within a list, the header of
    the first is the list's lead-in."""
    blocks = blocks_of(passage)
    inside = [block for block in blocks if block.start < end and start < block.end]
    found = [block.within(start, end) for block in inside]
    if found and not found[0].header:
        header = _introduction(passage.text, blocks, blocks.index(inside[0]))
        found[0] = replace(found[0], header=header)
    if found and inside[0].start < start:
        found[0] = replace(found[0], marker="")
    return tuple(found)


def _introduction(text: str, blocks: Sequence[Block], at: int) -> tuple[str, ...]:
    """What introduces a block in its passage, after what introduces all of that before the passage,
    which the header of the passage's first block has."""
    leads = lead_ins(text, blocks)
    above = introducing(blocks, leads, at)
    top = above[0] if above else leads[at] if leads[at] >= 0 else at
    known = blocks[0 if _continues(text, blocks, top) else top].header
    return (*known, *(" ".join(text[blocks[one].start : blocks[one].end].split()) for one in above))


def _continues(text: str, blocks: Sequence[Block], at: int) -> bool:
    """Whether a block is a later part of what the passage's first block continues: its list, its
    description, or its code."""
    first, before = blocks[0], blocks[: at + 1]
    if not all(belongs(text, one, other) for one, other in pairwise(before)):
        return False
    if not first.depth:
        return all(block.kind == "code" for block in before)
    if any(block.depth < first.depth for block in before):
        return False
    ends = () if first.kind in ("term", "item") else ("term", "item")
    return not any(block.kind in ends and block.depth == first.depth for block in before)


def whole(text: str, start: int, end: int) -> Range:
    """The range widened to whole graphemes."""
    while 0 < start < end and continues_grapheme(text[start - 1], text[start]):
        start -= 1
    while start < end < len(text) and continues_grapheme(text[end - 1], text[end]):
        end += 1
    return start, end


def _cut(text: str, first: int, last: int, start: int, end: int, budget: int) -> Range:
    """About `budget` of the characters from `first` to `last` around those from `start` to `end`,
    between words where there are spaces, and never inside a grapheme."""
    spare = max(0, budget - (end - start))
    begin = max(first, start - spare // 2)
    stop = min(last, max(end, begin + budget))
    if begin > first:
        space = _SPACE.search(text, begin, min(start, begin + _WORD))
        begin = space.end() if space else begin
    if stop < last:
        spaces = [*_SPACE.finditer(text, max(end, stop - _WORD), stop)]
        stop = spaces[-1].start() if spaces else stop
    return whole(text, begin, stop)
