"""From an engine's rows and scores to hits with their passages."""

from __future__ import annotations

from collections.abc import Sequence

from anaphora.index import Index, Ranking
from anaphora.records import Hit


def to_hits(engine: Index, rankings: Sequence[Ranking], source: str) -> list[list[Hit]]:
    """One list of hits for each ranking; passages deleted in the meantime are left out."""
    results: list[list[Hit]] = []
    for ranking in rankings:
        passages = engine.passages(ranking.rows)
        found = [
            (passage, score)
            for passage, score in zip(passages, ranking.scores.tolist(), strict=True)
            if passage is not None
        ]
        results.append(
            [
                Hit(passage, score, rank, {source: score})
                for rank, (passage, score) in enumerate(found, 1)
            ]
        )
    return results
