"""One turn: a conversation goes through the stages and becomes an answer with its trace."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TypeVar

from anaphora.protocols import (
    LimitedReranker,
    Reader,
    Reranker,
    Retriever,
    Rewriter,
    StreamingReader,
    Understander,
)
from anaphora.records import (
    Answer,
    Checked,
    Cited,
    Conversation,
    Cut,
    Done,
    Event,
    Hit,
    Query,
    Reranked,
    Retrieved,
    Rewrite,
    Rewritten,
    Stage,
    Text,
    Trace,
    Understanding,
    Understood,
    Writing,
)

T = TypeVar("T")

TRIED = 3
"""Passages of each candidate that are read before one of them is chosen."""
MARGIN = 3.0
"""In log-odds. Of the 71 follow-ups with alternatives in the tuning part of evaluation/answers, 41
have a useful answer with a margin of 0, 1.5 or 3, and 37 without the choice."""


@dataclass(frozen=True)
class Pipeline:
    """The stages composed. It keeps no conversation: the history is part of every call.

    The reader gets the `k` best hits. A reranker chooses them from the `top` best that were found,
    if those are more.
    """

    understander: Understander
    rewriter: Rewriter
    retriever: Retriever
    reader: Reader
    reranker: Reranker | None = None
    k: int = 10
    top: int = 14

    def answer(self, conversation: Conversation) -> Answer:
        """Answers the last turn; the answer carries its trace."""
        for event in self.stream(conversation):
            if isinstance(event, Done):
                return event.answer
        raise AssertionError("a stream ends with Done")

    def stream(self, conversation: Conversation) -> Iterator[Event]:
        """Answers the last turn, and reports each stage as it ends.

        The events are `Understood`, `Rewritten`, `Retrieved`, `Reranked`, then `Checked`, `Text`
        and `Cited` in any number, and `Done`. A turn that is not a question is answered without a
        search, and a pipeline without a reranker does not report one. Closing the iterator between
        two events cancels the rest of the work.
        """
        run = _Run()
        (understanding,) = run(lambda: self.understander.understand([conversation]))
        run.keep("understand", understanding)
        yield Understood(understanding)
        if understanding.intent != "question":
            answer = Answer(understanding.reply, understanding.lang, 1.0)
            yield from _parts(answer)
            yield Done(replace(answer, trace=run.trace))
            return

        rewrite, cut = run(lambda: self._rewrite(understanding))
        run.keep("rewrite", rewrite, cut)
        yield Rewritten(rewrite)

        query = query_of(understanding, rewrite)
        reranker = self.reranker
        found = max(self.k, self.top) if reranker else self.k
        (hits,) = run(lambda: self.retriever.retrieve([query], found))
        run.keep("retrieve", tuple(hits))
        yield Retrieved(tuple(hits))

        if reranker:
            (hits,), cut = run(lambda: rerank(reranker, [query], [hits], self.k))
            run.keep("rerank", tuple(hits), cut)
            yield Reranked(tuple(hits), cut)

        if isinstance(self.reader, StreamingReader):
            answer = yield from run.timed(self.reader.stream(query, hits))
        else:
            (answer,) = run(lambda: self.reader.read([query], [hits]))
            yield from _parts(answer)
        run.keep("read", answer)
        if answer.writing:
            run.keep_checks(answer.writing)
        yield Done(replace(answer, trace=run.trace))

    def _rewrite(self, understanding: Understanding) -> tuple[Rewrite, Cut | None]:
        (rewrite,) = self.rewriter.rewrite([understanding.conversation])
        if self.reranker is None:
            return rewrite, None
        return choose(understanding, rewrite, self.retriever, self.reranker)


def choose(
    understanding: Understanding, rewrite: Rewrite, retriever: Retriever, reranker: Reranker
) -> tuple[Rewrite, Cut | None]:
    """The rewrite, or that of its alternatives whose passages answer it best; and where the
    reranker's time limit ended the reading of their passages.

    Of each the first `TRIED` passages are read. Their evidence is the mean relevance of the best
    two; where it is equal, the earlier candidate is taken, and so it is where the reranker leaves
    no evidence. A question that the rewriter leaves as asked has an advantage of `MARGIN`, because
    the passages of the question before are relevant to any longer question that contains it.

    After Lai et al. (2025), "AdaRewriter: Unleashing the Power of Prompting-based Conversational
    Query Reformulation via Test-Time Adaptation", which chooses among rewrites by the passages that
    they find.
    """
    candidates = (replace(rewrite, alternatives=()), *rewrite.alternatives)
    if len(candidates) == 1:
        return rewrite, None
    queries = [query_of(understanding, one) for one in candidates]
    found = [hits[:TRIED] for hits in retriever.retrieve(queries, TRIED)]
    tried, cut = rerank(reranker, queries, found, TRIED)
    evidence = [_relevance(hits) for hits in tried]
    if rewrite.decision == "leave":
        evidence[0] += MARGIN
    best = max(range(len(candidates)), key=lambda at: (evidence[at], -at))
    others = tuple(one for at, one in enumerate(candidates) if at != best)
    return replace(candidates[best], alternatives=others), cut


def _relevance(hits: Sequence[Hit]) -> float:
    """The mean relevance of the two hits with the most; lowest without evidence."""
    found = sorted((hit.evidence.relevance for hit in hits if hit.evidence), reverse=True)[:2]
    return sum(found) / len(found) if found else -math.inf


def rerank(
    reranker: Reranker, queries: Sequence[Query], hits: Sequence[list[Hit]], k: int
) -> tuple[list[list[Hit]], Cut | None]:
    """The k best hits of each query, and where the reranker's time limit first ended the scoring
    of a query's hits."""
    if not isinstance(reranker, LimitedReranker):
        return reranker.rerank(queries, hits, k), None
    ranked = reranker.rerank_in_time(queries, hits, k)
    return [found for found, _ in ranked], next((cut for _, cut in ranked if cut), None)


