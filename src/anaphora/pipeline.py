"""One turn: a conversation goes through the stages and becomes an answer with its trace."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import NamedTuple, TypeVar

from anaphora.language import is_context_dependent
from anaphora.language.completeness import completeness, goes_on_alone, is_tail, may_refer_beyond
from anaphora.language.follow_ups import bare_follow_up, language_instruction
from anaphora.language.list_references import list_reference
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
    Citation,
    Cited,
    Conversation,
    Cut,
    Done,
    Event,
    Hit,
    Overrides,
    Passage,
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

CITED = 2
"""Passages of the last answer that are candidates for the next one."""
TRIED = 3
"""Passages of each candidate that are read before one of them is chosen."""
MARGINS = (-4.0, 2.0, 4.0)
"""In log-odds, of a question as asked by its completeness. Of 542 complete questions, most of two
or three content words, asked in conversations about seven manuals, none was asked together with the
question before it with -2, 2 and 4; of 52 follow-ups that the rewriter left 26 were. The first is
of questions that refer to an earlier one."""
BEYOND = -1.0
"""The same of a question that refers to what may be named nowhere; see `may_refer_beyond`."""
DROPPING = frozenset({"ja", "ko", "th", "zh"})
"""Languages whose questions leave out what they are about without a pronoun in its place."""
DROPPED = -2.0
"""The same as `MARGINS` in these languages, of a question with at most one content word."""
SINGLE = 1.0
"""In log-odds, the advantage of a single question over one that follows an earlier question: the
passages of the earlier one are relevant to the two together."""
SURE = 0.6
"""The confidence of a rewriter from which a question is not asked as it is without evidence."""
SEEN = 5.0
"""In log-odds."""
CLOSE = 1.0
"""In log-odds: another reading is offered if its evidence is less than this behind."""
ANSWERS = 0.0
"""In log-odds: the least evidence of another reading that is offered, and of a passage that is
shown before one that was shown already."""
DEEPEST = 10_000
"""Hits among which enough are looked for that no excluded document holds."""
NO_OVERRIDES = Overrides()


@dataclass(frozen=True)
class Pipeline:
    """The stages composed. It keeps no conversation: the history is part of every call.

    The reader gets the `k` best hits. A reranker chooses them from the `top` best that were found,
    if those are more. For a follow-up, the passages that the last answer cites are among these,
    which `lookup` returns by their ids.
    """

    understander: Understander
    rewriter: Rewriter
    retriever: Retriever
    reader: Reader
    reranker: Reranker | None = None
    k: int = 10
    top: int = 14
    lookup: Callable[[Sequence[str]], Mapping[str, Passage]] | None = None

    def answer(self, conversation: Conversation, overrides: Overrides = NO_OVERRIDES) -> Answer:
        """Answers the last turn; the answer carries its trace."""
        for event in self.stream(conversation, overrides):
            if isinstance(event, Done):
                return event.answer
        raise AssertionError("a stream ends with Done")

    def stream(
        self, conversation: Conversation, overrides: Overrides = NO_OVERRIDES
    ) -> Iterator[Event]:
        """Answers the last turn, and reports each stage as it ends.

        `overrides` take the place of what stages would decide.

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

        rewrite, cut, second_reading = run(lambda: self._rewrite(understanding, overrides))
        run.keep("rewrite", rewrite, cut)
        yield Rewritten(rewrite)

        query = query_of(understanding, rewrite)
        reranker = self.reranker
        found = max(self.k, self.top) if reranker else self.k
        hits = run(lambda: self._retrieve(query, found, overrides.excluded))
        if reranker and is_follow_up(rewrite):
            hits = run.also(lambda: self._with_cited(hits, understanding, found, overrides))
        if overrides.pinned:
            hits = run.also(lambda: self._with_pinned(hits, overrides.pinned))
        run.keep("retrieve", tuple(hits))
        yield Retrieved(tuple(hits))

        if reranker:
            kept = len(hits) if overrides.pinned else self.k
            (hits,), cut = run(lambda: rerank(reranker, [query], [hits], kept))
            hits = _new_first(hits, understanding.conversation, rewrite)
            hits = _first(hits, overrides.pinned)[: self.k]
            run.keep("rerank", tuple(hits), cut)
            yield Reranked(tuple(hits), cut)

        if isinstance(self.reader, StreamingReader):
            answer = yield from run.timed(self.reader.stream(query, hits))
        else:
            (answer,) = run(lambda: self.reader.read([query], [hits]))
            yield from _parts(answer)
        answer = replace(answer, second_reading=second_reading)
        run.keep("read", answer)
        if answer.writing:
            run.keep_checks(answer.writing)
        yield Done(replace(answer, trace=run.trace))

    def _rewrite(self, understanding: Understanding, overrides: Overrides) -> Choice:
        if overrides.as_asked:
            question = understanding.conversation.question.text
            reason = "the user wants it searched as it was asked"
            return Choice(Rewrite(question, understanding.lang, decision="leave", reason=reason))
        (rewrite,) = self.rewriter.rewrite([understanding.conversation])
        if self.reranker is None:
            return Choice(rewrite)
        return choose(understanding, rewrite, self.retriever, self.reranker)

    def _retrieve(self, query: Query, most: int, excluded: Sequence[str]) -> list[Hit]:
        """At most `most` hits, none of them from an excluded document."""
        depth = most
        while True:
            (hits,) = self.retriever.retrieve([query], depth)
            left = [hit for hit in hits if hit.passage.doc_id not in excluded]
            if len(left) >= most or len(hits) < depth or depth >= DEEPEST:
                return _ranked(left[:most]) if excluded else left
            depth *= 4

    def _with_cited(
        self, hits: list[Hit], understanding: Understanding, most: int, overrides: Overrides
    ) -> list[Hit]:
        """At most `most` hits: passages that the last answer cites instead of the last hits."""
        known = {hit.passage.passage_id for hit in hits}
        ids = [one.passage_id for one in last_citations(understanding.conversation)]
        ids = [id for id in dict.fromkeys(ids) if id not in known]
        cited = [one for one in self._passages(ids) if one.doc_id not in overrides.excluded]
        cited = cited[: min(CITED, most - 1)]
        if not cited or not hits:
            return hits
        kept = hits[: most - len(cited)]
        first = len(kept) + 1
        return kept + [Hit(one, kept[-1].score, at) for at, one in enumerate(cited, first)]

    def _with_pinned(self, hits: list[Hit], pinned: Sequence[str]) -> list[Hit]:
        """The hits with these passages first, also where the search did not find them."""
        known = {hit.passage.passage_id for hit in hits}
        lowest = hits[-1].score if hits else 0.0
        missing = self._passages([id for id in dict.fromkeys(pinned) if id not in known])
        return _first([*hits, *(Hit(one, lowest, 0) for one in missing)], pinned)

    def _passages(self, ids: Sequence[str]) -> list[Passage]:
        """Those of these passages that are in the index, in the order of the ids."""
        if self.lookup is None or not ids:
            return []
        passages = self.lookup(ids)
        return [passages[id] for id in ids if id in passages]


