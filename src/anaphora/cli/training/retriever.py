"""`anaphora train retriever`: an encoder."""

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
from anaphora.errors import UsageError


def retriever(
    data: PassagesArgument,
    out: OutArgument,
    start: Annotated[
        str,
        typer.Option(
            "--from",
            metavar="MODEL",
            help="The model to start from: the default encoder, the OUT of an earlier training, or "
            "a model of Hugging Face by name or folder.",
        ),
    ] = "multilingual-e5-small",
    question: QueryOption = None,
    search: MineOption = None,
    ranks: RanksOption = None,
    margin: MarginOption = None,
    negatives: Annotated[
        int | None, typer.Option("--negatives", min=0, help="Hard negatives of a question: 1.")
    ] = None,
    languages: Annotated[
        str | None,
        typer.Option(
            "--languages", help="Of the passages of a batch: mixed, or same for one language."
        ),
    ] = None,
    teacher: Annotated[
        str,
        typer.Option(
            "--teacher",
            metavar="MODEL",
            help="A reranker whose scores are distilled: judge, or a cross-encoder of Hugging "
            "Face by name or folder.",
        ),
    ] = "",
    distillation: Annotated[
        str | None,
        typer.Option("--distil", help="How they are distilled: kl or margin (margin-MSE)."),
    ] = None,
    layers: Annotated[
        int | None,
        typer.Option("--layers", help="Upper layers of the default encoder to train: 4, 9 or 12."),
    ] = None,
    pooling: Annotated[
        str | None, typer.Option("--pooling", help="mean or cls, instead of the model's own.")
    ] = None,
    query_prefix: Annotated[
        str | None,
        typer.Option("--query-prefix", help="Before questions, instead of the model's own."),
    ] = None,
    passage_prefix: Annotated[
        str | None,
        typer.Option("--passage-prefix", help="Before passages, instead of the model's own."),
    ] = None,
    temperature: Annotated[
        float | None, typer.Option("--temperature", help="Divides the cosines: 0.02.")
    ] = None,
    epochs: EpochsOption = None,
    batch: BatchOption = None,
    chunk: Annotated[
        int | None,
        typer.Option("--chunk", min=1, help="Texts that are in memory at a time: 32."),
    ] = None,
    tokens: Annotated[
        int | None, typer.Option("--tokens", min=8, help="Of a text in training: 256.")
    ] = None,
    learning_rate: RateOption = None,
    seed: SeedOption = None,
    format: FormatOption = None,
) -> None:
    """Train a retriever's encoder. The same command continues an interrupted training."""
    check_installed()
    check_positive(
        {
            "--margin": margin,
            "--temperature": temperature,
            "--epochs": epochs,
            "--learning-rate": learning_rate,
        }
    )

    from anaphora.cli.terminal import Screen
    from anaphora.datasets.registry import open_dataset
    from anaphora.retrieve.trained import OWN_LAYERS, Pooling
    from anaphora.train.retriever.batches import Languages
    from anaphora.train.retriever.losses import Distillation
    from anaphora.train.retriever.trainer import Recipe, train_retriever

    if layers not in (None, *OWN_LAYERS):
        raise UsageError(f"--layers must be {', '.join(map(str, OWN_LAYERS))}, not {layers}")
    recipe = changed(
        Recipe(),
        **material(question, search, ranks, margin),
        languages=languages and chosen("--languages", languages, Languages),
        distillation=distillation and chosen("--distil", distillation, Distillation),
        pooling=pooling and chosen("--pooling", pooling, Pooling),
        negatives=negatives,
        layers=layers,
        query_prefix=query_prefix,
        passage_prefix=passage_prefix,
        temperature=temperature,
        epochs=epochs,
        batch=batch,
        chunk=chunk,
        tokens=tokens,
        learning_rate=learning_rate,
        seed=seed,
    )
    screen = Screen()
    datasets = [open_dataset(path, format) for path in data]
    with screen.progress() as progress:
        train_retriever(datasets, out, recipe, start, teacher, progress)
    screen.notify(f"written: {out}")
