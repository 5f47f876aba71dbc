"""tantivy: Lucene's design in Rust; BM25 with fixed k1 1.2 and b 0.75, block-max pruning."""

from __future__ import annotations

import importlib.metadata
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bench.engines.base import Index, MissingEngineError, Model, Ranking, read_corpus

ANALYZER = "bench"


class Tantivy(Index):
    """English stop words and stemming on raw text, whitespace on finished terms."""

    name = "tantivy"

    def __init__(self) -> None:
        try:
            import tantivy
        except ImportError as error:
            raise MissingEngineError("tantivy is not installed") from error
        self._tantivy = tantivy

    def _analyzer(self, text: str):  # type: ignore[no-untyped-def]
        tokenizer, filters = self._tantivy.Tokenizer, self._tantivy.Filter
        if text != "raw":
            return self._tantivy.TextAnalyzerBuilder(tokenizer.whitespace()).build()
        builder = self._tantivy.TextAnalyzerBuilder(tokenizer.simple())
        chain = (
            filters.remove_long(40),
            filters.lowercase(),
            filters.stopword("english"),
            filters.stemmer("english"),
        )
        for step in chain:
            builder = builder.filter(step)
        return builder.build()

    def _schema(self):  # type: ignore[no-untyped-def]
        builder = self._tantivy.SchemaBuilder()
        builder.add_text_field("body", tokenizer_name=ANALYZER, index_option="freq")
        builder.add_unsigned_field("number", fast=True)
        return builder.build()

    def build(self, corpus: Path, folder: Path, text: str) -> int:
        (folder / "index").mkdir()
        index = self._tantivy.Index(self._schema(), path=str(folder / "index"))
        index.register_tokenizer(ANALYZER, self._analyzer(text))
        writer = index.writer(heap_size=512_000_000, num_threads=2)
        count = 0
        for _, passage in read_corpus(corpus):
            document = self._tantivy.Document(body=passage)
            # Given as a keyword, the number would be taken for a signed one: the writer dies.
            document.add_unsigned("number", count)
            writer.add_document(document)
            count += 1
        writer.commit()
        writer.wait_merging_threads()
        return count

    def open(self, folder: Path, text: str, corpus: Path) -> None:
        self._index = self._tantivy.Index.open(str(folder / "index"))
        self._analyse = self._analyzer(text).analyze
        self._schema_used = self._index.schema
        self._searcher = self._index.searcher()
        self._ids = [name for name, _ in read_corpus(corpus)]

    def search(self, queries: Sequence[str], k: int, model: Model, threads: int) -> list[Ranking]:
        query_class, should = self._tantivy.Query, self._tantivy.Occur.Should

        def one(query: str) -> Ranking:
            clauses = []
            for term, count in Counter(self._analyse(query)).items():
                clause = query_class.term_query(self._schema_used, "body", term, "freq")
                if count > 1:
                    clause = query_class.boost_query(clause, float(count))
                clauses.append((should, clause))
            found = self._searcher.search(query_class.boolean_query(clauses), k, count=False).hits
            numbers = self._searcher.fast_field_values("number", [place for _, place in found])
            return [
                (self._ids[number], score)
                for number, (score, _) in zip(numbers, found, strict=True)
            ]

        if threads == 1:
            return [one(query) for query in queries]
        with ThreadPoolExecutor(threads) as pool:
            return list(pool.map(one, queries, chunksize=16))

    def version(self) -> str:
        return importlib.metadata.version("tantivy")
