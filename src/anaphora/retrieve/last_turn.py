"""What the turn before a question was about: the documents that its text finds."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from anaphora.records import Hit, Passage, Query

_ANSWER = 300
"""Characters of the answer that are searched."""
_NEAREST = 20
"""Hits of the turn before whose documents count."""
_HEADING = "›"
_MARK = re.compile(r"\s*\[\d{1,3}\]")


def last_turn(query: Query) -> str:
    """The question before a query's and the beginning of the answer to it, as one text; empty where
    no turn came before.

    >>> from anaphora.records import Conversation, Turn
    >>> turns = Turn("user", "undo a change?"), Turn("assistant", "Press Ctrl+Z. [1]")
    >>> asked = Turn("user", "and redo")
    >>> last_turn(Query(asked.text, conversation=Conversation((*turns, asked))))
    'undo a change? Press Ctrl+Z.'
    """
    if query.conversation is None:
        return ""
    asked = answered = ""
    for turn in query.conversation.history:
        if turn.role == "user":
            asked, answered = turn.text, ""
        else:
            answered = _MARK.sub("", turn.text[: 2 * _ANSWER])[:_ANSWER]
    return f"{asked} {answered}".strip()


def preferring(hits: Sequence[Hit], before: Sequence[Hit], weight: float) -> list[Hit]:
    """The hits in a new order: those of documents that the turn before is about gain.

    People ask on about what they have just read, often in words that say little by themselves
    ("and how do I undo that?"). The document of the best hit of the turn before gains `weight`
    times the range of the hits' scores, the document of another hit less in proportion to its
    score. No hit is added. Passages that are whole documents, such as the records of a JSON file,
    are of one document if they have the same title, up to its first "›". Such a passage is not
    raised by itself: nobody has to be led back to what they have just read.

    Args:
        before: the hits of the turn before, the best first.
    """
    if not hits or not before or before[0].score <= 0:
        return list(hits)
    near: defaultdict[tuple[bool, str], dict[str, float]] = defaultdict(dict)
    for hit in before[:_NEAREST]:
        if document := _document(hit.passage):
            near[document][hit.passage.passage_id] = hit.score / before[0].score
    scores = [hit.score for hit in hits]
    gain = weight * (max(scores) - min(scores))
    raised = [replace(hit, score=hit.score + gain * _nearness(hit.passage, near)) for hit in hits]
    ordered = sorted(raised, key=lambda hit: -hit.score)
    return [replace(hit, rank=rank) for rank, hit in enumerate(ordered, 1)]


def _document(passage: Passage) -> tuple[bool, str] | None:
    """What the passages of one document have in common; None for a record without a title."""
    if passage.passage_id != passage.doc_id:
        return False, passage.doc_id
    title = passage.title.partition(_HEADING)[0].strip()
    return (True, title) if title else None


def _nearness(passage: Passage, near: Mapping[tuple[bool, str], Mapping[str, float]]) -> float:
    document = _document(passage)
    if document is None:
        return 0.0
    itself = passage.passage_id if document[0] else ""
    return max((part for id, part in near.get(document, {}).items() if id != itself), default=0.0)
