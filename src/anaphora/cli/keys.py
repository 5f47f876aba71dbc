"""The commands for keys of the service."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from anaphora.cli.common import ConfigOption, JsonOption
from anaphora.cli.serving import missing
from anaphora.errors import UsageError

if TYPE_CHECKING:
    from anaphora.serve.store.keys import Keys

keys = typer.Typer(help="Make and revoke the keys with which others use the service.")

NameArgument = Annotated[str, typer.Argument(help="What you call it, such as the person's name.")]


@keys.command()
def add(
    name: NameArgument,
    scope: Annotated[
        str,
        typer.Option("--scope", help="What it may do: ask, search, ingest, admin; with commas."),
    ] = "ask,search",
    days: Annotated[
        float | None, typer.Option("--days", help="After how many days it expires; else never.")
    ] = None,
    config: ConfigOption = None,
) -> None:
    """Make a key and print it. It is stored as a hash: nobody can read it again."""
    with _keys(config) as kept:
        print(kept.add(name, [one.strip() for one in scope.split(",") if one.strip()], days))


@keys.command("list")
def list_keys(config: ConfigOption = None, as_json: JsonOption = False) -> None:
    """List the keys: scopes, expiry and last use."""
    with _keys(config) as kept:
        found = kept.listed()
    for key in found:
        if as_json:
            form = {
                "name": key.name,
                "id": key.id,
                "scopes": list(key.scopes),
                "created": key.created,
                "expires": key.expires,
                "used": key.used,
            }
            print(json.dumps(form, ensure_ascii=False))
        else:
            print(
                f"{key.name}  {','.join(key.scopes)}  made {_day(key.created)}, "
                f"expires {_day(key.expires)}, last used {_day(key.used)}"
            )


@keys.command()
def revoke(name: NameArgument, config: ConfigOption = None) -> None:
    """End a key and the sessions begun with it, at once, also in a running server."""
    with _keys(config) as kept:
        kept.revoke(name)


@contextmanager
def _keys(config: Path | None) -> Iterator[Keys]:
    try:
        from anaphora.serve.running import read_settings
        from anaphora.serve.store.store import Store
    except ModuleNotFoundError as error:
        raise UsageError(missing(error)) from error

    store = Store.open(read_settings(config)[0])
    try:
        yield store.keys
    finally:
        store.close()


def _day(time: float | None) -> str:
    return "never" if time is None else datetime.fromtimestamp(time).strftime("%Y-%m-%d %H:%M")
