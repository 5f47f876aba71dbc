"""Search modes: what an index scores passages by. Plain parameters, without any formula."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from anaphora.errors import UsageError
from anaphora.protocols import Encoder, SparseEncoder


@dataclass(frozen=True, slots=True)
class BM25:
    """Robertson and Zaragoza (2009), "The Probabilistic Relevance Framework: BM25 and Beyond".

    Raises:
        UsageError: `k1` is negative or `b` is outside 0..1.
    """

    k1: float = 0.9
    b: float = 0.4

    def __post_init__(self) -> None:
        if self.k1 < 0 or not 0 <= self.b <= 1:
            raise UsageError(f"BM25 needs k1 >= 0 and b in 0..1, not k1={self.k1}, b={self.b}")


@dataclass(frozen=True, slots=True)
class LMDirichlet:
    """Query likelihood with Dirichlet smoothing: Zhai and Lafferty (2004), "A Study of Smoothing
    Methods for Language Models Applied to Information Retrieval".

    Raises:
        UsageError: `mu` is not positive.
    """

    mu: float = 1000.0

    def __post_init__(self) -> None:
        if self.mu <= 0:
            raise UsageError(f"LM-Dirichlet needs mu > 0, not {self.mu}")


@dataclass(frozen=True, slots=True)
class LMJelinekMercer:
    """Query likelihood with linear smoothing: Zhai and Lafferty (2004), as above.

    Raises:
        UsageError: `lam` is not strictly between 0 and 1.
    """

    lam: float = 0.1

    def __post_init__(self) -> None:
        if not 0 < self.lam < 1:
            raise UsageError(f"LM-Jelinek-Mercer needs a lambda between 0 and 1, not {self.lam}")


@dataclass(frozen=True, slots=True)
class Dense:
    """Cosine of the vectors of query and passage. `encoder` is that of the index's vectors."""

    encoder: Encoder


@dataclass(frozen=True, slots=True)
class Sparse:
    """Dot product of the sparse weights of query and passage: Formal et al. (2021), "SPLADE v2:
    Sparse Lexical and Expansion Model for Information Retrieval".

    `encoder` is that of the index's weights.
    """

    encoder: SparseEncoder


LexicalMode: TypeAlias = BM25 | LMDirichlet | LMJelinekMercer
SearchMode: TypeAlias = LexicalMode | Dense | Sparse
