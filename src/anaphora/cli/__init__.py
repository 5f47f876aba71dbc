"""The command line: parses, calls, prints; an error becomes one sentence and an exit code."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from anaphora import __version__
from anaphora.cli import (
    adapting,
    answering,
    checking,
    filters,
    keys,
    measuring,
    models,
    serving,
    training,
)
from anaphora.errors import AnaphoraError, UsageError

app = typer.Typer(
    help="Ask your own documents, in your language, and check the source of every answer.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (
    answering.index,
    adapting.adapt,
    answering.ask,
    answering.chat,
    answering.search,
    answering.rewrite,
    filters.rerank,
    filters.read,
    checking.check,
    models.models,
    serving.serve,
    serving.mcp,
    measuring.compare,
    measuring.score,
    measuring.blame,
    measuring.report,
):
    app.command()(command)
app.command("eval")(measuring.evaluate)
app.add_typer(measuring.data, name="data")
app.add_typer(training.train, name="train")
app.add_typer(keys.keys, name="keys")


def _version(asked: bool) -> None:
    if asked:
        print(f"anaphora {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
    debug: Annotated[
        bool, typer.Option("--debug", help="Show where an error comes from.")
    ] = False,  # `main` takes it off the line, so that it may stand anywhere
) -> None:
    pass


def _stopped() -> SystemExit:
    print("\nanaphora: stopped; what was committed is kept", file=sys.stderr)
    return SystemExit(1)


@contextmanager
def _one_sentence(debug: bool) -> Iterator[None]:
    try:
        yield
    except AnaphoraError as error:
        if debug:
            raise
        print(f"anaphora: {error}", file=sys.stderr)
        raise SystemExit(2 if isinstance(error, UsageError) else 1) from None
    except KeyboardInterrupt:
        if debug:
            raise
        raise _stopped() from None
    except SystemExit as leaving:
        # What typer makes of Ctrl-C.
        if leaving.code != 130:
            raise
        raise _stopped() from None
    except BrokenPipeError:
        # The reader of our output has gone; there is nobody to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(1) from None
    except Exception as error:
        if debug:
            raise
        print(
            f"anaphora: an unexpected error ({type(error).__name__}: {error}); "
            "run the command again with --debug and report what it prints",
            file=sys.stderr,
        )
        raise SystemExit(1) from None


def _show_notes() -> None:
    logger = logging.getLogger("anaphora")
    if not logger.handlers:
        logger.addHandler(_Notes())
        logger.setLevel(logging.INFO)


class _Notes(logging.Handler):
    """Shows what the library logs in lines on standard error."""

    def emit(self, record: logging.LogRecord) -> None:
        from anaphora.cli.terminal import Screen

        Screen().notify(record.getMessage())


def main() -> None:
    """The `anaphora` command."""
    arguments = sys.argv[1:]
    debug = "--debug" in arguments
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    if hasattr(sys.stdin, "reconfigure"):
        # What is no UTF-8 is found where it is read.
        sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")
    _show_notes()
    with _one_sentence(debug):
        app([argument for argument in arguments if argument != "--debug"])
