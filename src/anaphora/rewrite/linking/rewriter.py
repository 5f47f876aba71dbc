"""The default rewriter: it links words of the talk to places in the question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from anaphora.conversation import Conversation, Edit, Rewrite
from anaphora.language import identify_question
from anaphora.models.backbone import Backbone, workers
from anaphora.pipeline import Rewriter
from anaphora.rewrite.gate import Gate, Signals, left, signals
from anaphora.rewrite.linking.linked import edits, link
from anaphora.rewrite.linking.model import SHIPPED, Linker
from anaphora.rewrite.linking.sequence import lay_out


@dataclass(frozen=True, slots=True)
class Linked:
    """What the linker would make of a question, and what the gate has to know of it."""

    lang: str
    text: str
    edits: tuple[Edit, ...]
    signals: Signals


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

    def linked(self, talk: Conversation) -> Linked | None:
        """What the linker finds before anything is decided; None where there is nothing to link."""
        lang = identify_question(talk)
        layout = lay_out(talk, self._backbone.tokenizer)
        if not layout.whole or not layout.context or layout.context == len(layout.words):
            return None
        linker = self._linker
        links = linker.heads.links(linker.nodes(layout), layout.context)
        text, decoded = link(
            layout, links, linker.heads, linker.closed, lang, linker.thresholds(lang)
        )
        made = edits(layout, decoded, linker.closed, lang)
        *earlier, asked = (utterance.text for utterance in layout.utterances)
        found = signals(asked, lang, earlier, made, decoded.null, decoded.confidence)
        return Linked(lang, text if made else asked, made, found)

    def _one(self, talk: Conversation) -> Rewrite:
        found = self.linked(talk)
        if found is None:
            reason = "nothing was said before it" if not talk.history else "there is nothing to add"
            return left(talk, identify_question(talk), 1.0, reason)
        if self._gate:
            return self._gate.decided(talk, found.lang, found.text, found.edits, found.signals)
        asked = (talk.question.text,) if found.edits else ()
        return Rewrite(found.text, found.lang, found.edits, asked)


def with_phrasing(one: Rewrite, other: Rewrite) -> Rewrite:
    """A rewrite that searches another one's phrasing too."""
    if other.text in (one.text, *one.variants):
        return one
    return replace(one, variants=(*one.variants, other.text))
