"""The heads of the linker: what the encoder's words say about links (equations 4-6).

The nodes of an example are <s> (the null node), the context's words, the question's words and the
</s> after them. A gap is a place in the question: before one of its words, or at its end. Scores:

- insertion links, from a gap to the first word of a span, or to the null node: `starts`;
- span links, from a first word to a last one, seen from the gap that the span is for: `ends`;
- a second span for the same gap, in the same way;
- deletions, one score a question word;
- phrases of the closed set before, between and after the spans of a gap.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float32]

GAP, EDGE, DELETION = 256, 192, 64
"""Widths of the projections: a gap, a word as first or last of a span, a word that may go."""
SLOTS = 2
PHRASES = 3


@dataclass(frozen=True, slots=True)
class Links:
    """Scores of one example: c words of context, q of question, v phrases with none first.

    Attributes:
        starts: [2, q + 1, 1 + c], column 0 is the null node.
        ends: [2, q + 1, 1 + c], to which a row of `spans` has to be added.
        spans: [1 + c, 1 + c], first word by last word.
        deletions: [q], as log odds.
        gaps, firsts, lasts: what `Heads.phrases` needs of each gap and word.
    """

    starts: FloatArray
    ends: FloatArray
    spans: FloatArray
    deletions: FloatArray
    gaps: FloatArray
    firsts: FloatArray
    lasts: FloatArray


class Heads:
    """The trained matrices by name, as `anaphora.train` writes them."""

    def __init__(self, weights: Mapping[str, FloatArray]) -> None:
        self._weights = {name: np.asarray(value, np.float32) for name, value in weights.items()}

    def links(self, nodes: FloatArray, context: int) -> Links:
        """Scores for the nodes [1 + c + q + 1, d] of one example with `context` words c."""
        weights = self._weights
        asked = nodes[1 + context :]
        left = np.concatenate([nodes[:1], asked[:-1]]) @ weights["left"]
        gaps = np.maximum(left + asked @ weights["right"] + weights["gap.b"], 0)
        told = nodes[: 1 + context]
        firsts = np.maximum(told @ weights["first"] + weights["first.b"], 0)
        lasts = np.maximum(told @ weights["last"] + weights["last.b"], 0)
        starts = gaps @ weights["start"] @ firsts.T + (firsts @ weights["start.w"]).T[:, None]
        starts[:, :, 0] += (gaps @ weights["null"]).T
        ends = gaps @ weights["end"] @ lasts.T + (lasts @ weights["end.w"]).T[:, None]
        dropped = np.maximum(asked[:-1] @ weights["drop"] + weights["drop.b"], 0)
        return Links(
            starts,
            ends,
            firsts @ weights["span"] @ lasts.T,
            dropped @ weights["drop.w"] + weights["drop.c"],
            gaps,
            firsts,
            lasts,
        )

    def phrases(self, links: Links, slot: int, gap: int, first: int, last: int) -> FloatArray:
        """Scores [v] of the phrases of one slot (before, between, after) beside the span
        first..last (nodes of the context; 0, 0 for none)."""
        weights = self._weights
        scores: FloatArray = (
            links.gaps[gap] @ weights["phrase.gap"][slot]
            + links.firsts[first] @ weights["phrase.first"][slot]
            + links.lasts[last] @ weights["phrase.last"][slot]
            + weights["phrase.b"][slot]
        )
        return scores
