"""How good the linker is so far, on examples that it does not train on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch

from anaphora.datasets.example import Example
from anaphora.evaluate.metrics.bleu import corpus_bleu
from anaphora.evaluate.metrics.tokens import paper_tokens
from anaphora.models.backbone import Backbone
from anaphora.rewrite.linking.decoding import Thresholds
from anaphora.rewrite.linking.heads import Heads
from anaphora.rewrite.linking.model import node_ranges
from anaphora.rewrite.linking.phrases import PhraseSet
from anaphora.rewrite.linking.realization import n_best
from anaphora.train.features import Labeller, Prepared, prepare
from anaphora.train.network import Linker


class Trial:
    """Examples ready to be rewritten, with what the shared layers make of them."""

    def __init__(self, examples: Sequence[Example], labeller: Labeller, backbone: Backbone) -> None:
        self.prepared: list[Prepared] = prepare(examples, labeller, None)
        self.hidden = [
            torch.from_numpy(backbone.hidden([one.layout.ids.tolist()])) for one in self.prepared
        ]


def nodes_of(model: Linker, trial: Trial) -> list[np.ndarray[Any, Any]]:
    """The node vectors of every example, float32 [n, d]."""
    found = []
    for one, hidden in zip(trial.prepared, trial.hidden, strict=True):
        layout = one.layout
        with torch.inference_mode():
            ranges = [torch.from_numpy(part)[None] for part in node_ranges(layout)]
            x = model.encode(
                hidden,
                torch.from_numpy(layout.roles)[None],
                torch.from_numpy(layout.distances)[None],
                torch.ones(1, len(layout.ids), dtype=torch.bool),
            )
            found.append(model.nodes(x, *ranges)[0].float().numpy())
    return found


def measure(
    model: Linker,
    heads: Heads,
    phrases: Mapping[str, Sequence[str]],
    numbers: Mapping[str, int],
    trial: Trial,
    thresholds: Thresholds,
) -> dict[str, Any]:
    """BLEU-1..4 and exact match under the protocol of the node-linking paper."""
    closed = PhraseSet(sorted(numbers, key=lambda text: numbers[text]), phrases)
    made = []
    for one, nodes in zip(trial.prepared, nodes_of(model, trial), strict=True):
        made += n_best(
            one.layout,
            heads.links(nodes, one.layout.context),
            heads,
            closed,
            one.lang,
            thresholds,
        )
    return scores([text for text, _ in made], [one.example.rewrites[0] for one in trial.prepared])


def scores(made: Sequence[str], gold: Sequence[str]) -> dict[str, Any]:
    """Corpus BLEU-1..4 and exact match of English rewrites, as the node-linking paper counts."""
    said, right = ([paper_tokens(text, "en") for text in texts] for texts in (made, gold))
    bleu = [round(100 * (corpus_bleu(said, right, order) or 0.0), 2) for order in range(1, 5)]
    exact = sum(one == other for one, other in zip(said, right, strict=True))
    return {"bleu": bleu, "em": round(100 * exact / len(gold), 2)}
