"""The index: documents and passages in, ranked hits out.

This module holds the protocols of an index and the functions that open one. The engine is chosen by
name: `anaphora.index.local` is the built-in one.

An engine provides an `Index` for searching and an `IndexWriter` for changes. Some capabilities are
optional: `TermStatistics` (rewriters weight words by it), `Maintenance` (verify and repair),
`Watched` (what other processes do to an open index), `Adapted` with `Adaptable` (an index keeps an
adapter), and `Upgradable` with `FirstVectors` (an index is searched by a fast encoder's vectors
while those of another one are being made).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Protocol, TypeVar, runtime_checkable

from anaphora.index.adapter import Adapter
from anaphora.index.modes import (
    BM25,
    Dense,
    LexicalMode,
    LMDirichlet,
    LMJelinekMercer,
    SearchMode,
    Sparse,
)
from anaphora.protocols import Encoder, Progress, SparseEncoder, no_progress
from anaphora.records import Document, Hit, Passage, Query

__all__ = [
    "BM25",
    "Adaptable",
    "Adapted",
    "Adapter",
    "CollectionStatistics",
    "Counts",
    "Dense",
    "Engine",
    "FirstVectors",
    "Index",
    "IndexWriter",
    "IndexedDocument",
    "LMDirichlet",
    "LMJelinekMercer",
    "LexicalMode",
    "Maintenance",
    "SearchMode",
    "Sparse",
    "TermStatistics",
    "Upgradable",
    "Upgrade",
    "Watched",
    "WordStatistics",
    "final_encoder",
    "has_index",
    "open_index",
    "open_writer",
]

Self = TypeVar("Self")


class Counts(NamedTuple):
    """Number of documents and of passages in an index."""

    documents: int
    passages: int


class IndexedDocument(NamedTuple):
    """A document in an index: the number of its passages, and the end of the last one in its text
    (0 without passages)."""

    doc_id: str
    title: str
    lang: str
    passages: int
    length: int


class CollectionStatistics(NamedTuple):
    """Over the whole index: the number of passages that hold any term, and of their tokens."""

    passages: int
    tokens: int

    @property
    def average_length(self) -> float:
        """Tokens per passage; 0 for an empty index."""
        return self.tokens / self.passages if self.passages else 0.0


class WordStatistics(NamedTuple):
    """Over the whole index: the number of passages that hold a word (document frequency), and of
    its occurrences (total term frequency)."""

    df: int
    ttf: int


class Upgrade(NamedTuple):
    """The vectors that are being made for an index which is searched by those of a first encoder:
    their encoder, and the number of passages that have none yet."""

    encoder: str
    missing: int


class Index(Protocol):
    """An index opened for searching. It sees what a writer has committed."""

    @property
    def location(self) -> str:
        """The folder or address of the index, for messages."""
        ...

    @property
    def encoder(self) -> str:
        """The name of the encoder of the vectors that are searched; empty for an index without
        vectors."""
        ...

    @property
    def sparse_encoder(self) -> str:
        """The name of the encoder of the sparse weights; empty for an index without them."""
        ...

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of the passages, sorted."""
        ...

    @property
    def fingerprint(self) -> str:
        """Identifies contents, analysis and encoder: it changes whenever search results may."""
        ...

    def search(self, queries: Sequence[Query], k: int, mode: SearchMode) -> list[list[Hit]]:
        """Returns the k best passages for the text of each query, without its variants.

        `Hit.sources` holds the score under "lexical", "dense" or "sparse". The score of a dense
        search is the cosine of the two vectors.

        Raises:
            UsageError: `k` is not positive, or the index has no vectors, or no sparse weights, of
                the mode's encoder.
        """
        ...

    def passages(self, passage_ids: Sequence[str]) -> dict[str, Passage]:
        """Returns those of the passages that are in the index, by id."""
        ...

    def documents(
        self, matching: str = "", after: str = "", limit: int = 100
    ) -> list[IndexedDocument]:
        """Lists documents in the order of their ids.

        Args:
            matching: a part of the title or the id, without regard to case, accents and equivalent
                characters; empty for all documents.
            after: the id of a document; the list continues behind it.
            limit: the largest number of documents.
        """
        ...

    def document(self, doc_id: str) -> IndexedDocument | None:
        """Returns a document, or None."""
        ...

    def passages_of(self, doc_id: str, start: int = 0, end: int | None = None) -> list[Passage]:
        """Returns a document's passages in their order.

        Args:
            start: of a range of characters of the document's text.
            end: of the range, excluded; None for the end of the text. Only the passages that touch
                the range are returned.
        """
        ...

    def counts(self) -> Counts: ...

    def without_vectors(self) -> int:
        """Returns the number of passages without a vector that is searched; 0 if there is no
        encoder."""
        ...

    def without_sparse_weights(self) -> int:
        """Returns the number of passages that still need them; 0 if there is no such encoder."""
        ...

    def frequencies(self, terms: Sequence[int]) -> list[int]:
        """Returns, for each term of the sparse encoder, the number of passages with a weight."""
        ...

    def close(self) -> None: ...


@runtime_checkable
class TermStatistics(Protocol):
    """Capability of an index: how often words occur in it."""

    @property
    def collection(self) -> CollectionStatistics: ...

    def statistics(self, words: Sequence[str]) -> list[WordStatistics]:
        """Returns the statistics of each surface word over its forms in all languages."""
        ...


