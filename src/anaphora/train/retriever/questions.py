"""What a retriever learns from: questions, as they are searched, with passages of data sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Literal

from anaphora.assistant import Assistant
from anaphora.config import Config
from anaphora.datasets.example import Example
from anaphora.datasets.registry import Dataset
from anaphora.evaluate.collection import index_documents
from anaphora.index import Index, open_index
from anaphora.pipeline import rewrite_all
from anaphora.protocols import Progress, no_progress
from anaphora.records import Hit, Passage, Query
from anaphora.retrieve.encoders import load_encoder

Asked = Literal["linking", "newest", "oldest", "question"]
"""How a question of a conversation is searched: rewritten by the default rewriter, followed by the
turns before it from the newest or from the oldest, or as it was asked."""
Search = Literal["bm25", "dense", "hybrid", "none"]

_REWRITERS: Mapping[Asked, Mapping[str, str]] = {
    "linking": {"method": "linking"},
    "newest": {"method": "history", "order": "newest"},
    "oldest": {"method": "history", "order": "oldest"},
    "question": {"method": "none"},
}
_AT_ONCE = 256


@dataclass(frozen=True)
class Mining:
    """Which hits of a search become hard negatives.

    Attributes:
        search: what searches; "none" for the negatives of the data alone.
        first, last: the ranks of the hits, from 1, when known positives are left out.
        margin: the cosine of a negative by the default encoder is at most this fraction of the
            best positive's, as nearer passages often answer too (de Souza et al., "NV-Retriever:
            Improving text embedding models with effective hard-negative mining", 2024). BM25 gives
            no cosine, and no limit.
    """

    search: Search = "bm25"
    first: int = 1
    last: int = 10
    margin: float = 0.95


@dataclass(frozen=True, slots=True)
class Question:
    """A question as it is searched, its language, and the keys of its passages."""

    text: str
    lang: str
    positives: tuple[str, ...]
    negatives: tuple[str, ...] = ()


@dataclass(frozen=True)
class Material:
    """Questions, and the passages that they name by key."""

    questions: Sequence[Question]
    passages: Mapping[str, Passage]


def digest(datasets: Sequence[Dataset]) -> str:
    """Identifies the questions of data sets, for `loop.Run`."""
    found = sha256()
    for dataset in datasets:
        for example in dataset.examples():
            found.update(f"{example.conversation} {sorted(example.relevant.items())}".encode())
    return found.hexdigest()


def gathered(
    datasets: Sequence[Dataset],
    asked: Asked,
    mining: Mining,
    folder: Path,
    progress: Progress = no_progress,
) -> Material:
    """The questions of data sets that have a relevant passage, with negatives.

    Passages that the data judge not relevant are negatives before those that are mined. Each data
    set's passages are indexed in `folder`, once.

    Raises:
        MalformedData: a file is not as its format says.
    """
    questions: list[Question] = []
    passages: dict[str, Passage] = {}
    encoder = load_encoder() if mining.search in ("dense", "hybrid") else None
    for number, dataset in enumerate(datasets):
        examples = [one for one in dataset.examples() if any(one.relevant.values())]
        home = index_documents(folder, dataset.documents(), encoder, progress)
        if home is None or not examples:
            continue
        with closing(open_index(home)) as index:
            for one, known in _found(index, examples, asked, mining, progress):
                keys = {id: f"{number}/{id}" for id in known}
                passages |= {keys[id]: passage for id, passage in known.items()}
                questions.append(
                    replace(
                        one,
                        positives=tuple(keys[id] for id in one.positives),
                        negatives=tuple(keys[id] for id in one.negatives),
                    )
                )
    return Material(questions, passages)


def _found(
    index: Index,
    examples: Sequence[Example],
    asked: Asked,
    mining: Mining,
    progress: Progress,
) -> list[tuple[Question, dict[str, Passage]]]:
    """Each question that has a passage in the index, with its passages by id."""
    search = {"model": "bm25" if mining.search == "none" else mining.search, "context_weight": 0.0}
    config = Config.of({"rewrite": _REWRITERS[asked], "retrieve": search})
    assistant = Assistant(index, config.without_time_limits())
    found = []
    for start in range(0, len(examples), _AT_ONCE):
        part = examples[start : start + _AT_ONCE]
        rewritten = rewrite_all(
            assistant.understander, assistant.rewriter, [one.conversation for one in part]
        )
        queries = [
            Query(rewrite.text if rewrite else one.question, understanding.lang)
            for one, (understanding, rewrite) in zip(part, rewritten, strict=True)
        ]
        judged = index.passages(list(dict.fromkeys(id for one in part for id in one.relevant)))
        depth = mining.last + max(len(one.relevant) for one in part)
        hits: list[list[Hit]] = [[] for _ in part]
        if mining.search != "none":
            hits = assistant.retriever.retrieve(queries, depth)
        for query, example, near in zip(queries, part, hits, strict=True):
            known = {id: judged[id] for id in example.relevant if id in judged}
            positives = tuple(id for id in known if example.relevant[id] > 0)
            if positives:
                mined = _mined(near, [known[id] for id in positives], mining)
                known |= {hit.passage.passage_id: hit.passage for hit in mined}
                negatives = tuple(id for id in known if id not in positives)
                found.append((Question(query.text, query.lang, positives, negatives), known))
        progress("mining", start + len(part), len(examples))
    return found


def _mined(hits: Sequence[Hit], positives: Sequence[Passage], mining: Mining) -> list[Hit]:
    """The hits of the window that are no positive, nor the same text in another document."""
    right = {passage.passage_id for passage in positives}
    same = {passage.searched_text for passage in positives}
    cosines = [
        hit.cosine for hit in hits if hit.passage.passage_id in right and hit.cosine is not None
    ]
    limit = mining.margin * max(cosines) if cosines else float("inf")
    others = [hit for hit in hits if hit.passage.searched_text not in same]
    window = others[mining.first - 1 : mining.last]
    return [hit for hit in window if hit.cosine is None or hit.cosine <= limit]
