"""Rewrites of held-out examples while a linker is trained and tuned."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch

from anaphora.evaluate.metrics.bleu import corpus_bleu
from anaphora.evaluate.metrics.tokens import paper_tokens
from anaphora.rewrite.linking.decoding import Decoded, Thresholds
from anaphora.rewrite.linking.heads import Heads, Links
from anaphora.rewrite.linking.model import node_ranges
from anaphora.rewrite.linking.phrases import PhraseSet
from anaphora.rewrite.linking.realization import n_best
from anaphora.train.rewriter.features import Features, Prepared
from anaphora.train.rewriter.network import Linker, head_arrays


@dataclass(frozen=True)
class Scored:
    """Examples with the scores of their links: decoding them again needs no network.

    `links` has None where the linker cannot read the question.
    """

    prepared: Sequence[Prepared]
    links: Sequence[Links | None]
    heads: Heads
    closed: PhraseSet

    def decoded(
        self, thresholds: Thresholds | Mapping[str, Thresholds]
    ) -> list[tuple[str, Decoded | None]]:
        """The rewrite of each example and what was decided; the question itself where the linker
        cannot read it. Languages for which no thresholds are given have the default ones."""
        found: list[tuple[str, Decoded | None]] = []
        for one, links in zip(self.prepared, self.links, strict=True):
            if links is None:
                found.append((one.example.question, None))
                continue
            chosen = thresholds
            if not isinstance(chosen, Thresholds):
                chosen = chosen.get(one.lang, Thresholds())
            best = n_best(one.layout, links, self.heads, self.closed, one.lang, chosen)
            found.append(best[0])
        return found

    def rewrites(self, thresholds: Thresholds | Mapping[str, Thresholds]) -> list[str]:
        return [text for text, _ in self.decoded(thresholds)]


def scored(model: Linker, features: Features, closed: PhraseSet) -> Scored:
    """Examples with the scores that a network gives their links."""
    heads = Heads(head_arrays(model))
    links = []
    for one, hidden in zip(features.prepared, features.hidden, strict=True):
        layout = one.layout
        with torch.inference_mode():
            x = model.encode(
                torch.from_numpy(np.asarray(hidden, np.float32))[None],
                torch.from_numpy(layout.roles)[None],
                torch.from_numpy(layout.distances)[None],
                torch.ones(1, len(layout.ids), dtype=torch.bool),
            )
            ranges = [torch.from_numpy(part)[None] for part in node_ranges(layout)]
            nodes = model.nodes(x, *ranges)[0].float().numpy()
        links.append(heads.links(nodes, layout.context))
    return Scored(features.prepared, links, heads, closed)


def bleu_and_exact_match(rewrites: Sequence[str], references: Sequence[str]) -> dict[str, Any]:
    """Corpus BLEU-1 to BLEU-4 and exact match of English rewrites, in per cent.

    They are computed as by Li et al., "Dialogue-RAG: Enhancing Retrieval for LLMs via Node-Linking
    Utterance Rewriting".
    """
    found = [paper_tokens(text, "en") for text in rewrites]
    right = [paper_tokens(text, "en") for text in references]
    bleu = [round(100 * (corpus_bleu(found, right, order) or 0.0), 2) for order in range(1, 5)]
    exact = sum(one == other for one, other in zip(found, right, strict=True))
    return {"bleu": bleu, "em": round(100 * exact / len(references), 2)}


def best_thresholds(
    score: Callable[[Thresholds], float], grid: Mapping[str, Sequence[float]], rounds: int = 1
) -> Thresholds:
    """Coordinate ascent: one threshold after the other takes the best value of its grid."""
    best = Thresholds()
    highest = score(best)
    for _ in range(rounds):
        for name, values in grid.items():
            for value in values:
                candidate = replace(best, **{name: value})
                reached = score(candidate)
                if reached > highest:
                    best, highest = candidate, reached
    return best
