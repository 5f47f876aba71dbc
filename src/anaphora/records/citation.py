"""Citations: the ranges of passages in which answers are grounded."""

from __future__ import annotations

from dataclasses import dataclass

from anaphora.records.block import Block


@dataclass(frozen=True, slots=True)
class Citation:
    """A character range of a passage: `passage.text[start:end] == quote`.

    Attributes:
        span: the range of the shortest answer in the passage, where the reader found one.
        blocks: the structure of the quote, with offsets in it.
    """

    passage_id: str
    doc_id: str
    title: str
    quote: str
    start: int
    end: int
    span: tuple[int, int] | None = None
    blocks: tuple[Block, ...] = ()

    @property
    def place(self) -> str:
        """The fragment of a link to the quote in its document, such as "page=3"; may be empty."""
        return self.blocks[0].place if self.blocks else ""

    @property
    def answer(self) -> str:
        """The shortest answer in the quote; empty where none was found."""
        if self.span is None:
            return ""
        return self.quote[self.span[0] - self.start : self.span[1] - self.start]

    def has_heading(self, line: str) -> bool:
        """Whether a line of an answer is the heading above the quote: the title, or its end.

        >>> citation = Citation("p", "d", "Guide › Search › Ranking", "By score.", 0, 9)
        >>> [citation.has_heading(line) for line in ("Search › Ranking", "king", "")]
        [True, False, False]
        """
        return bool(line) and f" › {self.title}".endswith(f" › {line}")
