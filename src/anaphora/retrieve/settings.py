"""The settings of retrievers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from anaphora.errors import UsageError
from anaphora.index import BM25, Index, LexicalMode, LMDirichlet, LMJelinekMercer, TermStatistics
from anaphora.protocols import Resources, Retriever
from anaphora.records import Hit, Query
from anaphora.retrieve.dense import DenseRetriever
from anaphora.retrieve.encoders import DEFAULT
from anaphora.retrieve.fast import NAME as FAST
from anaphora.retrieve.fusion import Fusion
from anaphora.retrieve.languages import (
    LanguageRetriever,
    Languages,
    TranslatingRetriever,
    chosen,
)
from anaphora.retrieve.lexical import LexicalRetriever, familiarity
from anaphora.retrieve.sparse import IdfQueries, SparseRetriever
from anaphora.validation import check_ranges

FAST_SHARE = 0.25
"""Of `dense_weight`, for vectors of the fast encoder, which find by words as lexical search does:
docs/decisions/fast-encoder.md."""


@dataclass(frozen=True, slots=True)
class NoRetriever:
    """Finds nothing: the baseline of a reader that answers without passages."""

    k: int = 10

    def retrieve(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        return [[] for _ in queries]


@dataclass(frozen=True, slots=True)
class RetrieverSettings:
    """How passages are found.

    `model`: "hybrid" fuses `lexical` and dense retrieval; on an index without vectors it is
    `lexical` alone. With a `sparse_weight`, it fuses sparse retrieval too. `sparse_queries` says
    how sparse retrieval weighs the terms of a question: by its model, or by inverse document
    frequency. The reader gets `k` passages, in the `languages` that are searched. With `translate`,
    the question is also searched in translation, or with `translated_only` instead: into English,
    or into every language of the documents that is searched. `context_weight` is of hybrid
    retrieval: how much the documents that the turn before is about gain (`retrieve/last_turn.py`).
    So is `in_context_weight`, with the default encoder: the weight in dense retrieval of a
    follow-up behind the questions before it, relative to its rewrite.
    """

    model: Literal["hybrid", "dense", "sparse", "bm25", "lmd", "lmjm"] = "hybrid"
    lexical: Literal["bm25", "lmd", "lmjm"] = "bm25"
    k: int = 10
    k1: float = 0.9
    b: float = 0.4
    mu: float = 1000.0
    lam: float = 0.1
    fusion: Literal["rrf", "weighted"] = "weighted"
    depth: int = 100
    lexical_weight: float = 1.0
    dense_weight: float = 1.5
    sparse_weight: float = 0.0
    sparse_queries: Literal["model", "idf"] = "model"
    variant_weight: float = 0.5
    context_weight: float = 0.5
    in_context_weight: float = 0.5
    languages: Languages = "all"
    translate: Literal["none", "english", "documents"] = "none"
    translated_only: bool = False

    def __post_init__(self) -> None:
        check_ranges(
            "retrieve",
            self,
            k=(self.k >= 1, "1 or more"),
            depth=(self.depth >= 1, "1 or more"),
            sparse_weight=(self.sparse_weight >= 0, "0 or more"),
            context_weight=(0 <= self.context_weight <= 1, "from 0 to 1"),
            in_context_weight=(self.in_context_weight >= 0, "0 or more"),
        )

    def build(self, resources: Resources) -> Retriever:
        """The retriever, which searches all phrasings of a query.

        Raises:
            UsageError: there is no index, or it has no vectors for dense retrieval or no weights
                for sparse retrieval, or there is no translator.
        """
        found = self._fusion(resources)
        if self.translate != "none":
            found = self._translating(found, resources)
        return found if self.languages == "all" else LanguageRetriever(found, self.languages)

    def _translating(self, retriever: Retriever, resources: Resources) -> Retriever:
        translator, index = resources.translator, resources.index
        if translator is None:
            raise UsageError("'retrieve.translate' needs 'translate.method' to be set")
        held = index.languages if index else ()

        def targets(query: Query) -> list[str]:
            wanted = chosen(self.languages, query)
            into = ("en",) if self.translate == "english" else held
            return [lang for lang in into if wanted is None or lang in wanted]

        return TranslatingRetriever(
            retriever,
            translator,
            targets,
            self.fusion,
            depth=self.depth,
            only=self.translated_only,
        )

    def _fusion(self, resources: Resources) -> Retriever:
        index = resources.index
        if index is None:
            raise UsageError(f"the retriever {self.model!r} needs an index")
        encoder = resources.encoder if self.model in ("dense", "hybrid") else None
        if self.model == "dense" and encoder is None:
            raise UsageError(
                f"the index in {index.location} has no vectors; index it without --lexical"
            )
        retrievers: list[LexicalRetriever | DenseRetriever | SparseRetriever] = []
        if self.model not in ("dense", "sparse"):
            retrievers.append(LexicalRetriever(index, self.mode))
        dense_weight = self.dense_weight
        in_context = self.model == "hybrid" and encoder is not None and encoder.name == DEFAULT
        if encoder:
            retrievers.append(DenseRetriever(index, encoder))
            dense_weight *= FAST_SHARE if encoder.name == FAST else 1.0
        if self.model == "sparse" or (self.model == "hybrid" and self.sparse_weight):
            retrievers.append(self._sparse(index, resources))
        weights = {
            "lexical": self.lexical_weight,
            "dense": dense_weight,
            "sparse": self.sparse_weight,
        }
        if self.model == "sparse":
            weights["sparse"] = 1.0
        return Fusion(
            retrievers,
            self.fusion,
            {retriever.name: weights[retriever.name] for retriever in retrievers},
            self.variant_weight,
            depth=self.depth,
            context_weight=self.context_weight if self.model == "hybrid" else 0.0,
            in_context_weight=self.in_context_weight if in_context else 0.0,
            trust=_trust(index) if self.model == "hybrid" else {},
        )

    def _sparse(self, index: Index, resources: Resources) -> SparseRetriever:
        encoder = resources.sparse_encoder
        if encoder is None:
            raise UsageError(
                f"the index in {index.location} has no sparse weights; index it with --sparse MODEL"
            )
        if self.sparse_queries == "idf":
            encoder = IdfQueries(encoder, index)
        return SparseRetriever(index, encoder)

    @property
    def mode(self) -> LexicalMode:
        """The lexical search mode with its parameters."""
        name = self.lexical if self.model in ("hybrid", "dense", "sparse") else self.model
        if name == "lmd":
            return LMDirichlet(self.mu)
        if name == "lmjm":
            return LMJelinekMercer(self.lam)
        return BM25(self.k1, self.b)


def _trust(index: Index) -> dict[str, Callable[[Query], float]]:
    """Lexical retrieval counts as far as the documents hold a question's words, where the index
    knows them."""
    if not isinstance(index, TermStatistics):
        return {}
    return {"lexical": partial(familiarity, index)}