def _first(hits: list[Hit], pinned: Sequence[str]) -> list[Hit]:
    """The hits with pinned passages first, in the order of the pins."""
    if not pinned:
        return hits
    order = {id: at for at, id in enumerate(pinned)}
    return _ranked(sorted(hits, key=lambda hit: order.get(hit.passage.passage_id, len(order))))


def _ranked(hits: Sequence[Hit]) -> list[Hit]:
    return [replace(hit, rank=rank) for rank, hit in enumerate(hits, 1)]


class Choice(NamedTuple):
    """The rewrite that is searched, and where the reranker's time limit ended the choice.

    `second_reading` is the text of another candidate whose passages answer it nearly as well and
    are in another section; empty where there is none.
    """

    rewrite: Rewrite
    cut: Cut | None = None
    second_reading: str = ""


def choose(
    understanding: Understanding, rewrite: Rewrite, retriever: Retriever, reranker: Reranker
) -> Choice:
    """The rewrite, or that of its alternatives whose passages answer it best.

    Of each the first `TRIED` passages are read. Their evidence is the mean relevance of the best
    two; where it is equal, the earlier candidate is taken, and so it is where the reranker leaves
    no evidence. A passage whose best span the last answer already shows is worth `SEEN` less: the
    passages of the question before are relevant to any longer question that contains it. The
    question as asked has an advantage, or the opposite, by its completeness: `MARGINS`. So has a
    rewrite that is a single question: `SINGLE`.

    After Lai et al. (2025), "AdaRewriter: Unleashing the Power of Prompting-based Conversational
    Query Reformulation via Test-Time Adaptation", which chooses among rewrites by the passages that
    they find.
    """
    candidates = (replace(rewrite, alternatives=()), *rewrite.alternatives)
    if len(candidates) == 1:
        return Choice(rewrite)
    queries = [replace(query_of(understanding, one), in_context="", read="") for one in candidates]
    found = [hits[:TRIED] for hits in retriever.retrieve(queries, TRIED)]
    tried, cut = rerank(reranker, queries, found, TRIED)
    shown = last_citations(understanding.conversation)
    asked, lang = understanding.conversation.question.text, understanding.lang
    margin = _margin(asked, lang, rewrite)
    evidence = [
        _relevance(hits, shown)
        + (margin if one.text == asked else SINGLE * (not one.text.endswith(asked)))
        for hits, one in zip(tried, candidates, strict=True)
    ]
    best, *others = sorted(range(len(candidates)), key=lambda at: (-evidence[at], at))
    chosen = replace(candidates[best], alternatives=tuple(candidates[at] for at in sorted(others)))
    second = others[0]
    offered = (
        evidence[best] - evidence[second] < CLOSE
        and _relevance(tried[second], shown) > ANSWERS
        and candidates[second].text != asked
        and _section(tried[second]) != _section(tried[best])
    )
    return Choice(chosen, cut, candidates[second].text if offered else "")


