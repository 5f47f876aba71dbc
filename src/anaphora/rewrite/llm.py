"""Rewriting by a large language model behind any OpenAI-compatible endpoint.

Zero-shot as in Gowriraj et al. (2023), "Assessing ChatGPT-Based Query Rewriting and
Language-Agnostic Transformers for Multilingual Document-Grounded QA", section 4.2, or few-shot as
in Li et al. (2025), "Dialogue-RAG: Enhancing Retrieval for LLMs via Node-Linking Utterance
Rewriting", section 4.2.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from threading import Lock
from typing import TYPE_CHECKING

from anaphora.errors import ModelUnavailable
from anaphora.models.endpoint import ChatModel
from anaphora.records import Conversation, Rewrite
from anaphora.rewrite.edits import aligned_edits
from anaphora.rewrite.history import Order
from anaphora.rewrite.prompts import Shots, build_messages, fit_context
from anaphora.rewrite.validation import extract_question, rejection

logger = logging.getLogger(__name__)

if TYPE_CHECKING:
    from anaphora.protocols import Rewriter

_CONFIDENCE = 0.8
"""Of a rewrite that passed every check: the endpoint gives no probabilities."""
_MAX_FALLBACK_CONFIDENCE = 0.5
_MAX_QUESTION_CHARACTERS = 1000
"""A longer question is self-contained."""
_MAX_FAILURES = 4
"""After as many failures in a row the endpoint counts as down."""


@dataclass(frozen=True, slots=True)
class LLMRewriter:
    """Has a language model rewrite the question, with another rewriter as the fallback.

    The fallback's rewrite is returned, with a confidence of at most 0.5, when the endpoint fails or
    times out, and when the model's output fails `anaphora.rewrite.validation`. Once the endpoint
    has failed several times in a row, it is not called for the rest of the batch. The question as
    asked is searched too, as a variant; a question without context is left as it is.

    Args:
        model: the endpoint.
        fallback: rewrites where the model does not.
        order: which turn of the context comes first in the prompt; the paper has the newest first.
        shots: how many examples the prompt has.
        budget: how many characters of context the prompt has at most: the title and the newest
            turns.
        parallel: how many requests are sent at once.
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
            rewrites = list(pool.map(lambda one: self._rewrite(one, health), conversations))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
        failed = [one for one, made in zip(conversations, rewrites, strict=True) if made is None]
        if health.reason:
            logger.warning(
                f"{health.reason}; {len(failed)} of {len(conversations)} questions were rewritten "
                "without the model"
            )
        instead = iter(self.fallback.rewrite(failed) if failed else ())
        return [_with_less_confidence(next(instead)) if one is None else one for one in rewrites]

    def _rewrite(self, conversation: Conversation, health: _Health) -> Rewrite | None:
        """The model's rewrite, or the question if there is nothing to rewrite; None on failure."""
        question, lang = conversation.question.text, conversation.lang
        context = fit_context(conversation, self.budget)
        if not context or not question.strip() or len(question) > _MAX_QUESTION_CHARACTERS:
            return Rewrite(question, lang)
        if health.down:
            return None
        messages = build_messages(conversation, context, self.order, self.shots)
        try:
            answer = self.model.complete(messages)
        except ModelUnavailable as error:
            health.failed(str(error))
            return None
        text = extract_question(answer)
        fault = rejection(text, question, lang, context)
        health.answered(fault and f"the model {self.model.model} gave no usable rewrite: {fault}")
        if fault:
            return None
        if text == question.strip():
            return Rewrite(question, lang, confidence=_CONFIDENCE)
        edits = aligned_edits(question, text, lang, context)
        return Rewrite(text, lang, edits, (question,), _CONFIDENCE)


class _Health:
    """The state of the endpoint during one batch; threads share it."""

    def __init__(self) -> None:
        self.reason: str | None = None
        self._failures_in_a_row = 0
        self._lock = Lock()

    @property
    def down(self) -> bool:
        return self._failures_in_a_row >= _MAX_FAILURES

    def failed(self, reason: str) -> None:
        with self._lock:
            self._failures_in_a_row += 1
            self.reason = reason

    def answered(self, fault: str | None) -> None:
        with self._lock:
            self._failures_in_a_row = 0
            self.reason = self.reason or fault


def _with_less_confidence(rewrite: Rewrite) -> Rewrite:
    return replace(rewrite, confidence=min(rewrite.confidence, _MAX_FALLBACK_CONFIDENCE))
