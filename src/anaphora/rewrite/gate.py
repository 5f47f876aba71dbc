"""The gate: whether a question is rewritten, left as it is, or begins a new topic.

Three logistic regressions over four features of the question and of the linker's output give the
probability that a rewrite is closer to a person's rewrite than the question is, that a question for
which the linker found no edits needed a rewrite, and that a question begins a new topic. Their
weights are in the linker's card; docs/decisions/rewriting-gate.md describes how they were chosen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from anaphora.language import analyzer, counts_characters, is_context_dependent
from anaphora.records import Conversation, Decision, Edit, Rewrite
from anaphora.rewrite.content_words import content_words

_MAX_CONTENT_WORDS = 12
"""More content words in a question make no difference."""
_FEW_CONTENT_WORDS = 3
"""In a question with more content words, a pronoun may refer to something in the question."""
_TERMS_PER_WORD = 4
"""How many index terms a word has where these are characters and pairs of characters."""
_MIN_PROBABILITY = 1e-6
_DEFAULT_THRESHOLD = 0.6


class Features(NamedTuple):
    """The features of a question and of the linker's rewrite of it.

    Attributes:
        null_log_odds: the log odds of the null links: that nothing has to be inserted.
        edit_log_probability: of the linker's edits, 0 without any.
        new_terms: the fraction of the question's terms that do not occur in the context.
        content_words: how many the question has, divided by 12, at most 1.
        is_short_and_dependent: whether the question depends on context and has few content words,
            as "And Bradford?" does; such a question does not begin a new topic, however new its
            terms are.
    """

    null_log_odds: float
    edit_log_probability: float
    new_terms: float
    content_words: float
    is_short_and_dependent: bool = False

    @property
    def values(self) -> tuple[float, ...]:
        """The columns of the regressions."""
        return self[:4]


def extract_features(
    question: str,
    lang: str,
    context: Sequence[str],
    edits: Sequence[Edit],
    null: float,
    confidence: float,
) -> Features:
    """The features of a question.

    Args:
        context: the texts before it, as far as the linker read them.
        edits: the linker's edits, of which `confidence` is the probability.
        null: the linker's probability that nothing has to be inserted.
    """
    terms = analyzer(lang).terms
    own = set(terms(question))
    known = set().union(*(terms(text) for text in context)) if own else own
    content = len(content_words(question, lang))
    if counts_characters(lang) or lang == "ko":
        content //= _TERMS_PER_WORD
    return Features(
        null_log_odds=math.log(max(null, _MIN_PROBABILITY) / max(1 - null, _MIN_PROBABILITY)),
        edit_log_probability=math.log(max(confidence, _MIN_PROBABILITY)) if edits else 0.0,
        new_terms=len(own - known) / len(own) if own else 0.0,
        content_words=min(content, _MAX_CONTENT_WORDS) / _MAX_CONTENT_WORDS,
        is_short_and_dependent=(
            content <= _FEW_CONTENT_WORDS and is_context_dependent(question, lang)
        ),
    )


@dataclass(frozen=True, slots=True)
class Gate:
    """The three regressions and their thresholds.

    Attributes:
        better: weights for: the rewrite is closer to a person's rewrite than the question is.
        needed: weights for: a question without a rewrite needed one.
        switch: weights for: the question begins a new topic.
        thresholds: by language, the least probability at which a rewrite is taken: 0.6 where
            retrieval was not measured.
        titled: the same, at most, in a conversation with a title, which says what every question is
            about.
        new_topic: the least probability at which a question begins a new topic.
    """

    better: Sequence[float]
    needed: Sequence[float]
    switch: Sequence[float]
    thresholds: Mapping[str, float] = field(default_factory=lambda: {"en": 0.5})
    titled: float = 0.45
    new_topic: float = 0.9

    def decide(
        self, features: Features, has_edits: bool, lang: str, has_title: bool = False
    ) -> tuple[Decision, float]:
        """The decision on a question, and the probability that its text is then right."""
        threshold = self.thresholds.get(lang, _DEFAULT_THRESHOLD)
        if has_title:
            threshold = min(threshold, self.titled)
        probability = regress(self.better if has_edits else self.needed, features)
        if regress(self.switch, features) >= self.new_topic and not features.is_short_and_dependent:
            return "new topic", 1 - probability
        if has_edits and probability >= threshold:
            return "rewrite", probability
        return "leave", 1 - probability

    def apply(
        self,
        conversation: Conversation,
        text: str,
        edits: tuple[Edit, ...],
        features: Features,
    ) -> Rewrite:
        """The rewrite, or the unchanged question, with the rewrite as a variant if there is one.

        Args:
            text: the question with the `edits` applied.
        """
        question, lang = conversation.question.text, conversation.lang
        has_title = bool(conversation.title)
        decision, confidence = self.decide(features, bool(edits), lang, has_title)
        if decision == "rewrite":
            reason = _rewrite_reason(edits)
            return Rewrite(text, lang, edits, (question,), confidence, decision, reason)
        if decision == "new topic":
            reason = "it is self-contained, and shares few words with the earlier turns"
            return replace(unchanged(conversation, confidence, reason), decision=decision)
        if edits:
            reason = "it may be self-contained; an improbable rewrite is searched in addition"
            return replace(unchanged(conversation, confidence, reason), variants=(text,))
        reason = "it needs nothing from the earlier turns"
        if features.is_short_and_dependent:
            reason = "it refers to an earlier turn, but no words of one fit into it"
        return unchanged(conversation, confidence, reason)


def unchanged(conversation: Conversation, confidence: float, reason: str) -> Rewrite:
    """The question as asked."""
    return Rewrite(
        conversation.question.text,
        conversation.lang,
        confidence=confidence,
        decision="leave",
        reason=reason,
    )


def regress(weights: Sequence[float], features: Features) -> float:
    """The probability that a logistic regression gives.

    Args:
        weights: of each of `Features.values`, and the intercept.

    >>> regress([0, 0, 0, 0, 0], Features(2, 0, new_terms=1, content_words=0.5))
    0.5
    """
    odds = sum(w * x for w, x in zip(weights, (*features.values, 1.0), strict=True))
    return 1 / (1 + math.exp(-odds))


def _rewrite_reason(edits: Sequence[Edit]) -> str:
    replaced = next((edit.replaced for edit in edits if edit.replaced), None)
    if replaced:
        return f"“{replaced}” refers to an earlier turn"
    return "words of an earlier turn are missing in it"
