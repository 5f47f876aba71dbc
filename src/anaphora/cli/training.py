"""The commands that train the models that come with Anaphora."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from anaphora.errors import AnaphoraError, UsageError

train = typer.Typer(
    help="Train the models that come with Anaphora, from public data sets.", no_args_is_help=True
)

DataArgument = Annotated[Path, typer.Argument(metavar="DATA", help="The folder of the data sets.")]
OutArgument = Annotated[
    Path,
    typer.Argument(
        metavar="OUT",
        help="What is kept: the state of training, a log, and at the end the weights.",
    ),
]


@train.command()
def rewriter(
    data: DataArgument,
    out: OutArgument,
    epochs: Annotated[
        float | None,
        typer.Option("--epochs", help="How often each example is seen, instead of the recipe's."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Of the order of the examples, and of chance.")
    ] = None,
) -> None:
    """Train the default rewriter. Stopped at any time, the same command goes on where it was."""
    check_installed()
    if epochs is not None and not epochs > 0:
        raise UsageError(f"--epochs must be more than 0, not {epochs:g}")

    from dataclasses import replace

    from anaphora.cli.terminal import Screen
    from anaphora.train.rewriter import Recipe, train_rewriter

    recipe = Recipe()
    if epochs is not None:
        recipe = replace(recipe, epochs=epochs)
    if seed is not None:
        recipe = replace(recipe, seed=seed)
    screen = Screen()
    with screen.progress() as progress:
        weights = train_rewriter(data, out, recipe, progress)
    screen.notify(f"written: {weights}")


@train.command()
def judge(
    data: DataArgument,
    out: OutArgument,
    questions: Annotated[
        int | None,
        typer.Option(
            "--questions", min=1, help="How many are seen in all, instead of the recipe's."
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Of the order of the questions, and of chance.")
    ] = None,
    teacher: Annotated[
        Path | None,
        typer.Option(
            "--teacher",
            help="A folder with an English cross-encoder, model.onnx and tokenizer.json, to learn "
            "from.",
        ),
    ] = None,
) -> None:
    """Train the judge that reranks and reads. Stopped, the same command goes on where it was."""
    check_installed()

    from dataclasses import replace

    from anaphora.cli.terminal import Screen
    from anaphora.train.judge.recipe import Recipe, train_judge

    recipe = Recipe()
    if questions is not None:
        recipe = replace(recipe, rounds=(questions,))
    if seed is not None:
        recipe = replace(recipe, seed=seed)
    screen = Screen()
    with screen.progress() as progress:
        weights = train_judge(data, out, recipe, teacher, progress)
    screen.notify(f"written: {weights}")


@train.command()
def seq2seq(
    base: Annotated[
        str,
        typer.Argument(
            metavar="BASE", help="A checkpoint, by its name on the Hugging Face hub or its folder."
        ),
    ],
    data: Annotated[
        Path, typer.Argument(metavar="SET", help="A data set's file or folder, with rewrites.")
    ],
    out: OutArgument,
    steps: Annotated[
        int | None, typer.Option("--steps", min=1, help="Updates, instead of the recipe's 4,000.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Of the order of the examples, and of chance.")
    ] = None,
) -> None:
    """Train a rewriter for the method seq2seq. Stopped, the same command goes on where it was."""
    check_installed()

    from dataclasses import replace

    from anaphora.cli.terminal import Screen
    from anaphora.datasets.registry import open_dataset
    from anaphora.train.seq2seq import Recipe, train_seq2seq

    recipe = Recipe()
    if steps is not None:
        recipe = replace(recipe, steps=steps)
    if seed is not None:
        recipe = replace(recipe, seed=seed)
    screen = Screen()
    examples = list(open_dataset(data).examples())
    with screen.progress() as progress:
        train_seq2seq(examples, base, out, recipe, progress)
    screen.notify(f"written: {out}")


def check_installed() -> None:
    """Said before the work, not in the middle of it."""
    if not all(map(find_spec, ("torch", "transformers", "sacrebleu"))):
        raise AnaphoraError('training needs an extra: pip install "anaphora[train]"')
