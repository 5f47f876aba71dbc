"""The gate: what is right for a question, from what the linker found and how the question reads.

Three logistic regressions over a few signals say how probable it is that a rewrite is nearer to
what a person would have written than the question is, that a question without one needed one, and
that a question begins a new topic. Their weights go with the linker's, in its card;
docs/decisions/rewriting-gate.md says how they were chosen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from anaphora.language import analyzer, counts_characters, is_context_dependent
from anaphora.records import Conversation, Decision, Edit, Rewrite
from anaphora.rewrite.words import content_words

_LONG = 12
"""A question with so many content words says as much as any."""
_FEW = 3
"""A question that has more content words and points back may point within itself."""
_PIECES = 4
"""Where a text is searched by characters and pairs of them, a word has about so many of these."""
_LEAST = 1e-6
_LEAST_WANTED = 0.6


@dataclass(frozen=True, slots=True)
class Signals:
    """What is known of a question and a rewrite of it.

    Attributes:
        null: the log odds that nothing has to be put in, by the linker's null links.
        sure: the log of the probability of the linker's edits, 0 without any.
        new: the share of the question's terms that were not said before.
        content: how many content words it has, as a share of 12, at most 1.
        leans: whether it points back in a few words, as "And Bradford?" does; such a question is
            no new topic, however new its words are.
    """

    null: float
    sure: float
    new: float
    content: float
    leans: bool = False

    @property
    def values(self) -> tuple[float, ...]:
        return self.null, self.sure, self.new, self.content


def signals(
    question: str,
    lang: str,
    earlier: Sequence[str],
    edits: Sequence[Edit],
    null: float,
    confidence: float,
) -> Signals:
    """The signals of a question.

    Args:
        earlier: what was said before it, as far as the linker saw it.
        edits: what the linker would change, `confidence` the probability of that.
        null: the linker's probability that nothing has to be put in.
    """
    terms = analyzer(lang).terms
    own = set(terms(question))
    told = set().union(*(terms(text) for text in earlier)) if own else own
    content = len(content_words(question, lang))
    if counts_characters(lang) or lang == "ko":
        content //= _PIECES
    return Signals(
        null=math.log(max(null, _LEAST) / max(1 - null, _LEAST)),
        sure=math.log(max(confidence, _LEAST)) if edits else 0.0,
        new=len(own - told) / len(own) if own else 0.0,
        content=min(content, _LONG) / _LONG,
        leans=content <= _FEW and is_context_dependent(question, lang),
    )


@dataclass(frozen=True, slots=True)
class Gate:
    """The three regressions, and from which probability on a question is a new topic or rewritten.

    Attributes:
        better: that a rewrite is nearer to what a person would have written.
        needed: that a question for which there is no rewrite needed one.
        switch: that a question begins a new topic.
        least: by language, where retrieval was measured; in others it is 0.6.
    """

    better: Sequence[float]
    needed: Sequence[float]
    switch: Sequence[float]
    least: Mapping[str, float] = field(default_factory=lambda: {"en": 0.5})
    new_topic: float = 0.9

    def decision(self, found: Signals, edited: bool, lang: str) -> tuple[Decision, float]:
        """What is right for a question, and how probable it is that its text is then right.

        Args:
            edited: whether the linker would change it.
        """
        wanted = chance(self.better if edited else self.needed, found)
        if chance(self.switch, found) >= self.new_topic and not found.leans:
            return "new topic", 1 - wanted
        if edited and wanted >= self.least.get(lang, _LEAST_WANTED):
            return "rewrite", wanted
        return "leave", 1 - wanted

    def decided(
        self, talk: Conversation, lang: str, text: str, edits: tuple[Edit, ...], found: Signals
    ) -> Rewrite:
        """The rewrite, or the question left alone with the rewrite beside it or without.

        Args:
            text: the question with the `edits` made.
        """
        decision, sure = self.decision(found, bool(edits), lang)
        if decision == "rewrite":
            asked = (talk.question.text,)
            return Rewrite(text, lang, edits, asked, sure, decision, _because(edits))
        if decision == "new topic":
            reason = "it stands alone, and little of it was said before"
            return replace(left(talk, lang, sure, reason), decision=decision)
        if edits:
            reason = "it may stand alone: a rewrite is too unsure and only searched beside it"
            return replace(left(talk, lang, sure, reason), variants=(text,))
        reason = "nothing that was said before is missing in it"
        if found.leans:
            reason = "it points back, but nothing that was said before fits into it"
        return left(talk, lang, sure, reason)


def left(talk: Conversation, lang: str, confidence: float, reason: str) -> Rewrite:
    """The question as it was asked."""
    question = talk.question.text
    return Rewrite(question, lang, confidence=confidence, decision="leave", reason=reason)


def chance(weights: Sequence[float], found: Signals) -> float:
    """A regression's probability.

    >>> chance([0, 0, 0, 0, 0], Signals(null=2, sure=0, new=1, content=0.5))
    0.5
    """
    odds = sum(w * x for w, x in zip(weights, (*found.values, 1.0), strict=True))
    return 1 / (1 + math.exp(-odds))


def _because(edits: Sequence[Edit]) -> str:
    points = next((edit.replaced for edit in edits if edit.replaced), None)
    if points:
        return f"“{points}” stands for something said before"
    return "something that was said before is missing in it"
