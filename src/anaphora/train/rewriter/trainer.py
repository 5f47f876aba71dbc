"""Trains the default rewriter. An interrupted run is continued by the same call."""

from __future__ import annotations

import logging
import random
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

from anaphora.datasets.example import Example
from anaphora.models.backbone import SHARED_LAYERS, Backbone
from anaphora.models.card import read_card
from anaphora.models.weights import Weights
from anaphora.protocols import Progress, no_progress
from anaphora.rewrite.linking.decoding import Thresholds
from anaphora.rewrite.linking.model import CARD, HEADS, LAYERS
from anaphora.rewrite.linking.phrases import PhraseSet
from anaphora.train import loop
from anaphora.train.corpora import canard_official, check
from anaphora.train.export import read_tensors
from anaphora.train.rewriter import examples as sources
from anaphora.train.rewriter.alignment import Labels, closed_set
from anaphora.train.rewriter.batches import assemble, epochs
from anaphora.train.rewriter.evaluation import bleu_and_exact_match, scored
from anaphora.train.rewriter.features import (
    Features,
    Labeller,
    Prepared,
    compute,
    prepare,
    relabel,
)
from anaphora.train.rewriter.network import Linker
from anaphora.train.rewriter.thresholds import tune_and_export
from anaphora.train.text import TrainingText

logger = logging.getLogger(__name__)

_EVALUATED = 120
"""Turns of the tuning part that are rewritten during training."""
_EVALUATIONS = 4


@dataclass(frozen=True, kw_only=True)
class Recipe(loop.Recipe):
    """How the rewriter is trained; docs/models/rewriter.md says how the shipped weights were.

    Attributes:
        epochs: passes over the examples.
        batch: tokens of a batch, about.
        heads_learning_rate: full learning rate of the heads.
        decay: fraction of the steps over which the learning rates fall at the end of every epoch.
        dropout: of the node vectors and in the heads.
        input_dropout: of the hidden states that the layers read.
        phrase_at_least, phrases: in how many conversations a phrase of the closed set must occur,
            and how many phrases a language may have.
        conversations, follow_ups, official: how often an epoch has the conversations that were
            written for the rewriter, those about manuals, and the official dialogues of CANARD.
        limit: most examples of each group but the conversations about real manuals, drawn at
            random; 0 for all.
    """

    epochs: float = 2.0
    batch: int = 4000
    learning_rate: float = 2e-4
    heads_learning_rate: float = 1e-3
    warmup: int = 80
    decay: float = 0.4
    dropout: float = 0.1
    input_dropout: float = 0.0
    phrase_at_least: int = 4
    phrases: int = 150
    conversations: int = 3
    follow_ups: int = 3
    official: int = 2
    limit: int = 0


CONTINUED = Recipe(
    learning_rate=1e-4,
    heads_learning_rate=3e-4,
    decay=0.9,
    average=0.99,
    dropout=0.3,
    input_dropout=0.2,
    conversations=1,
    follow_ups=2,
    official=1,
    limit=1500,
)
"""From weights that were trained before, which know most examples by heart."""


