"""The local index as a searcher sees it: one snapshot, renewed when a writer commits."""

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
from anaphora.index import CollectionStatistics, Ranking, Similarity, TermStatistics
from anaphora.index.local.postings import term_key
from anaphora.index.local.ranking import Word, best, look_up, rank
from anaphora.index.local.segment import Segment, open_segment
from anaphora.index.local.store import SEGMENTS, Store
from anaphora.language import analysis_version, analyzer, tokenize
from anaphora.protocols import FloatArray, IntArray
from anaphora.records import Passage, Query

Array = npt.NDArray[Any]
T = TypeVar("T")
U = TypeVar("U")
MOST_WORDS = 1024
"""Of a longer query, the rarest words are searched."""
_MOST_REMEMBERED = 1 << 15


@dataclass(frozen=True)
class Snapshot:
    """What one commit left: the segments in the order of their passages."""

    segments: tuple[Segment, ...]
    words: dict[str, Word] = field(default_factory=dict, compare=False, repr=False)
    """Query words looked up before: one turn asks for the same word several times."""

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
    def with_vectors(self) -> tuple[Segment, ...]:
        return tuple(segment for segment in self.segments if segment.vectors is not None)


class LocalIndex:
    """Reads an index folder; implements `anaphora.index.Index`. Safe to use from several threads.

    Raises:
        AnaphoraError: there is no index in the folder, or a newer version made it.
        IndexDamaged: a file is not what was written; `anaphora index repair` mends it.

    >>> index = LocalIndex(Path(".anaphora"))  # doctest: +SKIP
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = Store(folder)
        if self.store.meta("analysis") not in (None, analysis_version()):
            raise AnaphoraError(
                f"the index in {folder} was made with other rules for words; "
                "run 'anaphora index' on your documents again to renew it"
            )
        self._lock = threading.Lock()
        self._pool: ThreadPoolExecutor | None = None
        self._version = -1
        self._snapshot = Snapshot(())
        self._refresh()

    def close(self) -> None:
        if self._pool:
            self._pool.shutdown()
        self.store.close()

    @property
    def encoder(self) -> str:
        """Name of the encoder whose vectors the index holds; empty for a lexical index."""
        return self.store.meta("encoder") or ""

    @property
    def collection(self) -> CollectionStatistics:
        return self._refresh().collection

    @property
    def languages(self) -> tuple[str, ...]:
        return self._refresh().languages

    def counts(self) -> tuple[int, int]:
        """Documents and passages."""
        with self._lock:
            return self.store.counts()

    def lexical(self, queries: Sequence[Query], k: int, model: Similarity) -> list[Ranking]:
        """The k best passages for each query's text, exactly; only scores above 0 count.

        Raises:
            UsageError: `k` is not positive.
        """
        if k < 1:
            raise UsageError(f"the number of hits must be at least 1, not {k}")
        snapshot = self._refresh()

        with self._lock:
            asked = [_words(snapshot, query) for query in queries]
        return self._run(
            lambda words: rank(snapshot.segments, snapshot.collection, words, k, model), asked
        )

    def dense(self, vectors: FloatArray, k: int) -> list[Ranking]:
        """The k passages nearest to each row of `vectors` (float32 [n, d], unit length).

        Raises:
            UsageError: `k` is not positive.
        """
        if k < 1:
            raise UsageError(f"the number of hits must be at least 1, not {k}")
        segments = self._refresh().with_vectors
        if segments and (found := segments[0].vectors) and vectors.shape[1] != found.rows.shape[1]:
            raise UsageError(
                f"the index in {self.folder} holds vectors of {found.rows.shape[1]} numbers, "
                f"the query's has {vectors.shape[1]}"
            )
        return [self._nearest(segments, vector, k) for vector in vectors]

    def _nearest(self, segments: Sequence[Segment], vector: FloatArray, k: int) -> Ranking:
        rows: list[Array] = []
        scores: list[Array] = []
        for segment in segments:
            assert segment.vectors
            for ordinals, found in segment.vectors.nearest(vector, segment.live, k, self._run):
                rows.append(segment.rows[ordinals])
                scores.append(found)
        return best(rows, scores, k)

    def passages(self, rows: IntArray) -> list[Passage | None]:
        wanted = rows.tolist()
        with self._lock:
            found = self.store.passages(wanted)
        return [found.get(row) for row in wanted]

    def named(self, passage_ids: Sequence[str]) -> dict[str, Passage]:
        """By id, those of these passages that are in the index."""
        with self._lock:
            found = self.store.passages(self.store.rows(passage_ids))
        return {passage.passage_id: passage for passage in found.values()}

    @property
    def fingerprint(self) -> str:
        """Changes whenever a search may find something else."""
        with self._lock:
            segments, deleted = self.store.manifest()
        said = [(one.name, one.postings.checksum, one.vectors) for one in segments]
        return hashlib.sha256(repr((self.encoder, said, deleted)).encode()).hexdigest()

    def ids(self, rows: IntArray) -> dict[int, tuple[str, str]]:
        """Row -> (passage id, document id)."""
        with self._lock:
            return self.store.ids(rows.tolist())

    def statistics(self, words: Sequence[str]) -> list[TermStatistics]:
        snapshot = self._refresh()
        with self._lock:
            return [_word(snapshot, word).statistics for word in words]

    def _run(self, work: Callable[[T], U], parts: Sequence[T]) -> list[U]:
        """Maps work that releases Python's lock over parts, on as many cores as there are."""
        cores = os.cpu_count() or 1
        if cores == 1 or len(parts) < 2:
            return [work(part) for part in parts]
        if self._pool is None:
            self._pool = ThreadPoolExecutor(cores, thread_name_prefix="anaphora-search")
        # Few large shares: handing work over costs as much as a quick query.
        size = -(-len(parts) // (4 * cores))
        shares = [parts[at : at + size] for at in range(0, len(parts), size)]
        done = self._pool.map(lambda share: [work(part) for part in share], shares)
        return [result for share in done for result in share]

    def _refresh(self) -> Snapshot:
        with self._lock:
            version = self.store.version()
            if version != self._version:
                self._snapshot = self._open()
                self._version = version
            return self._snapshot

    def _open(self) -> Snapshot:
        records, deleted = self.store.manifest()
        while True:
            try:
                dead = np.array(deleted, dtype=np.int64)
                return Snapshot(
                    tuple(open_segment(self.folder / SEGMENTS, record, dead) for record in records)
                )
            except IndexDamaged:
                # A merge may have replaced a file between reading the manifest and opening it.
                before = records
                records, deleted = self.store.manifest()
                if records == before:
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
        if len(snapshot.words) >= _MOST_REMEMBERED:
            snapshot.words.clear()
        snapshot.words[token] = word
    return word if count == 1 else replace(word, count=count)
