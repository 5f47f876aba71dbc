"""Reranking by the judge that comes with Anaphora."""

from __future__ import annotations

from collections.abc import Sequence

from anaphora.crossencoder.model import CrossEncoder
from anaphora.records import Passage, Query, is_cross_lingual
from anaphora.rerank.scoring import Asked, by_pair

_SPANLESS = -20.0
"""Stands for the score of a span where a passage has none."""


class CrossEncoderScorer:
    """The log-odds that the best span of a passage answers the question as it was searched.

    On questions that nothing is reported on this orders better than relevance alone: the span's
    score knows more of what makes a passage that is on the topic no answer (docs/models/judge.md).
    """

    name = "judge"

    def __init__(self, cross_encoder: CrossEncoder) -> None:
        self._cross_encoder = cross_encoder

    def score(self, asked: Sequence[Asked]) -> list[list[float] | None]:
        return by_pair(asked, self._supports)

    def _supports(self, pairs: Sequence[tuple[Query, Passage]]) -> list[float]:
        judged = self._cross_encoder.score([(query.text, passage) for query, passage in pairs])
        return [
            self._cross_encoder.support(
                one.relevance,
                one.spans[0].score if one.spans else _SPANLESS,
                is_cross_lingual(query.lang, passage.lang),
            )
            for one, (query, passage) in zip(judged, pairs, strict=True)
        ]
