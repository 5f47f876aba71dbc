"""The default rewriter: it links words of the conversation to insertion points in the question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from anaphora.models.backbone import Backbone, workers
from anaphora.protocols import Rewriter
from anaphora.records import Conversation, Edit, Rewrite
from anaphora.rewrite.context_turns import stressed
from anaphora.rewrite.gate import Features, Gate, extract_features, regress, unchanged
from anaphora.rewrite.linking.faults import find_fault
from anaphora.rewrite.linking.model import SHIPPED, Linker
from anaphora.rewrite.linking.realization import n_best, to_edits
from anaphora.rewrite.linking.sequence import lay_out

_MIN_RELATIVE_PROBABILITY = 0.25
"""The second best rewrite is searched too if it is at least this fraction as probable as the best.
"""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A rewrite that the linker proposes, with the features that the gate decides by.

    Attributes:
        relative_probability: of this candidate among those that were asked for; they sum to 1.
    """

    lang: str
    text: str
    edits: tuple[Edit, ...]
    features: Features
    relative_probability: float


class LinkingRewriter:
    """Makes questions self-contained by copying words of the conversation into them.

    Node linking as in Li et al. (2025), "Dialogue-RAG: Enhancing Retrieval for LLMs via
    Node-Linking Utterance Rewriting", section 3.2, with deletions and a closed set of function
    words for each language in addition. Every inserted word is from the conversation or from that
    set. A question without context is returned as it is, and so is one that the gate leaves: a
    rewrite below the threshold is then searched as a variant.

    Args:
        folder: the weights; by default those that come with Anaphora.
        variant_rewriter: its rewrite is searched too, as a variant, except of a new topic.
        gate: fitted to the weights; with None every edit that the linker finds is applied.

    Raises:
        ModelUnavailable: the backbone or the weights cannot be loaded.
    """

    def __init__(
        self,
        backbone: Backbone,
        folder: Path = SHIPPED,
        variant_rewriter: Rewriter | None = None,
        gate: Gate | None = None,
    ) -> None:
        self._backbone = backbone
        self._linker = Linker(backbone, folder)
        self._variant_rewriter = variant_rewriter
        self._gate = gate

    def rewrite(self, conversations: Sequence[Conversation]) -> list[Rewrite]:
        """Each conversation is rewritten independently of the others."""
        if len(conversations) == 1:
            rewrites = [self._rewrite(conversations[0])]
        else:
            rewrites = list(workers().map(self._rewrite, conversations))
        if self._variant_rewriter is None:
            return rewrites
        others = self._variant_rewriter.rewrite(conversations)
        return [
            one if one.decision == "new topic" else with_variant(one, other.text)
            for one, other in zip(rewrites, others, strict=True)
        ]

    def n_best(self, conversation: Conversation, count: int) -> list[Rewrite]:
        """Up to `count` different rewrites, the most probable first, whatever the gate decides.

        Their confidences divide the probability that the question needs a rewrite in proportion to
        the probabilities of their edits. Where there are no edits, only the question is returned.
        """
        found = self._candidates(conversation, count)
        if not found or not found[0].edits:
            return self.rewrite([conversation])
        better = regress(self._gate.better, found[0].features) if self._gate else 1.0
        return [
            Rewrite(one.text, one.lang, one.edits, confidence=better * one.relative_probability)
            for one in found
        ]

    def candidate(self, conversation: Conversation) -> Candidate | None:
        """The best rewrite before the gate decides; None where the linker cannot be applied."""
        return next(iter(self._candidates(conversation, 1)), None)

    def _candidates(self, conversation: Conversation, count: int) -> list[Candidate]:
        lang = conversation.lang
        layout = lay_out(stressed(conversation), self._backbone.tokenizer)
        if not layout.whole or not layout.context or layout.context == len(layout.words):
            return []
        linker = self._linker
        links = linker.heads.links(linker.nodes(layout), layout.context)
        *context, question = (utterance.text for utterance in layout.utterances)
        candidates = []
        for text, decoded in n_best(
            layout, links, linker.heads, linker.phrases, lang, linker.thresholds(lang), count
        ):
            edits = to_edits(layout, decoded, linker.phrases, lang)
            features = extract_features(
                question, lang, context, edits, decoded.null, decoded.confidence
            )
            candidates.append(
                Candidate(
                    lang,
                    text if edits else question,
                    edits,
                    features,
                    decoded.relative_probability,
                )
            )
        return candidates

    def _rewrite(self, conversation: Conversation) -> Rewrite:
        candidates = self._candidates(conversation, 2)
        if not candidates:
            return unchanged(conversation, 1.0, self._reason_not_linked(conversation))
        best, *others = candidates
        if self._gate:
            rewrite = self._gate.apply(conversation, best.text, best.edits, best.features)
            fault = find_fault(conversation, best.text, best.edits)
            if rewrite.decision == "rewrite" and fault:
                second = next((one for one in others if _is_close(best, one)), None)
                if second and not find_fault(conversation, second.text, second.edits):
                    return self._gate.apply(conversation, second.text, second.edits, best.features)
                left = unchanged(conversation, 1 - rewrite.confidence, fault)
                return replace(left, variants=(best.text,))
            if rewrite.decision == "rewrite" and others and _is_close(best, others[0]):
                return replace(rewrite, variants=(*rewrite.variants, others[0].text))
            return rewrite
        variants = (conversation.question.text,) if best.edits else ()
        return Rewrite(best.text, best.lang, best.edits, variants)

    def _reason_not_linked(self, conversation: Conversation) -> str:
        if not conversation.history:
            return "there is no earlier turn"
        if lay_out(conversation, self._backbone.tokenizer).whole:
            return "there is nothing to add"
        return "it is too long for the linker, which takes questions of some fifty words"


def _is_close(best: Candidate, other: Candidate) -> bool:
    least = _MIN_RELATIVE_PROBABILITY * best.relative_probability
    return bool(other.edits) and other.relative_probability > least


def with_variant(rewrite: Rewrite, text: str) -> Rewrite:
    """The rewrite with another text among its variants."""
    if text in (rewrite.text, *rewrite.variants):
        return rewrite
    return replace(rewrite, variants=(*rewrite.variants, text))
