"""Hugging Face models of any kind: loading by name or folder, input length, batches."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anaphora.errors import ModelUnavailable

logger = logging.getLogger(__name__)

_CHARACTERS_PER_TOKEN = 64
_DEFAULT_TOKENS = 512


@dataclass(frozen=True, slots=True)
class Pretrained:
    """A tokenizer and a network on its device, ready to run.

    Attributes:
        place: the folder, or the name on the hub.
        missing: the weights of the network that the files lack.
    """

    place: str
    tokenizer: Any
    network: Any
    device: str
    missing: frozenset[str]

    @property
    def longest_input(self) -> int:
        """The maximum number of input tokens; 512 if neither network nor tokenizer defines it."""
        places = getattr(self.network.config, "max_position_embeddings", None) or _DEFAULT_TOKENS
        known: int = self.tokenizer.model_max_length
        # The RoBERTa family does not use the first positions.
        return known if known <= places else max(min(_DEFAULT_TOKENS, places - 2), 1)

    def padded(self, ids: Sequence[Sequence[int]]) -> tuple[Any, Any]:
        """Tokens and mask [b, t] on the device, padded on the right."""
        tokens, mask = padded(ids, self.tokenizer.pad_token_id or 0)
        return tokens.to(self.device), mask.to(self.device)

    def file(self, name: str) -> str | None:
        """The path of a file of the model, or None if there is none of that name."""
        from transformers.utils import cached_file

        try:
            path: str | None = cached_file(self.place, name)
        except OSError:
            return None
        return path

    def json(self, name: str) -> Any:
        """The content of a JSON file of the model, or None if there is none of that name."""
        path = self.file(name)
        return None if path is None else json.loads(Path(path).read_text(encoding="utf-8"))


def load(what: str, name: str, architecture: str = "AutoModel", **options: Any) -> Pretrained:
    """Loads a model by its name on the hub or from a folder.

    "AutoModel" loads only the encoder of an encoder-decoder model.

    Args:
        what: the kind of model in error messages, such as "encoder".
        architecture: the class of transformers that loads it.
        options: further arguments of its `from_pretrained`, such as a quantization.

    Raises:
        ModelUnavailable: transformers or torch is not installed, or the model cannot be loaded.
    """
    try:
        import torch
        import transformers
    except ImportError as error:
        raise ModelUnavailable(
            f'the {what} {name} needs transformers and torch: `pip install "anaphora[hf]"`'
        ) from error
    logger.info(f"loading {name}")
    folder = Path(name).expanduser()
    place = str(folder.resolve()) if folder.is_dir() else name
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(place)
        network, about = getattr(transformers, architecture).from_pretrained(
            place, output_loading_info=True, **options
        )
    except (OSError, ValueError, ImportError, KeyError) as error:
        reason = str(error).strip().split("\n")[0]
        raise ModelUnavailable(f"the {what} {name} cannot be loaded ({reason})") from error
    if architecture == "AutoModel" and network.config.is_encoder_decoder:
        network = network.get_encoder()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    missing = frozenset(about["missing_keys"])
    if "quantization_config" not in options:  # which moves the weights itself
        network = network.to(device)
    return Pretrained(place, tokenizer, network.eval(), device, missing)


def padded(ids: Sequence[Sequence[int]], pad: int) -> tuple[Any, Any]:
    """Tokens and mask [b, t], padded on the right."""
    import torch

    longest = max([1, *map(len, ids)])
    tokens = torch.full((len(ids), longest), pad)
    mask = torch.zeros_like(tokens)
    for row, one in enumerate(ids):
        tokens[row, : len(one)] = torch.tensor(one)
        mask[row, : len(one)] = 1
    return tokens, mask


def cut(texts: Sequence[str], tokens: int) -> list[str]:
    """Texts shortened to what their first `tokens` tokens can hold at most."""
    return [text[: tokens * _CHARACTERS_PER_TOKEN] for text in texts]


def by_length(lengths: Sequence[int], tokens: int) -> Iterator[list[int]]:
    """Row numbers in batches of similar length and at most `tokens` tokens, the longest first.

    >>> list(by_length([3, 9, 4], 9))
    [[1], [2, 0]]
    """
    rows = sorted(range(len(lengths)), key=lambda row: -lengths[row])
    while rows:
        size = max(1, tokens // max(1, lengths[rows[0]]))
        yield rows[:size]
        rows = rows[size:]
