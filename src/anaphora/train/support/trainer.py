"""Trains the checker: `anaphora train support DATA OUT`.

An interrupted run is continued by the same command.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from anaphora.check.facts import unsupported_facts
from anaphora.check.model import CARD, SupportModel
from anaphora.check.sequence import Sequencer
from anaphora.check.support import REGRESSIONS, SupportChecker
from anaphora.crossencoder import model as crossencoder
from anaphora.models.backbone import shared_backbone
from anaphora.protocols import Progress, no_progress
from anaphora.train import loop
from anaphora.train.corpora import check
from anaphora.train.export import update_card
from anaphora.train.regression import logistic_regression
from anaphora.train.support.batches import batches, drawn, window
from anaphora.train.support.examples import FILES, Example, Material, claim, gathered
from anaphora.train.support.network import SupportNetwork, assemble, export
from anaphora.train.text import TrainingText

logger = logging.getLogger(__name__)

_EVALUATED = 320
_EVALUATIONS = 4
_CALIBRATED = 2400
_HARD = ("number", "name", "negation")
_HARD_SHARE = 0.7
"""Of the weight of all unsupported statements, that of those with one of the kinds `_HARD`."""
_AT_ONCE = 16
_DECAY = 0.4


@dataclass(frozen=True, kw_only=True)
class Recipe(loop.Recipe):
    """How the checker is trained; docs/models/support.md says how the shipped weights were.

    Attributes:
        claims: the number of claims. The learning rates rise over `warmup` claims, and fall to
            0 over the last two fifths.
        batch: claims of a batch.
        heads_learning_rate: full learning rate of the heads and marks.
        tokens: weight of the loss of the tokens.
    """

    claims: int = 48_000
    batch: int = 16
    learning_rate: float = 1e-4
    heads_learning_rate: float = 1e-3
    warmup: int = 1600
    tokens: float = 0.7


def train_support(
    data: Path,
    text: TrainingText,
    out: Path,
    recipe: Recipe | None = None,
    progress: Progress = no_progress,
) -> Path:
    """Trains on the data sets in `data` and on `text`; `out` gets the log and the checkpoints.

    Returns:
        The folder with the weights as they are shipped.

    Raises:
        UsageError: a data set is not in `data`, or `out` cannot be created or holds a run with
            another recipe.
        MalformedData: a data set or the text is damaged.
    """
    recipe = recipe or Recipe()
    check(data, FILES)
    judge = crossencoder.SHIPPED
    files = [data / file for file in FILES]
    files += [
        path
        for part in (text.statements, text.passages, text.manuals)
        for path in sorted(part.glob("*.txt"))
    ]
    run = loop.Run(out, recipe, [*files, judge / crossencoder.LAYERS])
    torch.manual_seed(recipe.seed)
    parts = run.stored(
        "claims",
        lambda: gathered(data, text, crossencoder.shared_crossencoder(), recipe.seed, progress),
    )
    material = parts["train"]
    sequencer = Sequencer(shared_backbone().tokenizer)
    run.log(
        "claims",
        languages=material.languages,
        statements={lang: len(found) for lang, found in sorted(material.statements.items())},
        questions={lang: len(found) for lang, found in sorted(material.asked.items())},
    )
    held_out = sample(parts["tune"], _EVALUATED, seed=0)
    model = SupportNetwork(judge, recipe.seed)

    def evaluation() -> Mapping[str, Any]:
        figures = evaluate(model, sequencer, held_out)
        logger.info("balanced accuracy %s", figures["balanced"])
        return figures

    layers = list(model.layers.parameters())
    heads = [one for name, one in model.named_parameters() if not name.startswith("layers.")]
    loop.train(
        run,
        recipe,
        model,
        [
            {"params": layers, "lr": recipe.learning_rate},
            {"params": heads, "lr": recipe.heads_learning_rate},
        ],
        lambda position: batches(
            material, sequencer, recipe.batch, recipe.seed, position, recipe.claims
        ),
        lambda batch: [model.losses(batch, recipe.tokens)],
        recipe.claims,
        lambda position: loop.decayed_rate(position, (recipe.claims,), recipe.warmup, _DECAY),
        evaluate=evaluation,
        evaluations=_EVALUATIONS,
        progress=progress,
    )
    folder = out / "weights"
    tensors = {name: one.detach().float().numpy() for name, one in model.state_dict().items()}
    export(folder, tensors)
    calibrate(folder, sample(parts["tune"], _CALIBRATED, seed=1))
    return folder


def calibrate(folder: Path, examples: Sequence[Example]) -> None:
    """Writes into the card the logistic regressions that `SupportChecker` decides by, and the
    threshold of the network alone. At log-odds of 0, and together with the rule, as large a share
    of the supported claims is kept as of the unsupported ones is caught."""
    checker = SupportChecker(SupportModel(shared_backbone(), folder))
    claims = [claim(one) for one in examples]
    signals = checker.signals(claims)
    struck = np.array([bool(unsupported_facts(one)) for one in claims])
    right = np.array([one.supported for one in examples])
    kinds = np.array([one.kind for one in examples])
    public = np.array([bool(one.set) for one in examples])
    found: dict[str, Any] = {}
    for name in REGRESSIONS:
        rows = np.array([one.regression == name for one in signals])
        values = np.array([one.values() for one in signals if one.regression == name])
        clear = ~struck[rows]
        if len(set(right[rows][clear].tolist())) < 2:
            continue
        weights = _weights(right[rows], kinds[rows], public[rows], name == "answers")
        offset, *factors = logistic_regression(
            values[clear], right[rows][clear].astype(float), weights[clear], 1.0, 0.0
        )
        odds = np.where(clear, offset + values @ factors, -np.inf)
        offset -= _threshold(odds, right[rows])
        found[name] = [round(float(one), 3) for one in (offset, *factors)]
    network = np.array([one.network for one in signals])
    update_card(folder / CARD, threshold=round(_threshold(network, right), 2), **found)


def _weights(right: np.ndarray, kinds: np.ndarray, public: np.ndarray, answers: bool) -> np.ndarray:
    """Weights of claims: supported and unsupported ones count alike. Of the latter, statements of
    each kind in `_HARD` count alike, together `_HARD_SHARE`; of answers, those to the questions of
    public data sets count half."""
    if answers:
        shares = [(one & two, 0.5) for one in (right, ~right) for two in (public, ~public)]
    else:
        shares = [(right, 1.0), (~right & ~np.isin(kinds, _HARD), 1 - _HARD_SHARE)]
        shares += [(~right & (kinds == kind), _HARD_SHARE / len(_HARD)) for kind in _HARD]
    weights = np.zeros(len(right))
    for group, share in shares:
        weights[group] = share / max(1, group.sum())
    return weights * len(right) / 2


def _threshold(odds: np.ndarray, right: np.ndarray) -> float:
    """The log-odds from which as large a share of the supported claims is kept as of the
    unsupported ones is caught."""
    grid = np.arange(-3, 3.01, 0.05)
    gaps = [abs((odds[right] >= one).mean() - (odds[~right] < one).mean()) for one in grid]
    return float(grid[int(np.argmin(gaps))])


def sample(material: Material, count: int, seed: int) -> list[Example]:
    """Claims drawn as those for training are."""
    rng = random.Random(seed)
    return [drawn(material, rng) for _ in range(count)]


def evaluate(
    model: SupportNetwork, sequencer: Sequencer, examples: Sequence[Example]
) -> dict[str, Any]:
    """Balanced accuracy of the network alone at log-odds of 0, in all and by source and kind, and
    the share of the statements' tokens that are judged rightly."""
    rng = random.Random(0)
    rows = [(found, one) for one in examples if (found := window(one, sequencer, rng)) is not None]
    rows.sort(key=lambda row: len(row[0].ids))
    hits: dict[str, list[list[bool]]] = {}
    tokens: list[float] = []
    with torch.inference_mode():
        for at in range(0, len(rows), _AT_ONCE):
            part = rows[at : at + _AT_ONCE]
            batch = assemble(
                [one for one, _ in part],
                [one.supported for _, one in part],
                [one.unsupported for _, one in part],
            )
            support, wrong = model(batch)
            right = ((wrong > 0) == (batch.unsupported > 0))[batch.stated]
            tokens += right.float().tolist()
            for (_, one), odds in zip(part, support.tolist(), strict=True):
                for key in ("all", one.source, one.kind or "supported"):
                    hits.setdefault(key, [[], []])[one.supported].append(
                        (odds > 0) == one.supported
                    )
    shares = {
        key: [round(100 * float(np.mean(group)), 1) if group else None for group in pair]
        for key, pair in hits.items()
    }
    each = [share for share in shares["all"] if share is not None]
    return {
        "balanced": round(sum(each) / len(each), 1),
        "tokens": round(100 * float(np.mean(tokens)), 1),
        "by_group": shares,
    }