@runtime_checkable
class Watched(Protocol):
    """Capability of an index: what other processes do to it while it is open."""

    def being_written(self) -> bool:
        """Whether a writer has it open."""
        ...

    def replaced(self) -> bool:
        """Whether its location holds another index by now, or none: it must be opened again."""
        ...


@runtime_checkable
class Adapted(Protocol):
    """Capability of an index: it keeps what `anaphora adapt` found for its documents."""

    @property
    def adapter(self) -> Adapter | None: ...


@runtime_checkable
class Upgradable(Protocol):
    """Capability of an index: it may be searched by the vectors of a first encoder."""

    @property
    def upgrade(self) -> Upgrade | None:
        """What will replace the vectors that are searched; None where they are to stay."""
        ...


class IndexWriter(Protocol):
    """An index opened for changes, by one process at a time; a context manager.

    Readers see nothing before `commit`. Leaving the block rolls back what was not committed.
    """

    @property
    def folder(self) -> Path:
        """The index folder. Ingestion keeps its ledger in it."""
        ...

    @property
    def should_commit(self) -> bool:
        """Whether enough changes have gathered for a commit."""
        ...

    @property
    def sparse_encoder(self) -> str:
        """The name of the encoder of the sparse weights; empty for none."""
        ...

    def set_encoder(self, name: str) -> None:
        """Sets the encoder of the vectors; empty for none. A change drops its vectors."""
        ...

    def set_sparse_encoder(self, name: str) -> None:
        """Sets that of the sparse weights; empty for none. A change drops existing weights."""
        ...

    def upsert(self, document: Document, passages: Sequence[Passage]) -> bool:
        """Adds a document or replaces the one with its id.

        Returns False, and changes nothing, if the index already holds the same content.
        """
        ...

    def delete(self, doc_id: str) -> None:
        """Deletes a document and its passages; an unknown id is ignored."""
        ...

    def commit(self) -> None:
        """Makes all changes since the last commit durable and visible."""
        ...

    def encode(self, encoder: Encoder, progress: Progress = no_progress) -> int:
        """Encodes the passages without vectors and returns their number.

        It commits as it proceeds: after an interruption the next call continues there. Once all
        passages have their vectors, these are searched, and those of a first encoder are dropped.
        """
        ...

    def encode_sparse(self, encoder: SparseEncoder, progress: Progress = no_progress) -> int:
        """Encodes the passages without sparse weights, as `encode` does for vectors."""
        ...

    def compact(self) -> None:
        """Reorganises the index for faster search and less space, and commits."""
        ...

    def counts(self) -> Counts: ...

    def without_vectors(self) -> int:
        """Returns the number of passages without a vector that is searched; 0 if there is no
        encoder."""
        ...

    def without_sparse_weights(self) -> int:
        """Returns the number of passages that still need them; 0 if there is no such encoder."""
        ...

    def __enter__(self: Self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


@runtime_checkable
class Maintenance(Protocol):
    """Capability of a writer: to check and repair what the index stores."""

    def verify(self) -> list[str]:
        """Returns a sentence for each damage found."""
        ...

    def repair(self) -> list[str]:
        """Rebuilds what is damaged and returns the names of what was rebuilt."""
        ...


@runtime_checkable
class Adaptable(Protocol):
    """Capability of a writer: to keep an adapter."""

    @property
    def adapter(self) -> Adapter | None: ...

    def set_adapter(self, adapter: Adapter | None) -> None:
        """Keeps an adapter instead of the one before, or none; visible after `commit`.

        Raises:
            AnaphoraError: the index has no vectors of the adapter's encoder.
        """
        ...


@runtime_checkable
class FirstVectors(Protocol):
    """Capability of a writer: vectors of a first encoder, which are searched until all passages
    have those of the index's encoder. Vectors of the two are never compared."""

    @property
    def first_encoder(self) -> str:
        """The name of the first encoder; empty where there is none."""
        ...

    def set_first_encoder(self, name: str) -> None:
        """Sets the first encoder; empty for none. A change drops its vectors."""
        ...

    def encode_first(self, encoder: Encoder, progress: Progress = no_progress) -> int:
        """Encodes the passages without vectors of the first encoder, as `IndexWriter.encode`."""
        ...


class Engine(Protocol):
    """An index engine: what `anaphora.registry` finds under the kind "index"."""

    def has_index(self, location: Path) -> bool: ...

    def open_index(self, location: Path) -> Index: ...

    def open_writer(self, location: Path, *, create: bool) -> IndexWriter: ...


def final_encoder(index: Index) -> str:
    """The name of the encoder of an index's vectors, or of those that will replace them; empty for
    an index without vectors."""
    upgrade = index.upgrade if isinstance(index, Upgradable) else None
    return upgrade.encoder if upgrade else index.encoder


def has_index(location: Path, engine: Engine | None = None) -> bool:
    """Whether there is an index at a location; without an engine, one of the built-in engine."""
    return (engine or _local()).has_index(location)


def open_index(location: Path, engine: Engine | None = None) -> Index:
    """Opens an index for searching.

    Raises:
        AnaphoraError: there is no index, or a newer version created it.
        IndexDamaged: a file is missing or altered.
    """
    return (engine or _local()).open_index(location)


def open_writer(
    location: Path, engine: Engine | None = None, *, create: bool = True
) -> IndexWriter:
    """Opens an index for changes, and creates it if `create` allows it.

    Raises:
        IndexBusy: another process writes it.
        AnaphoraError: there is no index, or it cannot be written.
    """
    return (engine or _local()).open_writer(location, create=create)


def _local() -> Engine:
    from anaphora import registry

    engine: Engine = registry.find("index", "local")()
    return engine
