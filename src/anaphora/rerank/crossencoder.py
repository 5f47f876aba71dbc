"""Reranking by any Hugging Face cross-encoder (abstractive-conversational-search §3.2): monoBERT,
XLM-R, bge-reranker, …"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from anaphora.errors import ModelUnavailable
from anaphora.passage import Passage, Query
from anaphora.rerank.scoring import Asked, by_pair

_TOKENS_PER_BATCH = 8192
_LONGEST = 512
"""Tokens of question and passage: more is cut off at the end of the longer one."""
_CHARACTERS_PER_TOKEN = 64


class CrossEncoder:
    """A sequence classifier that reads question and passage together, by name or local folder.

    The score is the probability that the passage is relevant: of two classes the second one's, by
    the softmax of equation 3; of one, its sigmoid.

    Args:
        model: a name on the Hugging Face hub, or a folder.
        notify: is told in one line that the model is being loaded.

    Raises:
        ModelUnavailable: transformers or torch is not installed, or the model cannot be loaded, has
            no trained head, or more than two classes.
    """

    name = "crossencoder"

    def __init__(self, model: str, notify: Callable[[str], None] = lambda _: None) -> None:
        self._tokenizer, self._model = _load(model, notify)
        import torch

        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        self._model = self._model.eval().to(self._device)
        places = getattr(self._model.config, "max_position_embeddings", None) or _LONGEST
        known = self._tokenizer.model_max_length
        # The RoBERTa family leaves the first places unused.
        self.max_tokens = min(_LONGEST, known if known <= places else max(places - 2, 1))

    def score(self, asked: Sequence[Asked]) -> list[list[float] | None]:
        """The probability of relevance of each passage, in 0..1."""
        return by_pair(asked, self._score)

    def _score(self, pairs: Sequence[tuple[Query, Passage]]) -> list[float]:
        if not pairs:
            return []
        cut = self.max_tokens * _CHARACTERS_PER_TOKEN
        encoded = self._tokenizer(
            [query.text[:cut] for query, _ in pairs],
            [passage.searched_text[:cut] for _, passage in pairs],
            truncation="longest_first",
            max_length=self.max_tokens,
        )
        lengths = [len(ids) for ids in encoded["input_ids"]]
        scores = [0.0] * len(pairs)
        rows = sorted(range(len(pairs)), key=lambda row: -lengths[row])
        while rows:
            size = max(1, _TOKENS_PER_BATCH // lengths[rows[0]])
            batch, rows = rows[:size], rows[size:]
            inputs = {name: [values[row] for row in batch] for name, values in encoded.items()}
            for row, score in zip(batch, self._probabilities(inputs), strict=True):
                scores[row] = score
        return scores

    def _probabilities(self, inputs: dict[str, list[list[int]]]) -> list[float]:
        import torch

        padded = self._tokenizer.pad(inputs, return_tensors="pt").to(self._device)
        with torch.inference_mode():
            logits = self._model(**padded).logits.double()
        relevant = logits.softmax(-1)[:, 1] if logits.shape[1] == 2 else logits[:, 0].sigmoid()
        found: list[float] = relevant.tolist()
        return found


def _load(name: str, notify: Callable[[str], None]) -> tuple[Any, Any]:
    try:
        import torch  # noqa: F401  transformers loads without it and fails later
        import transformers
    except ImportError as error:
        raise ModelUnavailable(
            f'the cross-encoder {name} needs transformers and torch: `pip install "anaphora[hf]"`'
        ) from error
    notify(f"loading {name}")
    folder = Path(name).expanduser()
    place = str(folder.resolve()) if folder.is_dir() else name
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(place)
        model, about = transformers.AutoModelForSequenceClassification.from_pretrained(
            place, output_loading_info=True
        )
    except (OSError, ValueError, ImportError, KeyError) as error:
        reason = str(error).strip().split("\n")[0]
        raise ModelUnavailable(f"the cross-encoder {name} cannot be loaded ({reason})") from error
    if about["missing_keys"]:
        raise ModelUnavailable(
            f"the model {name} is no cross-encoder: it has no trained head that judges a pair"
        )
    if model.config.num_labels > 2:
        raise ModelUnavailable(
            f"the cross-encoder {name} has {model.config.num_labels} classes; one that reranks has "
            "one or two"
        )
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
        model.config.pad_token_id = tokenizer.pad_token_id
    return tokenizer, model
