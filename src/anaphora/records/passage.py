"""Documents, the passages they are cut into, and what a search gives back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from anaphora.records.block import Block
from anaphora.records.conversation import UNKNOWN, Conversation

_LONGEST_INTRODUCTION = 300
"""Characters of what introduces a passage that are searched and judged with it."""
_INTRODUCED = frozenset({"row", "description", "paragraph", "note", "quotation"})
"""What a passage begins with that is searched with its introduction."""


def is_cross_lingual(question: str, passage: str) -> bool:
    """Whether a question and a passage are known to be in different languages, given by code.

    >>> is_cross_lingual("vi", "zh"), is_cross_lingual("vi", UNKNOWN)
    (True, False)
    """
    return UNKNOWN not in (question, passage) and question != passage


@dataclass(frozen=True, slots=True)
class Section:
    """From character `start` of the document's text, the text stands under these headings."""

    start: int
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """One document as extracted: plain text (NFC), its blocks, and where its sections begin.

    The blocks are in order and do not overlap. Between two there is only white space, and a text
    without blocks is read as paragraphs, with an empty line after each.

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
    blocks: tuple[Block, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a document: `document.text[start:end] == passage.text`.

    The offsets of its `blocks` are those in its own text.
    """

    passage_id: str
    doc_id: str
    title: str
    text: str
    lang: str
    section: tuple[str, ...] = ()
    start: int = 0
    end: int = 0
    blocks: tuple[Block, ...] = ()

    @property
    def heading(self) -> str:
        """Title and section path in one line, as it stands before the text when it is searched."""
        return " › ".join(dict.fromkeys(part for part in (self.title, *self.section) if part))

    @property
    def introduction(self) -> str:
        """What introduces the first block and stands before the text: the header of a table, the
        term of a description, the lead-in of a list or of code."""
        header = self.blocks[0].header if self.blocks else ()
        return " | ".join(filter(None, header))[:_LONGEST_INTRODUCTION]

    @property
    def full_heading(self) -> str:
        """The heading and the introduction in one line, as they are judged with the text."""
        return " › ".join(part for part in (self.heading, self.introduction) if part)

    @property
    def searched_text(self) -> str:
        """What retrieval sees: the heading in a line of its own, the header of a table or the term
        of a description that begins before the text in another one, then the text."""
        known = bool(self.blocks) and self.blocks[0].kind in _INTRODUCED
        parts = (self.heading, self.introduction if known else "", self.text)
        return "\n".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Query:
    """What retrieval searches: `text` and, fused with it, its `variants`.

    `conversation` is the one whose last turn the query was made from; None for a plain search.
    `in_context` is that turn as it was asked, behind the questions before it
    (`Conversation.in_context`), which vectors are searched by too; empty where it is not. `read` is
    what the cross-encoder compares with passages instead of `text`; see `question`.
    """

    text: str
    lang: str = UNKNOWN
    variants: tuple[str, ...] = ()
    id: str = ""
    conversation: Conversation | None = None
    in_context: str = ""
    read: str = ""

    @property
    def question(self) -> str:
        """What the cross-encoder reads: a follow-up as it was asked, otherwise `text`."""
        return self.read or self.text

    @property
    def phrasings(self) -> tuple[str, ...]:
        """`text` and the variants, each once."""
        return tuple(dict.fromkeys((self.text, *self.variants)))


@dataclass(frozen=True, slots=True)
class Span:
    """Characters `start` to `end` of a passage's text.

    `score` is the log-odds that they are the answer, against "no answer here".
    """

    start: int
    end: int
    score: float

    def overlaps(self, other: Span) -> bool:
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a cross-encoder found in a passage for one question.

    Attributes:
        relevance: log-odds that the passage answers.
        spans: the most probable answers in its text, the best first; none in an empty text.
        model: which cross-encoder it was; a reader uses only the evidence of its own.
        extent: the range of all that answers in its text; None where it is not known.
    """

    relevance: float
    spans: tuple[Span, ...]
    model: str = ""
    extent: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that was found, and what each stage learned about it.

    Attributes:
        sources: the score of each retriever and reranker that scored it, by name.
        cosine: of the default encoder's vectors of query and passage, where they were compared, on
            the scale of `models.similarity.comparable`.
        evidence: what the cross-encoder found, where it read the passage.
        adapted: whether the index's adapter shifted the vector that found it.
    """

    passage: Passage
    score: float
    rank: int
    sources: Mapping[str, float] = field(default_factory=dict)
    cosine: float | None = None
    evidence: Evidence | None = None
    adapted: bool = False
