"""Encoders: unit vectors of texts, whose dot product measures the similarity of meaning."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path

import numpy as np

from anaphora import registry
from anaphora.errors import ModelUnavailable
from anaphora.models.backbone import NAME, Backbone, processors, shared_backbone, workers
from anaphora.models.card import read_card
from anaphora.protocols import Encoder, FloatArray
from anaphora.retrieve.fast import FastEncoder
from anaphora.retrieve.trained import CARD, LAYERS, TrainedLayers, is_trained

DEFAULT = NAME
QUERY_PREFIX, PASSAGE_PREFIX = "query: ", "passage: "
SHIPPED = Path(__file__).with_name("weights")
"""The folder of the layers that the default encoder reads questions with."""
_MARK, _DIGITS = "#", 12
_TOKENS_PER_BATCH = 256
"""Measured (bench/encoder.py): the activations of more no longer fit the processor's cache."""


Embed = Callable[[Sequence[Sequence[int]]], FloatArray]


class BackboneEncoder:
    """multilingual-e5-small, or layers that were trained on it, on onnxruntime.

    A text's vector depends on that text alone, to the bit: batches hold texts of one length, and
    every token is quantised by itself.

    Args:
        embed: gives unit vectors of texts with equal numbers of tokens; the backbone's by default.
        embed_queries: the same for queries, where they have layers of their own.
    """

    def __init__(
        self,
        backbone: Backbone,
        name: str = DEFAULT,
        embed: Embed | None = None,
        query_prefix: str = QUERY_PREFIX,
        passage_prefix: str = PASSAGE_PREFIX,
        embed_queries: Embed | None = None,
    ) -> None:
        self._backbone = backbone
        self._embed = embed or backbone.embed
        self._embed_queries = embed_queries or self._embed
        self.name = name
        self.dimensions = backbone.dimensions
        self.query_prefix, self.passage_prefix = query_prefix, passage_prefix

    def encode_queries(self, texts: Sequence[str]) -> FloatArray:
        return self._encode(self._embed_queries, self.query_prefix, texts, None)

    def encode_passages(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> FloatArray:
        return self._encode(self._embed, self.passage_prefix, texts, progress)

    def _encode(
        self,
        vectors_of: Embed,
        prefix: str,
        texts: Sequence[str],
        progress: Callable[[int], None] | None,
    ) -> FloatArray:
        vectors = np.empty((len(texts), self.dimensions), dtype=np.float32)
        ids = [self._backbone.tokens(prefix + text) for text in texts]
        batches = list(_batches([len(one) for one in ids]))

        def embed(batch: Sequence[int]) -> int:
            vectors[batch] = vectors_of([ids[row] for row in batch])
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


@cache
def default_encoder() -> Encoder:
    """multilingual-e5-small, which needs no network.

    It reads questions with upper layers that were trained for this, and passages with its own:
    docs/models/multilingual-e5-small.md.

    Raises:
        ModelUnavailable: its weights are not installed or cannot be prepared.
    """
    backbone = shared_backbone()
    card = read_card(SHIPPED / CARD, "encoder")
    questions = TrainedLayers(backbone, SHIPPED, card["layers"], card["pooling"])
    return BackboneEncoder(backbone, embed_queries=questions.embed)


def fast_encoder() -> Encoder:
    """The encoder without layers.

    Raises:
        ModelUnavailable: as `default_encoder`, whose table of words it uses.
    """
    return FastEncoder(shared_backbone())


def first_encoder() -> Encoder | None:
    """The encoder whose vectors a new index is searched by until those of another one are there;
    None where it is not installed."""
    try:
        return fast_encoder()
    except ModelUnavailable:
        return None


def load_encoder(name: str = DEFAULT) -> Encoder:
    """The encoder of that name.

    Args:
        name: of a registered encoder; or a folder that `anaphora train retriever` wrote, or the
            name of an encoder from such a folder, which an index records; or a Hugging Face
            bi-encoder, by its name on the hub or its folder, which needs the extra `anaphora[hf]`.

    Raises:
        ModelUnavailable: the model or what runs it is not installed, or cannot be read, or was
            trained again since.
        UsageError: `package.module:factory` cannot be imported.
    """
    folder, mark, digest = name.rpartition(_MARK)
    for place, wanted in ((name, ""), (folder, digest)) if mark else ((name, ""),):
        if is_trained(Path(place).expanduser()):
            return _trained(Path(place).expanduser(), wanted)
    if name in registry.names("encoder") or ":" in name:
        encoder: Encoder = registry.find("encoder", name)()
        return encoder
    from anaphora.models.huggingface import HuggingFaceEncoder

    return HuggingFaceEncoder(name)


def _trained(folder: Path, wanted: str) -> Encoder:
    """The encoder in a folder; its name has the beginning of the checksum of its weights, so that
    an index is not searched with others.

    Args:
        wanted: this beginning; empty for any.
    """
    card = read_card(folder / CARD, "retriever")
    digest = card["sha256"][LAYERS][:_DIGITS]
    if wanted not in ("", digest):
        raise ModelUnavailable(
            f"the encoder in {folder} was trained again after its vectors were indexed: index "
            f"again with --encoder {folder}"
        )
    backbone = shared_backbone()
    layers = TrainedLayers(backbone, folder, card["layers"], card["pooling"])
    return BackboneEncoder(
        backbone,
        f"{folder.resolve()}{_MARK}{digest}",
        layers.embed,
        card["query_prefix"],
        card["passage_prefix"],
    )
