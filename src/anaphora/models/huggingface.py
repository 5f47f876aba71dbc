"""Bi-encoders from Hugging Face, with the settings of sentence-transformers.

The settings come from the files that sentence-transformers writes with a model: `modules.json`
(pooling, a dense layer, normalisation), the pooling's `config.json`, `sentence_bert_config.json`
(the maximum input length) and `config_sentence_transformers.json` (prompts). A model without these
files gets mean pooling, as in sentence-transformers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from anaphora.errors import ModelUnavailable
from anaphora.models.pretrained import by_length, cut, load
from anaphora.models.weights import FloatArray

_TOKENS_PER_BATCH = 4096

_POOLINGS = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_lasttoken": "lasttoken",
}

_INSTRUCTION = "Given a web search query, retrieve relevant passages that answer the query"
_PREFIXES = (
    (r"e5-.*instruct", f"Instruct: {_INSTRUCTION}\nQuery: ", ""),
    (r"\be5-", "query: ", "passage: "),
    (r"^bge-.*-en\b", "Represent this sentence for searching relevant passages: ", ""),
    (r"^bge-.*-zh\b", "为这个句子生成表示以用于检索相关文章：", ""),
)
"""Prefixes from the model cards of families whose configuration lacks them."""


class HuggingFaceEncoder:
    """A bi-encoder by name or local folder, as an `anaphora.protocols.Encoder`.

    Args:
        name: a repository on the Hugging Face hub, or a folder.

    Raises:
        ModelUnavailable: transformers or torch is not installed, or the model cannot be loaded or
            has a module that is not supported.
    """

    def __init__(self, name: str) -> None:
        self.model = load("encoder", name)
        self.name = self.model.place
        self.pooling, self.dense = self._read_modules()
        self.max_tokens, self._lower = self._read_length()
        self.query_prefix, self.passage_prefix = self._read_prefixes()
        self.dimensions = self._vectors(self.token_ids(["."])).shape[1]

    def encode_queries(self, texts: Sequence[str]) -> FloatArray:
        """Unit vectors of n questions: float32 [n, d]."""
        return self._encode(self.query_prefix, texts, None)

    def encode_passages(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> FloatArray:
        """Unit vectors of n passages: float32 [n, d]; `progress` receives how many are done."""
        return self._encode(self.passage_prefix, texts, progress)

    def _encode(
        self, prefix: str, texts: Sequence[str], progress: Callable[[int], None] | None
    ) -> FloatArray:
        vectors = np.empty((len(texts), self.dimensions), dtype=np.float32)
        if not texts:
            return vectors
        ids = self.token_ids([prefix + text for text in texts])
        done = 0
        for batch in by_length(list(map(len, ids)), _TOKENS_PER_BATCH):
            vectors[batch] = self._vectors([ids[row] for row in batch])
            done += len(batch)
            if progress is not None:
                progress(done)
        return vectors

    def token_ids(self, texts: Sequence[str]) -> list[list[int]]:
        """The tokens of texts, at most `max_tokens` each."""
        parts = cut(texts, self.max_tokens)
        lowered = [text.lower() for text in parts] if self._lower else parts
        encoded = self.model.tokenizer(lowered, truncation=True, max_length=self.max_tokens)
        ids: list[list[int]] = encoded["input_ids"]
        return ids

    def _vectors(self, ids: Sequence[Sequence[int]]) -> FloatArray:
        import torch

        with torch.inference_mode():
            vectors: FloatArray = self.embed(ids).cpu().numpy()
        return vectors

    def embed(self, ids: Sequence[Sequence[int]]) -> Any:
        """Unit vectors of n texts as a torch tensor [n, d], on the device of the network."""
        import torch

        tokens, mask = self.model.padded(ids)
        hidden = self.model.network(input_ids=tokens, attention_mask=mask).last_hidden_state
        pooled = pool(hidden, mask, self.pooling)
        for layer in self.dense:
            pooled = layer(pooled)
        return torch.nn.functional.normalize(pooled.float(), dim=-1)

    def _read_modules(self) -> tuple[str, list[Any]]:
        pooling, dense = "mean", []
        for module in self.model.json("modules.json") or []:
            kind, folder = module["type"].rsplit(".", 1)[-1], module["path"]
            if kind == "Pooling":
                pooling = self._read_pooling(folder)
            elif kind == "Dense":
                dense.append(self._read_dense(folder))
            elif kind not in ("Transformer", "Normalize"):
                raise ModelUnavailable(
                    f"the encoder {self.name} has a module of type {kind}, which is not supported"
                )
        return pooling, dense

    def _read_pooling(self, folder: str) -> str:
        settings = self.model.json(f"{folder}/config.json") or {}
        chosen = [name for name, on in settings.items() if name.startswith("pooling_mode_") and on]
        modes = [_POOLINGS.get(name, name) for name in chosen]
        named = settings.get("pooling_mode")
        if named:
            modes = [named] if isinstance(named, str) else list(named)
        if len(modes) > 1 or not set(modes) <= set(_POOLINGS.values()):
            raise ModelUnavailable(
                f"the encoder {self.name} pools by {', '.join(modes)}, which is not supported"
            )
        if settings.get("include_prompt") is False:
            raise ModelUnavailable(
                f"the encoder {self.name} excludes its prompt from pooling, which is not supported"
            )
        return modes[0] if modes else "mean"

    def _read_dense(self, folder: str) -> Any:
        import torch
        from safetensors.torch import load_file
        from transformers.utils import cached_file

        settings = self.model.json(f"{folder}/config.json") or {}
        activation = settings.get("activation_function", "").rsplit(".", 1)[-1]
        if activation not in ("Tanh", "Identity"):
            raise ModelUnavailable(
                f"the encoder {self.name} has a dense layer with {activation or 'no activation'}, "
                "which is not supported"
            )
        try:
            state = load_file(cached_file(self.name, f"{folder}/model.safetensors"))
        except OSError:
            path = cached_file(self.name, f"{folder}/pytorch_model.bin")
            state = torch.load(path, weights_only=True, map_location="cpu")
        layer = torch.nn.Linear(
            settings["in_features"], settings["out_features"], settings.get("bias", True)
        )
        layer.load_state_dict(
            {name.removeprefix("linear."): value for name, value in state.items()}
        )
        dense = torch.nn.Sequential(layer, getattr(torch.nn, activation)())
        return dense.eval().to(self.model.device)

    def _read_length(self) -> tuple[int, bool]:
        settings = self.model.json("sentence_bert_config.json") or {}
        limit = settings.get("max_seq_length") or self.model.longest_input
        return limit, bool(settings.get("do_lower_case"))

    def _read_prefixes(self) -> tuple[str, str]:
        prompts = (self.model.json("config_sentence_transformers.json") or {}).get("prompts") or {}
        query = prompts.get("query", "")
        passage = prompts.get("passage") or prompts.get("document") or ""
        if query or passage:
            return query, passage
        base = Path(self.name).name.lower()
        for pattern, query, passage in _PREFIXES:
            if re.search(pattern, base):
                return query, passage
        return "", ""


def pool(hidden: Any, mask: Any, pooling: str) -> Any:
    """Pools hidden states [b, t, d] with a mask [b, t] to [b, d]. Padding is on the right."""
    import torch

    if pooling == "cls":
        return hidden[:, 0]
    if pooling == "lasttoken":
        last = mask.sum(dim=1).clamp(min=1) - 1
        return hidden[torch.arange(len(hidden), device=hidden.device), last]
    wide = mask.unsqueeze(-1)
    if pooling == "max":
        return hidden.masked_fill(wide == 0, float("-inf")).amax(dim=1)
    return (hidden * wide).sum(dim=1) / wide.sum(dim=1).clamp(min=1)
