"""The command that lists the models of an endpoint."""

from __future__ import annotations

from typing import Annotated

import typer

from anaphora.cli.common import JsonOption, print_json


def models(
    endpoint: Annotated[
        str,
        typer.Argument(help="The address before /chat/completions: http://localhost:11434/v1."),
    ],
    as_json: JsonOption = False,
) -> None:
    """List the models of an OpenAI-compatible endpoint, with their windows where it says them."""
    from anaphora.models.endpoint import ChatModel

    listed = ChatModel(endpoint, "").models()
    if as_json:
        print_json([one._asdict() for one in listed])
        return
    for one in listed:
        print(one.name if one.window is None else f"{one.name}  ({one.window:,} tokens)")
