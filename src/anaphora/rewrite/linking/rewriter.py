"""The default rewriter: it links words of the talk to places in the question."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from anaphora.conversation import Conversation, Rewrite
from anaphora.language import identify_question
from anaphora.models.backbone import Backbone, workers
from anaphora.pipeline import Rewriter
from anaphora.rewrite.linking.linked import edits, link
from anaphora.rewrite.linking.model import SHIPPED, Linker
from anaphora.rewrite.linking.sequence import lay_out


class LinkingRewriter:
    """Makes questions stand alone by copying words of the talk into them.

    Node linking after dialogue-rag-node-linking §3.2, with deletions and a closed set of function
    words for each language. Every word put in stands in the conversation or in that set. A
    question without anything before it is returned as it is.

    Args:
        folder: the weights; by default those that come with Anaphora.
        beside: another rewriter, whose phrasing is searched too.
        least: below this confidence the question stays as it was asked, and the rewrite is searched
            beside it.

    Raises:
        ModelUnavailable: the backbone or the weights are not there.
    """

    def __init__(
        self,
        backbone: Backbone,
        folder: Path = SHIPPED,
        beside: Rewriter | None = None,
        least: float = 0.0,
    ) -> None:
        self._backbone = backbone
        self._linker = Linker(backbone, folder)
        self._beside = beside
        self._least = least

    def rewrite(self, conversations: Sequence[Conversation]) -> list[Rewrite]:
        """Each conversation by itself: the others change nothing."""
        if len(conversations) == 1:
            made = [self._one(conversations[0])]
        else:
            made = list(workers().map(self._one, conversations))
        if self._beside is None:
            return made
        others = self._beside.rewrite(conversations)
        return [with_phrasing(one, other) for one, other in zip(made, others, strict=True)]

    def _one(self, talk: Conversation) -> Rewrite:
        lang = identify_question(talk)
        question = talk.question.text
        layout = lay_out(talk, self._backbone.tokenizer)
        if not layout.whole or not layout.context or layout.context == len(layout.words):
            return Rewrite(question, lang)
        linker = self._linker
        links = linker.heads.links(linker.nodes(layout), layout.context)
        text, decoded = link(
            layout, links, linker.heads, linker.closed, lang, linker.thresholds(lang)
        )
        made = edits(layout, decoded, linker.closed, lang)
        confidence = self._calibrated(decoded.confidence)
        if not made:
            return Rewrite(question, lang, confidence=confidence)
        if confidence < self._least:
            return Rewrite(question, lang, variants=(text,), confidence=confidence)
        return Rewrite(text, lang, made, (question,), confidence)

    def _calibrated(self, chance: float) -> float:
        slope, offset = self._linker.calibration
        chance = min(max(chance, 1e-9), 1 - 1e-9)
        return 1 / (1 + math.exp(-(slope * math.log(chance / (1 - chance)) + offset)))


def with_phrasing(one: Rewrite, other: Rewrite) -> Rewrite:
    """A rewrite that searches another one's phrasing too."""
    if other.text in (one.text, *one.variants):
        return one
    return replace(one, variants=(*one.variants, other.text))
