"""Anaphora's local index, without vectors and without the stages around it."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Sequence
from pathlib import Path

from bench.engines.base import Index, Model, Ranking

NO_LANGUAGE = "zxx"
"""ISO 639's code for "no linguistic content": terms are only split at spaces."""


class Anaphora(Index):
    """The index with its own analysis. Of raw text it also finds the language, passage by passage;
    queries are said to be English, as a conversation would know."""

    name = "anaphora"
    models = ("bm25", "lmd")

    def build(self, corpus: Path, folder: Path, text: str) -> int:
        from anaphora.ingest.update import update

        return update(folder / "index", [corpus], None).passages

    def open(self, folder: Path, text: str, corpus: Path) -> None:
        from anaphora.index.local.index import LocalIndex

        self._index = LocalIndex(folder / "index")
        self._lang = "en" if text == "raw" else NO_LANGUAGE
        # The peers' ids come from memory too: what is compared is the search, not SQLite.
        self._ids = dict(self._index.store.db.execute("SELECT id, passage_id FROM passages"))

    def search(self, queries: Sequence[str], k: int, model: Model, threads: int) -> list[Ranking]:
        from anaphora.index import BM25, LMDirichlet, LMJelinekMercer
        from anaphora.records import Query

        makers = {"bm25": BM25, "lmd": LMDirichlet, "lmjm": LMJelinekMercer}
        mode = makers[model.kind](*model.parameters)
        asked = [Query(query, self._lang) for query in queries]
        if threads == 1:
            # A batch takes all cores; queries one by one take one.
            found = [self._index.rank([query], k, mode)[0] for query in asked]
        else:
            found = self._index.rank(asked, k, mode)
        ids = self._ids
        return [
            [
                (ids[row], score)
                for row, score in zip(ranking.rows.tolist(), ranking.scores.tolist(), strict=True)
            ]
            for ranking in found
        ]

    def version(self) -> str:
        return importlib.metadata.version("anaphora")
