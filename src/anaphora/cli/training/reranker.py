"""`anaphora train reranker`: a cross-encoder for reranking."""

from __future__ import annotations

from typing import Annotated

import typer

from anaphora.cli.measuring import FormatOption
from anaphora.cli.training.options import (
    BatchOption,
    EpochsOption,
    MarginOption,
    MineOption,
    OutArgument,
    PassagesArgument,
    QueryOption,
    RanksOption,
    RateOption,
    SeedOption,
    changed,
    check_installed,
    check_positive,
    chosen,
    material,
)


def reranker(
    data: PassagesArgument,
    out: OutArgument,
    model: Annotated[
        str,
        typer.Option(
            "--model",
            metavar="NAME",
            help="The model to start from: judge, which comes with Anaphora, or the OUT of an "
            "earlier training, or the name of a model on the Hugging Face hub or its folder.",
        ),
    ] = "judge",
    loss: Annotated[
        str | None,
        typer.Option("--loss", help="listwise (the default) or pointwise."),
    ] = None,
    question: QueryOption = None,
    search: MineOption = None,
    ranks: RanksOption = None,
    margin: MarginOption = None,
    negatives: Annotated[
        int | None,
        typer.Option(
            "--negatives", min=1, help="Negatives of a question, instead of the recipe's."
        ),
    ] = None,
    layers: Annotated[
        int | None,
        typer.Option("--layers", min=1, max=6, help="Upper layers of judge to train: 4."),
    ] = None,
    epochs: EpochsOption = None,
    batch: BatchOption = None,
    learning_rate: RateOption = None,
    seed: SeedOption = None,
    format: FormatOption = None,
) -> None:
    """Train a cross-encoder that reranks. The same command continues an interrupted training."""
    check_installed()
    check_positive({"--margin": margin, "--epochs": epochs, "--learning-rate": learning_rate})

    from anaphora.cli.terminal import Screen
    from anaphora.datasets.registry import open_dataset
    from anaphora.train.reranker.trainer import Loss, Recipe, train_reranker

    recipe = changed(
        Recipe(),
        **material(question, search, ranks, margin),
        loss=loss and chosen("--loss", loss, Loss),
        negatives=negatives,
        layers=layers,
        epochs=epochs,
        batch=batch,
        learning_rate=learning_rate,
        seed=seed,
    )
    screen = Screen()
    datasets = [open_dataset(path, format) for path in data]
    with screen.progress() as progress:
        train_reranker(datasets, model, out, recipe, progress)
    screen.notify(f"written: {out}")
