"""The settings of rerankers."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from anaphora.protocols import Reranker, Resources
from anaphora.rerank.scoring import Scorer, ScoringReranker
from anaphora.validation import MAX_SECONDS, check_present, check_ranges, request_ranges


@dataclass(frozen=True, slots=True)
class NoReranker:
    """The hits stay in the order in which they were found."""

    def build(self, resources: Resources) -> None:
        return None


@dataclass(frozen=True, slots=True)
class _Scoring:
    """What rerankers that score share.

    The first `top` hits are scored. `weight` is that of the reranker's score against the first
    stage's, from 0 to 1.
    """

    model: str = ""
    top: int = 14
    weight: float = 0.5

    def __post_init__(self) -> None:
        check_ranges(
            "rerank",
            self,
            top=(self.top >= 1, "1 or more"),
            weight=(0 <= self.weight <= 1, "from 0 to 1"),
        )


@dataclass(frozen=True, slots=True)
class _LocalScoring(_Scoring):
    """Scoring takes at most `rerank_ms` milliseconds a query (0: no limit; with one, an answer
    depends on how busy the machine is), and ends when `patience` hits in a row did not reach the
    five best (0: never)."""

    rerank_ms: int = 0
    patience: int = 0

    def __post_init__(self) -> None:
        _Scoring.__post_init__(self)
        check_ranges(
            "rerank",
            self,
            rerank_ms=(
                0 <= self.rerank_ms <= 1000 * MAX_SECONDS,
                f"0 or more, up to {1000 * MAX_SECONDS:.0f}",
            ),
            patience=(self.patience >= 0, "0 or more"),
        )

    def _reranker(self, load: Callable[[], Scorer]) -> Reranker:
        return ScoringReranker(load, self.top, self.rerank_ms / 1000, self.patience, self.weight)


@dataclass(frozen=True, slots=True)
class JudgeSettings(_LocalScoring):
    """Anaphora's own cross-encoder, with the shipped weights or those in the folder `model`."""

    def build(self, resources: Resources) -> Reranker:
        def load() -> Scorer:
            from anaphora.crossencoder.model import SHIPPED, shared_crossencoder
            from anaphora.rerank.crossencoder import CrossEncoderScorer

            return CrossEncoderScorer(
                shared_crossencoder(Path(self.model) if self.model else SHIPPED)
            )

        return self._reranker(load)


@dataclass(frozen=True, slots=True)
class CrossEncoderSettings(_LocalScoring):
    """The Hugging Face cross-encoder `model`: a name on the hub, or a folder.

    Raises:
        UsageError: `model` is empty, or a number is out of range.
    """

    def __post_init__(self) -> None:
        _LocalScoring.__post_init__(self)
        check_present("rerank", self, "the reranker 'crossencoder'", ["model"])

    def build(self, resources: Resources) -> Reranker:
        def load() -> Scorer:
            from anaphora.rerank.huggingface import HuggingFaceCrossEncoder

            return HuggingFaceCrossEncoder(self.model)

        return self._reranker(load)


@dataclass(frozen=True, slots=True)
class LateInteractionSettings(_LocalScoring):
    """Late interaction by the token vectors of the Hugging Face encoder `model`.

    Raises:
        UsageError: `model` is empty, or a number is out of range.
    """

    def __post_init__(self) -> None:
        _LocalScoring.__post_init__(self)
        check_present("rerank", self, "the reranker 'late'", ["model"])

    def build(self, resources: Resources) -> Reranker:
        def load() -> Scorer:
            from anaphora.rerank.late import LateInteraction

            return LateInteraction(self.model)

        return self._reranker(load)


@dataclass(frozen=True, slots=True)
class LLMSettings(_Scoring):
    """The order that the `model` behind an OpenAI-compatible `endpoint` returns.

    `timeout` is the seconds that an answer may take with all its retries, `parallel` the number of
    concurrent requests.

    Raises:
        UsageError: `endpoint` or `model` is empty, or a number is out of range.
    """

    endpoint: str = ""
    timeout: float = 20.0
    parallel: int = 4

    def __post_init__(self) -> None:
        _Scoring.__post_init__(self)
        check_ranges("rerank", self, **request_ranges(self.timeout, self.parallel))
        check_present("rerank", self, "the reranker 'llm'", ["endpoint", "model"])

    def build(self, resources: Resources) -> Reranker:
        """The reranker.

        Raises:
            UsageError: the endpoint is not an address.
        """
        from anaphora.models.endpoint import ChatModel
        from anaphora.rerank.llm import LLMScorer

        model = ChatModel(self.endpoint, self.model, self.timeout)
        return ScoringReranker(
            lambda: LLMScorer(model, self.parallel), self.top, weight=self.weight
        )


def for_given_passages(settings: Any) -> Any:
    """The settings of a reranker that ranks any number of passages: these, or the default ones
    for `NoReranker`."""
    if isinstance(settings, NoReranker):
        settings = JudgeSettings()
    if hasattr(settings, "top"):
        # The passages have no retrieval scores that could be weighed.
        settings = replace(settings, top=sys.maxsize, weight=1.0)
    return settings
