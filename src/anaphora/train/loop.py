"""The training loop that all trainers share: seeded, logged, and resumable from checkpoints."""

from __future__ import annotations

import json
import logging
import pickle
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import torch
from torch import Tensor, nn

from anaphora.errors import UsageError
from anaphora.models.card import checksum
from anaphora.protocols import Progress, no_progress

logger = logging.getLogger(__name__)

CHECKPOINT = "state.pt"
_DATA = "data"
_LOG_INTERVAL = 50
_CLIPPED_NORM = 1.0
_SEED_FACTOR = 1_000_003

Item = TypeVar("Item")
Batch = TypeVar("Batch")
Result = TypeVar("Result")

Batches = Callable[[int], Iterable[tuple[int, Batch]]]
"""The batches from a position on, each with the position after it. A position counts steps or
questions, whatever the trainer's learning rate depends on."""


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """The settings that every trainer has. A trainer extends them with its own.

    Attributes:
        seed: seed of the initial weights, of the order of the examples and of dropout.
        batch: size of a batch, in tokens or in examples.
        learning_rate: full learning rate of the pre-trained layers.
        warmup: positions over which the learning rates rise to their full values.
        weight_decay: weight decay of AdamW.
        average: decay of the exponential moving average of the weights; 0 for no average.
        checkpoint_seconds: seconds between two checkpoints.
    """

    seed: int = 7
    batch: int
    learning_rate: float
    warmup: int = 0
    weight_decay: float = 0.01
    average: float = 0.999
    checkpoint_seconds: float = 240.0


class Run:
    """The folder of one training run: its recipe, its log, its checkpoint and prepared data.

    Args:
        folder: is created if it does not exist.
        recipe: is written to the folder, or compared with the recipe that is there.
        data: the files that the run learns from, whose digest is compared too, or a digest.
        may_change: settings that may differ when a run is continued.
        other: further values to compare.

    Raises:
        UsageError: the folder cannot be created, or holds a run with another recipe or other data.
    """

    def __init__(
        self,
        folder: Path,
        recipe: Recipe,
        data: Iterable[Path] | str = (),
        may_change: Collection[str] = (),
        **other: Any,
    ) -> None:
        self.folder = folder
        self._start = time.time()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            reason = error.strerror or error
            raise UsageError(f"the folder {folder} cannot be created: {reason}") from error
        settings = (
            asdict(recipe) | other | {_DATA: data if isinstance(data, str) else _digest(data)}
        )
        for name in ("checkpoint_seconds", *may_change):
            del settings[name]
        path = folder / "recipe.json"
        if not path.exists():
            path.write_text(json.dumps(settings, indent=1) + "\n", "utf-8")
            return
        known, settings = json.loads(path.read_text("utf-8")), json.loads(json.dumps(settings))
        changed = [
            "other data" if name == _DATA else f"{name} {known.get(name)}"
            for name in settings
            if settings[name] != known.get(name)
        ]
        if changed:
            raise UsageError(
                f"{folder} holds a training run with {', '.join(changed)}; choose another folder, "
                "or delete this one"
            )

    def log(self, event: str, **values: Any) -> None:
        """Appends a line of JSON to log.jsonl."""
        record = {"event": event, "seconds": round(time.time() - self._start), **values}
        with (self.folder / "log.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")

    def stored(self, name: str, compute: Callable[[], Result]) -> Result:
        """The result of `compute`, read from a file of the folder if an earlier start wrote it."""
        path = self.folder / f"{name}.pickle"
        if not path.exists():
            part = path.with_suffix(".part")
            with part.open("wb") as file:
                pickle.dump(compute(), file)
            part.replace(path)
        with path.open("rb") as file:
            result: Result = pickle.load(file)
        return result


def _digest(files: Iterable[Path]) -> str:
    """SHA-256 of the checksums of files, in their order."""
    return sha256("".join(map(checksum, files)).encode()).hexdigest()


def in_steps(plan: Sequence[Item], assemble: Callable[[Item], Batch]) -> Batches[Batch]:
    """The batches of a plan with one item a step."""

    def batches(start: int) -> Iterator[tuple[int, Batch]]:
        for number in range(start, len(plan)):
            yield number + 1, assemble(plan[number])

    return batches


def decayed_rate(position: int, ends: Sequence[int], warmup: int, decay: float) -> float:
    """The fraction of the full learning rate of the step that ends at `position`.

    It rises over `warmup` steps. Epochs end at the positions `ends`; at the end of each it falls to
    0, over the fraction `decay` of all steps until then, so that a run of two epochs passes through
    the weights of a run of one.

    >>> [decayed_rate(position, (10, 20), 1, 0.4) for position in (1, 7, 9, 10, 13, 17, 21)]
    [1.0, 1.0, 0.5, 0.25, 1.0, 0.5, 0.0]
    """
    step = position - 1
    end = next((end for end in ends if step < end), ends[-1])
    return min(1.0, position / warmup, max(0, end - step) / max(1, round(decay * end)))


