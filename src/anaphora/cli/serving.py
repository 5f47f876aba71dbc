"""The commands of the service."""

from __future__ import annotations

from typing import Annotated

import typer

from anaphora.cli.common import DEFAULT_INDEX, ConfigOption
from anaphora.errors import UsageError

ServedOption = Annotated[
    list[str] | None,
    typer.Option(
        "--index",
        envvar="ANAPHORA_INDEX",
        metavar="[NAME=]DIR",
        help="An index folder, with a name or under its own; may be given several times.",
    ),
]


def serve(
    index: ServedOption = None,
    host: Annotated[
        str | None, typer.Option("--host", help="The address to listen on, 127.0.0.1 by default.")
    ] = None,
    port: Annotated[
        int | None,
        typer.Option("--port", min=0, max=65535, help="8765 by default; 0 for any free port."),
    ] = None,
    config: ConfigOption = None,
) -> None:
    """Serve the page and the HTTP API: ask in a browser, or from other programs."""
    try:
        from anaphora.serve.running import named_folders, run
    except ModuleNotFoundError as error:
        raise UsageError(missing(error)) from error

    run(named_folders(index or [str(DEFAULT_INDEX)]), config, host, port, _say)


def mcp(index: ServedOption = None, config: ConfigOption = None) -> None:
    """Serve one agent on standard input and output (Model Context Protocol).

    `anaphora serve` serves agents over HTTP, at /mcp.
    """
    try:
        from anaphora.serve.mcp.transports import run_stdio
        from anaphora.serve.running import named_folders
    except ModuleNotFoundError as error:
        raise UsageError(missing(error, "mcp")) from error

    run_stdio(named_folders(index or [str(DEFAULT_INDEX)]), config)


def _say(line: str) -> None:
    print(line, flush=True)


def missing(error: ModuleNotFoundError, extra: str = "serve") -> str:
    """The sentence for a service without its extra."""
    return (
        f"the service needs the package {error.name!r}, which is not installed: "
        f"pip install 'anaphora[{extra}]'"
    )
