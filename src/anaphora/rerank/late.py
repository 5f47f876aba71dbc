"""Late interaction: question and passage meet token by token (Khattab and Zaharia, "ColBERT", SIGIR
2020)."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from anaphora.errors import ModelUnavailable
from anaphora.passage import Passage, Query
from anaphora.rerank.scoring import Asked, by_pair

_TOKENS_PER_BATCH = 8192
_LONGEST = 512
_CHARACTERS_PER_TOKEN = 64
_PROJECTION = "linear.weight"


class LateInteraction:
    """Token vectors of any Hugging Face encoder, by name or local folder.

    The score is MaxSim (equation 3): for each token of the question the cosine of the passage's
    nearest token, here their mean, so that it lies in -1..1. The projection that ColBERT
    checkpoints and those of PyLate hold is applied, and the markers of questions and passages that
    they name are put first; questions are not filled up with masks.

    Args:
        model: a name on the Hugging Face hub, or a folder.
        notify: is told in one line that the model is being loaded.

    Raises:
        ModelUnavailable: transformers or torch is not installed, or the model cannot be loaded.
    """

    name = "late"

    def __init__(self, model: str, notify: Callable[[str], None] = lambda _: None) -> None:
        try:
            import torch
            import transformers
        except ImportError as error:
            raise ModelUnavailable(
                f'the encoder {model} needs transformers and torch: `pip install "anaphora[hf]"`'
            ) from error
        notify(f"loading {model}")
        folder = Path(model).expanduser()
        place = str(folder.resolve()) if folder.is_dir() else model
        try:
            self._tokenizer = transformers.AutoTokenizer.from_pretrained(place)
            network = transformers.AutoModel.from_pretrained(place)
        except (OSError, ValueError, ImportError, KeyError) as error:
            reason = str(error).strip().split("\n")[0]
            raise ModelUnavailable(f"the encoder {model} cannot be loaded ({reason})") from error
        if network.config.is_encoder_decoder:
            network = network.get_encoder()
        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        self._network = network.eval().to(self._device)
        weight = _projection(place)
        self._projection = None if weight is None else weight.float().to(self._device)
        self._markers = _markers(place)
        places = getattr(network.config, "max_position_embeddings", None) or _LONGEST
        known = self._tokenizer.model_max_length
        self.max_tokens = min(_LONGEST, known if known <= places else max(places - 2, 1))

    def score(self, asked: Sequence[Asked]) -> list[list[float] | None]:
        return by_pair(asked, self._score)

    def _score(self, pairs: Sequence[tuple[Query, Passage]]) -> list[float]:
        if not pairs:
            return []
        questions = list(dict.fromkeys(query.text for query, _ in pairs))
        passages = list(dict.fromkeys(passage.searched_text for _, passage in pairs))
        asked = dict(zip(questions, self._vectors(questions, 0), strict=True))
        said = dict(zip(passages, self._vectors(passages, 1), strict=True))
        scores = []
        for query, passage in pairs:
            nearest = (asked[query.text] @ said[passage.searched_text].T).amax(dim=1)
            scores.append(float(nearest.mean()))
        return scores

    def _vectors(self, texts: Sequence[str], role: int) -> list[Any]:
        """Unit vectors of each text's tokens, [t, d], by its role: 0 asks, 1 answers."""
        marker = self._markers[role]
        marked = [marker] if marker and marker in self._tokenizer.get_vocab() else []
        extra = self._tokenizer.convert_tokens_to_ids(marked)
        cut = [text[: self.max_tokens * _CHARACTERS_PER_TOKEN] for text in texts]
        ids = [
            [*one[:1], *extra, *one[1:]]
            for one in self._tokenizer(
                cut, truncation=True, max_length=max(1, self.max_tokens - len(extra))
            )["input_ids"]
        ]
        found: list[Any] = [None] * len(texts)
        rows = sorted(range(len(ids)), key=lambda row: -len(ids[row]))
        while rows:
            size = max(1, _TOKENS_PER_BATCH // max(1, len(ids[rows[0]])))
            batch, rows = rows[:size], rows[size:]
            for row, vectors in zip(batch, self._run([ids[row] for row in batch]), strict=True):
                found[row] = vectors
        return found

    def _run(self, ids: Sequence[Sequence[int]]) -> list[Any]:
        import torch

        longest = len(ids[0])
        tokens = torch.full((len(ids), longest), self._tokenizer.pad_token_id or 0)
        mask = torch.zeros_like(tokens)
        for row, one in enumerate(ids):
            tokens[row, : len(one)] = torch.tensor(one)
            mask[row, : len(one)] = 1
        tokens, mask = tokens.to(self._device), mask.to(self._device)
        with torch.inference_mode():
            hidden = self._network(input_ids=tokens, attention_mask=mask).last_hidden_state.float()
            if self._projection is not None:
                hidden = hidden @ self._projection.T
            unit = torch.nn.functional.normalize(hidden, dim=-1).cpu()
        return [unit[row, : len(one)] for row, one in enumerate(ids)]


def _projection(place: str) -> Any:
    """The matrix [d, hidden] that a ColBERT checkpoint ends in; None for any other encoder."""
    from safetensors import safe_open

    def weight(file: str) -> Any:
        path = _file(place, file)
        if path is None:
            return None
        with safe_open(path, "pt") as tensors:
            names = set(tensors.keys())
            return tensors.get_tensor(_PROJECTION) if _PROJECTION in names else None

    for module in _json(place, "modules.json") or []:
        if module["type"].endswith("Dense"):
            return weight(f"{module['path']}/model.safetensors")
    return weight("model.safetensors")


def _markers(place: str) -> tuple[str, str]:
    """The tokens that stand before questions and before passages; empty where there are none."""
    settings = _json(place, "config_sentence_transformers.json") or {}
    if "query_prefix" in settings:
        return settings["query_prefix"].strip(), settings.get("document_prefix", "").strip()
    settings = _json(place, "artifact.metadata") or {}
    return settings.get("query_token_id", ""), settings.get("doc_token_id", "")


def _json(place: str, name: str) -> Any:
    path = _file(place, name)
    return None if path is None else json.loads(Path(path).read_text(encoding="utf-8"))


def _file(place: str, name: str) -> str | None:
    from transformers.utils import cached_file

    try:
        path: str | None = cached_file(place, name)
    except OSError:
        return None
    return path
