"""From a configuration and an index to an assistant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path

from anaphora.config import Config, RetrieveConfig, RewriteConfig
from anaphora.errors import UsageError
from anaphora.index import Engine, LexicalModel
from anaphora.index.keyness import keyness
from anaphora.index.local.index import LocalIndex
from anaphora.pipeline import Assistant, Retriever, Rewriter
from anaphora.read.extractive import ExtractiveReader
from anaphora.retrieve.dense import DenseRetriever
from anaphora.retrieve.encoders import Encoder, load_encoder
from anaphora.retrieve.fusion import Fusion
from anaphora.retrieve.lexical import BM25, LexicalRetriever, LMDirichlet, LMJelinekMercer
from anaphora.retrieve.remembering import Remembering
from anaphora.rewrite.context import ContextRewriter
from anaphora.rewrite.expansion import HistoricalExpansion, Keyness
from anaphora.rewrite.history import HistoryRewriter, NoRewriter


class Workshop:
    """An open index and what can be built on it; models are loaded when first needed.

    Args:
        notify: is told in one line when something slow begins, such as loading a model.

    Raises:
        AnaphoraError: there is no index in the folder, or it cannot be read.
    """

    def __init__(
        self,
        folder: Path,
        config: Config | None = None,
        notify: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.index = LocalIndex(folder)
        self.config = config or Config()
        self._notify = notify

    @cached_property
    def encoder(self) -> Encoder | None:
        """The encoder that made the index's vectors; None for an index without."""
        name = self.index.encoder
        return Remembering(load_encoder(name, notify=self._notify)) if name else None

    @cached_property
    def assistant(self) -> Assistant:
        """The whole pipeline."""
        read = self.config.read
        return Assistant(
            rewriter=self.rewriter,
            retriever=self.retriever,
            reader=ExtractiveReader(self.index, self.encoder, read.passages, read.sentences),
            k=self.config.retrieve.k,
        )

    @cached_property
    def rewriter(self) -> Rewriter:
        return make_rewriter(self.config.rewrite, self.index)

    @cached_property
    def retriever(self) -> Retriever:
        """The configured retriever; every one searches all phrasings of a query."""
        settings = self.config.retrieve
        retrievers = self._retrievers(settings)
        weights = {"lexical": settings.lexical_weight, "dense": settings.dense_weight}
        return Fusion(
            retrievers,
            settings.fusion,
            {retriever.name: weights[retriever.name] for retriever in retrievers},
            settings.variant_weight,
            depth=settings.depth,
        )

    def _retrievers(self, settings: RetrieveConfig) -> Sequence[LexicalRetriever | DenseRetriever]:
        if settings.model in ("bm25", "lmd", "lmjm"):
            return [LexicalRetriever(self.index, lexical_model(settings.model, settings))]
        if self.encoder is None:
            if settings.model == "dense":
                raise UsageError(
                    f"the index in {self.index.folder} has no vectors; index it without --lexical"
                )
            return [LexicalRetriever(self.index, lexical_model(settings.lexical, settings))]
        dense = DenseRetriever(self.index, self.encoder)
        if settings.model == "dense":
            return [dense]
        return [LexicalRetriever(self.index, lexical_model(settings.lexical, settings)), dense]


def make_rewriter(settings: RewriteConfig, engine: Engine | None) -> Rewriter:
    """The configured rewriter; without an index, whose statistics say which words are telling,
    every word is.

    Raises:
        UsageError: the method is nothing without an index.
    """
    if settings.method == "none":
        return NoRewriter()
    if settings.method == "history":
        return HistoryRewriter(settings.order, settings.turns)
    if settings.method == "context":
        return ContextRewriter(_keyness(engine) if engine else lambda words: [1.0] * len(words))
    if engine is None:
        raise UsageError("the rewriter 'expansion' needs an index: name one with --index")
    return HistoricalExpansion(_keyness(engine))


def _keyness(engine: Engine) -> Keyness:
    return lambda words: keyness(engine, words)


def lexical_model(name: str, settings: RetrieveConfig) -> LexicalModel:
    """The named formula with the parameters of the configuration."""
    if name == "lmd":
        return LMDirichlet(settings.mu)
    if name == "lmjm":
        return LMJelinekMercer(settings.lam)
    return BM25(settings.k1, settings.b)
