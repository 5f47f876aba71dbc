"""Reranking by any Hugging Face cross-encoder (abstractive-conversational-search §3.2): monoBERT,
XLM-R, bge-reranker, …"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from anaphora.errors import ModelUnavailable
from anaphora.models.pretrained import Pretrained, by_length, cut, load
from anaphora.records import Passage, Query
from anaphora.rerank.scoring import Candidates, Score, by_pair

_TOKENS_PER_BATCH = 8192
_LONGEST = 512
"""Tokens of question and passage: more is cut off at the end of the longer one."""


class HuggingFaceCrossEncoder:
    """A sequence classifier that reads question and passage together, by name or local folder.

    The score is the probability that the passage is relevant: of two classes the second one's, by
    the softmax of equation 3; of one, its sigmoid.

    Args:
        model: a name on the Hugging Face hub, or a folder.

    Raises:
        ModelUnavailable: transformers or torch is not installed, or the model cannot be loaded, has
            no trained head, or more than two classes.
    """

    name = "crossencoder"

    def __init__(self, model: str) -> None:
        self._model = load_classifier(model)
        if self._model.missing:
            raise ModelUnavailable(
                f"the model {model} is not a cross-encoder: it has no trained head for pairs"
            )
        self.max_tokens = longest(self._model)

    def score(self, candidates: Sequence[Candidates]) -> list[list[Score] | None]:
        """The probability of relevance of each passage, in 0..1."""
        return by_pair(candidates, self._score)

    def _score(self, pairs: Sequence[tuple[Query, Passage]]) -> list[float]:
        if not pairs:
            return []
        read = encoded(self._model.tokenizer, pairs, self.max_tokens)
        scores = [0.0] * len(pairs)
        for batch in by_length(list(map(len, read["input_ids"])), _TOKENS_PER_BATCH):
            inputs = {name: [values[row] for row in batch] for name, values in read.items()}
            for row, score in zip(batch, self._probabilities(inputs), strict=True):
                scores[row] = score
        return scores

    def _probabilities(self, inputs: dict[str, list[list[int]]]) -> list[float]:
        import torch

        padded = self._model.tokenizer.pad(inputs, return_tensors="pt").to(self._model.device)
        with torch.inference_mode():
            logits = self._model.network(**padded).logits.double()
        found: list[float] = log_odds(logits).sigmoid().tolist()
        return found


def load_classifier(model: str) -> Pretrained:
    """A sequence classifier of one or two classes; its head may be untrained.

    Raises:
        ModelUnavailable: as `HuggingFaceCrossEncoder`, but for the head.
    """
    loaded = load("cross-encoder", model, "AutoModelForSequenceClassification")
    tokenizer, config = loaded.tokenizer, loaded.network.config
    if config.num_labels > 2:
        raise ModelUnavailable(
            f"the cross-encoder {model} has {config.num_labels} classes; one that reranks has "
            "one or two"
        )
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
        config.pad_token_id = tokenizer.pad_token_id
    return loaded


def longest(model: Pretrained) -> int:
    """The number of tokens of question and passage that are read."""
    return min(_LONGEST, model.longest_input)


def encoded(
    tokenizer: Any, pairs: Sequence[tuple[Query, Passage]], max_tokens: int
) -> dict[str, list[list[int]]]:
    """The inputs of the network for pairs, by name."""
    read: dict[str, list[list[int]]] = tokenizer(
        cut([query.text for query, _ in pairs], max_tokens),
        cut([passage.searched_text for _, passage in pairs], max_tokens),
        truncation="longest_first",
        max_length=max_tokens,
    )
    return read


def log_odds(logits: Any) -> Any:
    """Log-odds of relevance [n] of logits [n, 1] or [n, 2]."""
    return logits[:, 1] - logits[:, 0] if logits.shape[1] == 2 else logits[:, 0]
