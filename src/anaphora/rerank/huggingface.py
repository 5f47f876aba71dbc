"""Reranking by any Hugging Face cross-encoder (abstractive-conversational-search §3.2): monoBERT,
XLM-R, bge-reranker, …"""

from __future__ import annotations

from collections.abc import Sequence

from anaphora.errors import ModelUnavailable
from anaphora.models.pretrained import by_length, cut, load
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
        self._model = load("cross-encoder", model, "AutoModelForSequenceClassification")
        tokenizer, config = self._model.tokenizer, self._model.network.config
        if self._model.missing:
            raise ModelUnavailable(
                f"the model {model} is not a cross-encoder: it has no trained head for pairs"
            )
        if config.num_labels > 2:
            raise ModelUnavailable(
                f"the cross-encoder {model} has {config.num_labels} classes; one that reranks has "
                "one or two"
            )
        if tokenizer.pad_token is None:
            tokenizer.pad_token = tokenizer.eos_token
            config.pad_token_id = tokenizer.pad_token_id
        self.max_tokens = min(_LONGEST, self._model.longest_input)

    def score(self, candidates: Sequence[Candidates]) -> list[list[Score] | None]:
        """The probability of relevance of each passage, in 0..1."""
        return by_pair(candidates, self._score)

    def _score(self, pairs: Sequence[tuple[Query, Passage]]) -> list[float]:
        if not pairs:
            return []
        encoded = self._model.tokenizer(
            cut([query.text for query, _ in pairs], self.max_tokens),
            cut([passage.searched_text for _, passage in pairs], self.max_tokens),
            truncation="longest_first",
            max_length=self.max_tokens,
        )
        scores = [0.0] * len(pairs)
        for batch in by_length(list(map(len, encoded["input_ids"])), _TOKENS_PER_BATCH):
            inputs = {name: [values[row] for row in batch] for name, values in encoded.items()}
            for row, score in zip(batch, self._probabilities(inputs), strict=True):
                scores[row] = score
        return scores

    def _probabilities(self, inputs: dict[str, list[list[int]]]) -> list[float]:
        import torch

        padded = self._model.tokenizer.pad(inputs, return_tensors="pt").to(self._model.device)
        with torch.inference_mode():
            logits = self._model.network(**padded).logits.double()
        relevant = logits.softmax(-1)[:, 1] if logits.shape[1] == 2 else logits[:, 0].sigmoid()
        found: list[float] = relevant.tolist()
        return found
