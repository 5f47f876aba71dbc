"""Which blocks of a text belong together."""

from __future__ import annotations

import re
from collections.abc import Sequence

from anaphora.records.block import Block

_LEADS = (":", "：", "﹕", "…", "、")
_SHORT = 240
"""Characters of a paragraph that introduces the list below it without ending in a colon."""
_LONGEST_LEAD = 300
"""Characters of a block that is repeated before what it introduces."""
_NEXT = frozenset({"term", "item"})
"""Blocks before which the description of a term at the same depth ends."""
_PARAGRAPH = re.compile(r"\S(?:[^\n]|\n(?!\s*\n))*(?<=\S)")
_CLOSERS = " *_)]」』”\"'»"


def belongs(text: str, before: Block, block: Block) -> bool:
    """Whether a block is a part of what the block before it begins.

    That is so for everything in a list, for a list and its lead-in, for code and the paragraph that
    introduces it, for the rows of a table, and for a description and its term.
    """
    if before.kind == "heading" or block.kind == "heading":
        return False
    if block.depth:
        if before.depth:
            return True
        return before.kind == "paragraph" and (
            leads_in(text, before) or before.end - before.start <= _SHORT
        )
    if block.kind == "code":
        return before.kind in ("paragraph", "note", "code") and not before.depth
    if block.kind in ("header", "row"):
        return before.kind in ("header", "row", "caption") or (
            before.kind == "paragraph" and leads_in(text, before)
        )
    return before.kind == "paragraph" and leads_in(text, before)


def leads_in(text: str, block: Block) -> bool:
    """Whether a block ends as what introduces the next block does: with a colon, an ellipsis or an
    enumeration comma."""
    return text[max(block.start, block.end - 8) : block.end].rstrip(_CLOSERS).endswith(_LEADS)


def paragraphs(text: str, start: int, end: int) -> list[Block]:
    """The blocks of a text without structure: paragraphs, with an empty line after each.

    >>> [(block.start, block.end) for block in paragraphs("One.\\nTwo.\\n\\nThree.", 0, 17)]
    [(0, 9), (11, 17)]
    """
    return [Block("paragraph", *one.span()) for one in _PARAGRAPH.finditer(text, start, end)]


def together(text: str, blocks: Sequence[Block]) -> list[list[Block]]:
    """The blocks in groups of those that belong together.

    >>> text = "Do this:\\nStop.\\nStart.\\n\\nThen wait."
    >>> blocks = [Block("paragraph", 0, 8), Block("item", 9, 14, 1), Block("item", 15, 21, 1)]
    >>> [len(group) for group in together(text, [*blocks, Block("paragraph", 23, 33)])]
    [3, 1]
    """
    groups: list[list[Block]] = []
    for block in blocks:
        if groups and belongs(text, groups[-1][-1], block):
            groups[-1].append(block)
        else:
            groups.append([block])
    return groups


def lead_ins(text: str, blocks: Sequence[Block]) -> list[int]:
    r"""For each block of a section, the number of the block that introduces it: the term of a
    description, the parent of a part of a list, the paragraph before code; -1 without one.

    >>> blocks = [Block("paragraph", 0, 8), Block("item", 9, 14, 1), Block("item", 15, 21, 1)]
    >>> lead_ins("Do this:\nStop.\nStart.", blocks)
    [-1, 0, 0]
    """
    found: list[int] = []
    parents: dict[int, int] = {}
    terms: dict[int, int] = {}
    for at, block in enumerate(blocks):
        before, depth = (blocks[at - 1] if at else None), block.depth
        if before is None or not belongs(text, before, block):
            parents.clear()
            terms.clear()
        elif block.kind == "code":
            found.append(found[-1] if before.kind == "code" else at - 1)
            continue
        elif before.depth < depth:
            parents[depth] = at - 1
        several = before is not None and before.kind == block.kind == "term"
        for other in list(terms):
            if other > depth or (other == depth and not several and block.kind in _NEXT):
                del terms[other]
        if block.kind == "term":
            terms.setdefault(depth, at)
        described = block.kind != "term" and depth in terms
        found.append(terms[depth] if described else parents.get(depth, -1))
    return found


def introducing(blocks: Sequence[Block], leads: Sequence[int], at: int) -> list[int]:
    r"""The numbers of the blocks that introduce a block if those before it are not shown: its
    lead-in, and before it the term whose description holds both. Long ones are left out.

    Args:
        leads: the lead-in of each block, from `lead_ins`.

    >>> text = "backup\nThese files:\nOne.\nTwo."
    >>> blocks = [Block("term", 0, 6, 1), Block("description", 7, 19, 1)]
    >>> blocks += [Block("item", 20, 24, 2), Block("item", 25, 29, 2)]
    >>> introducing(blocks, lead_ins(text, blocks), 3)
    [0, 1]
    """
    lead = term = leads[at]
    while term >= 0 and blocks[term].kind != "term":
        term = leads[term]
    found = [one for one in dict.fromkeys((term, lead)) if one >= 0]
    return [one for one in found if blocks[one].end - blocks[one].start <= _LONGEST_LEAD]
