"""The stages of a system, whose results are cached."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from anaphora.assistant import Assistant
from anaphora.check.settings import NoChecker
from anaphora.config import Config, part_to_dict
from anaphora.evaluate.cache import Cache
from anaphora.evaluate.deserialization import from_dict
from anaphora.pipeline import Pipeline, choose
from anaphora.protocols import (
    Progress,
    Reader,
    Rewriter,
    Translator,
    Understander,
    no_progress,
)
from anaphora.read.translated import TranslatingReader
from anaphora.records import (
    Answer,
    Conversation,
    Evidence,
    Hit,
    Passage,
    Query,
    Rewrite,
    Understanding,
)
from anaphora.retrieve.encoders import load_encoder

Hits = list[Hit]
Input = TypeVar("Input")


@dataclass
class Stages:
    """The stages of a system through `cache`: each gives its results with the seconds that each
    result took when it was computed.

    The results of a part that is not Anaphora's own are cached in memory only: nothing says when
    its code or its models have changed.

    Args:
        assistant: the index, and what the configuration builds on it; None where there are no
            passages, so that no stage but rewriting runs.
        depth: how many hits the first stage gives, or more where the reranker takes more.
        own: a pipeline of the user's own; None for that of the configuration.
    """

    config: Config
    assistant: Assistant | None
    cache: Cache
    depth: int
    progress: Progress = no_progress
    own: Pipeline | None = None
    _memory: Cache = field(default_factory=Cache)
    _passages: dict[str, Passage] = field(default_factory=dict)

    @property
    def description(self) -> dict[str, Any]:
        """The configuration ("config"), or the parts of the user's own pipeline ("pipeline")."""
        if self.own:
            return {"pipeline": {name: repr(part) for name, part in vars(self.own).items()}}
        return {"config": self.config.to_dict()}

    @property
    def _parts(self) -> Assistant:
        return self.assistant or Assistant(None, self.config)

    @cached_property
    def pipeline(self) -> Pipeline:
        return self.own or self._parts.pipeline

    @cached_property
    def understander(self) -> Understander:
        return self.own.understander if self.own else self._parts.understander

    @cached_property
    def rewriter(self) -> Rewriter:
        return self.own.rewriter if self.own else self._parts.rewriter

    @property
    def reranks(self) -> bool:
        return self.assistant is not None and self.pipeline.reranker is not None

    @property
    def kept(self) -> int:
        """How many hits of the first stage go on to the next one."""
        return self.pipeline.top if self.reranks else self.pipeline.k

    def understand(self, conversations: Sequence[Conversation]) -> list[Understanding]:
        return self.understander.understand(conversations)

    def rewrite(self, conversations: Sequence[Conversation]) -> list[tuple[Rewrite, float]]:
        """Rewrites of conversations whose turns carry their language."""
        found = self._through(
            "rewrite",
            [],
            conversations,
            _conversation_key,
            lambda part: [asdict(one) for one in self.rewriter.rewrite(part)],
        )
        return [(from_dict(Rewrite, values), seconds) for values, seconds in found]

    def choose(self, understanding: Understanding, rewrite: Rewrite) -> Rewrite:
        """The rewrite or one of its alternatives, as the pipeline chooses."""
        reranker = self.pipeline.reranker if self.assistant else None
        if reranker is None or not rewrite.alternatives:
            return rewrite

        def work(part: list[Rewrite]) -> list[Any]:
            retriever = self.pipeline.retriever
            return [asdict(choose(understanding, one, retriever, reranker).rewrite) for one in part]

        stages = ("retrieve", "rerank")
        cache, settings = self._memory, []
        if all(map(self._is_known, stages)):
            cache = self.cache
            settings = [_settings(one, getattr(self.config, one)) for one in stages]
            settings.append(self._index)
        conversation = _conversation_key(understanding.conversation)
        ((values, _),) = cache.through(
            "choose", settings, [rewrite], lambda one: (conversation, asdict(one)), work
        )
        return from_dict(Rewrite, values)

    def retrieve(self, queries: Sequence[Query]) -> list[tuple[Hits, float]]:
        depth = max(self.depth, self.pipeline.top) if self.reranks else self.depth
        found = self._through(
            "retrieve",
            [depth],
            queries,
            _query_key,
            lambda part: self._to_json(self.pipeline.retriever.retrieve(part, depth)),
        )
        return [(self._hits(hits), seconds) for hits, seconds in found]

    def rerank(self, queries: Sequence[Query], hits: Sequence[Hits]) -> list[tuple[Hits, float]]:
        reranker = self.pipeline.reranker
        assert reranker
        found = self._through(
            "rerank",
            [self.depth],
            list(zip(queries, hits, strict=True)),
            _read_key,
            lambda part: self._to_json(reranker.rerank(*_unzipped(part), self.depth)),
        )
        return [(self._hits(ranked), seconds) for ranked, seconds in found]

    @property
    def translator(self) -> Translator | None:
        """The configured one; None for a pipeline of the user's own."""
        return None if self.own else self._parts.translator

    @cached_property
    def _unchecked(self) -> Reader:
        """The reader, showing what it writes as it is."""
        if self.own or self.assistant is None:
            return self.pipeline.reader
        config = replace(self.config, check=NoChecker())
        return Assistant(self.assistant.index, config).pipeline.reader

    def read(
        self,
        queries: Sequence[Query],
        hits: Sequence[Hits],
        checked: bool = True,
        translated: bool = False,
    ) -> list[tuple[Answer, float]]:
        """Answers from the k best of each query's hits.

        Args:
            checked: whether what a reader writes is checked.
            translated: whether answers in another language than the question's are translated, if
                there is a translator.
        """
        reader, k = self.pipeline.reader if checked else self._unchecked, self.pipeline.k
        if translated and self.translator:
            reader = TranslatingReader(reader, self.translator)
        others = [_settings(name, getattr(self.config, name)) for name in ("check", "translate")]
        found = self._through(
            "read",
            [*others, checked, translated],
            [(query, best[:k]) for query, best in zip(queries, hits, strict=True)],
            _read_key,
            lambda part: [asdict(answer) for answer in reader.read(*_unzipped(part))],
        )
        return [(from_dict(Answer, values), seconds) for values, seconds in found]

    def similarity(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """The cosine of the meanings of each two texts, by the default encoder."""

        def work(part: list[tuple[str, str]]) -> list[Any]:
            encoder = load_encoder()
            one, other = (encoder.encode_queries(list(side)) for side in zip(*part, strict=True))
            return [round(float(x @ y), 6) for x, y in zip(one, other, strict=True)]

        found = self.cache.through("similarity", None, pairs, tuple, work, self.progress)
        return [cosine for cosine, _ in found]

    def passages(self, ids: Sequence[str]) -> Mapping[str, Passage]:
        """By id, those of these passages that the index contains."""
        missing = [id for id in dict.fromkeys(ids) if id not in self._passages]
        assert self.assistant
        assert self.assistant.index
        self._passages |= self.assistant.index.passages(missing)
        return {id: self._passages[id] for id in ids if id in self._passages}

    def _through(
        self,
        stage: str,
        more: list[Any],
        inputs: Sequence[Input],
        key: Callable[[Input], Hashable],
        work: Callable[[list[Input]], list[Any]],
    ) -> list[tuple[Any, float]]:
        """The results of a stage, from the cache as far as they are in it."""
        part = getattr(self.config, stage)
        known = self._is_known(stage)
        settings = [_settings(stage, part), *more, self._index] if known else more
        cache = self.cache if known else self._memory
        return cache.through(stage, settings, inputs, key, work, self.progress)

    def _is_known(self, stage: str) -> bool:
        """Whether the part is one of Anaphora's own, so that its settings identify its results."""
        part = getattr(self.config, stage)
        return self.own is None and type(part).__module__.startswith("anaphora.")

    @property
    def _index(self) -> str:
        index = self.assistant.index if self.assistant else None
        return index.fingerprint if index else ""

    def _to_json(self, found: Sequence[Hits]) -> list[Any]:
        self._passages |= {hit.passage.passage_id: hit.passage for hits in found for hit in hits}
        return [
            [
                (
                    hit.passage.passage_id,
                    hit.score,
                    hit.cosine,
                    hit.evidence and asdict(hit.evidence),
                )
                for hit in hits
            ]
            for hits in found
        ]

    def _hits(self, values: Sequence[Any]) -> Hits:
        passages = self.passages([id for id, *_ in values])
        return [
            Hit(
                passages[id],
                score,
                rank,
                cosine=cosine,
                evidence=evidence and from_dict(Evidence, evidence),
            )
            for rank, (id, score, cosine, evidence) in enumerate(values, 1)
            if id in passages
        ]


def _settings(stage: str, part: Any) -> Any:
    """The settings of a stage. Where its model is in a folder, also the sizes and times of the
    folder's files, so that a model trained again is another one."""
    settings = part_to_dict(stage, part)
    if stage == "retrieve":
        # How many hits go on to the reader makes no difference to this stage.
        settings.pop("k", None)
    model = settings.get("model", "")
    folder = Path(model).expanduser()
    if not (model and folder.is_dir()):
        return settings
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    stamps = [(path.stat().st_size, path.stat().st_mtime_ns) for path in files]
    return [settings, list(map(str, files)), stamps]


def _conversation_key(one: Conversation) -> Any:
    cited = [
        [(citation.passage_id, citation.start, citation.end) for citation in turn.citations]
        for turn in one.turns
    ]
    return one.title, [(turn.role, turn.text, turn.lang) for turn in one.turns], cited


def _query_key(query: Query) -> Any:
    conversation = query.conversation and _conversation_key(query.conversation)
    return query.text, query.lang, query.variants, conversation, query.in_context, query.read


def _read_key(one: tuple[Query, Hits]) -> Any:
    query, hits = one
    return _query_key(query), [(hit.passage.passage_id, hit.score) for hit in hits]


def _unzipped(part: Sequence[tuple[Query, Hits]]) -> tuple[list[Query], list[Hits]]:
    return [query for query, _ in part], [hits for _, hits in part]
