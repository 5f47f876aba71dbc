"""`anaphora train rewriter`: the default rewriter."""

from __future__ import annotations

from anaphora.cli.training.options import (
    TEXT,
    DataArgument,
    EpochsOption,
    OutArgument,
    SeedOption,
    TextOption,
    changed,
    check_installed,
    check_positive,
)


def rewriter(
    data: DataArgument,
    out: OutArgument,
    text: TextOption = TEXT,
    epochs: EpochsOption = None,
    seed: SeedOption = None,
) -> None:
    """Train the default rewriter. The same command continues an interrupted training."""
    check_installed()
    check_positive({"--epochs": epochs})

    from anaphora.cli.terminal import Screen
    from anaphora.train.rewriter.trainer import Recipe, train_rewriter
    from anaphora.train.text import TrainingText

    screen = Screen()
    recipe = changed(Recipe(), epochs=epochs, seed=seed)
    with screen.progress() as progress:
        weights = train_rewriter(data, TrainingText(text), out, recipe, progress)
    screen.notify(f"written: {weights}")
