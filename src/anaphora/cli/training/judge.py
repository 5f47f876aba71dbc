"""`anaphora train judge`: the cross-encoder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from anaphora.cli.training.options import (
    TEXT,
    DataArgument,
    ManualsOption,
    OutArgument,
    SeedOption,
    TextOption,
    changed,
    check_installed,
)
from anaphora.errors import UsageError


def judge(
    data: DataArgument,
    out: OutArgument,
    text: TextOption = TEXT,
    questions: Annotated[
        int | None,
        typer.Option(
            "--questions", min=1, help="Questions to train on in all, instead of the recipe's."
        ),
    ] = None,
    seed: SeedOption = None,
    teacher: Annotated[
        Path | None,
        typer.Option(
            "--teacher",
            help="A folder with an English cross-encoder, model.onnx and tokenizer.json, whose "
            "relevance is distilled.",
        ),
    ] = None,
    start: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="FOLDER",
            help="The folder of trained weights to continue from, mostly on the manuals of the "
            "training text.",
        ),
    ] = None,
    manuals: ManualsOption = None,
    graded: Annotated[
        bool,
        typer.Option(
            "--graded",
            help="Learn from hits that are graded (training/grades) instead of questions with one "
            "passage that answers.",
        ),
    ] = False,
) -> None:
    """Train the cross-encoder that reranks and reads. The same command continues a training."""
    check_installed()
    if manuals and not start:
        raise UsageError("--manuals continues a training; name its weights with --from")
    if graded and not manuals:
        raise UsageError(
            "the graded hits are on the real manuals; name their indexes with --manuals"
        )

    from anaphora.cli.terminal import Screen
    from anaphora.train.crossencoder.trainer import CONTINUED, GRADED, Recipe, train_crossencoder
    from anaphora.train.text import TrainingText

    screen = Screen()
    rounds = None if questions is None else (questions,)
    usual = GRADED if graded else CONTINUED if start else Recipe()
    recipe = changed(usual, rounds=rounds, seed=seed)
    with screen.progress() as progress:
        weights = train_crossencoder(
            data, TrainingText(text), out, recipe, teacher, start, manuals, progress
        )
    screen.notify(f"written: {weights}")
