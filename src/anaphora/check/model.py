"""The checker's network: the lower layers of the backbone and layers of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from anaphora.check.sequence import Sequencer, Window
from anaphora.models.backbone import Backbone, Graph, processors, shared_backbone, workers
from anaphora.models.card import read_card

FloatArray = npt.NDArray[np.float32]

LAYERS, MARKS, CARD = "support.onnx", "marks.npy", "support.json"
SHIPPED: Final = Path(__file__).with_name("weights")
_TOKENS_PER_BATCH: Final = 320


@dataclass(frozen=True, slots=True)
class Reading:
    """What the network says of a claim.

    Attributes:
        support: log-odds that the evidence supports the statement.
        unsupported: for each token of the statement that is read, the log-odds that nothing
            supports it.
        ranges: the characters of each of these tokens.
    """

    support: float
    unsupported: tuple[float, ...]
    ranges: tuple[tuple[int, int], ...]


class SupportModel:
    """Reads a statement and evidence together.

    Args:
        folder: weights as `anaphora train support` writes them; by default the shipped ones.

    Raises:
        ModelUnavailable: a file is missing or altered.
    """

    def __init__(self, backbone: Backbone, folder: Path = SHIPPED) -> None:
        self.card = read_card(folder / CARD, "support")
        self.tokenizer = backbone.tokenizer
        self._backbone = backbone
        self._layers = Graph(folder / LAYERS)
        self._roles = np.load(folder / MARKS).astype(np.float32)
        self._sequencer = Sequencer(backbone.tokenizer)

    def windows(self, statement: str, evidence: str, question: str = "") -> list[Window]:
        """The windows in which evidence is read."""
        return self._sequencer.windows(statement, evidence, question)

    def read(self, windows: Sequence[Window]) -> list[Reading]:
        """What the network says of each window; it does not depend on the other windows."""
        rows = sorted(range(len(windows)), key=lambda row: -len(windows[row].ids))
        batches: list[list[int]] = []
        for length, group in groupby(rows, key=lambda row: len(windows[row].ids)):
            same = list(group)
            size = max(1, _TOKENS_PER_BATCH // length)
            batches += [same[at : at + size] for at in range(0, len(same), size)]
        found: list[Reading | None] = [None] * len(windows)

        def run(batch: Sequence[int]) -> None:
            for row, reading in zip(batch, self._run([windows[at] for at in batch]), strict=True):
                found[row] = reading

        shared = len(batches) > 1 and processors() > 1
        list((workers().map if shared else map)(run, batches))
        return [reading for reading in found if reading is not None]

    def _run(self, windows: Sequence[Window]) -> list[Reading]:
        """Windows of one length."""
        hidden = self._backbone.bottom([window.ids.tolist() for window in windows])
        hidden = hidden + self._roles[np.stack([one.roles for one in windows])]
        return [
            Reading(
                float(row[0, 1]),
                tuple(row[window.first : window.first + len(window.ranges), 0].tolist()),
                window.ranges,
            )
            for window, row in zip(windows, self._layers(hidden), strict=True)
        ]


@lru_cache(maxsize=4)
def shared_model(folder: Path = SHIPPED) -> SupportModel:
    """The one instance of this process with these weights.

    Raises:
        ModelUnavailable: as `SupportModel`, and as `shared_backbone`.
    """
    return SupportModel(shared_backbone(), folder)
