"""The default rewriter: it links words of the talk to places in the question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from anaphora.language import identify_question
from anaphora.models.backbone import Backbone, workers
from anaphora.protocols import Rewriter
from anaphora.records import Conversation, Edit, Rewrite
from anaphora.rewrite.gate import Gate, Signals, chance, left, signals
from anaphora.rewrite.linking.linked import edits, n_best
from anaphora.rewrite.linking.model import SHIPPED, Linker
from anaphora.rewrite.linking.sequence import lay_out

_CLOSE = 0.25
"""The least that another rewrite's probability is of the best one's to be searched beside it."""


@dataclass(frozen=True, slots=True)
class Linked:
    """What the linker would make of a question, and what the gate has to know of it."""

    lang: str
    text: str
    edits: tuple[Edit, ...]
    signals: Signals
    share: float


class LinkingRewriter:
    """Makes questions stand alone by copying words of the talk into them.

    Node linking after dialogue-rag-node-linking §3.2, with deletions and a closed set of function
    words for each language. Every word put in stands in the conversation or in that set. A
    question without anything before it is returned as it is, and so is one that the gate leaves:
    a rewrite that is too unsure is then searched beside it.

    Args:
        folder: the weights; by default those that come with Anaphora.
        beside: another rewriter, whose phrasing is searched too, except of a new topic.
        gate: what decides, fitted to the weights; None makes every edit that the linker finds.

    Raises:
        ModelUnavailable: the backbone or the weights are not there.
    """

    def __init__(
        self,
        backbone: Backbone,
        folder: Path = SHIPPED,
        beside: Rewriter | None = None,
        gate: Gate | None = None,
    ) -> None:
        self._backbone = backbone
        self._linker = Linker(backbone, folder)
        self._beside = beside
        self._gate = gate

    def rewrite(self, conversations: Sequence[Conversation]) -> list[Rewrite]:
        """Each conversation by itself: the others change nothing."""
        if len(conversations) == 1:
            made = [self._one(conversations[0])]
        else:
            made = list(workers().map(self._one, conversations))
        if self._beside is None:
            return made
        others = self._beside.rewrite(conversations)
        return [
            one if one.decision == "new topic" else with_phrasing(one, other)
            for one, other in zip(made, others, strict=True)
        ]

    def n_best(self, talk: Conversation, count: int) -> list[Rewrite]:
        """Up to `count` different rewrites, the most probable first, whatever the gate decides.

        Their confidences share out how probable it is that the linker should change the question:
        each has its part of it by the probability of its edits. Where there is nothing to add, the
        question alone.
        """
        found = self._linked(talk, count)
        if not found or not found[0].edits:
            return self.rewrite([talk])
        better = chance(self._gate.better, found[0].signals) if self._gate else 1.0
        return [
            Rewrite(one.text, one.lang, one.edits, confidence=better * one.share) for one in found
        ]

    def linked(self, talk: Conversation) -> Linked | None:
        """What the linker finds before anything is decided; None where there is nothing to link."""
        return next(iter(self._linked(talk, 1)), None)

    def _linked(self, talk: Conversation, count: int) -> list[Linked]:
        lang = identify_question(talk)
        layout = lay_out(talk, self._backbone.tokenizer)
        if not layout.whole or not layout.context or layout.context == len(layout.words):
            return []
        linker = self._linker
        links = linker.heads.links(linker.nodes(layout), layout.context)
        *earlier, asked = (utterance.text for utterance in layout.utterances)
        results = []
        for text, decoded in n_best(
            layout, links, linker.heads, linker.closed, lang, linker.thresholds(lang), count
        ):
            made = edits(layout, decoded, linker.closed, lang)
            found = signals(asked, lang, earlier, made, decoded.null, decoded.confidence)
            results.append(Linked(lang, text if made else asked, made, found, decoded.share))
        return results

    def _one(self, talk: Conversation) -> Rewrite:
        linked = self._linked(talk, 2)
        if not linked:
            return left(talk, identify_question(talk), 1.0, self._unlinked(talk))
        found, *others = linked
        if self._gate:
            made = self._gate.decided(talk, found.lang, found.text, found.edits, found.signals)
            if made.decision == "rewrite" and others and _close(found, others[0]):
                return replace(made, variants=(*made.variants, others[0].text))
            return made
        asked = (talk.question.text,) if found.edits else ()
        return Rewrite(found.text, found.lang, found.edits, asked)

    def _unlinked(self, talk: Conversation) -> str:
        """Why the linker did not look at a question."""
        if not talk.history:
            return "nothing was said before it"
        if lay_out(talk, self._backbone.tokenizer).whole:
            return "there is nothing to add"
        return "it is too long for the linker, which takes questions of some fifty words"


def _close(best: Linked, other: Linked) -> bool:
    """Whether another rewrite is probable enough beside the best one to be searched too."""
    return bool(other.edits) and other.share > _CLOSE * best.share


def with_phrasing(one: Rewrite, other: Rewrite) -> Rewrite:
    """A rewrite that searches another one's phrasing too."""
    if other.text in (one.text, *one.variants):
        return one
    return replace(one, variants=(*one.variants, other.text))
