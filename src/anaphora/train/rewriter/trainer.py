"""Trains the default rewriter.

The run can be stopped at any time and begun again with the same call: what the shared layers made
of the examples is kept beside the weights, and so is the state of training, every few minutes.
"""

from __future__ import annotations

import json
import logging
import math
import pickle
import random
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch

from anaphora.models.backbone import SHARED_LAYERS, Backbone
from anaphora.models.weights import Weights
from anaphora.rewrite.linking.decoding import Thresholds
from anaphora.rewrite.linking.heads import Heads
from anaphora.train import examples as sources
from anaphora.train.alignment import Labels, closed_set
from anaphora.train.batches import assemble, shuffled
from anaphora.train.features import Features, Labeller, Prepared, compute, prepare, relabel
from anaphora.train.finish import finish
from anaphora.train.folder import DATA, Log, digest
from anaphora.train.folder import prepare as prepare_folder
from anaphora.train.network import Linker, head_arrays
from anaphora.train.talks import FOLDER as TALKS
from anaphora.train.trial import Trial, measure

logger = logging.getLogger(__name__)

Progress = Callable[[str, int, int], None]

_TRIED = 120
"""Examples of the tuning part that show during training how it goes."""


@dataclass(frozen=True)
class Recipe:
    """What training does; docs/models/ says how the shipped weights were made.

    Attributes:
        epochs: how often each example is seen.
        tokens: of a batch, about.
        layers_rate, heads_rate: learning rates of the four layers and of the heads.
        warmup: steps until the rates are reached.
        fall: at the end of every epoch the rates fall to nothing, over this share of all steps
            until then; so a run of two epochs goes through the weights of a run of one.
        decay: of the weights, by AdamW.
        average: the share of the averaged weights that a step keeps.
        phrase_at_least, phrases: in how many talks a phrase of the closed set must occur, and how
            many phrases a language may have.
        talks, official: how often an epoch goes through the talks that were written for it, and
            through the official dialogues of CANARD.
        limit: examples of each group that are learned from, 0 for all.
    """

    epochs: float = 2.0
    tokens: int = 4000
    layers_rate: float = 2e-4
    heads_rate: float = 1e-3
    warmup: int = 80
    fall: float = 0.4
    decay: float = 0.01
    average: float = 0.999
    dropout: float = 0.1
    phrase_at_least: int = 4
    phrases: int = 150
    talks: int = 3
    official: int = 2
    seed: int = 7
    limit: int = 0


def train_rewriter(
    data: Path,
    out: Path,
    recipe: Recipe | None = None,
    progress: Progress = lambda *_: None,
) -> Path:
    """Trains on the sets in `data` and leaves log and training state in `out`.

    Args:
        progress: is told what is being done, how far it is, and how far it goes.

    Returns:
        The folder with the weights as they are shipped.

    Raises:
        UsageError: a data set is not in `data`, or `out` cannot be made or holds a training by
            another recipe; only the epochs may change.
        MalformedData: one is damaged.
    """
    recipe = recipe or Recipe()
    sources.check(data)
    # The epochs alone may change: a longer training goes through a shorter one's weights.
    told = {name: value for name, value in asdict(recipe).items() if name != "epochs"}
    learnt = [data / file for file in sources.FILES] + sorted(TALKS.glob("*.txt"))
    prepare_folder(out, told | {DATA: digest(learnt)})
    log = Log(out / "log.jsonl")
    torch.manual_seed(recipe.seed)
    labeller = Labeller(Backbone().tokenizer)
    began = time.time()
    rough = _laid_out(data, out, labeller, recipe)
    everything = [one for group in rough.values() for one in group]
    talks: dict[str, dict[str, list[Labels]]] = defaultdict(lambda: defaultdict(list))
    for one in everything:
        example = one.example
        talk = example.tags.get("dialogue") or example.id.rsplit("-", 1)[0]
        talks[one.lang][talk].append(one.labels)
    phrases = {
        lang: closed_set(talks[lang].values(), recipe.phrase_at_least, recipe.phrases)
        for lang in sorted(talks)
    }
    known = sorted({text for texts in phrases.values() for text in texts})
    numbers = {text: number for number, text in enumerate(known, 1)}
    groups = {name: relabel(group, labeller, phrases) for name, group in rough.items()}
    kept = [one for group in groups.values() for one in group]
    log(
        "labelled",
        examples={name: len(group) for name, group in groups.items()},
        tokens={name: sum(len(one.layout.ids) for one in group) for name, group in groups.items()},
        phrases={lang: len(texts) for lang, texts in phrases.items() if texts},
        missed=sum(one.labels.missed for one in kept),
        inserted=sum(one.labels.inserted for one in kept),
        seconds=round(time.time() - began),
    )
    (out / "phrases.json").write_text(
        json.dumps({"known": known, "languages": phrases}, ensure_ascii=False), "utf-8"
    )
    backbone = Backbone()
    features = Features([], [])
    repeats = {"talks": recipe.talks, "official": recipe.official}
    for name, group in groups.items():
        part = compute(group, backbone, out / f"{name}.f16", partial(progress, f"encoding {name}"))
        features += part * repeats.get(name, 1)
    tune = Trial(sources.tuning(data)[:_TRIED], labeller, backbone)
    model = Linker(
        Weights(), range(SHARED_LAYERS, Weights().sizes.layers), len(known), recipe.dropout
    )
    _fit(model, features, numbers, phrases, tune, recipe, out, log, progress)
    return finish(data, out)