def train(
    run: Run,
    recipe: Recipe,
    model: nn.Module,
    groups: Sequence[Mapping[str, Any]],
    batches: Batches[Batch],
    losses: Callable[[Batch], Iterable[Mapping[str, Tensor]]],
    total: int,
    rate: Callable[[int], float] = lambda position: 1.0,
    *,
    evaluate: Callable[[], Mapping[str, Any]] | None = None,
    evaluations: int = 1,
    clipped: Iterable[nn.Parameter] | None = None,
    progress: Progress = no_progress,
) -> None:
    """Trains a model with AdamW, from the last checkpoint of the run if there is one.

    An interrupted run that is continued ends with the weights of one that was not interrupted:
    dropout is seeded by the number of the step. At the end the model has the averaged weights and
    is in evaluation mode.

    Args:
        groups: parameter groups of the optimizer, each with its full learning rate "lr".
        losses: the named parts of a batch's loss; a batch that does not fit into memory gives
            several of them, whose gradients are summed.
        total: the position at which training ends.
        rate: the fraction of the full learning rates for the batch that ends at a position.
        evaluate: figures of the model, called with the averaged weights in it.
        evaluations: how often it is called.
        clipped: the parameters whose gradients are clipped to a norm of 1; all by default.
    """
    trained = {name: one for name, one in model.named_parameters() if one.requires_grad}
    clipped = list(trained.values() if clipped is None else clipped)
    optimizer = torch.optim.AdamW(groups, weight_decay=recipe.weight_decay)
    full = [group["lr"] for group in optimizer.param_groups]
    average = (
        {name: one.detach().clone() for name, one in trained.items()} if recipe.average else {}
    )
    path = run.folder / CHECKPOINT
    step, start = _resume(path, trained, optimizer, average)
    evaluated, saved = start, time.monotonic()
    sums: dict[str, float] = defaultdict(float)
    model.train()
    for position, batch in batches(start) if start < total else ():
        torch.manual_seed(recipe.seed * _SEED_FACTOR + step)
        for group, learning_rate in zip(optimizer.param_groups, full, strict=True):
            group["lr"] = learning_rate * rate(position)
        optimizer.zero_grad(set_to_none=True)
        for parts in losses(batch):
            torch.stack(list(parts.values())).sum().backward()
            for name, part in parts.items():
                sums[name] += float(part.detach())
        nn.utils.clip_grad_norm_(clipped, _CLIPPED_NORM)
        optimizer.step()
        step += 1
        keep = min(recipe.average, step / (step + 9))
        with torch.no_grad():
            for name, mean in average.items():
                mean.lerp_(trained[name], 1 - keep)
        sums["steps"] += 1
        last = position >= total
        progress("training", min(position, total), total)
        if step % _LOG_INTERVAL == 0 or last:
            count = sums.pop("steps")
            means = {name: round(value / count, 4) for name, value in sums.items()}
            run.log("step", step=step, position=position, of=total, **means)
            logger.info("%d of %d: loss %.3f", position, total, sum(means.values()))
            sums.clear()
        interval = max(1, total // evaluations)
        if evaluate and (position // interval > evaluated // interval or last):
            evaluated = position
            own = {name: one.detach().clone() for name, one in trained.items()}
            _assign(trained, average)
            model.eval()
            run.log("evaluation", position=position, **evaluate())
            _assign(trained, own)
            model.train()
        if time.monotonic() - saved > recipe.checkpoint_seconds or last:
            _save(path, step, position, trained, optimizer, average)
            saved = time.monotonic()
        if last:
            break
    _assign(trained, average)
    model.eval()


def _assign(parameters: Mapping[str, nn.Parameter], values: Mapping[str, Tensor]) -> None:
    with torch.no_grad():
        for name, value in values.items():
            parameters[name].copy_(value)


def _save(
    path: Path,
    step: int,
    position: int,
    trained: Mapping[str, nn.Parameter],
    optimizer: torch.optim.Optimizer,
    average: Mapping[str, Tensor],
) -> None:
    state = {
        "step": step,
        "position": position,
        "model": {name: one.detach() for name, one in trained.items()},
        "optimizer": optimizer.state_dict(),
        "average": dict(average),
    }
    part = path.with_suffix(".part")
    torch.save(state, part)
    part.replace(path)


def _resume(
    path: Path,
    trained: Mapping[str, nn.Parameter],
    optimizer: torch.optim.Optimizer,
    average: Mapping[str, Tensor],
) -> tuple[int, int]:
    """Restores a checkpoint, if there is one; returns its step and its position."""
    if not path.exists():
        return 0, 0
    state = torch.load(path, map_location="cpu", weights_only=True)
    _assign(trained, state["model"])
    optimizer.load_state_dict(state["optimizer"])
    for name, value in state["average"].items():
        average[name].copy_(value)
    return int(state["step"]), int(state["position"])