def _margin(asked: str, lang: str, rewrite: Rewrite) -> float:
    """The advantage of a question as asked. A fragment that begins with a function word refers to
    an earlier question. Another one that refers to nothing may be complete ("double-sided
    printing"), and a question that the rewriter is sure to change may be no complete one: evidence
    alone decides on these. One that goes on with "and", says enough and is left by the rewriter is
    complete: behind an earlier question it finds what that one found."""
    refers = is_context_dependent(asked, lang)
    level = completeness(asked, lang)
    if level < 2 and lang in DROPPING and not refers:
        return DROPPED
    if is_tail(asked, lang):
        return MARGINS[0]
    if level == 0 and not refers:
        return 0.0
    if may_refer_beyond(asked, lang):
        return BEYOND
    if rewrite.text == asked and goes_on_alone(asked, lang):
        return MARGINS[2]
    changed = rewrite.decision == "rewrite" and rewrite.confidence >= SURE
    return min(0.0, MARGINS[level]) if changed else MARGINS[level]


def is_follow_up(rewrite: Rewrite) -> bool:
    """Whether a question may depend on the turns before it."""
    return rewrite.decision == "rewrite" or bool(rewrite.alternatives)


def last_citations(conversation: Conversation) -> tuple[Citation, ...]:
    """Those of the last answer."""
    answers = (turn for turn in reversed(conversation.history) if turn.role == "assistant")
    return next((turn.citations for turn in answers), ())


def _relevance(hits: Sequence[Hit], shown: Sequence[Citation]) -> float:
    """The mean relevance of the two hits with the most; lowest without evidence."""
    found = sorted((_new_relevance(hit, shown) for hit in hits if hit.evidence), reverse=True)[:2]
    return sum(found) / len(found) if found else -math.inf


def _new_relevance(hit: Hit, shown: Sequence[Citation]) -> float:
    """The relevance of a hit, less if its best span has already been shown."""
    assert hit.evidence
    return hit.evidence.relevance - SEEN * _is_shown(hit, shown)


def _is_shown(hit: Hit, shown: Sequence[Citation]) -> bool:
    """Whether the best span of a hit is in one of the citations."""
    spans = hit.evidence.spans if hit.evidence else ()
    return any(
        one.passage_id == hit.passage.passage_id and one.start <= spans[0].start < one.end
        for one in shown
        if spans
    )


def _new_first(hits: list[Hit], conversation: Conversation, rewrite: Rewrite) -> list[Hit]:
    """The hits of a follow-up; if the last answer begins with the best span of the first one, then
    before it the next of the `TRIED` best that has another answer. "How do I undo it?" is close to
    the passage that tells how to do it, which the user has just read. The same question in another
    language is answered by the same passage."""
    shown = last_citations(conversation)[:1]
    again = any(edit.replaced == conversation.question.text for edit in rewrite.edits)
    if not hits or not shown or again or not is_follow_up(rewrite) or not _is_shown(hits[0], shown):
        return hits
    new = next((hit for hit in hits[1:TRIED] if _is_new(hit, shown)), None)
    if new is None:
        return hits
    return _ranked([new, *(hit for hit in hits if hit is not new)])


def _is_new(hit: Hit, shown: Sequence[Citation]) -> bool:
    return (
        hit.evidence is not None and hit.evidence.relevance > ANSWERS and not _is_shown(hit, shown)
    )


def _section(hits: Sequence[Hit]) -> str:
    return hits[0].passage.heading if hits else ""


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
    return Query(
        rewrite.text,
        rewrite.lang,
        rewrite.variants,
        conversation.id,
        conversation,
        _in_context(conversation, rewrite),
        _read(conversation, rewrite),
    )


def _read(conversation: Conversation, rewrite: Rewrite) -> str:
    """The question as asked, which the cross-encoder reads of a follow-up: it would judge by the
    words of the earlier questions. Without an instruction about the answer's language. Empty for a
    question that is the same in the rewrite or asks the earlier one again, and for one that says
    nothing by itself ("why?", "and the second one?")."""
    asked, lang = conversation.question.text, conversation.lang
    again = any(edit.replaced == asked for edit in rewrite.edits)
    instruction = language_instruction(asked)
    said = instruction.rest if instruction else asked
    bare = bare_follow_up(said, lang) is not None or list_reference(said, lang) is not None
    return "" if again or bare or rewrite.text == said else said


def _in_context(conversation: Conversation, rewrite: Rewrite) -> str:
    """The question behind those before it; a question that is asked again in another language is
    the earlier one. Empty where there is none before, and where the question is complete."""
    if not is_follow_up(rewrite):
        return ""
    again = next((one for one in rewrite.edits if one.replaced == conversation.question.text), None)
    if again and again.source_turn is not None:
        conversation = replace(conversation, turns=conversation.turns[: again.source_turn + 1])
    text = conversation.in_context
    return "" if text == conversation.question.text else text


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

    def also(self, work: Callable[[], T]) -> T:
        """More work of the same stage."""
        before = self._seconds
        result = self(work)
        self._seconds += before
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
