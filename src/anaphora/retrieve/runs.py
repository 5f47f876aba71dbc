"""TREC run files: `query Q0 id rank score tag`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from anaphora.errors import AnaphoraError
from anaphora.protocols import Progress, Retriever, no_progress
from anaphora.records import Hit, Query

TAG = "anaphora"
_BATCH = 64


def write_run(
    path: Path,
    retriever: Retriever,
    queries: Sequence[Query],
    k: int,
    passages: bool = False,
    progress: Progress = no_progress,
) -> None:
    """Retrieves for every query and writes the run. The file appears only once it is complete.

    Raises:
        AnaphoraError: the file cannot be written.
    """
    temporary = path.with_name(path.name + ".new")
    try:
        with temporary.open("w", encoding="utf-8", newline="\n") as file:
            for at in range(0, len(queries), _BATCH):
                progress("searching", at, len(queries))
                part = queries[at : at + _BATCH]
                for query, hits in zip(part, _found(retriever, part, k, passages), strict=True):
                    file.writelines(line + "\n" for line in run_lines(query.id, hits, k, passages))
        temporary.replace(path)
    except OSError as error:
        raise AnaphoraError(f"{path} cannot be written: {error.strerror}") from error
    finally:
        temporary.unlink(missing_ok=True)
    progress("searching", len(queries), len(queries))


def _found(
    retriever: Retriever, queries: Sequence[Query], k: int, passages: bool
) -> list[list[Hit]]:
    """Returns hits of k passages, or of k documents: where several passages share a document, the
    search is repeated with a larger k."""
    found = retriever.retrieve(queries, k)
    depth = k
    while not passages:
        short = [
            place
            for place, hits in enumerate(found)
            if len(hits) == depth and len({hit.passage.doc_id for hit in hits}) < k
        ]
        if not short:
            break
        depth *= 4
        deeper = retriever.retrieve([queries[place] for place in short], depth)
        for place, hits in zip(short, deeper, strict=True):
            found[place] = hits
    return found


def run_lines(query_id: str, hits: Sequence[Hit], k: int, passages: bool) -> Iterator[str]:
    """Yields one line per hit. A document has the score of its best passage."""
    best: dict[str, float] = {}
    for hit in hits:
        best.setdefault(hit.passage.passage_id if passages else hit.passage.doc_id, hit.score)
    return ranked_lines(query_id, list(best.items())[:k])


def ranked_lines(query_id: str, ranking: Sequence[tuple[str, float]]) -> Iterator[str]:
    """Yields one line for each id and score; white space in an id is replaced by "_"."""
    for rank, (name, score) in enumerate(ranking, 1):
        yield f"{query_id} Q0 {'_'.join(name.split())} {rank} {score:.6f} {TAG}"
