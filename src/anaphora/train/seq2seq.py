"""Trains a sequence-to-sequence rewriter as abstractive-conversational-search §4.2 does: T5-base on
CANARD for 4,000 steps of 256 examples at a rate of 1e-4."""

from __future__ import annotations

import logging
import os
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from anaphora.datasets.example import Example
from anaphora.errors import AnaphoraError
from anaphora.evaluate.cache import Progress
from anaphora.models.pretrained import load
from anaphora.models.seq2seq import CLASS, WHAT
from anaphora.rewrite.seq2seq import CONTEXT, INPUT_TOKENS, OUTPUT_TOKENS, TURN, model_input

logger = logging.getLogger(__name__)

_STATE = "training.pt"
_TOLD_EVERY = 100


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to train; the defaults are the paper's.

    Attributes:
        steps: updates of the weights.
        batch: examples that one of them averages over.
        at_once: as many of these go through the model together; it changes memory, not results.
        rate: the learning rate, the same throughout.
        save_every: steps after which the state of training is kept.
        seed: of the order of the examples and of dropout.
    """

    steps: int = 4000
    batch: int = 256
    at_once: int = 8
    rate: float = 1e-4
    save_every: int = 100
    seed: int = 7


def train_seq2seq(
    examples: Sequence[Example],
    base_model: str,
    out: Path,
    recipe: Recipe | None = None,
    progress: Progress = lambda *_: None,
) -> Path:
    """Trains `base_model` to turn each example's question into its first rewrite.

    Stopped at any time, the same call goes on from the state last kept in `out`, and ends with the
    weights that it would have had without the stop; more steps may be asked for later.

    Args:
        base_model: the name of a model on the Hugging Face hub, or a folder.
        out: becomes a model's folder, for `Seq2SeqRewriter`.
        progress: is told what is being done, how far it is, and how far it goes.

    Returns:
        `out`.

    Raises:
        AnaphoraError: no example can be learned from, or `out` holds another training's state.
        ModelUnavailable: the base model cannot be loaded.
    """
    import torch

    recipe = recipe or Recipe()
    base = load(WHAT, base_model, CLASS)
    tokenizer, model = base.tokenizer, base.network
    added = tokenizer.add_special_tokens({"additional_special_tokens": [CONTEXT, TURN]})
    if added:
        torch.manual_seed(recipe.seed)
        model.resize_token_embeddings(max(len(tokenizer), model.config.vocab_size))
    pairs = _pairs(examples, tokenizer)
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=recipe.rate, weight_decay=0.0)
    what = {**asdict(recipe), "base_model": base_model, "pairs": len(pairs)}
    out.mkdir(parents=True, exist_ok=True)
    began = _resume(out / _STATE, what, model, optimizer)
    for step in range(began, recipe.steps):
        torch.manual_seed(recipe.seed + step)
        rows = _rows(step, len(pairs), recipe)
        loss = _update(model, optimizer, tokenizer, [pairs[row] for row in rows], recipe.at_once)
        done = step + 1
        progress("training", done, recipe.steps)
        if done % _TOLD_EVERY == 0 or done == recipe.steps:
            logger.info(f"step {done} of {recipe.steps}, loss {loss:.3f}")
        if done % recipe.save_every == 0 or done == recipe.steps:
            _keep(out / _STATE, {**what, "step": done}, model, optimizer)
    model.save_pretrained(out)
    tokenizer.save_pretrained(out)
    return out


def _pairs(examples: Sequence[Example], tokenizer: Any) -> list[tuple[str, str]]:
    """Inputs and targets; questions too long to be written again are left out."""

    def count(text: str) -> int:
        return len(tokenizer(text, add_special_tokens=False)["input_ids"])

    pairs = []
    for example in examples:
        told = model_input(example.conversation, count) if example.rewrites else None
        if told and example.rewrites[0].strip():
            pairs.append((told[0], " ".join(example.rewrites[0].split())))
    if not pairs:
        raise AnaphoraError("none of the examples has a question and a rewrite to learn from")
    return pairs


def _rows(step: int, count: int, recipe: Recipe) -> list[int]:
    """The examples of one step: every epoch is a random order of all of them."""
    rows: list[int] = []
    for place in range(step * recipe.batch, (step + 1) * recipe.batch):
        epoch, row = divmod(place, count)
        if not rows or row == 0:
            order = list(range(count))
            random.Random(f"{recipe.seed} {epoch}").shuffle(order)
        rows.append(order[row])
    return rows


def _update(
    model: Any, optimizer: Any, tokenizer: Any, pairs: Sequence[tuple[str, str]], at_once: int
) -> float:
    """One step; its loss is the mean over all target tokens, however they are divided."""
    import torch

    ordered = sorted(pairs, key=lambda pair: len(pair[0]))
    groups = [ordered[at : at + at_once] for at in range(0, len(ordered), at_once)]
    batches = [_batch(tokenizer, group) for group in groups]
    tokens = sum(int((batch["labels"] != -100).sum()) for batch in batches)
    total = 0.0
    optimizer.zero_grad(set_to_none=True)
    for batch in batches:
        given = {name: value.to(model.device) for name, value in batch.items()}
        logits = model(**given).logits
        loss = torch.nn.functional.cross_entropy(
            logits.flatten(0, 1).float(), given["labels"].flatten(), reduction="sum"
        )
        (loss / tokens).backward()
        total += float(loss.detach())
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return total / tokens


def _batch(tokenizer: Any, pairs: Sequence[tuple[str, str]]) -> dict[str, Any]:
    inputs, targets = zip(*pairs, strict=True)
    given = tokenizer(
        list(inputs), truncation=True, max_length=INPUT_TOKENS, padding=True, return_tensors="pt"
    )
    wanted = tokenizer(
        text_target=list(targets),
        truncation=True,
        max_length=OUTPUT_TOKENS,
        padding=True,
        return_tensors="pt",
    )
    labels = wanted["input_ids"].masked_fill(wanted["attention_mask"] == 0, -100)
    return {
        "input_ids": given["input_ids"],
        "attention_mask": given["attention_mask"],
        "labels": labels,
    }


def _resume(path: Path, what: dict[str, Any], model: Any, optimizer: Any) -> int:
    """Takes up the state kept at `path`, if there is one: how many steps were done."""
    import torch

    if not path.exists():
        return 0
    state = torch.load(path, map_location=model.device, weights_only=True)
    for name in ("base_model", "pairs", "batch", "rate", "seed"):
        if state["what"][name] != what[name]:
            raise AnaphoraError(
                f"{path} holds a training with {name} {state['what'][name]!r}, not "
                f"{what[name]!r}: remove it or name another folder"
            )
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    step: int = state["what"]["step"]
    return step


def _keep(path: Path, what: dict[str, Any], model: Any, optimizer: Any) -> None:
    import torch

    part = path.with_suffix(".part")
    state = {"what": what, "model": model.state_dict(), "optimizer": optimizer.state_dict()}
    torch.save(state, part)
    os.replace(part, path)
