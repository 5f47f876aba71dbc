"""Trains the linker on one data set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from anaphora.train import loop
from anaphora.train.rewriter.batches import epochs
from anaphora.train.rewriter.features import Prepared
from research.node_linking.model import Model, Probe


@dataclass(frozen=True, kw_only=True)
class Recipe(loop.Recipe):
    """How the linker is trained.

    Attributes:
        encoder: "backbone", "bilstm", or a Hugging Face model.
        csf, rcf: the probing features that are added to the scores.
        epochs: passes over the training part.
        batch: tokens of a batch, about.
        learning_rate: that of the encoder; 0 for its own default.
        heads_learning_rate: that of the heads.
        decay: fraction of the steps over which the learning rates fall to 0.
        hidden: units of the BiLSTM in each direction.
        phrase_at_least, phrases: how often a phrase of the closed set occurs, and their number.
    """

    encoder: str = "backbone"
    csf: bool = False
    rcf: bool = False
    epochs: float = 4.0
    batch: int = 2000
    learning_rate: float = 0.0
    heads_learning_rate: float = 1e-3
    warmup: int = 50
    decay: float = 0.5
    average: float = 0.998
    checkpoint_seconds: float = 120.0
    hidden: int = 600
    phrase_at_least: int = 12
    phrases: int = 300

    @property
    def features(self) -> tuple[int, ...]:
        """The rows of the probes that are used: 0 is CSF, 1 is RCF."""
        return tuple(number for number, used in enumerate((self.csf, self.rcf)) if used)


def fit(
    run: loop.Run,
    model: Model,
    train: Sequence[Prepared],
    probes: Sequence[Probe] | None,
    phrases: Mapping[str, int],
    recipe: Recipe,
) -> None:
    """Trains `model`, which has the averaged weights at the end."""
    sizes = [len(one.layout.ids) for one in train]
    plan, _ = epochs(sizes, recipe.batch, recipe.epochs, recipe.seed)
    encoder = [one for one in model.encoder.parameters() if one.requires_grad]
    heads_rate = recipe.heads_learning_rate
    loop.train(
        run,
        recipe,
        model,
        [
            {"params": encoder, "lr": recipe.learning_rate or model.encoder.rate},
            {"params": list(model.heads.parameters()), "lr": heads_rate},
            {"params": [model.factors], "lr": 10 * heads_rate, "weight_decay": 0.0},
        ],
        loop.in_steps(
            plan,
            lambda rows: (
                [train[row] for row in rows],
                None if probes is None else [probes[row] for row in rows],
            ),
        ),
        lambda batch: [model.losses(*batch, phrases)],
        len(plan),
        lambda position: loop.decayed_rate(position, [len(plan)], recipe.warmup, recipe.decay),
    )
