"""The commands that train the models that come with Anaphora."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_args

import typer

from anaphora.errors import AnaphoraError, UsageError

if TYPE_CHECKING:
    from anaphora.train.loop import Recipe

train = typer.Typer(
    help="Train the models that come with Anaphora, from public data sets and written text.",
    no_args_is_help=True,
)

AnyRecipe = TypeVar("AnyRecipe", bound="Recipe")

DataArgument = Annotated[Path, typer.Argument(metavar="DATA", help="The folder of the data sets.")]
OutArgument = Annotated[
    Path,
    typer.Argument(
        metavar="OUT",
        help="The folder for the checkpoints, the log and, at the end, the weights.",
    ),
]
TextOption = Annotated[
    Path,
    typer.Option(
        "--text",
        metavar="FOLDER",
        help="The folder of the text that was written for training: the folder training of the "
        "project's repository.",
    ),
]
SeedOption = Annotated[
    int | None,
    typer.Option("--seed", help="The seed of the initial weights and of the order of examples."),
]
_TEXT = Path("training")


@train.command()
def rewriter(
    data: DataArgument,
    out: OutArgument,
    text: TextOption = _TEXT,
    epochs: Annotated[
        float | None,
        typer.Option("--epochs", help="Passes over the examples, instead of the recipe's."),
    ] = None,
    seed: SeedOption = None,
) -> None:
    """Train the default rewriter. The same command continues an interrupted training."""
    check_installed()
    if epochs is not None and not epochs > 0:
        raise UsageError(f"--epochs must be more than 0, not {epochs:g}")

    from anaphora.cli.terminal import Screen
    from anaphora.train.rewriter.trainer import Recipe, train_rewriter
    from anaphora.train.text import TrainingText

    screen = Screen()
    recipe = _changed(Recipe(), epochs=epochs, seed=seed)
    with screen.progress() as progress:
        weights = train_rewriter(data, TrainingText(text), out, recipe, progress)
    screen.notify(f"written: {weights}")


@train.command()
def judge(
    data: DataArgument,
    out: OutArgument,
    text: TextOption = _TEXT,
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
) -> None:
    """Train the cross-encoder that reranks and reads. The same command continues a training."""
    check_installed()

    from anaphora.cli.terminal import Screen
    from anaphora.train.crossencoder.trainer import CONTINUED, Recipe, train_crossencoder
    from anaphora.train.text import TrainingText

    screen = Screen()
    rounds = None if questions is None else (questions,)
    recipe = _changed(CONTINUED if start else Recipe(), rounds=rounds, seed=seed)
    with screen.progress() as progress:
        weights = train_crossencoder(
            data, TrainingText(text), out, recipe, teacher, start, progress
        )
    screen.notify(f"written: {weights}")


@train.command()
def support(
    data: DataArgument,
    out: OutArgument,
    text: TextOption = _TEXT,
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
    recipe = _changed(Recipe(), claims=claims, seed=seed)
    with screen.progress() as progress:
        weights = train_support(data, TrainingText(text), out, recipe, progress)
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
        train_seq2seq(examples, base, out, _changed(Recipe(), steps=steps, seed=seed), progress)
    screen.notify(f"written: {out}")


@train.command()
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
            help="What the model reads beside the passages: history (the question and the turns "
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

    way = _chosen("--kind", kind, Kind)
    recipe = _changed(
        Recipe(),
        steps=steps,
        seed=seed,
        passages=passages,
        form=form and _chosen("--input", form, Form),
    )
    screen = Screen()
    given = open_dataset(data)
    with screen.progress() as progress:
        train_reader(given.examples(), given.documents(), way, model, out, recipe, progress)
    screen.notify(f"written: {out}")


def _chosen(option: str, value: str, choices: Any) -> Any:
    """The value of an option, checked."""
    if value not in get_args(choices):
        raise UsageError(f"{option} must be {' or '.join(get_args(choices))}, not {value!r}")
    return value


def _changed(recipe: AnyRecipe, **options: Any) -> AnyRecipe:
    """The recipe with the options that were given."""
    given = {name: value for name, value in options.items() if value is not None}
    return replace(recipe, **given)


def check_installed() -> None:
    """Checks before the work begins that training is installed.

    Raises:
        AnaphoraError: it is not.
    """
    if not all(map(find_spec, ("torch", "transformers", "sacrebleu"))):
        raise AnaphoraError('training needs an extra: pip install "anaphora[train]"')
