"""What commands share: options, settings, lines of input, JSON output, numbers of things."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from anaphora.errors import UsageError

if TYPE_CHECKING:
    from anaphora.assistant import Assistant
    from anaphora.config import Config

T = TypeVar("T")

IndexOption = Annotated[
    Path, typer.Option("--index", envvar="ANAPHORA_INDEX", help="The index folder.")
]
ConfigOption = Annotated[
    Path | None,
    typer.Option("--config", help="A TOML file of settings; see docs/en/settings.md."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON; see docs/json.md.")]
LangOption = Annotated[
    str | None, typer.Option("--lang", help="The question's language, instead of a guess.")
]
SparseOption = Annotated[
    str | None,
    typer.Option(
        "--sparse", metavar="MODEL", help="Also sparse weights: a SPLADE model's name or folder."
    ),
]
DEFAULT_INDEX = Path(".anaphora")


def text_argument(argument: str) -> str:
    """A question or query from the command line, decoded as UTF-8 in every locale.

    Raises:
        UsageError: its bytes are neither UTF-8 nor text in the locale's encoding.
    """
    try:
        raw = os.fsencode(argument)
    except UnicodeEncodeError:
        return argument  # text that no command line can pass
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        pass
    try:
        argument.encode("utf-8")
    except UnicodeEncodeError:
        shown = raw.decode("utf-8", "backslashreplace")
        raise UsageError(f"'{shown}' is not UTF-8: check the terminal's encoding") from None
    return argument


def language(code: str | None) -> str | None:
    """A language option, checked."""
    from anaphora.language import language_code

    return None if code is None else language_code(code)


def open_assistant(folder: Path, config: Path | None, model: str | None = None) -> Assistant:
    from anaphora.assistant import open

    return open(folder, read_config(config, model))


def read_config(path: Path | None, model: str | None = None) -> Config:
    """The configuration of the options.

    Args:
        model: the retriever, instead of the configured one.
    """
    from dataclasses import replace

    from anaphora.config import Config

    settings = Config.load(path) if path else Config()
    if model is None:
        return settings
    chosen = Config.of({"retrieve": {"model": model}}).retrieve
    if type(chosen) is type(settings.retrieve):
        chosen = replace(settings.retrieve, model=model)
    return replace(settings, retrieve=chosen)


def parsed(path: Path, parse: Callable[[Any], T]) -> list[T]:
    try:
        with path.open(encoding="utf-8", newline="\n") as file:
            return list(_parse_lines(file, str(path), parse))
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8") from error


def parse_input(parse: Callable[[Any], T]) -> Iterator[T]:
    """What the JSON lines of standard input say; each line is parsed when it is asked for."""
    return _parse_lines(sys.stdin, "standard input", parse)


def _parse_lines(lines: Iterable[str], name: str, parse: Callable[[Any], T]) -> Iterator[T]:
    from anaphora.serialization import read_lines

    for number, record in read_lines(lines, name):
        try:
            found = parse(record)
        except ValueError as error:
            raise UsageError(f"{name}, line {number}: {error}") from error
        yield found


def print_json(values: Any) -> None:
    text = json.dumps(values, ensure_ascii=False)
    # Half a surrogate pair cannot be printed as UTF-8, but JSON has an escape for it.
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        text = json.dumps(values)
    print(text, flush=True)


def number(count: int, noun: str) -> str:
    return f"{count:,} {noun}" + ("" if count == 1 else "s")
