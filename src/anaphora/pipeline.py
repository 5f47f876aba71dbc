"""One turn: a conversation goes through the stages and comes out as an answer and a trace."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TypeVar

from anaphora.language import identify_question, is_small_talk, small_talk, small_talk_reply
from anaphora.protocols import Reader, Reranker, Retriever, Rewriter
from anaphora.records import Answer, Conversation, Hit, Query, Rewrite, Stage, Trace

Output = TypeVar("Output", Rewrite, "tuple[Hit, ...]", Answer)


@dataclass(frozen=True)
class Pipeline:
    """The stages composed. It keeps no conversation: the history is part of every call.

    The reader is given the `k` best hits; a reranker chooses them from the `top` best that were
    found, if those are more.
    """

    rewriter: Rewriter
    retriever: Retriever
    reader: Reader
    reranker: Reranker | None = None
    k: int = 10
    top: int = 20

    def answer(self, conversation: Conversation) -> tuple[Answer, Trace]:
        """Answers the last turn.

        The trace has the stages "rewrite", "retrieve", "rerank" and "read", as far as they ran:
        small talk is answered without a search.
        """
        stages: list[Stage] = []

        def run(name: str, work: Callable[[], Output]) -> Output:
            began = perf_counter()
            output = work()
            stages.append(Stage(name, output, perf_counter() - began))
            return output

        rewrite = run("rewrite", lambda: rewritten(self.rewriter, [conversation])[0])
        if not rewrite.search:
            reply = small_talk_answer(conversation.question.text, rewrite.lang)
            return reply, Trace(tuple(stages))
        query = Query(rewrite.text, rewrite.lang, rewrite.variants, conversation.id)
        reranker = self.reranker
        wanted = max(self.k, self.top) if reranker else self.k
        hits = run("retrieve", lambda: tuple(self.retriever.retrieve([query], wanted)[0]))
        if reranker:
            found = list(hits)
            hits = run("rerank", lambda: tuple(reranker.rerank([query], [found], self.k)[0]))
        ranked = list(hits)
        answer = run("read", lambda: self.reader.read([query], [ranked])[0])
        return answer, Trace(tuple(stages))


def rewritten(rewriter: Rewriter, conversations: Sequence[Conversation]) -> list[Rewrite]:
    """The rewriter's rewrites; small talk is left as it is and needs no search."""
    greets = [is_small_talk(one.question.text) for one in conversations]
    asked = [one for one, greeting in zip(conversations, greets, strict=True) if not greeting]
    made = iter(rewriter.rewrite(asked) if asked else ())
    return [
        _left(one) if greeting else next(made)
        for one, greeting in zip(conversations, greets, strict=True)
    ]


def _left(greeting: Conversation) -> Rewrite:
    return Rewrite(
        greeting.question.text,
        identify_question(greeting),
        decision="no retrieval",
        reason="it is small talk, and asks nothing of the documents",
    )


def small_talk_answer(text: str, lang: str) -> Answer:
    """To what needs no search; a joke or an insult is nothing that the documents answer."""
    kind = small_talk(text) or "assent"
    chat = kind == "chat"
    return Answer(small_talk_reply(kind, lang), lang, 1.0 - chat, abstained=chat)
