"""A pipeline's stages with a memory: nothing is worked out twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from anaphora.assistant import Assistant
from anaphora.config import Config, part_to_dict
from anaphora.evaluate.cache import Cache, Progress
from anaphora.evaluate.forms import answer_of, ranking_of, rewrite_of
from anaphora.evaluate.results import Ranking
from anaphora.pipeline import Pipeline, rewrite_all
from anaphora.protocols import Rewriter
from anaphora.records import Answer, Conversation, Hit, Passage, Query, Rewrite
from anaphora.retrieve.encoders import load_encoder
from anaphora.understand import LanguageAndIntent


@dataclass
class Stages:
    """A pipeline's stages through `cache`; each gives its outputs with the seconds that each took
    when it was worked out.

    Args:
        assistant: what the pipeline is built on; None where there are no passages, and so no stage
            but rewriting.
        depth: how many hits the first stage gives, or more where the reranker takes more.
    """

    config: Config
    assistant: Assistant | None
    cache: Cache
    depth: int
    progress: Progress = lambda *_: None
    _passages: dict[str, Passage] = field(default_factory=dict)

    @cached_property
    def rewriter(self) -> Rewriter:
        return (self.assistant or Assistant(None, self.config)).rewriter

    @property
    def pipeline(self) -> Pipeline:
        assert self.assistant
        return self.assistant.pipeline

    @property
    def reranks(self) -> bool:
        return self.assistant is not None and self.assistant.reranker is not None

    def rewrite(self, talks: Sequence[Conversation]) -> list[tuple[Rewrite, float]]:
        done = self.cache.through(
            "rewrite",
            [_settings("rewrite", self.config.rewrite), self._index],
            talks,
            _conversation_form,
            self._rewritten,
            self.progress,
        )
        return [(rewrite_of(values), seconds) for values, seconds in done]

    def _rewritten(self, part: Sequence[Conversation]) -> list[Any]:
        return [
            asdict(
                rewrite
                or Rewrite(one.conversation.question.text, one.lang, decision="no retrieval")
            )
            for one, rewrite in rewrite_all(LanguageAndIntent(), self.rewriter, part)
        ]

    def retrieve(self, queries: Sequence[Query]) -> list[tuple[Ranking, float]]:
        depth = max(self.depth, self.pipeline.top) if self.reranks else self.depth

        def work(part: list[Query]) -> list[Any]:
            found = self.pipeline.retriever.retrieve(part, depth)
            return [[(hit.passage.passage_id, hit.score) for hit in hits] for hits in found]

        settings = part_to_dict("retrieve", self.config.retrieve)
        # Only the reader is concerned with how many hits go on to it.
        settings.pop("k", None)
        done = self.cache.through(
            "retrieve",
            [settings, depth, self._index],
            queries,
            _query_form,
            work,
            self.progress,
        )
        return [(ranking_of(hits), seconds) for hits, seconds in done]

    def rerank(
        self, queries: Sequence[Query], rankings: Sequence[Ranking]
    ) -> list[tuple[Ranking, float]]:
        reranker = self.pipeline.reranker
        assert reranker

        def work(part: list[tuple[Query, Ranking]]) -> list[Any]:
            found = reranker.rerank(
                [query for query, _ in part], [self._hits(hits) for _, hits in part], self.depth
            )
            return [[(hit.passage.passage_id, hit.score) for hit in hits] for hits in found]

        done = self.cache.through(
            "rerank",
            [_settings("rerank", self.config.rerank), self.depth, self._index],
            list(zip(queries, rankings, strict=True)),
            lambda one: (_query_form(one[0]), one[1]),
            work,
            self.progress,
        )
        return [(ranking_of(hits), seconds) for hits, seconds in done]

    def read(
        self, queries: Sequence[Query], rankings: Sequence[Ranking]
    ) -> list[tuple[Answer, float]]:
        """Answers from the best `retrieve.k` of each ranking."""

        def work(part: list[tuple[Query, Ranking]]) -> list[Any]:
            answers = self.pipeline.reader.read(
                [query for query, _ in part], [self._hits(hits) for _, hits in part]
            )
            return [asdict(answer) for answer in answers]

        done = self.cache.through(
            "read",
            [_settings("read", self.config.read), self._index],
            [
                (query, hits[: self.pipeline.k])
                for query, hits in zip(queries, rankings, strict=True)
            ],
            lambda one: (_query_form(one[0]), one[1]),
            work,
            self.progress,
        )
        return [(answer_of(values), seconds) for values, seconds in done]

    def likeness(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """The cosine of each two texts' meanings, by the embedded encoder."""

        def work(part: list[tuple[str, str]]) -> list[Any]:
            encoder = load_encoder()
            one, other = (encoder.encode_queries(list(side)) for side in zip(*part, strict=True))
            return [round(float(x @ y), 6) for x, y in zip(one, other, strict=True)]

        done = self.cache.through("likeness", None, pairs, tuple, work, self.progress)
        return [cosine for cosine, _ in done]

    def passages(self, ids: Sequence[str]) -> Mapping[str, Passage]:
        """By id, those of these passages that the index holds."""
        missing = [id for id in dict.fromkeys(ids) if id not in self._passages]
        assert self.assistant
        assert self.assistant.index
        self._passages |= self.assistant.index.passages(missing)
        return {id: self._passages[id] for id in ids if id in self._passages}

    @property
    def _index(self) -> str:
        index = self.assistant.index if self.assistant else None
        return index.fingerprint if index else ""

    def _hits(self, ranking: Ranking) -> list[Hit]:
        passages = self.passages([id for id, _ in ranking])
        return [
            Hit(passages[id], score, rank)
            for rank, (id, score) in enumerate(ranking, 1)
            if id in passages
        ]


def _settings(table: str, stage: Any) -> Any:
    """The settings of a stage; of a model in a folder also its files, so that one trained anew is
    another."""
    settings = part_to_dict(table, stage)
    model = settings.get("model", "")
    folder = Path(model).expanduser()
    if not (model and folder.is_dir()):
        return settings
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    stamps = [(path.stat().st_size, path.stat().st_mtime_ns) for path in files]
    return [settings, list(map(str, files)), stamps]


def _conversation_form(talk: Conversation) -> Any:
    return talk.title, [(turn.role, turn.text, turn.lang) for turn in talk.turns]


def _query_form(query: Query) -> Any:
    return query.text, query.lang, query.variants
