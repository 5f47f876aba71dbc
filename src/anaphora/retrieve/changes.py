"""Lists of changes count less: they name every topic of a manual, and answer few questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from anaphora.language.changes import heads_changes, names_changes
from anaphora.records import Hit, Query

_PART = 0.5
"""What is left of the score of a hit in a list of changes."""


def lowering_changes(query: Query, hits: Sequence[Hit]) -> Sequence[Hit]:
    """The hits, none with a negative score, in a new order: those in lists of changes have half of
    their scores, unless the question names such a list."""
    if names_changes(query.text):
        return hits
    within = [heads_changes((hit.passage.title, *hit.passage.section)) for hit in hits]
    if not any(within):
        return hits
    lowered = [
        replace(hit, score=_PART * hit.score) if changes else hit
        for hit, changes in zip(hits, within, strict=True)
    ]
    ordered = sorted(lowered, key=lambda hit: -hit.score)
    return [replace(hit, rank=rank) for rank, hit in enumerate(ordered, 1)]