def query_of(understanding: Understanding, rewrite: Rewrite) -> Query:
    """The query that searches for a rewritten question."""
    conversation = understanding.conversation
    return Query(rewrite.text, rewrite.lang, rewrite.variants, conversation.id, conversation)


def rewrite_all(
    understander: Understander, rewriter: Rewriter, conversations: Sequence[Conversation]
) -> list[tuple[Understanding, Rewrite | None]]:
    """Understands conversations and rewrites those that end with a question, in one batch."""
    understood = understander.understand(conversations)
    questions = [one.conversation for one in understood if one.intent == "question"]
    rewrites = iter(rewriter.rewrite(questions) if questions else ())
    return [(one, next(rewrites) if one.intent == "question" else None) for one in understood]


def _parts(answer: Answer) -> Iterator[Text | Cited]:
    yield Text(answer.text)
    for number, citation in enumerate(answer.citations, 1):
        yield Cited(number, citation)


class _Run:
    """The stages of one turn and their seconds, without the time that a consumer takes."""

    def __init__(self) -> None:
        self._stages: list[Stage] = []
        self._seconds = 0.0

    def __call__(self, work: Callable[[], T]) -> T:
        began = perf_counter()
        result = work()
        self._seconds = perf_counter() - began
        return result

    def timed(
        self, events: Generator[Checked | Text | Cited, None, Answer]
    ) -> Generator[Checked | Text | Cited, None, Answer]:
        seconds = 0.0
        try:
            while True:
                began = perf_counter()
                try:
                    event = next(events)
                except StopIteration as end:
                    answer: Answer = end.value
                    return answer
                finally:
                    seconds += perf_counter() - began
                yield event
        finally:
            events.close()
            self._seconds = seconds

    def keep(
        self,
        name: str,
        output: Understanding | Rewrite | tuple[Hit, ...] | Answer,
        cut: Cut | None = None,
    ) -> None:
        self._stages.append(Stage(name, output, self._seconds, cut))

    def keep_checks(self, writing: Writing) -> None:
        """The reader's checks, whose time is not that of reading."""
        read = self._stages.pop()
        self._stages.append(replace(read, seconds=max(0.0, read.seconds - writing.seconds)))
        self._stages.append(Stage("check", writing, writing.seconds))

    @property
    def trace(self) -> Trace:
        return Trace(tuple(self._stages))
