"""Documents, the passages they are cut into, and what a search gives back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

UNKNOWN = "unknown"
"""The language of a text whose language cannot be told."""


def across(asked: str, told: str) -> bool:
    """Whether a question and a passage are known to be in different languages.

    >>> across("vi", "zh"), across("vi", UNKNOWN)
    (True, False)
    """
    return UNKNOWN not in (asked, told) and asked != told


@dataclass(frozen=True, slots=True)
class Section:
    """From character `start` of the document's text, the text stands under these headings."""

    start: int
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """One document as extracted: plain text (NFC), and where its sections begin.

    `whole` marks a document that is one passage by definition (a BEIR record): it is never split
    and its passage carries the document's own id.
    """

    doc_id: str
    title: str
    text: str
    lang: str = UNKNOWN
    sections: tuple[Section, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a document: `document.text[start:end] == passage.text`."""

    passage_id: str
    doc_id: str
    title: str
    text: str
    lang: str
    section: tuple[str, ...] = ()
    start: int = 0
    end: int = 0

    @property
    def heading(self) -> str:
        """Title and section path in one line, as it stands before the text when it is searched."""
        return " › ".join(dict.fromkeys(part for part in (self.title, *self.section) if part))

    @property
    def searched_text(self) -> str:
        """What retrieval sees: the heading in a line of its own, then the text."""
        heading = self.heading
        return f"{heading}\n{self.text}" if heading else self.text


@dataclass(frozen=True, slots=True)
class Query:
    """What retrieval looks for: `text` and, searched beside it and fused, its `variants`."""

    text: str
    lang: str = UNKNOWN
    variants: tuple[str, ...] = ()
    id: str = ""

    @property
    def phrasings(self) -> tuple[str, ...]:
        """`text` and the variants, each once."""
        return tuple(dict.fromkeys((self.text, *self.variants)))


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage found. `sources` maps each retriever that found it to its own score there."""

    passage: Passage
    score: float
    rank: int
    sources: Mapping[str, float] = field(default_factory=dict)
