"""`anaphora train reader`: a reader that writes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anaphora.cli.training.options import (
    OutArgument,
    SeedOption,
    changed,
    check_installed,
    chosen,
)


def reader(
    data: Annotated[
        Path,
        typer.Argument(
            metavar="DATA", help="The file or folder of a data set with answers and passages."
        ),
    ],
    out: OutArgument,
    model: Annotated[
        str,
        typer.Option(
            "--model",
            metavar="NAME",
            help="The model to start from: its name on the Hugging Face hub or its folder.",
        ),
    ],
    kind: Annotated[
        str,
        typer.Option(
            "--kind", help="How it reads: seq2seq (all passages in one text) or fid (one by one)."
        ),
    ] = "seq2seq",
    passages: Annotated[
        int | None, typer.Option("--passages", min=1, help="Passages of an example: 5.")
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--input",
            help="What the model reads besides the passages: history (the question and the turns "
            "before it), question (the rewritten question) or passages (nothing).",
        ),
    ] = None,
    steps: Annotated[
        int | None, typer.Option("--steps", min=1, help="Updates, instead of the recipe's 10,000.")
    ] = None,
    seed: SeedOption = None,
) -> None:
    """Train a reader for the methods seq2seq and fid. The same command continues a training."""
    check_installed()

    from anaphora.cli.terminal import Screen
    from anaphora.datasets.registry import open_dataset
    from anaphora.read.inputs import Form
    from anaphora.read.seq2seq import Kind
    from anaphora.train.reader import Recipe, train_reader

    way = chosen("--kind", kind, Kind)
    recipe = changed(
        Recipe(),
        steps=steps,
        seed=seed,
        passages=passages,
        form=form and chosen("--input", form, Form),
    )
    screen = Screen()
    given = open_dataset(data)
    with screen.progress() as progress:
        train_reader(given.examples(), given.documents(), way, model, out, recipe, progress)
    screen.notify(f"written: {out}")
