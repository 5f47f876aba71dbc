"""An adapter: what `anaphora adapt` found for the documents of one index."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Literal

import numpy as np

from anaphora.protocols import Encoder, FloatArray

_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Comparison:
    """Mean nDCG@10 of the same questions without and with an adapter.

    Attributes:
        asked: whether the questions were generated from the documents or written by people.
        p: of the paired randomisation test, two-sided.
    """

    asked: Literal["generated", "people"]
    questions: int
    before: float
    after: float
    p: float


@dataclass(frozen=True, slots=True)
class Adapter:
    """Shifts the vectors of queries before they are searched; no passage is encoded again.

    Attributes:
        encoder: the name of the encoder whose vectors it shifts.
        strength: what the mean of the generated questions' vectors was multiplied by.
        shift: what is subtracted from the vector of a query: d numbers.
        comparison: why it was installed; None before it was measured.
    """

    encoder: str
    strength: float
    shift: tuple[float, ...]
    comparison: Comparison | None = None

    def __call__(self, vectors: FloatArray) -> FloatArray:
        """The shifted unit vectors of n queries: float32 [n, d]."""
        shifted = vectors - np.array(self.shift, dtype=np.float32)
        lengths = np.linalg.norm(shifted, axis=1, keepdims=True)
        result: FloatArray = shifted / np.where(lengths > 0, lengths, 1)
        return result

    def to_json(self) -> str:
        return json.dumps({**asdict(self), "shift": [round(x, _DIGITS) for x in self.shift]})

    @classmethod
    def from_json(cls, text: str) -> Adapter:
        """The inverse of `to_json`."""
        form = json.loads(text)
        return cls(
            form["encoder"],
            form["strength"],
            tuple(form["shift"]),
            Comparison(**form["comparison"]) if form["comparison"] else None,
        )


@dataclass(frozen=True, slots=True)
class AdaptedEncoder:
    """An encoder whose vectors of queries an adapter shifts."""

    encoder: Encoder
    adapter: Adapter

    @property
    def name(self) -> str:
        return self.encoder.name

    @property
    def dimensions(self) -> int:
        return self.encoder.dimensions

    def encode_queries(self, texts: Sequence[str]) -> FloatArray:
        return self.adapter(self.encoder.encode_queries(texts))

    def encode_passages(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> FloatArray:
        return self.encoder.encode_passages(texts, progress)
