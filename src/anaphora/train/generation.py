"""Training of sequence-to-sequence models on pairs of input and target."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NamedTuple

import torch
from torch import Tensor

from anaphora.models.seq2seq import encoded
from anaphora.protocols import Progress, no_progress
from anaphora.train import loop


@dataclass(frozen=True, kw_only=True)
class Recipe(loop.Recipe):
    """How a sequence-to-sequence model is trained: with a constant learning rate, without averaged
    weights.

    Attributes:
        steps: updates of the weights.
        batch: examples of an update.
        at_once: how many of these the model processes at a time; it changes the memory that is
            used, and not the result.
        input_tokens, output_tokens: longer texts are truncated.
    """

    steps: int
    at_once: int = 8
    learning_rate: float = 1e-4
    weight_decay: float = 0.0
    average: float = 0.0
    input_tokens: int = 512
    output_tokens: int


MAY_CHANGE = ("steps", "at_once")
"""Settings that may differ when a run is continued."""


class Pair(NamedTuple):
    """Texts that are encoded one by one and decoded together, and what the model should write."""

    texts: tuple[str, ...]
    target: str


def digest(pairs: Sequence[Pair]) -> str:
    """Identifies pairs, for `loop.Run`."""
    return sha256(repr([tuple(pair) for pair in pairs]).encode()).hexdigest()


def train(
    run: loop.Run,
    recipe: Recipe,
    model: Any,
    tokenizer: Any,
    pairs: Sequence[Pair],
    progress: Progress = no_progress,
) -> None:
    """Trains a model on pairs, and writes it and its tokenizer to the folder of the run."""
    loop.train(
        run,
        recipe,
        model,
        [{"params": list(model.parameters()), "lr": recipe.learning_rate}],
        loop.in_steps(range(recipe.steps), lambda step: _rows(step, len(pairs), recipe)),
        lambda rows: _losses(model, tokenizer, [pairs[row] for row in rows], recipe),
        recipe.steps,
        progress=progress,
    )
    model.save_pretrained(run.folder)
    tokenizer.save_pretrained(run.folder)


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
    model: Any, tokenizer: Any, pairs: Sequence[Pair], recipe: Recipe
) -> Iterator[dict[str, Tensor]]:
    """The parts of a batch, whose sum is the mean loss over all target tokens of the batch."""
    ordered = sorted(pairs, key=lambda pair: sum(map(len, pair.texts)))
    groups = [ordered[at : at + recipe.at_once] for at in range(0, len(ordered), recipe.at_once)]
    labels = [_labels(tokenizer, group, recipe) for group in groups]
    tokens = sum(int((one != -100).sum()) for one in labels)
    for group, targets in zip(groups, labels, strict=True):
        ids = [
            tokenizer(list(pair.texts), truncation=True, max_length=recipe.input_tokens)[
                "input_ids"
            ]
            for pair in group
        ]
        states, mask = encoded(model, ids)
        wanted = targets.to(model.device)
        logits = model(encoder_outputs=(states,), attention_mask=mask, labels=wanted).logits
        loss = torch.nn.functional.cross_entropy(
            logits.flatten(0, 1).float(), wanted.flatten(), reduction="sum"
        )
        yield {"loss": loss / tokens}


def _labels(tokenizer: Any, pairs: Sequence[Pair], recipe: Recipe) -> Tensor:
    """The token ids of the targets [b, t], -100 where there is none."""
    target = tokenizer(
        text_target=[pair.target for pair in pairs],
        truncation=True,
        max_length=recipe.output_tokens,
        padding=True,
        return_tensors="pt",
    )
    ids: Tensor = target["input_ids"]
    return ids.masked_fill(target["attention_mask"] == 0, -100)
