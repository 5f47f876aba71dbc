"""What an engine in the comparison offers. Standard library only: it runs in any interpreter."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

Ranking = list[tuple[str, float]]


class MissingEngineError(Exception):
    """The engine cannot run here; the message says what is missing."""


class Model(NamedTuple):
    """A scoring model and its parameters, in the order in which its paper names them."""

    kind: str
    parameters: tuple[float, ...]


BM25 = Model("bm25", (0.9, 0.4))
LM_DIRICHLET = Model("lmd", (1000.0,))
LM_JELINEK_MERCER = Model("lmjm", (0.1,))
MODELS = {model.kind: model for model in (BM25, LM_DIRICHLET, LM_JELINEK_MERCER)}


class Index(ABC):
    """One search engine: build an index from a corpus file, open it, search it.

    `text` is "raw" (the engine analyses the text in its own way, English stop words and stemming
    where it offers them) or "terms" (texts and queries are finished terms with a space between;
    the engine must only split at the spaces).
    """

    name: str
    models: tuple[str, ...] = ("bm25",)
    texts: tuple[str, ...] = ("raw", "terms")
    thread_counts: tuple[int, ...] = (1, 2)
    largest: int | None = None
    """The largest passage set that this engine can be asked to index in reasonable time."""
    most_queries: int | None = None

    @abstractmethod
    def build(self, corpus: Path, folder: Path, text: str) -> int:
        """Index the BEIR file `corpus` into the empty `folder`; return the passage count."""

    @abstractmethod
    def open(self, folder: Path, text: str, corpus: Path) -> None:
        """Make the index in `folder` ready to search."""

    @abstractmethod
    def search(self, queries: Sequence[str], k: int, model: Model, threads: int) -> list[Ranking]:
        """Return the `k` best passages (id, score) of each query, best first."""

    def version(self) -> str:
        """Return the version of the library that does the work."""
        return ""


def read_corpus(path: Path) -> Iterator[tuple[str, str]]:
    """Yield (id, text) of a BEIR corpus or query file; a title stands before the text."""
    # Iterating the file, not splitlines(): texts may contain U+2028.
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            title = record.get("title")
            yield record["_id"], f"{title} {record['text']}" if title else record["text"]
