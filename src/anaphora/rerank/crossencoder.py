"""Reranking by the cross-encoder that comes with Anaphora."""

from __future__ import annotations

from collections.abc import Sequence

from anaphora.crossencoder.model import CrossEncoder
from anaphora.records import Evidence, Query, is_cross_lingual
from anaphora.rerank.scoring import Candidates, Score

_NO_SPAN = -20.0
"""The span score of a passage without a span."""


class CrossEncoderScorer:
    """Scores a passage by the log-odds that its best span answers the query's text.

    This ranks better than relevance alone on held-out questions: the score of the span separates
    passages that answer from those that are only on the topic (docs/models/judge.md). The evidence
    travels on the hit.
    """

    name = "judge"

    def __init__(self, cross_encoder: CrossEncoder) -> None:
        self._cross_encoder = cross_encoder

    def score(self, candidates: Sequence[Candidates]) -> list[list[Score] | None]:
        pairs = [(query, passage) for query, passages in candidates for passage in passages]
        found = iter(self._cross_encoder.score([(query.question, one) for query, one in pairs]))
        return [
            [self._score(query, passage.lang, next(found)) for passage in passages]
            for query, passages in candidates
        ]

    def _score(self, query: Query, lang: str, evidence: Evidence) -> Score:
        span = evidence.spans[0].score if evidence.spans else _NO_SPAN
        cross_lingual = is_cross_lingual(query.lang, lang)
        return Score(self._cross_encoder.support(evidence.relevance, span, cross_lingual), evidence)
