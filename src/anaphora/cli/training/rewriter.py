"""`anaphora train rewriter`: the default rewriter."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

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
    start: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="FOLDER",
            help="The folder of trained weights to continue from, mostly on the conversations "
            "about manuals of the training text.",
        ),
    ] = None,
) -> None:
    """Train the default rewriter. The same command continues an interrupted training."""
    check_installed()
    check_positive({"--epochs": epochs})

    from anaphora.cli.terminal import Screen
    from anaphora.train.rewriter.trainer import CONTINUED, Recipe, train_rewriter
    from anaphora.train.text import TrainingText

    screen = Screen()
    recipe = changed(CONTINUED if start else Recipe(), epochs=epochs, seed=seed)
    with screen.progress() as progress:
        weights = train_rewriter(data, TrainingText(text), out, recipe, start, progress)
    screen.notify(f"written: {weights}")
