"""Sparse encoders from Hugging Face: masked-language models that weigh the terms of a vocabulary.

Formal et al. (2021), "SPLADE v2: Sparse Lexical and Expansion Model for Information Retrieval",
equation 6: a term's weight is the largest log(1 + relu(logit)) over the tokens of a text.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from anaphora.errors import ModelUnavailable
from anaphora.models.pretrained import Pretrained, by_length, cut, load
from anaphora.protocols import TermWeights

MOST_TERMS = 1024
"""Terms kept of a text, the heaviest ones. A trained SPLADE gives a few hundred; a model that was
not trained for retrieval would give half of its vocabulary."""
_LOGITS_PER_BATCH = 1 << 25
_ARCHITECTURE = "AutoModelForMaskedLM"
_POOLING = {"pooling_strategy": "max", "activation_function": "relu"}
"""What sentence-transformers writes of a model that computes its weights as is done here."""


class SpladeEncoder:
    """A masked-language model by name or local folder, as an `anaphora.protocols.SparseEncoder`.

    Args:
        name: a repository on the Hugging Face hub, or a folder.

    Raises:
        ModelUnavailable: transformers or torch is not installed, the model cannot be loaded or is
            no masked-language model, or its pooling is not that of SPLADE v2.
    """

    def __init__(self, name: str) -> None:
        self.model = _load(name)
        self.name = self.model.place
        self._check_modules()
        self.idf = self._read_idf()

    def encode_queries(self, texts: Sequence[str]) -> list[TermWeights]:
        return self.encode_passages(texts)

    def encode_passages(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> list[TermWeights]:
        found: dict[int, TermWeights] = {}
        ids = self._ids(texts, special=True)
        size = self.model.network.config.vocab_size
        for batch in by_length(list(map(len, ids)), _LOGITS_PER_BATCH // size):
            found |= zip(batch, self._weights([ids[row] for row in batch]), strict=True)
            if progress is not None:
                progress(len(found))
        return [found[row] for row in range(len(texts))]

    def tokens(self, texts: Sequence[str]) -> list[list[int]]:
        unknown = self.model.tokenizer.unk_token_id
        return [sorted({*one} - {unknown}) for one in self._ids(texts, special=False)]

    def _ids(self, texts: Sequence[str], special: bool) -> list[list[int]]:
        if not texts:
            return []
        limit = self.model.longest_input
        ids: list[list[int]] = self.model.tokenizer(
            cut(texts, limit), truncation=True, max_length=limit, add_special_tokens=special
        )["input_ids"]
        return ids

    def _weights(self, ids: Sequence[Sequence[int]]) -> list[TermWeights]:
        import torch

        with torch.inference_mode():
            tokens, mask = self.model.padded(ids)
            logits = self.model.network(input_ids=tokens, attention_mask=mask).logits
            # The logarithm keeps the order, so that only the largest logits need it.
            largest = logits.masked_fill(mask.unsqueeze(-1) == 0, 0).amax(dim=1)
            rows = torch.log1p(torch.relu(largest.float())).cpu().numpy()
        return [_heaviest(row) for row in rows]

    def _check_modules(self) -> None:
        modules = {
            one["path"]: one["type"]
            for one in self.model.json("modules.json") or []
            if not one["type"].endswith(".Router")
        }
        # A router has modules of its own for questions and for documents.
        modules |= (self.model.json("router_config.json") or {}).get("types", {})
        for path, kind in modules.items():
            if not kind.endswith(".SpladePooling"):
                continue
            settings = self.model.json(f"{path}/config.json") or {}
            for key, value in _POOLING.items():
                if settings.get(key, value) != value:
                    raise ModelUnavailable(
                        f"the sparse encoder {self.name} has the {key} {settings[key]!r}, and only "
                        f"{value!r} is supported"
                    )

    def _read_idf(self) -> Mapping[int, float] | None:
        path = self.model.file("idf.json")
        if path is None:
            return None
        table: dict[str, float] = json.loads(Path(path).read_text(encoding="utf-8"))
        numbers = self.model.tokenizer.convert_tokens_to_ids(list(table))
        return dict(zip(numbers, table.values(), strict=True))


def _load(name: str) -> Pretrained:
    other = ModelUnavailable(
        f"{name} is not a masked-language model, so it gives no weights of terms; name a SPLADE "
        "model such as naver/splade-v3"
    )
    try:
        with _quiet():
            model = load("sparse encoder", name, _ARCHITECTURE)
    except ModelUnavailable as error:
        if _ARCHITECTURE in str(error):  # transformers names it where it cannot load it so
            raise other from error
        raise
    # Without its head the network would give random weights.
    if model.missing or model.network.config.is_encoder_decoder:
        raise other
    return model


@contextmanager
def _quiet() -> Iterator[None]:
    """Without transformers' table of what a file lacks, which is one line here."""
    logger = logging.getLogger("transformers")
    before = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(before)


def _heaviest(row: np.ndarray) -> TermWeights:
    terms = np.flatnonzero(row > 0)
    if len(terms) > MOST_TERMS:
        terms = np.sort(terms[np.argsort(-row[terms], kind="stable")[:MOST_TERMS]])
    return TermWeights(terms, row[terms])
