"""Searching a local index. It works on a snapshot, which is renewed when a writer commits."""

from __future__ import annotations

import hashlib
import os
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from anaphora.errors import AnaphoraError, IndexDamaged, UsageError
from anaphora.index import (
    CollectionStatistics,
    Counts,
    Dense,
    IndexedDocument,
    LexicalMode,
    SearchMode,
    Sparse,
    Upgrade,
    WordStatistics,
)
from anaphora.index.adapter import Adapter
from anaphora.index.local.database import DATABASE, database_path, file_id
from anaphora.index.local.impacts import impact_key
from anaphora.index.local.lock import is_locked
from anaphora.index.local.postings import term_key
from anaphora.index.local.ranking import Ranking, Word, best, look_up, rank, rank_impacts
from anaphora.index.local.segment import SEGMENTS, Segment, open_segment
from anaphora.index.local.store import Store
from anaphora.index.local.vectors import Vectors
from anaphora.language import analysis_version, analyzer, tokenize
from anaphora.protocols import FloatArray, TermWeights
from anaphora.records import Hit, Passage, Query

Array = npt.NDArray[Any]
T = TypeVar("T")
U = TypeVar("U")
MOST_WORDS = 1024
"""A longer query is searched by its rarest words."""
_MOST_CACHED = 1 << 15
_SOURCES: dict[type, str] = {Dense: "dense", Sparse: "sparse"}


@dataclass(frozen=True)
class Snapshot:
    """The index as of one commit: its segments in the order of their passages. `encoder` is that of
    the vectors that are searched: the segments' first vectors if `first`."""

    segments: tuple[Segment, ...]
    encoder: str = ""
    first: bool = False
    adapter: Adapter | None = None
    words: dict[str, Word] = field(default_factory=dict, compare=False, repr=False)
    """Cache of query words: one turn looks up the same word several times."""

    @cached_property
    def languages(self) -> tuple[str, ...]:
        return tuple(sorted({lang for s in self.segments for lang in s.record.languages}))

    @cached_property
    def collection(self) -> CollectionStatistics:
        lengths = [segment.live_lengths for segment in self.segments]
        return CollectionStatistics(
            passages=sum(int(np.count_nonzero(part)) for part in lengths),
            tokens=sum(int(part.sum(dtype=np.int64)) for part in lengths),
        )

    @cached_property
    def vectors(self) -> tuple[tuple[Segment, Vectors], ...]:
        """The vectors that are searched, with their segments."""
        return tuple(
            (segment, found)
            for segment in self.segments
            if (found := segment.first_vectors if self.first else segment.vectors) is not None
        )


