"""Encoders: unit vectors of texts, whose dot product measures the similarity of meaning."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

import numpy as np

from anaphora import registry
from anaphora.models.backbone import NAME, Backbone, processors, shared_backbone, workers
from anaphora.protocols import Encoder, FloatArray

DEFAULT = NAME
_TOKENS_PER_BATCH = 256
"""Measured (bench/encoder.py): the activations of more no longer fit the processor's cache."""


class DefaultEncoder:
    """multilingual-e5-small on onnxruntime.

    A text's vector depends on that text alone, to the bit: batches hold texts of one length, and
    every token is quantised by itself.
    """

    name = DEFAULT

    def __init__(self, backbone: Backbone) -> None:
        self._backbone = backbone
        self.dimensions = backbone.dimensions

    def encode_queries(self, texts: Sequence[str]) -> FloatArray:
        return self._encode("query: ", texts, None)

    def encode_passages(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> FloatArray:
        return self._encode("passage: ", texts, progress)

    def _encode(
        self, prefix: str, texts: Sequence[str], progress: Callable[[int], None] | None
    ) -> FloatArray:
        vectors = np.empty((len(texts), self.dimensions), dtype=np.float32)
        ids = [self._backbone.tokens(prefix + text) for text in texts]
        batches = list(_batches([len(one) for one in ids]))

        def embed(batch: Sequence[int]) -> int:
            vectors[batch] = self._backbone.embed([ids[row] for row in batch])
            return len(batch)

        done = 0
        # The calling thread does the work itself where there is nothing to share.
        run = workers().map if len(batches) > 1 and processors() > 1 else map
        for count in run(embed, batches):
            done += count
            if progress is not None:
                progress(done)
        return vectors


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Batches of rows of one length, the longest first, so that threads end together."""
    rows = sorted(range(len(lengths)), key=lambda row: -lengths[row])
    share = -(-len(rows) // processors())
    for length, group in groupby(rows, key=lambda row: lengths[row]):
        same = list(group)
        size = max(1, min(share, _TOKENS_PER_BATCH // length))
        for at in range(0, len(same), size):
            yield same[at : at + size]


def default_encoder() -> Encoder:
    """multilingual-e5-small, which needs no network.

    Raises:
        ModelUnavailable: its weights are not installed or cannot be prepared.
    """
    return DefaultEncoder(shared_backbone())


def load_encoder(name: str = DEFAULT) -> Encoder:
    """The encoder of that name.

    Args:
        name: of a registered encoder; or a Hugging Face bi-encoder, by its name on the hub or its
            folder, which needs the extra `anaphora[hf]`.

    Raises:
        ModelUnavailable: the model or what runs it is not installed, or cannot be read.
        UsageError: `package.module:factory` cannot be imported.
    """
    if name in registry.names("encoder") or ":" in name:
        encoder: Encoder = registry.find("encoder", name)()
        return encoder
    from anaphora.models.huggingface import HuggingFaceEncoder

    return HuggingFaceEncoder(name)
