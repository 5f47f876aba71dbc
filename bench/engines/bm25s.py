"""bm25s with its numba backend: eager scores in a sparse matrix, exhaustive search."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Sequence
from pathlib import Path

from bench.engines.base import Index, MissingEngineError, Model, Ranking, read_corpus


class Bm25s(Index):
    """BM25 with Lucene's IDF; English stop words and Snowball stemming on raw text."""

    name = "bm25s"

    def __init__(self) -> None:
        try:
            import bm25s
            import numba  # noqa: F401
            import Stemmer
        except ImportError as error:
            raise MissingEngineError(f"{error.name} is not installed") from error
        self._bm25s = bm25s
        self._stemmer = Stemmer.Stemmer("english")

    def _tokenizer(self, text: str):  # type: ignore[no-untyped-def]
        if text == "raw":
            return self._bm25s.tokenization.Tokenizer(stopwords="en", stemmer=self._stemmer)
        return self._bm25s.tokenization.Tokenizer(lower=False, splitter=str.split, stopwords=None)

    def build(self, corpus: Path, folder: Path, text: str) -> int:
        tokenizer = self._tokenizer(text)
        passages = [passage for _, passage in read_corpus(corpus)]
        tokens = tokenizer.tokenize(passages, return_as="tuple", show_progress=False)
        retriever = self._bm25s.BM25(method="lucene", k1=0.9, b=0.4, backend="numba")
        retriever.index(tokens, show_progress=False)
        retriever.save(folder / "index", show_progress=False)
        tokenizer.save_vocab(folder / "index")
        return len(passages)

    def open(self, folder: Path, text: str, corpus: Path) -> None:
        self._retriever = self._bm25s.BM25.load(folder / "index", load_corpus=False)
        self._retriever.backend = "numba"
        self._query_tokenizer = self._tokenizer(text)
        self._query_tokenizer.load_vocab(folder / "index")
        self._ids = [name for name, _ in read_corpus(corpus)]

    def search(self, queries: Sequence[str], k: int, model: Model, threads: int) -> list[Ranking]:
        tokens = self._query_tokenizer.tokenize(
            list(queries), update_vocab=False, return_as="ids", show_progress=False
        )
        found = self._retriever.retrieve(tokens, k=k, n_threads=threads, show_progress=False)
        ids = self._ids
        return [
            [(ids[number], score) for number, score in zip(numbers, scores, strict=True)]
            for numbers, scores in zip(found.documents.tolist(), found.scores.tolist(), strict=True)
        ]

    def version(self) -> str:
        return importlib.metadata.version("bm25s")
