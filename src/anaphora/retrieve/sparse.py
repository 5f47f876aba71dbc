"""Sparse retrieval: learned weights of terms, by models such as SPLADE."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from anaphora import registry
from anaphora.index import Index, Sparse
from anaphora.protocols import TermWeights
from anaphora.records import Hit, Query
from anaphora.retrieve.dense import has_content

if TYPE_CHECKING:
    from anaphora.protocols import SparseEncoder


@dataclass(frozen=True, slots=True)
class SparseRetriever:
    """Searches the sparse weights of an index for a query's text, without its variants."""

    name: ClassVar[str] = "sparse"
    index: Index
    encoder: SparseEncoder

    def retrieve(self, queries: Sequence[Query], k: int) -> list[list[Hit]]:
        # A network gives weights even to a text without a letter or a digit.
        searched = [query for query in queries if has_content(query)]
        found = iter(self.index.search(searched, k, Sparse(self.encoder)) if searched else ())
        return [next(found) if has_content(query) else [] for query in queries]


@dataclass(frozen=True, slots=True)
class IdfQueries:
    """A sparse encoder whose network encodes the passages only: SPLADE-doc.

    A question's tokens have the weights that the model brings for them. Without these, they have
    the inverse document frequencies of BM25, over the passages that have a weight for the token.
    """

    encoder: SparseEncoder
    index: Index

    @property
    def name(self) -> str:
        return self.encoder.name

    @property
    def idf(self) -> Mapping[int, float] | None:
        return self.encoder.idf

    def encode_queries(self, texts: Sequence[str]) -> list[TermWeights]:
        return [self._weighed(tokens) for tokens in self.encoder.tokens(texts)]

    def encode_passages(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> list[TermWeights]:
        return self.encoder.encode_passages(texts, progress)

    def tokens(self, texts: Sequence[str]) -> list[list[int]]:
        return self.encoder.tokens(texts)

    def _weighed(self, tokens: Sequence[int]) -> TermWeights:
        own = self.idf
        if own is not None:
            weights = [own.get(token, 0.0) for token in tokens]
        else:
            passages = self.index.counts().passages
            weights = [
                math.log1p((passages - df + 0.5) / (df + 0.5)) if df else 0.0
                for df in self.index.frequencies(tokens)
            ]
        kept = [(token, weight) for token, weight in zip(tokens, weights, strict=True) if weight]
        return TermWeights(
            np.array([token for token, _ in kept], dtype=np.int64),
            np.array([weight for _, weight in kept], dtype=np.float32),
        )


def load_sparse_encoder(name: str) -> SparseEncoder:
    """The sparse encoder of that name.

    Args:
        name: of a registered sparse encoder, or a masked-language model of Hugging Face, by its
            name on the hub or its folder, which needs the extra `anaphora[hf]`.

    Raises:
        ModelUnavailable: the model or what runs it is not installed, or it is of another kind.
        UsageError: `package.module:factory` cannot be imported.
    """
    if name in registry.names("sparse_encoder") or ":" in name:
        encoder: SparseEncoder = registry.find("sparse_encoder", name)()
        return encoder
    from anaphora.models.splade import SpladeEncoder

    return SpladeEncoder(name)
