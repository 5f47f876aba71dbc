"""Training that can be stopped at any time and goes on where it was."""

from __future__ import annotations

import logging
import math
import os
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from anaphora.errors import AnaphoraError
from anaphora.train.batches import by_length
from anaphora.train.features import Prepared
from anaphora.train.linking.model import Model, Probe

logger = logging.getLogger(__name__)

_STATE = "state.pt"
_SAVED_EVERY = 120.0
_TOLD_EVERY = 50


@dataclass(frozen=True, slots=True)
class Recipe:
    """What is trained, and how.

    Attributes:
        encoder: "backbone", "bilstm", or a Hugging Face model.
        csf, rcf: which probing features the scores get.
        epochs: passes over the training part.
        tokens: of one batch, about.
        rate: the encoder's learning rate; 0 for its own.
        heads_rate: that of the heads.
        fall: over which last share of the steps the rates fall to 0.
        average: how much of the averaged weights each step keeps.
        hidden: the BiLSTM's units in each direction.
        phrase_at_least, phrases: how often a phrase of the closed set occurs, and their number.
        seed: of everything that is drawn.
    """

    encoder: str = "backbone"
    csf: bool = False
    rcf: bool = False
    epochs: float = 4.0
    tokens: int = 2000
    rate: float = 0.0
    heads_rate: float = 1e-3
    warmup: int = 50
    fall: float = 0.5
    decay: float = 0.01
    average: float = 0.998
    hidden: int = 600
    phrase_at_least: int = 12
    phrases: int = 300
    seed: int = 7

    @property
    def features(self) -> tuple[int, ...]:
        """Which rows of the probes are used: 0 is CSF, 1 is RCF."""
        return tuple(number for number, used in enumerate((self.csf, self.rcf)) if used)


def fit(
    model: Model,
    train: Sequence[Prepared],
    probes: Sequence[Probe] | None,
    phrases: Mapping[str, int],
    recipe: Recipe,
    out: Path,
) -> None:
    """Trains `model` and leaves in it the averaged weights.

    Raises:
        AnaphoraError: `out` holds the state of a training with another recipe.
    """
    plan = _plan([len(one.layout.ids) for one in train], recipe)
    encoder = [one for one in model.encoder.parameters() if one.requires_grad]
    optimizer = torch.optim.AdamW(
        [
            {"params": encoder, "lr": recipe.rate or model.encoder.rate},
            {"params": list(model.heads.parameters()), "lr": recipe.heads_rate},
            {"params": [model.factors], "lr": 10 * recipe.heads_rate, "weight_decay": 0.0},
        ],
        weight_decay=recipe.decay,
    )
    fall = max(1, round(recipe.fall * len(plan)))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer,
        lambda step: min(1.0, (step + 1) / recipe.warmup, max(0, len(plan) - step) / fall),
    )
    average = {name: one.detach().clone() for name, one in model.named_parameters()}
    parts = {"model": model, "optimizer": optimizer, "schedule": schedule}
    step, average = _resume(out / _STATE, parts, average, recipe)
    saved = began = time.time()
    total, first = 0.0, step
    model.train()
    for number in range(step, len(plan)):
        torch.manual_seed(recipe.seed * 1_000_003 + number)
        rows = plan[number]
        used = None if probes is None else [probes[row] for row in rows]
        losses = model.losses([train[row] for row in rows], used, phrases)
        loss = torch.stack(list(losses.values())).sum()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        keep = min(recipe.average, (number + 1) / (number + 10))
        with torch.no_grad():
            for name, one in model.named_parameters():
                if one.requires_grad:
                    average[name].lerp_(one, 1 - keep)
        total += float(loss.detach())
        done = number + 1
        if done % _TOLD_EVERY == 0 or done == len(plan):
            count = done - number // _TOLD_EVERY * _TOLD_EVERY
            spent = (time.time() - began) / (done - first)
            logger.info(
                f"step {done} of {len(plan)}, loss {total / count:.3f}, {spent:.2f} s a step"
            )
            total = 0.0
        if time.time() - saved > _SAVED_EVERY or done == len(plan):
            _keep(out / _STATE, parts, average, recipe, done)
            saved = time.time()
    with torch.no_grad():
        for name, one in model.named_parameters():
            one.copy_(average[name])
    model.eval()


def _plan(sizes: Sequence[int], recipe: Recipe) -> list[list[int]]:
    """The examples of every step."""
    rounds = [
        by_length(sizes, recipe.tokens, random.Random(recipe.seed + epoch))
        for epoch in range(math.ceil(recipe.epochs))
    ]
    plan = [group for groups in rounds for group in groups]
    return plan[: max(1, round(recipe.epochs * len(rounds[0])))]


def _resume(
    path: Path, parts: Mapping[str, Any], average: dict[str, Any], recipe: Recipe
) -> tuple[int, dict[str, Any]]:
    if not path.exists():
        return 0, average
    state = torch.load(path)
    other = {name for name, value in asdict(recipe).items() if state["recipe"].get(name) != value}
    if other:
        raise AnaphoraError(
            f"{path} holds a training with another {', '.join(sorted(other))}: remove it or name "
            "another folder"
        )
    for name, part in parts.items():
        part.load_state_dict(state[name])
    return int(state["step"]), state["average"]


def _keep(
    path: Path, parts: Mapping[str, Any], average: Mapping[str, Any], recipe: Recipe, step: int
) -> None:
    state = {name: part.state_dict() for name, part in parts.items()}
    new = path.with_suffix(".new")
    torch.save({**state, "average": dict(average), "recipe": asdict(recipe), "step": step}, new)
    os.replace(new, path)
