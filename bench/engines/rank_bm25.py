"""rank_bm25: BM25 over Python dictionaries; far too slow for the large set."""

from __future__ import annotations

import importlib.metadata
import pickle
import re
from collections.abc import Sequence
from pathlib import Path

from bench.engines.base import Index, MissingEngineError, Model, Ranking, read_corpus

WORD = re.compile(r"\w+")


class RankBm25(Index):
    """BM25Okapi. It offers no tokeniser: raw text is lower-cased and split into words."""

    name = "rank_bm25"
    thread_counts = (1,)
    largest = 100_000
    most_queries = 20

    def __init__(self) -> None:
        try:
            import numpy
            import rank_bm25
        except ImportError as error:
            raise MissingEngineError(f"{error.name} is not installed") from error
        self._numpy = numpy
        self._module = rank_bm25

    def _split(self, passage: str, text: str) -> list[str]:
        return WORD.findall(passage.lower()) if text == "raw" else passage.split()

    def build(self, corpus: Path, folder: Path, text: str) -> int:
        tokens = [self._split(passage, text) for _, passage in read_corpus(corpus)]
        index = self._module.BM25Okapi(tokens, k1=0.9, b=0.4)
        with (folder / "index.pickle").open("wb") as file:
            pickle.dump(index, file)
        return len(tokens)

    def open(self, folder: Path, text: str, corpus: Path) -> None:
        with (folder / "index.pickle").open("rb") as file:
            self._index = pickle.load(file)
        self._ids = [name for name, _ in read_corpus(corpus)]
        self._text = text

    def search(self, queries: Sequence[str], k: int, model: Model, threads: int) -> list[Ranking]:
        rankings = []
        for query in queries:
            scores = self._index.get_scores(self._split(query, self._text))
            best = self._numpy.argpartition(-scores, min(k, len(scores) - 1))[:k]
            best = best[self._numpy.argsort(-scores[best], kind="stable")]
            rankings.append([(self._ids[number], float(scores[number])) for number in best])
        return rankings

    def version(self) -> str:
        return importlib.metadata.version("rank_bm25")
