"""`anaphora train encoder`: how the default encoder reads questions."""

from __future__ import annotations

from anaphora.cli.training.options import (
    TEXT,
    DataArgument,
    EpochsOption,
    ManualsOption,
    OutArgument,
    SeedOption,
    TextOption,
    changed,
    check_installed,
    check_positive,
)


def encoder(
    data: DataArgument,
    out: OutArgument,
    text: TextOption = TEXT,
    epochs: EpochsOption = None,
    seed: SeedOption = None,
    manuals: ManualsOption = None,
) -> None:
    """Train how the default encoder reads questions. The same command continues a training."""
    check_installed()
    check_positive({"--epochs": epochs})

    from anaphora.cli.terminal import Screen
    from anaphora.train.encoder import WITH_MANUALS, Recipe, train_encoder
    from anaphora.train.text import TrainingText

    screen = Screen()
    recipe = changed(WITH_MANUALS if manuals else Recipe(), epochs=epochs, seed=seed)
    with screen.progress() as progress:
        weights = train_encoder(data, TrainingText(text), out, recipe, manuals, progress)
    screen.notify(f"written: {weights}")
