"""Rewriting by a large language model behind any OpenAI-compatible endpoint: zero-shot as in
multilingual-document-grounded-qa §4.2, or with worked examples as in dialogue-rag-node-linking
§4.2."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from threading import Lock
from typing import TYPE_CHECKING

from anaphora.errors import ModelUnavailable
from anaphora.language import identify_question
from anaphora.models.chat import ChatModel
from anaphora.records import Conversation, Rewrite
from anaphora.rewrite.edits import aligned_edits
from anaphora.rewrite.guard import clean, objection
from anaphora.rewrite.history import Order
from anaphora.rewrite.prompts import Shots, context, messages

logger = logging.getLogger(__name__)

if TYPE_CHECKING:
    from anaphora.protocols import Rewriter

_CONFIDENCE = 0.8
"""Of a rewrite that passed every check: the endpoint gives no probabilities."""
_FALLBACK_CONFIDENCE = 0.5
"""At most this for a rewrite by the fallback."""
_LONGEST_QUESTION = 1000
"""Characters: a longer question says what it is about."""
_FAILURES = 4
"""After as many failures in a row the endpoint is taken to be down."""


@dataclass(frozen=True, slots=True)
class LLMRewriter:
    """Asks a model to rewrite the question, and falls back on another rewriter.

    The fallback's rewrite is taken, with a confidence of at most 0.5, whenever the endpoint fails
    or is slow, and when its answer is no rewrite: in another language, too long, an answer to the
    question, or about what nobody mentioned. Once an endpoint failed several times in a row, the
    rest of the batch does not wait for it. The question as asked is searched too, as a variant; a
    question without anything before it is left as it is.

    Args:
        model: the endpoint.
        fallback: rewrites where the model does not.
        order: which turn of the context the model reads first; the paper has the newest first.
        shots: how many worked examples it is shown.
        budget: characters of context at most: the title and the newest turns.
        parallel: how many requests are under way at once.
    """

    model: ChatModel
    fallback: Rewriter
    order: Order = "newest"
    shots: Shots = 0
    budget: int = 6000
    parallel: int = 4

    def rewrite(self, conversations: Sequence[Conversation]) -> list[Rewrite]:
        health = _Health()
        pool = ThreadPoolExecutor(max(1, min(self.parallel, len(conversations))))
        try:
            tried = list(pool.map(lambda talk: self._try(talk, health), conversations))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
        left = [talk for talk, one in zip(conversations, tried, strict=True) if one is None]
        if health.reason:
            logger.warning(
                f"{health.reason}; {len(left)} of {len(conversations)} questions were rewritten "
                "without the model"
            )
        instead = iter(self.fallback.rewrite(left) if left else ())
        return [_doubted(next(instead)) if one is None else one for one in tried]

    def _try(self, talk: Conversation, health: _Health) -> Rewrite | None:
        """The model's rewrite, or the question where there is nothing to rewrite; else None."""
        lang = identify_question(talk)
        question = talk.question.text
        said = context(talk, self.budget)
        if not said or not question.strip() or len(question) > _LONGEST_QUESTION:
            return Rewrite(question, lang)
        if health.down:
            return None
        try:
            answer = self.model.complete(messages(talk, said, lang, self.order, self.shots))
        except ModelUnavailable as error:
            health.failed(str(error))
            return None
        text = clean(answer)
        wrong = objection(text, question, lang, said)
        health.answered(wrong and f"the model {self.model.model} gave no usable rewrite: {wrong}")
        if wrong:
            return None
        if text == question.strip():
            return Rewrite(question, lang, confidence=_CONFIDENCE)
        edits = aligned_edits(question, text, lang, said)
        return Rewrite(text, lang, edits, (question,), _CONFIDENCE)


class _Health:
    """How the endpoint is doing in one batch, as the threads find it."""

    def __init__(self) -> None:
        self.reason: str | None = None
        self._in_a_row = 0
        self._lock = Lock()

    @property
    def down(self) -> bool:
        return self._in_a_row >= _FAILURES

    def failed(self, reason: str) -> None:
        with self._lock:
            self._in_a_row += 1
            self.reason = reason

    def answered(self, objection: str | None) -> None:
        with self._lock:
            self._in_a_row = 0
            self.reason = self.reason or objection


def _doubted(rewrite: Rewrite) -> Rewrite:
    return replace(rewrite, confidence=min(rewrite.confidence, _FALLBACK_CONFIDENCE))
