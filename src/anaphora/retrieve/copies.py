"""Near-identical passages count once: a manual is often there as pages, as one page, and as PDF."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from anaphora.language import tokenize
from anaphora.records import Hit, Passage

_RUN = 3
"""Tokens of the runs by which two texts are compared (shingles; Broder 1997, "On the resemblance
and containment of documents")."""
_SAME = 0.9
"""A passage with a larger fraction of a smaller one's runs is a copy of it."""
_TELLING = 30
"""With fewer runs, passages below different headings are no copies, whatever they say."""
_INSIDE_FILE = re.compile(r"page=\d+|L\d+")
_LETTERS = re.compile(r"[^\W\d_]+")


def without_copies(hits: Sequence[Hit], k: int) -> list[Hit]:
    """The first k hits of which none is nearly a copy of another one, with new ranks.

    Copies are passages of two documents in one language, one of which holds nearly all of the
    other's text and all of its numbers. The first one stays. A copy takes its place if it is as
    long and a link leads to a better place: to an anchor of a page rather than to a page of a PDF
    or a line of a file, and to these rather than to an e-book. A passage that is a whole document,
    such as a record of a JSON file, is never a copy.
    """
    kept: list[Hit] = []
    texts: list[_Text] = []
    owners: dict[tuple[str, ...], list[int]] = {}
    for hit in hits:
        if len(kept) == k:
            break
        text = _Text(hit.passage)
        shared = Counter(at for run in text.runs for at in owners.get(run, ()))
        same = next((at for at in sorted(shared) if text.copies(texts[at], shared[at])), None)
        if same is None:
            for run in text.runs:
                owners.setdefault(run, []).append(len(kept))
            texts.append(text)
            kept.append(hit)
        elif text.place > texts[same].place and len(text.runs) >= _SAME * len(texts[same].runs):
            kept[same] = replace(kept[same], passage=hit.passage, evidence=hit.evidence)
            texts[same].place = text.place
    return [replace(hit, rank=rank) for rank, hit in enumerate(kept, 1)]


class _Text:
    """What is compared of a passage."""

    def __init__(self, passage: Passage) -> None:
        self.passage = passage
        self.place = _place(passage)
        self._numbers: set[str] = set()
        self.runs: set[tuple[str, ...]] = set()
        if passage.passage_id != passage.doc_id:
            tokens = tokenize(passage.text)
            self._numbers = {token for token in tokens if token.isdecimal()}
            self.runs = {
                tuple(tokens[at : at + _RUN]) for at in range(max(1, len(tokens) - _RUN + 1))
            }

    def copies(self, other: _Text, shared: int) -> bool:
        """Whether this text and another one, which have so many runs in common, are copies."""
        if self.passage.doc_id == other.passage.doc_id or self.passage.lang != other.passage.lang:
            return False
        small, large = sorted((self, other), key=lambda text: len(text.runs))
        return (
            shared >= _SAME * len(small.runs)
            and small._numbers <= large._numbers
            and (len(small.runs) >= _TELLING or _heading(self.passage) == _heading(other.passage))
        )


def _heading(passage: Passage) -> list[str]:
    """The words of the lowest heading without its number."""
    return _LETTERS.findall((passage.section or (passage.title,))[-1].casefold())


def _place(passage: Passage) -> int:
    """How well a link leads to a passage in its file."""
    place = passage.blocks[0].place if passage.blocks else ""
    if not place or passage.doc_id.lower().endswith(".epub"):
        return 0
    return 1 if _INSIDE_FILE.fullmatch(place) else 2
