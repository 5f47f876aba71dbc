"""The trained linker: its upper encoder layers as an ONNX graph, and the matrices of its heads."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from anaphora.errors import ModelUnavailable
from anaphora.models.backbone import Backbone, Graph
from anaphora.models.card import read_card
from anaphora.rewrite.gate import Gate
from anaphora.rewrite.linking.decoding import Thresholds
from anaphora.rewrite.linking.heads import FloatArray, Heads
from anaphora.rewrite.linking.phrases import PhraseSet
from anaphora.rewrite.linking.sequence import IntArray, Layout

LAYERS, HEADS, CARD = "linker.onnx", "heads.npz", "linker.json"
SHIPPED = Path(__file__).with_name("weights")


class Linker:
    """Computes node vectors, and holds what decodes them.

    Args:
        folder: what `anaphora.train` wrote; by default the shipped weights.

    Raises:
        ModelUnavailable: a file is missing or does not have the checksum of the card.
    """

    def __init__(self, backbone: Backbone, folder: Path = SHIPPED) -> None:
        card = read_card(folder / CARD, "rewriter")
        arrays = dict(np.load(folder / HEADS))
        self._backbone = backbone
        self._layers = Graph(folder / LAYERS)
        self._embeddings = {
            name: arrays.pop(name).astype(np.float32) for name in ("roles", "distances", "places")
        }
        self.heads = Heads(arrays)
        self.phrases = PhraseSet(card["phrases"], card["languages"])
        self._thresholds = {
            lang: Thresholds(**values) for lang, values in card["thresholds"].items()
        }

    def thresholds(self, lang: str) -> Thresholds:
        """Those tuned on rewrites by people in a language; the default where there are none."""
        return self._thresholds.get(lang, Thresholds())

    def nodes(self, layout: Layout) -> FloatArray:
        """Vectors [n, d] of <s>, each word, and the last </s>."""
        added = self._embeddings
        hidden = self._backbone.hidden([layout.ids.tolist()])
        hidden = hidden + added["roles"][layout.roles] + added["distances"][layout.distances]
        first, last, place = node_ranges(layout)
        x = self._layers(hidden)[0]
        sums = np.concatenate([np.zeros((1, x.shape[1])), x.cumsum(axis=0, dtype=np.float64)])
        means = (sums[last] - sums[first]) / (last - first)[:, None]
        vectors: FloatArray = means.astype(np.float32) + added["places"][place]
        return vectors


def read_gate(folder: Path = SHIPPED) -> Gate:
    """The gate that was fitted to the linker's weights in `folder`.

    Raises:
        ModelUnavailable: a file is missing or does not have the checksum of the card, or there is
            no gate.
    """
    card = read_card(folder / CARD, "rewriter")
    if "gate" not in card:
        raise ModelUnavailable(
            f"the rewriter's weights in {folder} have no gate: train them again with "
            "`anaphora train rewriter`, or fit one with "
            f"`python -m anaphora.train.rewriter.gate DATA {folder}`"
        )
    return Gate(**card["gate"])


def node_ranges(layout: Layout) -> tuple[IntArray, IntArray, IntArray]:
    """First token, last token (exclusive) and place of every node: <s>, the words, the end."""
    end = len(layout.ids)
    words = layout.words
    return (
        np.array([0, *(word.first for word in words), end - 1]),
        np.array([1, *(word.last for word in words), end]),
        np.array([0, *(word.place for word in words), 0]),
    )
