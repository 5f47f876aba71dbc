"""A fast encoder: the vector of a text is a weighted sum over its tokens, without layers.

What a token adds depends on its embedding in the backbone's table alone, and nothing is trained. It
consists of random Fourier features (Rahimi and Recht, "Random Features for Large-Scale Kernel
Machines", 2007) with orthogonal directions (Yu et al., "Orthogonal Random Features", 2016). Their
products are a Gaussian of the distance of two embeddings: 1 for the same token, some for one that
means the same, and nearly 0 for any other. docs/decisions/fast-encoder.md has the measurements.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final

import numpy as np
import numpy.typing as npt

from anaphora.models.backbone import Backbone
from anaphora.models.weights import FloatArray

NAME: Final = "fast-1"
"""Another number whenever vectors change."""
_DIMENSIONS: Final = 2048
_SPREAD: Final = 2.25
"""Of the directions: the larger it is, the less do tokens of similar meaning have in common."""
_FREQUENT: Final = 1e-4
"""A token of this probability has half of the weight of the rarest ones (Arora et al., "A Simple
but Tough-to-Beat Baseline for Sentence Embeddings", 2017)."""
_SEED: Final = 1
_TYPICAL: Final = range(300, 200_000, 11)
"""Tokens whose mean stands for that of the language model's vocabulary."""
_AT_ONCE: Final = 1024
"""Texts whose tokens are looked up together."""


class FastEncoder:
    """Encodes many times more texts a second than the backbone does, and finds somewhat less.

    Equal texts have equal vectors, up to rounding.
    """

    name = NAME
    dimensions = _DIMENSIONS

    def __init__(self, backbone: Backbone) -> None:
        self._backbone = backbone
        scores = backbone.tokenizer.scores()
        self._weights = (_FREQUENT / (_FREQUENT + np.exp(scores))).astype(np.float32)
        self._mean = backbone.words[np.array(_TYPICAL, dtype=np.int64)].mean(axis=0)

    def encode_queries(self, texts: Sequence[str]) -> FloatArray:
        return self._encode(texts, lambda count: count)

    def encode_passages(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> FloatArray:
        # A word that a passage repeats says less each time.
        return self._encode(texts, np.sqrt, progress)

    def _encode(
        self,
        texts: Sequence[str],
        counted: Callable[[FloatArray], FloatArray],
        progress: Callable[[int], None] | None = None,
    ) -> FloatArray:
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for start in range(0, len(texts), _AT_ONCE):
            part = texts[start : start + _AT_ONCE]
            self._sum(part, counted, vectors[start : start + len(part)])
            if progress is not None:
                progress(start + len(part))
        return vectors

    def _sum(
        self, texts: Sequence[str], counted: Callable[[FloatArray], FloatArray], sums: FloatArray
    ) -> None:
        """Writes the unit vectors of texts into `sums`, float32 [n, d], which is 0; a text without
        tokens keeps it."""
        backbone = self._backbone
        limit = backbone.max_tokens - 2
        ids = [backbone.tokenizer.encode(text, limit) for text in texts]
        ends = np.cumsum([len(one) for one in ids])
        numbers = np.fromiter(chain.from_iterable(ids), np.int64, int(ends[-1]))
        if not len(numbers):
            return
        seen, places = np.unique(numbers, return_inverse=True)
        rows = self._features(seen)
        for at, own in enumerate(np.split(places, ends[:-1])):
            tokens, counts = np.unique(own, return_counts=True)
            weights = self._weights[seen[tokens]] * counted(counts.astype(np.float32))
            sums[at] = weights @ rows[tokens]
        sums /= np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), np.float32(1e-12))

    def _features(self, ids: npt.NDArray[np.int64]) -> FloatArray:
        """Features of the embeddings of n tokens: float32 [n, d]."""
        rows = self._backbone.words[ids] - self._mean
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        angles = rows @ _directions(rows.shape[1]).T
        found = np.empty((len(ids), self.dimensions), dtype=np.float32)
        np.cos(angles, out=found[:, : self.dimensions // 2])
        np.sin(angles, out=found[:, self.dimensions // 2 :])
        return found


@lru_cache(maxsize=1)
def _directions(width: int) -> FloatArray:
    """Random directions, orthogonal in groups of `width`: float32 [d / 2, width]."""
    rng = np.random.RandomState(_SEED)  # whose numbers no version of numpy changes
    count = _DIMENSIONS // 2
    blocks = [_orthogonal(rng, width) for _ in range(-(-count // width))]
    lengths = np.sqrt(rng.chisquare(width, count))
    directions = np.concatenate(blocks)[:count] * (_SPREAD * lengths[:, None])
    return directions.astype(np.float32)


def _orthogonal(rng: np.random.RandomState, width: int) -> npt.NDArray[np.float64]:
    """A random orthogonal matrix [width, width]."""
    rows, triangle = np.linalg.qr(rng.standard_normal((width, width)))
    # Libraries differ in the signs.
    found: npt.NDArray[np.float64] = rows * np.sign(np.diag(triangle))
    return found
