"""What the commands that train share: their arguments and options, and checks of these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_args

import typer

from anaphora.errors import AnaphoraError, UsageError

if TYPE_CHECKING:
    from anaphora.train.loop import Recipe

AnyRecipe = TypeVar("AnyRecipe", bound="Recipe")

TEXT = Path("training")

DataArgument = Annotated[Path, typer.Argument(metavar="DATA", help="The folder of the data sets.")]
PassagesArgument = Annotated[
    list[Path],
    typer.Argument(
        metavar="DATA...",
        help="Files or folders of data sets with passages, or JSON lines of query, positives "
        "and negatives.",
    ),
]
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
ManualsOption = Annotated[
    Path | None,
    typer.Option(
        "--manuals",
        metavar="FOLDER",
        help="A folder with an index of real manuals for each language, whose questions in the "
        "training text are learned from too.",
    ),
]
SeedOption = Annotated[
    int | None,
    typer.Option("--seed", help="The seed of the initial weights and of the order of examples."),
]
EpochsOption = Annotated[
    float | None,
    typer.Option("--epochs", help="Passes over the examples, instead of the recipe's."),
]
BatchOption = Annotated[
    int | None,
    typer.Option("--batch", min=1, help="Questions of a batch, instead of the recipe's."),
]
RateOption = Annotated[
    float | None,
    typer.Option("--learning-rate", help="The full learning rate, instead of the recipe's."),
]
QueryOption = Annotated[
    str | None,
    typer.Option(
        "--query",
        help="How a question of a conversation is searched: linking (rewritten), newest or "
        "oldest (followed by the turns before it, in this order) or question (as asked).",
    ),
]
MineOption = Annotated[
    str | None,
    typer.Option("--mine", help="The search for hard negatives: bm25, dense, hybrid or none."),
]
RanksOption = Annotated[
    str | None,
    typer.Option("--ranks", metavar="FIRST-LAST", help="The ranks of hard negatives: 1-10."),
]
MarginOption = Annotated[
    float | None,
    typer.Option(
        "--margin",
        help="The highest cosine of a negative, as a part of the positive's: 0.95.",
    ),
]


def material(
    question: str | None, search: str | None, ranks: str | None, margin: float | None
) -> dict[str, Any]:
    """The settings of a recipe that say what the questions of data sets are learned with."""
    from anaphora.train.retriever.questions import Asked, Mining, Search

    first, last = _ranks(ranks) if ranks else (None, None)
    given: dict[str, Any] = {
        "search": search and chosen("--mine", search, Search),
        "first": first,
        "last": last,
        "margin": margin,
    }
    mining = Mining(**{name: value for name, value in given.items() if value is not None})
    return {"mining": mining, "asked": question and chosen("--query", question, Asked)}


def check_positive(options: Mapping[str, float | None]) -> None:
    """Raises a UsageError where an option's value is given and not more than 0."""
    for name, value in options.items():
        if value is not None and not value > 0:
            raise UsageError(f"{name} must be more than 0, not {value:g}")


def _ranks(text: str) -> tuple[int, int]:
    first, dash, last = text.partition("-")
    if not (dash and first.isdecimal() and last.isdecimal() and 1 <= int(first) <= int(last)):
        raise UsageError(f"--ranks must be two ranks such as 1-10, not {text!r}")
    return int(first), int(last)


def chosen(option: str, value: str, choices: Any) -> Any:
    """The value of an option, checked."""
    if value not in get_args(choices):
        raise UsageError(f"{option} must be {' or '.join(get_args(choices))}, not {value!r}")
    return value


def changed(recipe: AnyRecipe, **options: Any) -> AnyRecipe:
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
