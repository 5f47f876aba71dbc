"""`anaphora train seq2seq`: a rewriter that writes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anaphora.cli.training.options import (
    OutArgument,
    SeedOption,
    changed,
    check_installed,
)


def seq2seq(
    base: Annotated[
        str,
        typer.Argument(
            metavar="BASE", help="A checkpoint, by its name on the Hugging Face hub or its folder."
        ),
    ],
    data: Annotated[
        Path,
        typer.Argument(metavar="SET", help="The file or folder of a data set with rewrites."),
    ],
    out: OutArgument,
    steps: Annotated[
        int | None, typer.Option("--steps", min=1, help="Updates, instead of the recipe's 4,000.")
    ] = None,
    seed: SeedOption = None,
) -> None:
    """Train a rewriter for the method seq2seq. The same command continues a training."""
    check_installed()

    from anaphora.cli.terminal import Screen
    from anaphora.datasets.registry import open_dataset
    from anaphora.train.seq2seq import Recipe, train_seq2seq

    screen = Screen()
    examples = list(open_dataset(data).examples())
    with screen.progress() as progress:
        train_seq2seq(examples, base, out, changed(Recipe(), steps=steps, seed=seed), progress)
    screen.notify(f"written: {out}")
