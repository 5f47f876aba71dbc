"""What a reader that generates gets to read: the question and the best passages, as text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from anaphora.language import sentences
from anaphora.records import Conversation, Hit, Passage, Query

Form: TypeAlias = Literal["question", "history", "passages"]
"""What an input contains: the question as it was rewritten and passages; the question as it was
asked, the turns before it and passages; passages alone, for models that summarise."""
Size: TypeAlias = Callable[[str], int]
"""The number of input tokens of a text, with the special tokens of the model."""

_ASKED = 0.5
"""The fraction of the window that the question and the turns before it may have."""


@dataclass(frozen=True, slots=True)
class Input:
    """What one question's passages became.

    Attributes:
        texts: what the model reads: one text, or one for each passage.
        hits: the hits in it, in their order.
        dropped: how many hits did not fit.
        shortened: whether sentences at the end of the first hit, or of one that is read alone, did
            not fit.
    """

    texts: tuple[str, ...]
    hits: tuple[Hit, ...]
    dropped: int = 0
    shortened: bool = False

    @property
    def note(self) -> str:
        """What did not fit, in words; empty where everything did."""
        return not_fitting(self.dropped, self.shortened)


def not_fitting(dropped: int, shortened: bool = False) -> str:
    """What did not fit into a model's window, in words; empty where everything did.

    >>> not_fitting(2, shortened=True)
    "2 passages and the end of another did not fit into the model's window"
    """
    parts = []
    if dropped:
        parts.append(f"{dropped} passage{'s' * (dropped > 1)}")
    if shortened:
        parts.append("the end of another" if dropped else "the end of a passage")
    return f"{' and '.join(parts)} did not fit into the model's window" if parts else ""


def together(query: Query, hits: Sequence[Hit], form: Form, room: int, size: Size) -> Input:
    """One text with the question and the hits: `question: … title: … context: … title: …`.

    In the form "passages" the text is that of Ferreira et al. (2021), "Open-Domain Conversational
    Search Assistant with Transformers", equation 4. The worst hits are dropped until the text has
    at most `room` tokens; of a single hit that does not fit the last sentences are dropped.

    Args:
        hits: the best first.
        room: input tokens.
    """
    head = _head(query, form, room, size)
    parts = [_part(hit.passage, form) for hit in hits]
    kept = len(parts)
    while kept > 1 and size(_joined(head, parts[:kept])) > room:
        kept -= 1
    if not kept:
        return Input((), ())
    if kept > 1 or size(_joined(head, parts[:1])) <= room:
        return Input((_joined(head, parts[:kept]),), tuple(hits[:kept]), len(hits) - kept)
    text = _shortened(head, hits[0].passage, form, room, size)
    if not text:
        return Input((), (), len(hits))
    return Input((text,), (hits[0],), len(hits) - 1, shortened=True)


def alone(query: Query, hits: Sequence[Hit], form: Form, room: int, size: Size) -> Input:
    """A text for each hit: the question with that hit alone, as for Fusion-in-Decoder.

    As `together` for each hit: the last sentences of one that does not fit are dropped.
    """
    made = [together(query, [hit], form, room, size) for hit in hits]
    return Input(
        tuple(text for one in made for text in one.texts),
        tuple(hit for one in made for hit in one.hits),
        sum(one.dropped for one in made),
        any(one.shortened for one in made),
    )


def _head(query: Query, form: Form, room: int, size: Size) -> str:
    if form == "passages":
        return ""
    if form == "question" or query.conversation is None:
        return f"question: {_line(query.text)}"
    asked, *before = _said(query.conversation)
    head = f"question: {asked}"
    for number, text in enumerate(before):
        longer = f"{head} {'history:' if not number else '|'} {text}"
        if size(longer) > room * _ASKED:
            break
        head = longer
    return head


def _said(conversation: Conversation) -> list[str]:
    """The question and the turns before it that say something, the newest first."""
    turns = [_line(turn.text) for turn in reversed(conversation.turns)]
    return [turns[0], *filter(None, turns[1:])]


def _part(passage: Passage, form: Form, end: int | None = None) -> str:
    text = _line(passage.text[:end])
    if form == "passages":
        return text
    title = _line(passage.heading)
    return f"title: {title} context: {text}" if title else f"context: {text}"


def _joined(head: str, parts: Sequence[str]) -> str:
    return " ".join(filter(None, (head, *parts)))


def _shortened(head: str, passage: Passage, form: Form, room: int, size: Size) -> str:
    """The text with as many of the passage's first sentences as fit; empty where none does."""
    texts = [
        _joined(head, [_part(passage, form, end)])
        for _, end in sentences(passage.text, passage.lang)
    ]
    fitting = bisect_right(texts, room, key=size)
    return texts[fitting - 1] if fitting else ""


def _line(text: str) -> str:
    return " ".join(text.split())
