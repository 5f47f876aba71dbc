"""The command that adapts an index to its documents."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from anaphora.cli.common import (
    DEFAULT_INDEX,
    ConfigOption,
    IndexOption,
    JsonOption,
    print_json,
    read_config,
)
from anaphora.errors import UsageError

if TYPE_CHECKING:
    from anaphora.adapt.trial import Trial
    from anaphora.config import Config
    from anaphora.index import Adaptable, Adapter, Engine
    from anaphora.models.chat import LanguageModel


def adapt(
    index: IndexOption = DEFAULT_INDEX,
    questions: Annotated[
        Path | None,
        typer.Option(
            "--questions",
            help="Questions that people wrote, which decide: a file for 'eval answers', exported "
            "feedback, or a data set with relevance judgements.",
        ),
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Remove the adapter again.")] = False,
    seed: Annotated[
        int, typer.Option("--seed", help="What is drawn at random depends on it alone.")
    ] = 0,
    config: ConfigOption = None,
    as_json: JsonOption = False,
) -> None:
    """Adapt the dense search of an index to its documents, if that finds more."""
    settings = read_config(config)
    if remove:
        if questions:
            raise UsageError("--remove takes no --questions")
        _remove(index, settings.index, as_json)
        return
    trial, dropped = _adapt(index, settings, questions, seed)
    if as_json:
        print_json(_to_dict(index, trial))
        return
    one = trial.generated
    print(
        f"{one.questions:,} questions made from half of {trial.documents:,} documents: "
        f"nDCG@10 {_points(one.before)} without, {_points(one.after)} with a shift of "
        f"{trial.adapter.strength:g} that was chosen on the other half."
    )
    if trial.people:
        one = trial.people
        print(
            f"{one.questions:,} questions by people: nDCG@10 {_points(one.before)} without, "
            f"{_points(one.after)} with it."
        )
    if trial.wins:
        print(
            f"The adapter was installed in {index}: {trial.reason}. Every search uses it; "
            f"'anaphora adapt --remove --index {index}' removes it."
        )
    else:
        print(f"No adapter was installed: {trial.reason}.")
    if dropped:
        print("The adapter that was installed before was removed.")


def _adapt(folder: Path, config: Config, questions: Path | None, seed: int) -> tuple[Trial, bool]:
    """The trial, and whether an earlier adapter was removed because of it."""
    from contextlib import closing

    from anaphora.adapt.trial import run_trial
    from anaphora.cli.terminal import Screen
    from anaphora.index import open_index, open_writer
    from anaphora.retrieve.encoders import load_encoder

    # Says at once that the index cannot be written.
    with open_writer(folder, config.index, create=False) as writer:
        _adaptable(writer)
    with closing(open_index(folder, config.index)) as index, Screen().progress() as progress:
        if not index.encoder:
            raise UsageError(
                f"the index in {folder} has no vectors to adapt; index it without --lexical"
            )
        if not _uses_vectors(config):
            raise UsageError(
                "the configured retriever compares no vectors, so there is nothing to adapt"
            )
        encoder = load_encoder(index.encoder)
        trial = run_trial(index, config, encoder, questions, _model(config), seed, progress)
    with open_writer(folder, config.index, create=False) as writer:
        adaptable = _adaptable(writer)
        dropped = adaptable.adapter is not None and not trial.wins
        if trial.wins or dropped:
            adaptable.set_adapter(trial.adapter if trial.wins else None)
            writer.commit()
    return trial, dropped


def _remove(folder: Path, engine: Engine, as_json: bool) -> None:
    from anaphora.index import open_writer

    with open_writer(folder, engine, create=False) as writer:
        adaptable = _adaptable(writer)
        held = adaptable.adapter is not None
        if held:
            adaptable.set_adapter(None)
            writer.commit()
    if as_json:
        print_json({"index": str(folder), "removed": held})
    else:
        done = "The adapter was removed from" if held else "There is no adapter in"
        print(f"{done} the index in {folder}.")


def _adaptable(writer: Any) -> Adaptable:
    from anaphora.index import Adaptable

    if not isinstance(writer, Adaptable):
        raise UsageError(f"the engine of the index in {writer.folder} keeps no adapter")
    return writer


def _uses_vectors(config: Config) -> bool:
    return getattr(config.retrieve, "model", "hybrid") in ("hybrid", "dense")


def _model(config: Config) -> LanguageModel | None:
    """The language model that the settings name for reading, or for rewriting."""
    from anaphora.read.settings import LLMSettings as Reading
    from anaphora.rewrite.settings import LLMSettings as Rewriting

    for part in (config.read, config.rewrite):
        if isinstance(part, (Reading, Rewriting)):
            return part.language_model()
    return None


def _to_dict(index: Path, trial: Trial) -> dict[str, Any]:
    return {
        "index": str(index),
        "installed": trial.wins,
        "reason": trial.reason,
        "strength": trial.adapter.strength,
        "documents": trial.documents,
        "generated": asdict(trial.generated),
        "people": asdict(trial.people) if trial.people else None,
    }


def adapter_to_dict(adapter: Adapter | None) -> dict[str, Any] | None:
    """The adapter of an index as `anaphora index list --json` prints it."""
    if adapter is None or adapter.comparison is None:
        return None
    return {"strength": adapter.strength, **asdict(adapter.comparison)}


def _points(value: float) -> str:
    return f"{100 * value:.1f}"