def _laid_out(
    data: Path, out: Path, labeller: Labeller, recipe: Recipe
) -> dict[str, list[Prepared]]:
    """The examples by group, from the file that an earlier start left."""
    path = out / "examples.pickle"
    if path.exists():
        with path.open("rb") as file:
            kept: dict[str, list[Prepared]] = pickle.load(file)
            return kept
    rough = {
        name: prepare(found[: recipe.limit or None], labeller, None)
        for name, found in sources.training(data, recipe.seed).items()
    }
    with (out / "examples.new").open("wb") as file:
        pickle.dump(rough, file)
    (out / "examples.new").replace(path)
    return rough


def _fit(
    model: Linker,
    features: Features,
    numbers: Mapping[str, int],
    phrases: Mapping[str, Sequence[str]],
    tune: Trial,
    recipe: Recipe,
    out: Path,
    log: Log,
    progress: Progress,
) -> None:
    rounds = [
        shuffled(features, recipe.tokens, random.Random(recipe.seed + epoch))
        for epoch in range(math.ceil(recipe.epochs))
    ]
    plan = [group for groups in rounds for group in groups]
    plan = plan[: round(recipe.epochs * len(rounds[0]))]
    optimizer = torch.optim.AdamW(
        [
            {"params": list(model.layers.parameters()), "lr": recipe.layers_rate},
            {
                "params": [*model.marks.parameters(), *model.heads.parameters()],
                "lr": recipe.heads_rate,
            },
        ],
        weight_decay=recipe.decay,
    )
    ends = [min(len(rounds[0]) * (epoch + 1), len(plan)) for epoch in range(len(rounds))]
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: rate(step, ends, recipe.warmup, recipe.fall)
    )
    average = {name: value.detach().clone() for name, value in model.state_dict().items()}
    step = _resume(out, model, optimizer, schedule, average)
    saved = time.time()
    sums: dict[str, float] = {}
    model.train()
    for number in range(step, len(plan)):
        batch = assemble(features, plan[number], numbers)
        parts = model.losses(batch)
        loss = torch.stack(list(parts.values())).sum()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        keep = min(recipe.average, (number + 1) / (number + 10))
        with torch.no_grad():
            for name, value in model.state_dict().items():
                average[name].lerp_(value, 1 - keep)
        for name, part in parts.items():
            sums[name] = sums.get(name, 0.0) + float(part.detach())
        done = number + 1
        progress("training", done, len(plan))
        if done % 50 == 0 or done == len(plan):
            log("step", step=done, of=len(plan), **{k: round(v / 50, 4) for k, v in sums.items()})
            sums = {}
        last = done == len(plan)
        if done % max(1, len(plan) // 4) == 0 or last:
            scores = trial_of(model, average, phrases, numbers, tune)
            log("tune", step=done, **scores)
            logger.info(
                f"step {done:,}: BLEU-4 {scores['bleu'][3]}, EM {scores['em']} "
                f"on {_TRIED} held-out turns"
            )
            model.train()
        if time.time() - saved > 240 or last:
            _save(out, model, optimizer, schedule, average, done)
            saved = time.time()


def rate(step: int, ends: Sequence[int], warmup: int, fall: float) -> float:
    """The share of the full learning rate at a step, where epochs end before the steps `ends`.

    >>> [rate(step, (10, 20), 1, 0.4) for step in (0, 6, 8, 9, 12, 16, 20)]
    [1.0, 1.0, 0.5, 0.25, 1.0, 0.5, 0.0]
    """
    end = next((end for end in ends if step < end), ends[-1])
    return min(1.0, (step + 1) / warmup, max(0, end - step) / max(1, round(fall * end)))


def trial_of(
    model: Linker,
    average: dict[str, Any],
    phrases: Mapping[str, Sequence[str]],
    numbers: Mapping[str, int],
    tune: Trial,
    thresholds: Thresholds | None = None,
) -> dict[str, Any]:
    """Scores of the averaged weights on a trial set."""
    current = {name: value.detach().clone() for name, value in model.state_dict().items()}
    model.load_state_dict(average)
    model.eval()
    heads = Heads(head_arrays(model))
    scores = measure(model, heads, phrases, numbers, tune, thresholds or Thresholds())
    model.load_state_dict(current)
    return scores


def _save(out: Path, model: Any, optimizer: Any, schedule: Any, average: Any, step: int) -> None:
    state = {
        "model": model.state_dict(),
        "optimizer": optimizer.state_dict(),
        "schedule": schedule.state_dict(),
        "average": average,
        "step": step,
    }
    torch.save(state, out / "state.new")
    (out / "state.new").replace(out / "state.pt")
    torch.save(average, out / "linker.pt")


def _resume(out: Path, model: Any, optimizer: Any, schedule: Any, average: Any) -> int:
    path = out / "state.pt"
    if not path.exists():
        return 0
    state = torch.load(path)
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    schedule.load_state_dict(state["schedule"])
    average.update(state["average"])
    return int(state["step"])
