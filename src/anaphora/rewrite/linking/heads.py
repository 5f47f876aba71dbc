"""The biaffine heads of the linker: from node vectors to the scores of links (Li et al. 2025,
equations 4-6).

The nodes of an example are <s> (the null node), the words of the context, the words of the question
and the </s> after them. A gap is an insertion point: before a word of the question, or at its end.
Scores:

- insertion links, from a gap to the first word of a span, or to the null node: `starts`;
- span links, from the first word of a span to its last, given the gap of the span: `ends`;
- the links of a second span for the same gap;
- deletions, one score for each word of the question;
- phrases of the closed set before, between and after the spans of a gap.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, reduce

import numpy as np
import numpy.typing as npt

from anaphora.models.backbone import Graph
from anaphora.models.graph import GraphWriter

FloatArray = npt.NDArray[np.float32]

GAP, EDGE, DELETION = 256, 192, 64
"""Widths of the projections of a gap, of a span's first or last word, and for deletions."""
SLOTS = 2
PHRASES = 3


@dataclass(frozen=True, slots=True)
class Links:
    """The scores of one example with c words of context, q of the question, and v phrases.

    Attributes:
        starts: logits [2, q + 1, 1 + c]; column 0 is the null node.
        ends: logits [2, q + 1, 1 + c], to which a row of `spans` is added.
        spans: logits [1 + c, 1 + c] of last words by first word.
        deletions: log odds [q].
        gaps, firsts, lasts: projections of each gap and word, for `Heads.phrases`.
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
        """The scores of the nodes [1 + c + q + 1, d] of one example with `context` words c."""
        after = nodes[1 + context :]
        before = np.concatenate([nodes[:1], after[:-1]])
        starts, nulls, ends, spans, deletions, *rest = self._graph.outputs(
            before, after, nodes[: 1 + context]
        )
        starts[:, :, 0] += nulls.T
        return Links(starts, ends, spans, deletions[:-1], *rest)

    def phrases(self, links: Links, slot: int, gap: int, first: int, last: int) -> FloatArray:
        """Logits [v] of the phrases of one slot (before, between, after) for a gap with the span
        first..last (nodes of the context; 0, 0 for none)."""
        weights = self._weights
        scores: FloatArray = (
            _times(links.gaps[gap], weights["phrase.gap"][slot])
            + _times(links.firsts[first], weights["phrase.first"][slot])
            + _times(links.lasts[last], weights["phrase.last"][slot])
            + weights["phrase.b"][slot]
        )
        return scores

    @cached_property
    def _graph(self) -> Graph:
        # Not numpy's products: each of those uses all processors, so that turns in parallel
        # spend most of their time waiting for one another.
        return Graph(_written(self._weights))


def _times(x: FloatArray, matrix: FloatArray) -> FloatArray:
    product: FloatArray = np.einsum("i,iv->v", x, matrix)
    return product


def _written(weights: Mapping[str, FloatArray]) -> bytes:
    """The graph from the nodes before the gaps, after the gaps, and of the context, to `starts`
    without the null node, the null node's scores, and the other fields of `Links`."""
    graph = GraphWriter()

    def add(*terms: str) -> str:
        return reduce(lambda left, right: graph.add("Add", left, right), terms)

    def constant(name: str) -> str:
        return graph.constant(name, weights[name])

    def product(x: str, name: str) -> str:
        return graph.add("MatMul", x, constant(name))

    def projected(x: str, name: str) -> str:
        return graph.add("Relu", add(product(x, name), constant(f"{name}.b")))

    def transposed(x: str) -> str:
        return graph.add("Transpose", x, perm=[1, 0])

    gaps = graph.add(
        "Relu", add(product("before", "left"), product("after", "right"), constant("gap.b"))
    )
    firsts, lasts = projected("context", "first"), projected("context", "last")

    def biaffine(name: str, words: str) -> str:
        """[2, gaps, words]; the score of a word that is independent of the gap is added first."""
        word = graph.constant(f"{name}.w", weights[f"{name}.w"].T[:, None])
        return graph.add("MatMul", add(product(gaps, name), word), transposed(words))

    dropped = product(projected("after", "drop"), "drop.w")
    width = weights["left"].shape[0]
    g, c, edge = "n_gaps", "n_context", weights["first"].shape[1]
    return graph.model(
        {"before": [g, width], "after": [g, width], "context": [c, width]},
        {
            "starts": (biaffine("start", firsts), [SLOTS, g, c]),
            "nulls": (product(gaps, "null"), [g, SLOTS]),
            "ends": (biaffine("end", lasts), [SLOTS, g, c]),
            "spans": (graph.add("MatMul", product(firsts, "span"), transposed(lasts)), [c, c]),
            "deletions": (add(dropped, constant("drop.c")), [g]),
            "gaps": (gaps, [g, weights["left"].shape[1]]),
            "firsts": (firsts, [c, edge]),
            "lasts": (lasts, [c, edge]),
        },
    )
