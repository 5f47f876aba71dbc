"""`anaphora train support`: the network of the check."""

from __future__ import annotations

from typing import Annotated

import typer

from anaphora.cli.training.options import (
    TEXT,
    DataArgument,
    OutArgument,
    SeedOption,
    TextOption,
    changed,
    check_installed,
)


def support(
    data: DataArgument,
    out: OutArgument,
    text: TextOption = TEXT,
    claims: Annotated[
        int | None,
        typer.Option("--claims", min=1, help="Claims to train on, instead of the recipe's."),
    ] = None,
    seed: SeedOption = None,
) -> None:
    """Train the network of the check. The same command continues a training."""
    check_installed()

    from anaphora.cli.terminal import Screen
    from anaphora.train.support.trainer import Recipe, train_support
    from anaphora.train.text import TrainingText

    screen = Screen()
    recipe = changed(Recipe(), claims=claims, seed=seed)
    with screen.progress() as progress:
        weights = train_support(data, TrainingText(text), out, recipe, progress)
    screen.notify(f"written: {weights}")
