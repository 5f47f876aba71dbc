"""The numbered sentences of passages that a model may cite."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from anaphora.read.extracts import blocks_of, shown_blocks, units
from anaphora.read.planted import neutral, planted
from anaphora.read.rendering import rendered
from anaphora.records import Citation, Hit, Passage, together

_LONGEST = 600
"""Characters of a sentence that the model is shown."""


@dataclass(frozen=True, slots=True)
class Source:
    """Characters `start` to `end` of a passage: a sentence, or a block that is no prose.

    Attributes:
        line: what the model is shown, in one line.
        evidence: what statements are checked against: the text with the lead-in of its list or the
            header of its row.
    """

    hit: Hit
    start: int
    end: int
    line: str
    evidence: str

    @property
    def passage(self) -> Passage:
        return self.hit.passage

    def citation(self) -> Citation:
        """The citation of the sentence; where it holds the best span of its passage, with that."""
        passage, start, end = self.passage, self.start, self.end
        spans = self.hit.evidence.spans if self.hit.evidence else ()
        inside = [one for one in spans[:1] if start <= one.start and one.end <= end]
        return Citation(
            passage.passage_id,
            passage.doc_id,
            passage.heading,
            passage.text[start:end],
            start,
            end,
            (inside[0].start, inside[0].end) if inside else None,
            shown_blocks(passage, start, end),
        )


@dataclass(frozen=True, slots=True)
class Section:
    """A passage's heading and its sentences, as the model is shown them."""

    heading: str
    sources: tuple[Source, ...]


def section(hit: Hit) -> tuple[Section, int]:
    """The sentences of a hit's passage, and how many of them were left out because they hold
    instructions to a model."""
    passage = hit.passage
    text = passage.text
    kept: list[Source] = []
    left_out = 0
    for group in together(text, blocks_of(passage)):
        blocks = [block for block in group if block.kind not in ("heading", "header")]
        for start, end in units(passage, blocks) if blocks else ():
            if planted(text[start:end]):
                left_out += 1
            elif any(map(str.isalnum, text[start:end])):
                kept.append(_source(hit, start, end))
    heading = "" if planted(passage.heading) else neutral(passage.heading)
    return Section(heading[:_LONGEST], tuple(kept)), left_out


def _source(hit: Hit, start: int, end: int) -> Source:
    passage = hit.passage
    quote, blocks = passage.text[start:end], shown_blocks(passage, start, end)
    evidence = rendered(quote, blocks)
    line = evidence if blocks[0].kind == "row" else quote
    return Source(hit, start, end, neutral(line)[:_LONGEST], evidence)


def numbered(sections: Sequence[Section]) -> list[Source]:
    """The sentences in the order of their numbers; the first one is number 1."""
    return [source for one in sections for source in one.sources]
