"""Reranking by the judge that comes with Anaphora."""

from __future__ import annotations

from collections.abc import Sequence

from anaphora.judge.model import Judge
from anaphora.rerank.scoring import Asked, by_pair


class JudgeScorer:
    """The log-odds that a passage answers the question as it was searched."""

    name = "judge"

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    def score(self, asked: Sequence[Asked]) -> list[list[float] | None]:
        return by_pair(
            asked,
            lambda pairs: [
                one.relevance
                for one in self._judge.judge([(query.text, passage) for query, passage in pairs])
            ],
        )
