"""Causal language models for the probing features: any by name, or a small one trained here."""

from __future__ import annotations

import logging
import random
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from anaphora.errors import ModelUnavailable
from anaphora.rewrite.tokenization import Range
from anaphora.train.rewriter.batches import by_length
from research.node_linking.tokens import SPECIAL, Subwords

logger = logging.getLogger(__name__)

_TEXT_TOKENS = 128
_BEGIN = "<s>"


class Causal:
    """Next-token distributions of a causal language model with a fast tokenizer.

    Args:
        name: of a model on the Hugging Face hub, or its folder.

    Raises:
        ModelUnavailable: it cannot be loaded.
    """

    def __init__(self, name: str) -> None:
        from transformers import AutoModelForCausalLM, AutoTokenizer

        try:
            tokenizer = AutoTokenizer.from_pretrained(name, use_fast=True)
            self._network: Any = AutoModelForCausalLM.from_pretrained(name, dtype=torch.float32)
        except (OSError, ValueError) as error:
            raise ModelUnavailable(
                f"the causal language model {name!r} cannot be loaded: pass its folder, a name on "
                "a hub that can be reached, or leave --causal out to train a small one "
                f"({str(error).splitlines()[0]})"
            ) from error
        self._network.eval()
        self._ranges = Subwords(tokenizer)
        begin = tokenizer.bos_token_id
        self._begin = int(tokenizer.eos_token_id or 0) if begin is None else int(begin)
        self.identity = f"{name} {_checksum(Path(name))}"

    def tokens(self, text: str) -> tuple[list[int], list[Range]]:
        """The ids of the beginning of a text, and the character range of each."""
        ids, ranges = self._ranges.encode_ranges(text, _TEXT_TOKENS)
        return [number - SPECIAL for number in ids], ranges

    def distributions(self, texts: Sequence[Sequence[int]]) -> list[Tensor]:
        """Log-probabilities of the next token at the beginning and after each id of each text:
        float32 [1 + t, v]."""
        rows = [torch.tensor([self._begin, *ids]) for ids in texts]
        ids = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True)
        mask = torch.arange(ids.shape[1])[None] < torch.tensor([len(row) for row in rows])[:, None]
        with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
            scores = self._network(input_ids=ids, attention_mask=mask.long()).logits
        return [
            functional.log_softmax(scores[number, : len(row)].float(), dim=-1)
            for number, row in enumerate(rows)
        ]


@dataclass(frozen=True, slots=True)
class Shape:
    """The small model and its training."""

    vocabulary: int = 8000
    width: int = 192
    layers: int = 3
    heads: int = 6
    epochs: int = 2
    tokens: int = 4000
    rate: float = 2e-3


def train_causal(texts: Sequence[str], folder: Path, seed: int, shape: Shape | None = None) -> Path:
    """Trains a small GPT-2 with a WordPiece tokenizer on `texts`, unless `folder` has a model.

    Returns:
        `folder`, which `Causal` and any program for Hugging Face models can load.
    """
    from transformers import GPT2Config, GPT2LMHeadModel

    if (folder / "config.json").exists():
        return folder
    shape = shape or Shape()
    new = folder.with_name(folder.name + ".new")
    shutil.rmtree(new, ignore_errors=True)
    tokenizer = _pieces(texts, shape.vocabulary)
    tokenizer.save_pretrained(new)
    torch.manual_seed(seed)
    model = GPT2LMHeadModel(
        GPT2Config(
            vocab_size=len(tokenizer),
            n_positions=_TEXT_TOKENS + 1,
            n_embd=shape.width,
            n_layer=shape.layers,
            n_head=shape.heads,
            bos_token_id=tokenizer.bos_token_id,
            eos_token_id=tokenizer.bos_token_id,
        )
    )
    begin = tokenizer.bos_token_id
    coded = tokenizer(
        list(texts), add_special_tokens=False, truncation=True, max_length=_TEXT_TOKENS - 1
    )["input_ids"]
    rows = [torch.tensor([begin, *ids, begin]) for ids in coded]
    plan = [
        group
        for epoch in range(shape.epochs)
        for group in by_length(
            [len(row) for row in rows], shape.tokens, random.Random(seed + epoch)
        )
    ]
    optimizer = torch.optim.AdamW(model.parameters(), lr=shape.rate, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, shape.rate, len(plan) + 1)
    model.train()
    for step, group in enumerate(plan, 1):
        ids = torch.nn.utils.rnn.pad_sequence(
            [rows[row] for row in group], batch_first=True, padding_value=-100
        )
        with torch.autocast("cpu", torch.bfloat16):
            scores = model(input_ids=ids.clamp(min=0)).logits
        loss = functional.cross_entropy(scores[:, :-1].float().flatten(0, 1), ids[:, 1:].flatten())
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        if step % 50 == 0 or step == len(plan):
            logger.info(
                f"causal model: step {step} of {len(plan)}, loss {float(loss.detach()):.3f}"
            )
    model.save_pretrained(new)
    logger.info(
        f"causal model: {sum(one.numel() for one in model.parameters())} parameters, "
        f"{asdict(shape)}"
    )
    shutil.rmtree(folder, ignore_errors=True)
    new.rename(folder)
    return folder


def _pieces(texts: Sequence[str], size: int) -> Any:
    """A WordPiece tokenizer; each Chinese character is a word."""
    import tokenizers
    from transformers import PreTrainedTokenizerFast

    pieces = tokenizers.Tokenizer(tokenizers.models.WordPiece(unk_token="<unk>"))
    pieces.normalizer = tokenizers.normalizers.BertNormalizer(strip_accents=False)
    pieces.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    pieces.train_from_iterator(
        texts,
        tokenizers.trainers.WordPieceTrainer(
            vocab_size=size, special_tokens=[_BEGIN, "<unk>"], show_progress=False
        ),
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=pieces, bos_token=_BEGIN, eos_token=_BEGIN, unk_token="<unk>"
    )


def _checksum(folder: Path) -> str:
    """The digest of a folder's weights, which identifies the model in the cache."""
    found = sha256()
    for file in sorted(folder.glob("*.safetensors")) if folder.is_dir() else ():
        found.update(file.read_bytes())
    return found.hexdigest()
