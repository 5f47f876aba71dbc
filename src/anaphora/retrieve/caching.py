"""An encoder that keeps the vectors of the texts that it encoded last."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from threading import Lock

import numpy as np

from anaphora.protocols import Encoder, FloatArray

_CAPACITY = 20_000
"""Vectors kept: 30 MB of 384 numbers each."""


class CachingEncoder:
    """Several stages need the vector of one question, and follow-ups find the same passages again.

    Not for indexing, which encodes each passage once.
    """

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._lock = Lock()
        self._kept: OrderedDict[tuple[str, str], FloatArray] = OrderedDict()

    @property
    def name(self) -> str:
        return self._encoder.name

    @property
    def dimensions(self) -> int:
        return self._encoder.dimensions

    def encode_queries(self, texts: Sequence[str]) -> FloatArray:
        return self._cached("query", texts, self._encoder.encode_queries)

    def encode_passages(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> FloatArray:
        found = self._cached("passage", texts, self._encoder.encode_passages)
        if progress is not None:
            progress(len(texts))
        return found

    def _cached(
        self, kind: str, texts: Sequence[str], encode: Callable[[Sequence[str]], FloatArray]
    ) -> FloatArray:
        with self._lock:
            found = {
                text: vector for text in texts if (vector := self._known(kind, text)) is not None
            }
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        if missing:
            found |= zip(missing, encode(missing), strict=True)
            with self._lock:
                for text in missing:
                    self._kept[kind, text] = found[text]
                while len(self._kept) > _CAPACITY:
                    self._kept.popitem(last=False)
        if not texts:
            return np.empty((0, self.dimensions), dtype=np.float32)
        return np.stack([found[text] for text in texts])

    def _known(self, kind: str, text: str) -> FloatArray | None:
        vector = self._kept.get((kind, text))
        if vector is not None:
            self._kept.move_to_end((kind, text))
        return vector
