"""The configured retriever."""

from __future__ import annotations

from anaphora.config import RetrieveConfig
from anaphora.errors import UsageError
from anaphora.index import Similarity
from anaphora.index.local.index import LocalIndex
from anaphora.protocols import Encoder, Retriever
from anaphora.retrieve.dense import DenseRetriever
from anaphora.retrieve.fusion import Fusion
from anaphora.retrieve.lexical import BM25, LexicalRetriever, LMDirichlet, LMJelinekMercer


def make_retriever(
    settings: RetrieveConfig, index: LocalIndex, encoder: Encoder | None
) -> Retriever:
    """The configured retriever, which searches all phrasings of a query.

    Args:
        encoder: that of the index's vectors; None for an index without.

    Raises:
        UsageError: a dense retriever of an index without vectors.
    """
    retrievers: list[LexicalRetriever | DenseRetriever] = []
    if settings.model == "dense" and encoder is None:
        raise UsageError(f"the index in {index.folder} has no vectors; index it without --lexical")
    if settings.model != "dense":
        name = settings.lexical if settings.model == "hybrid" else settings.model
        retrievers.append(LexicalRetriever(index, lexical_model(name, settings)))
    if settings.model in ("dense", "hybrid") and encoder:
        retrievers.append(DenseRetriever(index, encoder))
    weights = {"lexical": settings.lexical_weight, "dense": settings.dense_weight}
    return Fusion(
        retrievers,
        settings.fusion,
        {retriever.name: weights[retriever.name] for retriever in retrievers},
        settings.variant_weight,
        depth=settings.depth,
    )


def lexical_model(name: str, settings: RetrieveConfig) -> Similarity:
    """The named formula with the parameters of the configuration."""
    if name == "lmd":
        return LMDirichlet(settings.mu)
    if name == "lmjm":
        return LMJelinekMercer(settings.lam)
    return BM25(settings.k1, settings.b)
