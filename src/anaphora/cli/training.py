"""The commands that train the models that come with Anaphora."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_args

import typer

from anaphora.cli.measuring import FormatOption
from anaphora.errors import AnaphoraError, UsageError

if TYPE_CHECKING:
    from anaphora.train.loop import Recipe
    from anaphora.train.retriever.questions import Mining

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


@train.command()
def retriever(
    data: Annotated[
        list[Path],
        typer.Argument(
            metavar="DATA...",
            help="Files or folders of data sets with passages, or JSON lines of query, positives "
            "and negatives.",
        ),
    ],
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
    epochs: Annotated[
        float | None, typer.Option("--epochs", help="Passes over the questions: 3.")
    ] = None,
    batch: Annotated[
        int | None, typer.Option("--batch", min=2, help="Questions of a batch: 32.")
    ] = None,
    chunk: Annotated[
        int | None,
        typer.Option("--chunk", min=1, help="Texts that are in memory at a time: 32."),
    ] = None,
    tokens: Annotated[
        int | None, typer.Option("--tokens", min=8, help="Of a text in training: 256.")
    ] = None,
    learning_rate: Annotated[
        float | None, typer.Option("--learning-rate", help="The full learning rate: 5e-5.")
    ] = None,
    seed: SeedOption = None,
    format: FormatOption = None,
) -> None:
    """Train a retriever's encoder. The same command continues an interrupted training."""
    check_installed()
    _check_positive(
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
    from anaphora.train.retriever.questions import Asked
    from anaphora.train.retriever.trainer import Recipe, train_retriever

    if layers not in (None, *OWN_LAYERS):
        raise UsageError(f"--layers must be {', '.join(map(str, OWN_LAYERS))}, not {layers}")
    recipe = _changed(
        Recipe(),
        mining=_mining(search, ranks, margin),
        asked=question and _chosen("--query", question, Asked),
        languages=languages and _chosen("--languages", languages, Languages),
        distillation=distillation and _chosen("--distil", distillation, Distillation),
        pooling=pooling and _chosen("--pooling", pooling, Pooling),
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


@train.command()
def reranker(
    data: Annotated[
        list[Path],
        typer.Argument(metavar="DATA...", help="Data sets with passages, as of train retriever."),
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
    loss: Annotated[
        str | None,
        typer.Option("--loss", help="listwise (the default) or pointwise."),
    ] = None,
    question: QueryOption = None,
    search: MineOption = None,
    ranks: RanksOption = None,
    margin: MarginOption = None,
    negatives: Annotated[
        int | None, typer.Option("--negatives", min=1, help="Negatives of a question: 7.")
    ] = None,
    epochs: Annotated[
        float | None, typer.Option("--epochs", help="Passes over the questions: 1.")
    ] = None,
    batch: Annotated[
        int | None, typer.Option("--batch", min=1, help="Questions of a batch: 16.")
    ] = None,
    learning_rate: Annotated[
        float | None, typer.Option("--learning-rate", help="The full learning rate: 2e-5.")
    ] = None,
    seed: SeedOption = None,
    format: FormatOption = None,
) -> None:
    """Train a cross-encoder that reranks. The same command continues an interrupted training."""
    check_installed()
    _check_positive({"--margin": margin, "--epochs": epochs, "--learning-rate": learning_rate})

    from anaphora.cli.terminal import Screen
    from anaphora.datasets.registry import open_dataset
    from anaphora.train.reranker import Loss, Recipe, train_reranker
    from anaphora.train.retriever.questions import Asked

    recipe = _changed(
        Recipe(),
        mining=_mining(search, ranks, margin),
        asked=question and _chosen("--query", question, Asked),
        loss=loss and _chosen("--loss", loss, Loss),
        negatives=negatives,
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


def _mining(search: str | None, ranks: str | None, margin: float | None) -> Mining:
    from anaphora.train.retriever.questions import Mining, Search

    first, last = _ranks(ranks) if ranks else (None, None)
    given: dict[str, Any] = {
        "search": search and _chosen("--mine", search, Search),
        "first": first,
        "last": last,
        "margin": margin,
    }
    return Mining(**{name: value for name, value in given.items() if value is not None})


def _check_positive(options: Mapping[str, float | None]) -> None:
    for name, value in options.items():
        if value is not None and not value > 0:
            raise UsageError(f"{name} must be more than 0, not {value:g}")


def _ranks(text: str) -> tuple[int, int]:
    first, dash, last = text.partition("-")
    if not (dash and first.isdecimal() and last.isdecimal() and 1 <= int(first) <= int(last)):
        raise UsageError(f"--ranks must be two ranks such as 1-10, not {text!r}")
    return int(first), int(last)


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
