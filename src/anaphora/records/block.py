"""Blocks: the parts of a text's structure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

BlockKind: TypeAlias = Literal[
    "paragraph",
    "heading",
    "item",
    "header",
    "row",
    "code",
    "term",
    "description",
    "quotation",
    "note",
    "caption",
]
"""What a block is: "header" and "row" are those of a table, "term" and "description" those of a
list of definitions. A "heading" has no text below it."""


@dataclass(frozen=True, slots=True)
class Block:
    """Characters `start` to `end` of a text are one part of its structure.

    Attributes:
        depth: how many lists contain the block, from 1 for an item of a list; 0 outside of lists.
        marker: what stands before an item when it is shown, such as "2." or "•".
        header: the header cells of a table row; of the first block in a passage, what introduces
            it in the passage before: its lead-in, after the term that this is in.
        place: the fragment of a link to it: an anchor, "page=3" of a PDF, "L12" of a text file.
    """

    kind: BlockKind
    start: int
    end: int
    depth: int = 0
    marker: str = ""
    header: tuple[str, ...] = ()
    place: str = ""

    def within(self, start: int, end: int) -> Block:
        """The part of the block in characters `start` to `end`, with offsets from `start`."""
        return replace(self, start=max(self.start, start) - start, end=min(self.end, end) - start)
