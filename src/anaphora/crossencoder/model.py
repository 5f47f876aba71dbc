"""Anaphora's own cross-encoder: the frozen lower layers of the backbone, upper layers of its own.

One pass over question and passage gives the relevance of the passage and its answer spans.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from pathlib import Path

import numpy as np

from anaphora.crossencoder.sequence import Sequencer, Window
from anaphora.crossencoder.spans import FloatArray, best_extent, best_spans
from anaphora.errors import ModelUnavailable
from anaphora.models.backbone import Backbone, Graph, processors, shared_backbone, workers
from anaphora.models.card import read_card
from anaphora.records import Evidence, Passage, Span

LAYERS, MARKS, CARD = "judge.onnx", "marks.npy", "judge.json"
SHIPPED = Path(__file__).with_name("weights")
_COEFFICIENTS = 4
"""Of the regression in `support`."""
_OUTPUTS = 7
"""Of the layers for each token."""
_SPANS = 3
"""Spans kept of a passage."""
_TOKENS_PER_BATCH = 320
"""Measured: the activations of larger batches do not fit the processor's cache."""


class CrossEncoder:
    """Reads a question and a passage together.

    Args:
        folder: weights as `anaphora train judge` writes them; by default the shipped ones.

    Raises:
        ModelUnavailable: a file is missing or altered, or another version wrote it.

    Attributes:
        name: identifies the weights; `Evidence.model` of all that is read with them.
    """

    def __init__(self, backbone: Backbone, folder: Path = SHIPPED) -> None:
        card = read_card(folder / CARD, "judge")
        self._layers = Graph(folder / LAYERS)
        if len(card["support"]) != _COEFFICIENTS or self._layers.width != _OUTPUTS:
            raise ModelUnavailable(
                f"the cross-encoder's weights in {folder} are of another version; train them again "
                "with `anaphora train judge`"
            )
        self.card = card
        self.name = f"judge-{card['sha256'][LAYERS][:12]}"
        self._backbone = backbone
        self._marks = np.load(folder / MARKS).astype(np.float32)
        self._sequencer = Sequencer(backbone.tokenizer)

    def score(self, pairs: Sequence[tuple[str, Passage]]) -> list[Evidence]:
        """The evidence of each pair of question and passage, in their order.

        The result for a pair does not depend on the other pairs. Equal pairs are read once.
        """
        keys = [(question, passage.full_heading, passage.text) for question, passage in pairs]
        unique = list(dict.fromkeys(keys))
        found = dict(zip(unique, self._read_pairs(unique), strict=True))
        return [found[key] for key in keys]

    def support(self, relevance: float, span: float, cross_lingual: bool) -> float:
        """Log-odds that a span is the answer and that its passage answers.

        A logistic regression, fitted on questions with and without an answer that were not used
        for training.

        Args:
            relevance: of the passage.
            span: score of the span.
            cross_lingual: question and passage are in different languages, where both scores tend
                to be too high.
        """
        offset, by_relevance, by_span, by_language = self.card["support"]
        return float(
            offset + by_relevance * relevance + by_span * span + by_language * cross_lingual
        )

    def _read_pairs(self, keys: Sequence[tuple[str, str, str]]) -> list[Evidence]:
        windows = [self._sequencer.windows(*key) for key in keys]
        rows = [(number, window) for number, found in enumerate(windows) for window in found]
        batches = _batches([len(window.ids) for _, window in rows])

        def run(batch: Sequence[int]) -> list[tuple[int, Evidence]]:
            read = self._read([rows[row][1] for row in batch])
            return [
                (rows[row][0], self._evidence(rows[row][1], *one, keys[rows[row][0]][2]))
                for row, one in zip(batch, read, strict=True)
            ]

        parts: list[list[Evidence]] = [[] for _ in keys]
        shared = len(batches) > 1 and processors() > 1
        for found in (workers().map if shared else map)(run, batches):
            for number, evidence in found:
                parts[number].append(evidence)
        return [self._joined(windows) for windows in parts]

    def _read(self, windows: Sequence[Window]) -> Iterator[tuple[float, FloatArray, FloatArray]]:
        """Of windows of one length: relevance, and log-odds [2, t] of where the shortest answer
        begins and ends, and all that answers."""
        hidden = self._backbone.bottom([window.ids.tolist() for window in windows])
        hidden = hidden + self._marks[np.stack([window.kinds for window in windows])]
        for row in self._layers(hidden):
            spans = np.ascontiguousarray(row[:, :2].T)
            spans[:, 0] = row[0, 2:4]
            yield float(row[0, 4]), spans, row[:, 5:].T

    def _evidence(
        self, window: Window, relevance: float, spans: FloatArray, extents: FloatArray, text: str
    ) -> Evidence:
        best = tuple(best_spans(window, spans, text, _SPANS))
        return Evidence(relevance, best, self.name, best_extent(window, extents))

    def _joined(self, parts: Sequence[Evidence]) -> Evidence:
        """The evidence of a passage from that of its windows: best relevance, best spans, and the
        extent in the most relevant window."""
        if len(parts) == 1:
            return parts[0]
        spans: list[Span] = []
        for span in sorted((span for part in parts for span in part.spans), key=_by_score):
            if len(spans) < _SPANS and not any(span.overlaps(other) for other in spans):
                spans.append(span)
        best = max(parts, key=lambda part: part.relevance)
        return Evidence(best.relevance, tuple(spans), self.name, best.extent)


def _by_score(span: Span) -> float:
    return -span.score


def _batches(lengths: Sequence[int]) -> list[list[int]]:
    """Rows of one length together, the longest first."""
    rows = sorted(range(len(lengths)), key=lambda row: -lengths[row])
    found: list[list[int]] = []
    for length, group in groupby(rows, key=lambda row: lengths[row]):
        same = list(group)
        size = max(1, _TOKENS_PER_BATCH // length)
        found += [same[at : at + size] for at in range(0, len(same), size)]
    return found


@lru_cache(maxsize=4)
def shared_crossencoder(folder: Path = SHIPPED) -> CrossEncoder:
    """The one instance of this process with these weights: reranker and reader share it.

    Raises:
        ModelUnavailable: as `CrossEncoder`, and as `shared_backbone`.
    """
    return CrossEncoder(shared_backbone(), folder)
