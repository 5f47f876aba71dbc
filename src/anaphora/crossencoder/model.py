"""The judge as it is shipped: frozen lower layers of the backbone, own upper ones, two heads."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from threading import Lock

import numpy as np

from anaphora.crossencoder.sequence import Sequencer, Window
from anaphora.crossencoder.spans import FloatArray, best_spans
from anaphora.errors import ModelUnavailable
from anaphora.models.backbone import Backbone, Graph, processors, shared_backbone, workers
from anaphora.models.card import read_card
from anaphora.records import Evidence, Passage, Span

LAYERS, MARKS, CARD = "judge.onnx", "marks.npy", "judge.json"
SHIPPED = Path(__file__).with_name("weights")
_COUNTS = 4
"""Numbers that `support` goes by."""
_SPANS = 3
"""Spans kept of a passage."""
_TOKENS_PER_BATCH = 320
"""The activations of more no longer fit the processor's cache."""
_REMEMBERED = 4_000
"""Judgements kept: the reader asks for what the reranker has had judged."""


class CrossEncoder:
    """Judges passages; a pair that it has judged lately is remembered.

    Args:
        folder: what `anaphora train judge` wrote; by default the shipped weights.

    Raises:
        ModelUnavailable: a file is missing or not the one that was written, or by another version.
    """

    def __init__(self, backbone: Backbone, folder: Path = SHIPPED) -> None:
        card = read_card(folder / CARD, "judge")
        if len(card["support"]) != _COUNTS:
            raise ModelUnavailable(
                f"the judge's weights in {folder} are another version's: train them again with "
                "`anaphora train judge`"
            )
        self.card = card
        self._backbone = backbone
        self._layers = Graph(folder / LAYERS)
        self._marks = np.load(folder / MARKS).astype(np.float32)
        self._sequencer = Sequencer(backbone.tokenizer)
        self._lock = Lock()
        self._kept: OrderedDict[tuple[str, str, str], Evidence] = OrderedDict()

    def score(self, pairs: Sequence[tuple[str, Passage]]) -> list[Evidence]:
        """One judgement a pair of question and passage, in their order.

        What a pair gets does not depend on the others.
        """
        keys = [(question, passage.heading, passage.text) for question, passage in pairs]
        with self._lock:
            known = {key: found for key in keys if (found := self._kept.get(key)) is not None}
        missing = [key for key in dict.fromkeys(keys) if key not in known]
        if missing:
            known |= zip(missing, self._judged(missing), strict=True)
            with self._lock:
                for key in missing:
                    self._kept[key] = known[key]
                while len(self._kept) > _REMEMBERED:
                    self._kept.popitem(last=False)
        return [known[key] for key in keys]

    def support(self, relevance: float, span: float, across: bool) -> float:
        """Log-odds that a span is the answer and its passage answers, by what the judge gave both.

        Fitted on questions with and without an answer that the judge did not train on.

        Args:
            across: question and passage are in different languages, where both scores are easily
                too high.
        """
        offset, by_relevance, by_span, by_across = self.card["support"]
        return float(offset + by_relevance * relevance + by_span * span + by_across * across)

    def _judged(self, keys: Sequence[tuple[str, str, str]]) -> list[Evidence]:
        windows = [self._sequencer.windows(*key) for key in keys]
        rows = [(number, window) for number, found in enumerate(windows) for window in found]
        batches = _batches([len(window.ids) for _, window in rows])

        def run(batch: Sequence[int]) -> list[tuple[int, Evidence]]:
            read = self._read([rows[row][1] for row in batch])
            return [
                (rows[row][0], self._judgement(rows[row][1], *one, keys[rows[row][0]][2]))
                for row, one in zip(batch, read, strict=True)
            ]

        parts: list[list[Evidence]] = [[] for _ in keys]
        shared = len(batches) > 1 and processors() > 1
        for made in (workers().map if shared else map)(run, batches):
            for number, judgement in made:
                parts[number].append(judgement)
        return [_joined(found) for found in parts]

    def _read(self, windows: Sequence[Window]) -> Iterator[tuple[float, FloatArray]]:
        """Relevance, and log-odds [2, t] of where the answer begins and ends, of windows of one
        length."""
        hidden = self._backbone.bottom([window.ids.tolist() for window in windows])
        hidden = hidden + self._marks[np.stack([window.kinds for window in windows])]
        for row in self._layers(hidden):
            spans = np.ascontiguousarray(row[:, :2].T)
            spans[:, 0] = row[0, 2:4]
            yield float(row[0, 4]), spans

    def _judgement(
        self, window: Window, relevance: float, spans: FloatArray, text: str
    ) -> Evidence:
        return Evidence(relevance, tuple(best_spans(window, spans, text, _SPANS)))


def _joined(parts: Sequence[Evidence]) -> Evidence:
    """One judgement of a passage's windows: its best relevance, its best spans."""
    if len(parts) == 1:
        return parts[0]
    spans: list[Span] = []
    for span in sorted((span for part in parts for span in part.spans), key=_by_score):
        if len(spans) < _SPANS and not any(span.overlaps(other) for other in spans):
            spans.append(span)
    return Evidence(max(part.relevance for part in parts), tuple(spans))


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


_shared: dict[Path, CrossEncoder] = {}
_shared_lock = Lock()


def shared_crossencoder(folder: Path = SHIPPED) -> CrossEncoder:
    """The one judge of this process with these weights, made when first asked for: reranker and
    reader share what it remembers.

    Raises:
        ModelUnavailable: as `CrossEncoder`, and as `shared_backbone`.
    """
    backbone = shared_backbone()
    with _shared_lock:
        if folder not in _shared:
            _shared[folder] = CrossEncoder(backbone, folder)
        return _shared[folder]