def train_rewriter(
    data: Path,
    text: TrainingText,
    out: Path,
    recipe: Recipe | None = None,
    start: Path | None = None,
    progress: Progress = no_progress,
) -> Path:
    """Trains on the data sets in `data` and on `text`; `out` gets the log and the checkpoints.

    Args:
        start: a folder of weights to continue from, whose closed sets are kept.

    Returns:
        The folder with the weights as they are shipped.

    Raises:
        UsageError: a data set is not in `data`, or `out` cannot be created or holds a run with
            another recipe; only the epochs may change.
        MalformedData: a data set is damaged.
    """
    recipe = recipe or (CONTINUED if start else Recipe())
    check(data, sources.FILES)
    files = [data / file for file in sources.FILES]
    for folder in (text.conversations, text.follow_ups):
        files += sorted(folder.glob("*.txt"))
    files += sorted(text.dialogues.glob("*.jsonl"))
    if start:
        files += [start / LAYERS, start / HEADS]
    run = loop.Run(out, recipe, [*files, text.templates], may_change=("epochs",))
    torch.manual_seed(recipe.seed)
    backbone = Backbone()
    labeller = Labeller(backbone.tokenizer)
    began = time.time()
    unlabelled = run.stored(
        "examples",
        lambda: {
            name: prepare(group if name == "dialogues" else _drawn(group, recipe), labeller, None)
            for name, group in sources.training(data, text, recipe.seed).items()
        },
    )
    if start:
        card = read_card(start / CARD, "rewriter")
        phrases, known = card["languages"], card["phrases"]
    else:
        phrases = _closed_sets(unlabelled, recipe)
        known = sorted({phrase for texts in phrases.values() for phrase in texts})
    groups = {name: relabel(group, labeller, phrases) for name, group in unlabelled.items()}
    labels = [one.labels for group in groups.values() for one in group]
    run.log(
        "labelled",
        examples={name: len(group) for name, group in groups.items()},
        tokens={name: sum(len(one.layout.ids) for one in group) for name, group in groups.items()},
        phrases={lang: len(texts) for lang, texts in phrases.items() if texts},
        missed=sum(one.missed for one in labels),
        inserted=sum(one.inserted for one in labels),
        preparation=round(time.time() - began),
    )
    features = Features([], [])
    repeats = {
        "conversations": recipe.conversations,
        "follow-ups": recipe.follow_ups,
        "official": recipe.official,
    }
    for name, group in groups.items():
        part = compute(group, backbone, out / f"{name}.f16", partial(progress, f"encoding {name}"))
        features += part * repeats.get(name, 1)
    held_out = prepare(canard_official(data, "tune")[:_EVALUATED], labeller, None)
    tuning = Features(held_out, [backbone.hidden([one.layout.ids.tolist()])[0] for one in held_out])
    weights = Weights()
    own = range(SHARED_LAYERS, weights.sizes.layers)
    model = Linker(weights, own, len(known), recipe.dropout, recipe.input_dropout)
    if start:
        _load(model, start)
    closed = PhraseSet(known, phrases)

    def evaluate() -> Mapping[str, Any]:
        rewrites = scored(model, tuning, closed).rewrites(Thresholds())
        figures = bleu_and_exact_match(rewrites, [one.example.rewrites[0] for one in held_out])
        logger.info(
            f"BLEU-4 {figures['bleu'][3]}, EM {figures['em']} on {len(held_out)} held-out turns"
        )
        return figures

    sizes = [len(one.layout.ids) for one in features.prepared]
    plan, ends = epochs(sizes, recipe.batch, recipe.epochs, recipe.seed)
    numbers = {phrase: number for number, phrase in enumerate(known, 1)}
    loop.train(
        run,
        recipe,
        model,
        [
            {"params": list(model.layers.parameters()), "lr": recipe.learning_rate},
            {
                "params": [*model.marks.parameters(), *model.heads.parameters()],
                "lr": recipe.heads_learning_rate,
            },
        ],
        loop.in_steps(plan, lambda rows: assemble(features, rows, numbers)),
        lambda batch: [model.losses(batch)],
        len(plan),
        lambda position: loop.decayed_rate(position, ends, recipe.warmup, recipe.decay),
        evaluate=evaluate,
        evaluations=_EVALUATIONS,
        progress=progress,
    )
    return tune_and_export(model, known, phrases, data, text, out / "weights")


def _drawn(group: Sequence[Example], recipe: Recipe) -> Sequence[Example]:
    if not recipe.limit or len(group) <= recipe.limit:
        return group
    return random.Random(recipe.seed).sample(group, recipe.limit)


def _load(model: Linker, folder: Path) -> None:
    """Gives a network the weights in a folder."""
    state = read_tensors(folder / LAYERS, "linker")
    for name, array in np.load(folder / HEADS).items():
        kind = "marks" if name in model.marks else "heads"
        state[f"{kind}.{name.replace('.', '_')}"] = array.astype(np.float32)
    model.load_state_dict({name: torch.from_numpy(one.copy()) for name, one in state.items()})


def _closed_sets(
    groups: Mapping[str, Sequence[Prepared]], recipe: Recipe
) -> dict[str, tuple[str, ...]]:
    """The phrases of each language that occur in enough conversations."""
    labels: dict[str, dict[str, list[Labels]]] = defaultdict(lambda: defaultdict(list))
    for group in groups.values():
        for one in group:
            example = one.example
            dialogue = example.tags.get("dialogue") or example.id.rsplit("-", 1)[0]
            labels[one.lang][dialogue].append(one.labels)
    return {
        lang: closed_set(labels[lang].values(), recipe.phrase_at_least, recipe.phrases)
        for lang in sorted(labels)
    }