class LocalIndex:
    """Implements `anaphora.index.Index` and its capabilities for an index folder.

    It may be used from several threads.

    Raises:
        AnaphoraError: there is no index in the folder, or a newer version created it.
        IndexDamaged: a file is missing or altered; `anaphora index repair` rebuilds it.

    >>> index = LocalIndex(Path(".anaphora"))  # doctest: +SKIP
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = Store(folder)
        if self.store.meta("analysis") not in (None, analysis_version()):
            raise AnaphoraError(
                f"the index in {folder} was created with other rules of analysis; "
                "run 'anaphora index' on your documents again to renew it"
            )
        self._lock = threading.Lock()
        self._pool: ThreadPoolExecutor | None = None
        self._version = -1
        self._snapshot = Snapshot(())
        self._former: Snapshot | None = None
        self._refresh()

    def close(self) -> None:
        if self._pool:
            self._pool.shutdown()
        self.store.close()

    @property
    def location(self) -> str:
        return str(self.folder)

    def being_written(self) -> bool:
        return is_locked(self.folder)

    def replaced(self) -> bool:
        path = database_path(self.folder)
        return path is None or file_id(path) != self.store.file_id

    @property
    def encoder(self) -> str:
        with self._lock:
            return self.store.first_encoder or self.store.encoder

    @property
    def upgrade(self) -> Upgrade | None:
        with self._lock:
            manifest = self.store.manifest()
        if not manifest.first_encoder:
            return None
        waiting = [one.passages for one in manifest.segments if one.vectors is None]
        return Upgrade(manifest.encoder, sum(waiting))

    @property
    def sparse_encoder(self) -> str:
        with self._lock:
            return self.store.sparse_encoder

    @property
    def adapter(self) -> Adapter | None:
        return self._refresh().adapter

    @property
    def collection(self) -> CollectionStatistics:
        return self._refresh().collection

    @property
    def languages(self) -> tuple[str, ...]:
        snapshot = self._refresh()
        if all(segment.live is None for segment in snapshot.segments):
            return snapshot.languages
        with self._lock:
            return self.store.languages()

    @property
    def fingerprint(self) -> str:
        with self._lock:
            manifest = self.store.manifest()
        first = manifest.first_encoder
        segments = manifest.segments
        files = [
            (one.name, one.postings.checksum, one.first_vectors if first else one.vectors)
            for one in segments
        ]
        parts: tuple[Any, ...] = (
            analysis_version(),
            first or manifest.encoder,
            files,
            manifest.deleted,
        )
        if sparse := self.sparse_encoder:
            parts = (*parts, sparse, [one.impacts for one in segments])
        if adapter := self.adapter:
            parts = (*parts, adapter)
        return hashlib.sha256(repr(parts).encode()).hexdigest()

    def counts(self) -> Counts:
        with self._lock:
            return self.store.counts()

    def without_vectors(self) -> int:
        if not self.encoder:
            return 0
        snapshot = self._refresh()
        found = {segment.record.name for segment, _ in snapshot.vectors}
        waiting = [one for one in snapshot.segments if one.record.name not in found]
        return sum(len(segment.live_lengths) for segment in waiting)

    def without_sparse_weights(self) -> int:
        if not self.sparse_encoder:
            return 0
        waiting = [segment for segment in self._refresh().segments if segment.impacts is None]
        return sum(len(segment.live_lengths) for segment in waiting)

    def frequencies(self, terms: Sequence[int]) -> list[int]:
        segments = self._refresh().segments
        return [_passages_with(segments, impact_key(term)) for term in terms]

    def search(self, queries: Sequence[Query], k: int, mode: SearchMode) -> list[list[Hit]]:
        source = _SOURCES.get(type(mode), "lexical")
        return [self._hits(ranking, source) for ranking in self.rank(queries, k, mode)]

    def rank(self, queries: Sequence[Query], k: int, mode: SearchMode) -> list[Ranking]:
        """Returns rows instead of hits; see `search`. Lexical search is exact."""
        if k < 1:
            raise UsageError(f"the number of hits must be at least 1, not {k}")
        if not queries:
            return []
        if isinstance(mode, Dense):
            vectors = mode.encoder.encode_queries([query.text for query in queries])
            return self._dense(vectors, k, mode.encoder.name)
        if isinstance(mode, Sparse):
            self._check_sparse(mode.encoder.name)
            return self._sparse(mode.encoder.encode_queries([query.text for query in queries]), k)
        return self._lexical(queries, k, mode)

    def _hits(self, ranking: Ranking, source: str) -> list[Hit]:
        """The hits of a ranking, without passages that were deleted in the meantime."""
        rows = ranking.rows.tolist()
        with self._lock:
            passages = self.store.passages(rows)
        found = [
            (passages[row], score)
            for row, score in zip(rows, ranking.scores.tolist(), strict=True)
            if row in passages
        ]
        return [
            Hit(passage, score, place, {source: score})
            for place, (passage, score) in enumerate(found, 1)
        ]

    def _lexical(self, queries: Sequence[Query], k: int, mode: LexicalMode) -> list[Ranking]:
        snapshot = self._refresh()
        with self._lock:
            words = [_words(snapshot, query) for query in queries]
        return self._run(
            lambda of_query: rank(snapshot.segments, snapshot.collection, of_query, k, mode), words
        )

    def _check_sparse(self, encoder: str) -> None:
        held = self.sparse_encoder
        if encoder != held:
            raise UsageError(
                f"the index in {self.folder} has "
                + (f"sparse weights of {held}" if held else "no sparse weights")
                + f" and cannot be searched with {encoder}"
            )

    def _sparse(self, queries: Sequence[TermWeights], k: int) -> list[Ranking]:
        segments = self._refresh().segments
        return self._run(lambda query: rank_impacts(segments, query, k), queries)

    def _dense(self, vectors: FloatArray, k: int, encoder: str) -> list[Ranking]:
        snapshot, former = self._refresh(), self._former
        if encoder != snapshot.encoder and former and encoder == former.encoder:
            # An upgrade has ended since the encoder was chosen.
            snapshot = former
        if encoder != snapshot.encoder:
            raise UsageError(
                f"the index in {self.folder} has "
                + (f"vectors of {snapshot.encoder}" if snapshot.encoder else "no vectors")
                + f" and cannot be searched with {encoder}"
            )
        for _, held in snapshot.vectors[:1]:
            if vectors.shape[1] != held.rows.shape[1]:
                raise UsageError(
                    f"the index in {self.folder} holds vectors of {held.rows.shape[1]} dimensions, "
                    f"the query's has {vectors.shape[1]}"
                )
        return [self._nearest(snapshot, vector, k) for vector in vectors]

    def _nearest(self, snapshot: Snapshot, vector: FloatArray, k: int) -> Ranking:
        rows: list[Array] = []
        scores: list[Array] = []
        for segment, held in snapshot.vectors:
            for ordinals, found in held.nearest(vector, segment.live, k, self._run):
                rows.append(segment.rows[ordinals])
                scores.append(found)
        return best(rows, scores, k)

    def passages(self, passage_ids: Sequence[str]) -> dict[str, Passage]:
        with self._lock:
            found = self.store.passages(self.store.rows(passage_ids))
        return {passage.passage_id: passage for passage in found.values()}

    def documents(
        self, matching: str = "", after: str = "", limit: int = 100
    ) -> list[IndexedDocument]:
        with self._lock:
            return self.store.documents(matching, after, limit)

    def document(self, doc_id: str) -> IndexedDocument | None:
        with self._lock:
            return self.store.document(doc_id)

    def passages_of(self, doc_id: str, start: int = 0, end: int | None = None) -> list[Passage]:
        with self._lock:
            rows = self.store.rows_of(doc_id, start, end)
            found = self.store.passages(rows)
        return [found[row] for row in rows]

    def statistics(self, words: Sequence[str]) -> list[WordStatistics]:
        snapshot = self._refresh()
        with self._lock:
            return [_word(snapshot, word).statistics for word in words]

    def _run(self, work: Callable[[T], U], parts: Sequence[T]) -> list[U]:
        """Maps a function over parts, on all cores. The function should release Python's lock."""
        cores = os.cpu_count() or 1
        if cores == 1 or len(parts) < 2:
            return [work(part) for part in parts]
        if self._pool is None:
            self._pool = ThreadPoolExecutor(cores, thread_name_prefix="anaphora-search")
        # Few large batches: giving a thread its work costs as much as a fast query.
        size = -(-len(parts) // (4 * cores))
        batches = [parts[at : at + size] for at in range(0, len(parts), size)]
        done = self._pool.map(lambda batch: [work(part) for part in batch], batches)
        return [result for batch in done for result in batch]

    def _refresh(self) -> Snapshot:
        with self._lock:
            if self.store.former and (self.folder / DATABASE).is_file():
                self.store.close()
                self.store = Store(self.folder)
                self._version = -1
            version = self.store.version()
            if version != self._version:
                former, self._snapshot = self._snapshot, self._open()
                self._version = version
                if former.encoder != self._snapshot.encoder:
                    self._former = former
            return self._snapshot

    def _open(self) -> Snapshot:
        manifest = self.store.manifest()
        while True:
            try:
                folder = self.folder / SEGMENTS
                dead = np.array(manifest.deleted, dtype=np.int64)
                return Snapshot(
                    tuple(open_segment(folder, record, dead) for record in manifest.segments),
                    manifest.first_encoder or manifest.encoder,
                    bool(manifest.first_encoder),
                    None if manifest.first_encoder else self.store.adapter(),
                )
            except IndexDamaged:
                # A merge may have replaced a file between reading the manifest and opening it.
                before, manifest = manifest, self.store.manifest()
                if manifest.segments == before.segments:
                    raise


def _words(snapshot: Snapshot, query: Query) -> list[Word]:
    """The query's words that are not stop words of its own language and occur in the index."""
    own = analyzer(query.lang).term
    counts = Counter(token for token in tokenize(query.text) if own(token))
    words = [_word(snapshot, token, count) for token, count in counts.items()]
    words = [word for word in words if word.statistics.df]
    return sorted(words, key=lambda word: word.statistics.df)[:MOST_WORDS]


def _word(snapshot: Snapshot, token: str, count: int = 1) -> Word:
    word = snapshot.words.get(token)
    if word is None:
        forms = {
            lang: [term_key(lang, form) for form in dict.fromkeys(analyzer(lang).term(token))]
            for lang in snapshot.languages
        }
        word = look_up(snapshot.segments, forms)
        if len(snapshot.words) >= _MOST_CACHED:
            snapshot.words.clear()
        snapshot.words[token] = word
    return word if count == 1 else replace(word, count=count)


def _passages_with(segments: Sequence[Segment], key: bytes) -> int:
    count = 0
    for segment in segments:
        if segment.impacts is not None and (number := segment.impacts.find(key)) >= 0:
            count += segment.passages_with(segment.impacts, number)
    return count
