"""The public door: open or build an index, ask it, and hold a conversation."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any

from anaphora import registry
from anaphora.config import Config
from anaphora.index import Index, open_index
from anaphora.language import language_code
from anaphora.pipeline import NO_OVERRIDES, Pipeline, rewrite_all
from anaphora.protocols import (
    Checker,
    Encoder,
    Progress,
    Reranker,
    Retriever,
    Rewriter,
    SparseEncoder,
    Translator,
    Understander,
    no_progress,
)
from anaphora.records import (
    Answer,
    Conversation,
    Done,
    Event,
    Hit,
    Overrides,
    Query,
    Rewrite,
    Turn,
)

DEFAULT_INDEX = ".anaphora"

Configuration = Config | str | os.PathLike[str] | Mapping[str, Any] | None
"""A configuration, a TOML file of one, nested mappings, or None for the defaults."""


def open(index: str | os.PathLike[str] = DEFAULT_INDEX, config: Configuration = None) -> Assistant:
    """Opens an index that was built before.

    Args:
        index: its folder.

    Raises:
        AnaphoraError: there is no index in the folder, or it cannot be read.
        UsageError: the configuration is not valid.
    """
    settings = _configured(config)
    return Assistant(open_index(Path(index), settings.index), settings)


def build(
    *documents: str | os.PathLike[str],
    index: str | os.PathLike[str] = DEFAULT_INDEX,
    config: Configuration = None,
    encoder: str | None = "multilingual-e5-small",
    progress: Progress = no_progress,
    sparse: str | None = None,
) -> Assistant:
    """Builds an index of files and folders, or brings it up to date, and opens it.

    Args:
        index: the folder of the index. Only files that changed since the last time are read.
        encoder: the name of the encoder of the vectors; None for an index without vectors.
        sparse: the name of the encoder of the sparse weights; None for an index without them.

    Raises:
        UsageError: a document does not exist, or the configuration is not valid.
        AnaphoraError: the index cannot be written.
    """
    from anaphora.ingest.update import update
    from anaphora.retrieve.encoders import first_encoder, load_encoder
    from anaphora.retrieve.sparse import load_sparse_encoder

    settings = _configured(config)
    update(
        Path(index),
        list(map(Path, documents)),
        load_encoder(encoder) if encoder else None,
        progress,
        settings.index,
        sparse=load_sparse_encoder(sparse) if sparse else None,
        first=first_encoder() if encoder else None,
    )
    return open(index, settings)


def _configured(config: Configuration) -> Config:
    if config is None or isinstance(config, Config):
        return config or Config()
    return Config.of(config) if isinstance(config, Mapping) else Config.load(Path(config))


class Assistant:
    """Answers from an open index. It keeps no conversation; models are loaded on first use.

    >>> assistant = Assistant(open_index(Path(".anaphora")))  # doctest: +SKIP
    >>> assistant.ask("How do I check an index?").citations[0].quote  # doctest: +SKIP
    'anaphora index verify'
    """

    def __init__(self, index: Index | None, config: Config | None = None) -> None:
        self.index = index
        self.config = config or Config()

    def __enter__(self) -> Assistant:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the index."""
        if self.index is not None:
            self.index.close()

    def ask(
        self,
        question: str,
        history: Sequence[Turn] = (),
        lang: str | None = None,
        overrides: Overrides = NO_OVERRIDES,
    ) -> Answer:
        """Answers a question.

        Args:
            history: the turns before it.
            lang: the language of the question; None to identify it.
            overrides: what a person decides in place of the stages.

        Raises:
            UsageError: `lang` is not a language code.
        """
        self._renew()
        return self.pipeline.answer(_conversation(question, history, lang), overrides)

    def stream(
        self,
        question: str,
        history: Sequence[Turn] = (),
        lang: str | None = None,
        overrides: Overrides = NO_OVERRIDES,
    ) -> Iterator[Event]:
        """Answers as `ask` does, and yields an event for each stage and part of the answer.

        The last event is `Done` with the answer. Closing the iterator cancels the rest.
        """
        self._renew()
        return self.pipeline.stream(_conversation(question, history, lang), overrides)

    def chat(self, lang: str | None = None) -> Chat:
        """A conversation that remembers its turns."""
        return Chat(self, lang)

    def search(self, query: str, k: int = 10, lang: str | None = None) -> list[Hit]:
        """The k best passages, without reranking or reading."""
        self._renew()
        conversation = _conversation(query, (), lang)
        (understanding,) = self.understander.understand([conversation])
        return self.retriever.retrieve([Query(query, understanding.lang)], k)[0]

    def rewrite(
        self, question: str, history: Sequence[Turn] = (), lang: str | None = None
    ) -> Rewrite:
        """The question made self-contained, as it is searched."""
        conversation = _conversation(question, history, lang)
        ((understanding, rewrite),) = rewrite_all(self.understander, self.rewriter, [conversation])
        return rewrite or Rewrite(question, understanding.lang)

    def _renew(self) -> None:
        """Drops the parts that know the encoder if the index has vectors of another one by now."""
        built: Encoder | None = self.__dict__.get("encoder")
        if built and self.index and self.index.encoder != built.name:
            for part in ("encoder", "rewriter", "retriever", "reranker", "pipeline"):
                self.__dict__.pop(part, None)

    @cached_property
    def encoder(self) -> Encoder | None:
        """The encoder of the index's vectors; None for an index without vectors."""
        from anaphora.retrieve.caching import CachingEncoder
        from anaphora.retrieve.encoders import load_encoder

        name = self.index.encoder if self.index else ""
        return CachingEncoder(load_encoder(name)) if name else None

    @cached_property
    def sparse_encoder(self) -> SparseEncoder | None:
        """That of the index's sparse weights; None for an index without them."""
        from anaphora.retrieve.sparse import load_sparse_encoder

        name = self.index.sparse_encoder if self.index else ""
        return load_sparse_encoder(name) if name else None

    @cached_property
    def checker(self) -> Checker | None:
        checker: Checker | None = registry.build(self.config.check, self)
        return checker

    @cached_property
    def translator(self) -> Translator | None:
        translator: Translator | None = registry.build(self.config.translate, self)
        return translator

    @cached_property
    def understander(self) -> Understander:
        from anaphora.understand import LanguageAndIntent

        return LanguageAndIntent()

    @cached_property
    def rewriter(self) -> Rewriter:
        rewriter: Rewriter = registry.build(self.config.rewrite, self)
        return rewriter

    @cached_property
    def retriever(self) -> Retriever:
        retriever: Retriever = registry.build(self.config.retrieve, self)
        return retriever

    @cached_property
    def reranker(self) -> Reranker | None:
        reranker: Reranker | None = registry.build(self.config.rerank, self)
        return reranker

    @cached_property
    def pipeline(self) -> Pipeline:
        """The stages that the configuration names, composed."""
        return Pipeline(
            self.understander,
            self.rewriter,
            self.retriever,
            registry.build(self.config.read, self),
            self.reranker,
            k=getattr(self.config.retrieve, "k", Pipeline.k),
            top=getattr(self.config.rerank, "top", Pipeline.top),
            lookup=self.index.passages if self.index else None,
        )


class Chat:
    """A conversation with an assistant.

    Attributes:
        turns: the turns so far, with their languages.
        lang: the language of the next questions; None to identify it.
    """

    def __init__(self, assistant: Assistant, lang: str | None = None) -> None:
        self._assistant = assistant
        self.lang = lang
        self.turns: tuple[Turn, ...] = ()

    def ask(self, question: str) -> Answer:
        """Answers the next question; both turns are remembered."""
        for event in self.stream(question):
            if isinstance(event, Done):
                return event.answer
        raise AssertionError("a stream ends with Done")

    def stream(self, question: str) -> Iterator[Event]:
        """As `Assistant.stream`; the turns are remembered when the answer is complete."""
        for event in self._assistant.stream(question, self.turns, self.lang):
            if isinstance(event, Done):
                self._remember(event.answer)
            yield event

    def _remember(self, answer: Answer) -> None:
        assert answer.trace
        question = answer.trace.understanding.conversation.question
        reply = Turn("assistant", answer.text, answer.lang, answer.citations)
        self.turns = (*self.turns, question, reply)


def _conversation(question: str, history: Sequence[Turn], lang: str | None) -> Conversation:
    code = None if lang is None else language_code(lang)
    return Conversation((*history, Turn("user", question, code)))
