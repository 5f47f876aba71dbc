"""The configured reranker."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from anaphora.config import RerankConfig
from anaphora.protocols import Reranker
from anaphora.rerank.scoring import Scorer, ScoringReranker


def make_reranker(settings: RerankConfig) -> Reranker | None:
    """The configured reranker, which needs no index; None for the method "none". What it runs on is
    loaded when it is first used.

    Args:

    Raises:
        UsageError: the endpoint is no address.
    """
    load = _scorer(settings)
    if load is None:
        return None
    return ScoringReranker(
        load,
        settings.top,
        # An endpoint has a time-out of its own and is asked only once.
        0.0 if settings.method == "llm" else settings.rerank_ms / 1000,
        0 if settings.method == "llm" else settings.patience,
        settings.weight,
    )


def _scorer(settings: RerankConfig) -> Callable[[], Scorer] | None:
    # What each of these needs takes a while to import.
    if settings.method == "judge":

        def judge() -> Scorer:
            from anaphora.crossencoder.model import SHIPPED, shared_crossencoder
            from anaphora.rerank.crossencoder import CrossEncoderScorer

            folder = Path(settings.model) if settings.model else SHIPPED
            return CrossEncoderScorer(shared_crossencoder(folder))

        return judge
    if settings.method == "crossencoder":

        def cross_encoder() -> Scorer:
            from anaphora.rerank.huggingface import HuggingFaceCrossEncoder

            return HuggingFaceCrossEncoder(settings.model)

        return cross_encoder
    if settings.method == "late":

        def late() -> Scorer:
            from anaphora.rerank.late import LateInteraction

            return LateInteraction(settings.model)

        return late
    if settings.method == "llm":
        from anaphora.models.chat import ChatModel
        from anaphora.rerank.llm import LLMScorer

        model = ChatModel(settings.endpoint, settings.model, settings.timeout)
        return lambda: LLMScorer(model, settings.parallel)
    return None
