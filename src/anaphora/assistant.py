"""From a configuration and an index to an assistant."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from anaphora.config import Config
from anaphora.index.local.index import LocalIndex
from anaphora.pipeline import Pipeline
from anaphora.protocols import Encoder, Reranker, Retriever, Rewriter
from anaphora.read.methods import make_reader
from anaphora.rerank.methods import make_reranker
from anaphora.retrieve.caching import CachingEncoder
from anaphora.retrieve.encoders import load_encoder
from anaphora.retrieve.methods import make_retriever
from anaphora.rewrite.methods import make_rewriter


class Assistant:
    """An open index and what can be built on it; models are loaded when first needed.

    Raises:
        AnaphoraError: there is no index in the folder, or it cannot be read.
    """

    def __init__(
        self,
        folder: Path,
        config: Config | None = None,
    ) -> None:
        self.index = LocalIndex(folder)
        self.config = config or Config()

    @cached_property
    def encoder(self) -> Encoder | None:
        """The encoder that made the index's vectors; None for an index without."""
        name = self.index.encoder
        return CachingEncoder(load_encoder(name)) if name else None

    @cached_property
    def pipeline(self) -> Pipeline:
        """The whole pipeline."""
        return Pipeline(
            rewriter=self.rewriter,
            retriever=self.retriever,
            reranker=self.reranker,
            reader=make_reader(self.config.read, self.encoder),
            k=self.config.retrieve.k,
            top=self.config.rerank.top,
        )

    @cached_property
    def reranker(self) -> Reranker | None:
        """None where none is configured."""
        return make_reranker(self.config.rerank)

    @cached_property
    def rewriter(self) -> Rewriter:
        return make_rewriter(self.config.rewrite, self.index)

    @cached_property
    def retriever(self) -> Retriever:
        settings = self.config.retrieve
        by_meaning = settings.model in ("dense", "hybrid")
        return make_retriever(settings, self.index, self.encoder if by_meaning else None)
