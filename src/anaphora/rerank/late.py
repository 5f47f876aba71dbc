"""Late interaction: question and passage meet token by token (Khattab and Zaharia, "ColBERT", SIGIR
2020)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from anaphora.models.pretrained import Pretrained, by_length, cut, load
from anaphora.records import Passage, Query
from anaphora.rerank.scoring import Candidates, Score, by_pair

_TOKENS_PER_BATCH = 8192
_LONGEST = 512
_PROJECTION = "linear.weight"


class LateInteraction:
    """Token vectors of any Hugging Face encoder, by name or local folder.

    The score is MaxSim (equation 3): for each token of the question the cosine of the passage's
    nearest token, here their mean, so that it lies in -1..1. The projection that ColBERT
    checkpoints and those of PyLate hold is applied, and the markers of questions and passages that
    they name are put first; questions are not filled up with masks.

    Args:
        model: a name on the Hugging Face hub, or a folder.

    Raises:
        ModelUnavailable: transformers or torch is not installed, or the model cannot be loaded.
    """

    name = "late"

    def __init__(self, model: str) -> None:
        self._model = load("encoder", model)
        weight = _projection(self._model)
        self._projection = None if weight is None else weight.float().to(self._model.device)
        self._markers = _markers(self._model)
        self.max_tokens = min(_LONGEST, self._model.longest_input)

    def score(self, candidates: Sequence[Candidates]) -> list[list[Score] | None]:
        return by_pair(candidates, self._score)

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
        tokenizer = self._model.tokenizer
        marked = [marker] if marker and marker in tokenizer.get_vocab() else []
        extra = tokenizer.convert_tokens_to_ids(marked)
        ids = [
            [*one[:1], *extra, *one[1:]]
            for one in tokenizer(
                cut(texts, self.max_tokens),
                truncation=True,
                max_length=max(1, self.max_tokens - len(extra)),
            )["input_ids"]
        ]
        found: list[Any] = [None] * len(texts)
        for batch in by_length(list(map(len, ids)), _TOKENS_PER_BATCH):
            for row, vectors in zip(batch, self._run([ids[row] for row in batch]), strict=True):
                found[row] = vectors
        return found

    def _run(self, ids: Sequence[Sequence[int]]) -> list[Any]:
        import torch

        tokens, mask = self._model.padded(ids)
        with torch.inference_mode():
            network = self._model.network
            hidden = network(input_ids=tokens, attention_mask=mask).last_hidden_state.float()
            if self._projection is not None:
                hidden = hidden @ self._projection.T
            unit = torch.nn.functional.normalize(hidden, dim=-1).cpu()
        return [unit[row, : len(one)] for row, one in enumerate(ids)]


def _projection(model: Pretrained) -> Any:
    """The matrix [d, hidden] that a ColBERT checkpoint ends in; None for any other encoder."""
    from safetensors import safe_open

    def weight(file: str) -> Any:
        path = model.file(file)
        if path is None:
            return None
        with safe_open(path, "pt") as tensors:
            names = set(tensors.keys())
            return tensors.get_tensor(_PROJECTION) if _PROJECTION in names else None

    for module in model.json("modules.json") or []:
        if module["type"].endswith("Dense"):
            return weight(f"{module['path']}/model.safetensors")
    return weight("model.safetensors")


def _markers(model: Pretrained) -> tuple[str, str]:
    """The tokens that stand before questions and before passages; empty where there are none."""
    settings = model.json("config_sentence_transformers.json") or {}
    if "query_prefix" in settings:
        return settings["query_prefix"].strip(), settings.get("document_prefix", "").strip()
    settings = model.json("artifact.metadata") or {}
    return settings.get("query_token_id", ""), settings.get("doc_token_id", "")
