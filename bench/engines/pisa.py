"""PISA through pyterrier-pisa, without its data frames: block-max search of SIMD-packed blocks."""

from __future__ import annotations

import importlib.metadata
import os
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.engines.base import (
    BM25,
    LM_DIRICHLET,
    Index,
    MissingEngineError,
    Model,
    Ranking,
    read_corpus,
)


class Pisa(Index):
    """Terrier's stop words and Porter 2 on raw text; neither on finished terms.

    Block-max MaxScore is the fastest of its exact block-max algorithms on questions, faster than
    the package's default (docs/decisions/bench-peers.md); `PISA_ALGORITHM` in the environment
    picks another one.
    """

    name = "pisa"
    models = ("bm25", "lmd")

    def __init__(self) -> None:
        try:
            import numpy

            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                import pyterrier_pisa
        except ImportError as error:
            raise MissingEngineError(f"pyterrier-pisa does not load ({error})") from error
        self._numpy = numpy
        self._module = pyterrier_pisa
        self._algorithm = os.environ.get("PISA_ALGORITHM", "block_max_maxscore")

    def _index(self, folder: Path, text: str):  # type: ignore[no-untyped-def]
        raw = text == "raw"
        return self._module.PisaIndex(
            str(folder / "index"),
            text_field="text",
            stemmer="porter2" if raw else "none",
            stops="terrier" if raw else "none",
            threads=2,
        )

    def _retrievers(self, folder: Path, text: str):  # type: ignore[no-untyped-def]
        index = self._index(folder, text)
        k1, b = BM25.parameters
        return {
            BM25: index.bm25(k1=k1, b=b, threads=1),
            LM_DIRICHLET: index.qld(mu=LM_DIRICHLET.parameters[0], threads=1),
        }

    def build(self, corpus: Path, folder: Path, text: str) -> int:
        count = 0

        def records() -> Iterator[dict[str, str]]:
            nonlocal count
            for name, passage in read_corpus(corpus):
                count += 1
                yield {"docno": name, "text": passage}

        self._index(folder, text).index(records())
        # The block maxima of a scorer are computed and stored when it is first asked for.
        self._retrievers(folder, text)
        return count

    def open(self, folder: Path, text: str, corpus: Path) -> None:
        self._models = self._retrievers(folder, text)

    def search(self, queries: Sequence[str], k: int, model: Model, threads: int) -> list[Ranking]:
        numpy = self._numpy
        size = len(queries) * k
        numbers = numpy.empty(size, dtype=numpy.int32)
        names = numpy.empty(size, dtype=object)
        ranks = numpy.empty(size, dtype=numpy.int32)
        scores = numpy.empty(size, dtype=numpy.float32)
        found = self._module._pisathon.retrieve(
            self._models[model]._ctxt,
            self._algorithm,
            list(enumerate(queries)),
            k=k,
            threads=threads,
            query_weighted=0,
            pretokenised=False,
            result_qidxs=numbers,
            result_docnos=names,
            result_ranks=ranks,
            result_scores=scores,
        )
        rankings: list[Ranking] = [[] for _ in queries]
        # Results of several threads arrive query by query in any order, each in rank order.
        for number, name, score in zip(
            numbers[:found].tolist(), names[:found].tolist(), scores[:found].tolist(), strict=True
        ):
            rankings[number].append((name, score))
        return rankings

    def version(self) -> str:
        return importlib.metadata.version("pyterrier-pisa")
