"""Trains a sequence-to-sequence rewriter.

The defaults are those of Ferreira et al. (2021), "Open-Domain Conversational Search Assistant with
Transformers", section 4.2: T5-base on CANARD, 4,000 steps of 256 examples, a learning rate of 1e-4.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from anaphora.datasets.example import Example
from anaphora.errors import AnaphoraError
from anaphora.models.pretrained import load
from anaphora.models.seq2seq import CLASS, WHAT
from anaphora.protocols import Progress, no_progress
from anaphora.rewrite.seq2seq import CONTEXT, INPUT_TOKENS, OUTPUT_TOKENS, TURN, model_input
from anaphora.train import loop


@dataclass(frozen=True, kw_only=True)
class Recipe(loop.Recipe):
    """How a sequence-to-sequence rewriter is trained: with a constant learning rate, without
    averaged weights.

    Attributes:
        steps: updates of the weights.
        batch: examples of an update.
        at_once: how many of these the model processes at a time; it changes the memory that is
            used, and not the result.
    """

    steps: int = 4000
    batch: int = 256
    at_once: int = 8
    learning_rate: float = 1e-4
    weight_decay: float = 0.0
    average: float = 0.0


def train_seq2seq(
    examples: Sequence[Example],
    base_model: str,
    out: Path,
    recipe: Recipe | None = None,
    progress: Progress = no_progress,
) -> Path:
    """Trains `base_model` to turn each example's question into its first rewrite.

    An interrupted run that is continued by the same call ends with the weights that it would have
    had without the interruption. A finished run can be continued with more steps.

    Args:
        base_model: the name of a model on the Hugging Face hub, or a folder.
        out: becomes the folder of a model, for `Seq2SeqRewriter`.

    Returns:
        `out`.

    Raises:
        AnaphoraError: no example can be learned from.
        UsageError: `out` holds a run with another recipe.
        ModelUnavailable: the base model cannot be loaded.
    """
    recipe = recipe or Recipe()
    base = load(WHAT, base_model, CLASS)
    tokenizer, model = base.tokenizer, base.network
    added = tokenizer.add_special_tokens({"additional_special_tokens": [CONTEXT, TURN]})
    if added:
        torch.manual_seed(recipe.seed)
        model.resize_token_embeddings(max(len(tokenizer), model.config.vocab_size))
    pairs = _pairs(examples, tokenizer)
    may_change = ("steps", "at_once")
    run = loop.Run(out, recipe, (), may_change, base_model=base_model, pairs=len(pairs))
    loop.train(
        run,
        recipe,
        model,
        [{"params": list(model.parameters()), "lr": recipe.learning_rate}],
        loop.in_steps(range(recipe.steps), lambda step: _rows(step, len(pairs), recipe)),
        lambda rows: _losses(model, tokenizer, [pairs[row] for row in rows], recipe.at_once),
        recipe.steps,
        progress=progress,
    )
    model.save_pretrained(out)
    tokenizer.save_pretrained(out)
    return out


def _pairs(examples: Sequence[Example], tokenizer: Any) -> list[tuple[str, str]]:
    """Inputs and targets, without the questions that are too long to be rewritten."""

    def count(text: str) -> int:
        return len(tokenizer(text, add_special_tokens=False)["input_ids"])

    pairs = []
    for example in examples:
        source = model_input(example.conversation, count) if example.rewrites else None
        if source and example.rewrites[0].strip():
            pairs.append((source[0], " ".join(example.rewrites[0].split())))
    if not pairs:
        raise AnaphoraError("none of the examples has a question and a rewrite to learn from")
    return pairs


def _rows(step: int, count: int, recipe: Recipe) -> list[int]:
    """The numbers of the examples of one step; each epoch is a random order of all."""
    rows: list[int] = []
    for place in range(step * recipe.batch, (step + 1) * recipe.batch):
        epoch, row = divmod(place, count)
        if not rows or row == 0:
            order = list(range(count))
            random.Random(f"{recipe.seed} {epoch}").shuffle(order)
        rows.append(order[row])
    return rows


def _losses(
    model: Any, tokenizer: Any, pairs: Sequence[tuple[str, str]], at_once: int
) -> Iterator[dict[str, Tensor]]:
    """The parts of a batch, whose sum is the mean loss over all target tokens of the batch."""
    ordered = sorted(pairs, key=lambda pair: len(pair[0]))
    groups = [ordered[at : at + at_once] for at in range(0, len(ordered), at_once)]
    batches = [_batch(tokenizer, group) for group in groups]
    tokens = sum(int((batch["labels"] != -100).sum()) for batch in batches)
    for batch in batches:
        inputs = {name: value.to(model.device) for name, value in batch.items()}
        logits = model(**inputs).logits
        loss = torch.nn.functional.cross_entropy(
            logits.flatten(0, 1).float(), inputs["labels"].flatten(), reduction="sum"
        )
        yield {"loss": loss / tokens}


def _batch(tokenizer: Any, pairs: Sequence[tuple[str, str]]) -> dict[str, Any]:
    inputs, targets = zip(*pairs, strict=True)
    source = tokenizer(
        list(inputs), truncation=True, max_length=INPUT_TOKENS, padding=True, return_tensors="pt"
    )
    target = tokenizer(
        text_target=list(targets),
        truncation=True,
        max_length=OUTPUT_TOKENS,
        padding=True,
        return_tensors="pt",
    )
    labels = target["input_ids"].masked_fill(target["attention_mask"] == 0, -100)
    return {
        "input_ids": source["input_ids"],
        "attention_mask": source["attention_mask"],
        "labels": labels,
    }
