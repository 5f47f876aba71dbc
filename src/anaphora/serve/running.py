"""Running the server: what it serves, its one-time address, signals, a clean stop."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from types import FrameType
from typing import Any, Final

import uvicorn

from anaphora.config import SERVICE, Config, read_toml
from anaphora.errors import AnaphoraError, UsageError
from anaphora.serve.app import create_app
from anaphora.serve.connections import Connection
from anaphora.serve.indexes import Indexes, configurations
from anaphora.serve.metrics import Metrics
from anaphora.serve.operations import log_to_stderr
from anaphora.serve.services import Services
from anaphora.serve.settings import ServeSettings
from anaphora.serve.sources import PdfPages
from anaphora.serve.store.store import Store
from anaphora.serve.tracing import Tracing
from anaphora.serve.turns import THREADS, Turns
from anaphora.serve.uploads import Uploads

_log = logging.getLogger(__name__)
_GRACE: Final = 5.0
"""Seconds beyond a turn's limit in which its client reads the rest of the answer."""


def read_settings(path: Path | None) -> tuple[ServeSettings, dict[str, Config]]:
    """The settings of the service and the configurations by name, from a file or the defaults.

    Raises:
        UsageError: the file cannot be read, or a setting is wrong.
    """
    values = read_toml(path) if path else {}
    table = values.pop(SERVICE, {})
    if not isinstance(table, Mapping):
        raise UsageError(f"the setting {SERVICE!r} must be a table of settings, not {table!r}")
    settings = ServeSettings.of(table)
    return settings, configurations(values, settings.configurations)


def named_folders(given: Sequence[str]) -> dict[str, Path]:
    """Index folders by name: `NAME=DIR`, or the folder's name.

    Raises:
        UsageError: a name is empty, holds a slash, or stands for two folders.

    >>> named_folders(["handbook=.anaphora", "/srv/文档"])
    {'handbook': PosixPath('.anaphora'), '文档': PosixPath('/srv/文档')}
    """
    found: dict[str, Path] = {}
    for one in given:
        name, equals, folder = one.partition("=")
        if not equals or not name or "/" in name:
            name, folder = Path(one).absolute().name, one
            name = name.lstrip(".") or "index"
        if name in found:
            raise UsageError(f"two indexes are named {name!r}; name one of them: NAME={folder}")
        found[name] = Path(folder)
    return found


def build_services(
    settings: ServeSettings, folders: Mapping[str, Path], configs: Mapping[str, Config]
) -> Services:
    """What the routes share, with all indexes open and all models loaded.

    Raises:
        AnaphoraError: an index or a model is missing or damaged.
    """
    indexes = Indexes(folders, configs)
    try:
        indexes.load()
        store = Store.open(settings)
    except BaseException:
        indexes.close()
        raise
    turns = Turns(THREADS, settings.waiting, settings.turn_seconds)
    uploads = Uploads(settings, indexes)
    return Services(
        settings=settings,
        indexes=indexes,
        turns=turns,
        metrics=Metrics(turns),
        tracing=Tracing.from_environment(),
        store=store,
        pages=PdfPages(),
        uploads=uploads,
    )


def run(
    folders: Mapping[str, Path],
    config: Path | None = None,
    host: str | None = None,
    port: int | None = None,
    say: Callable[[str], Any] = print,
) -> None:
    """Serves until a signal stops it; turns that run then may finish.

    Args:
        host: instead of the setting `serve.host`; so `port`.
        say: receives the lines that the person who started it should see.

    Raises:
        AnaphoraError: an index or a model is missing, or the address cannot be used.
    """
    read, configs = read_settings(config)
    settings = read
    if host is not None:
        settings = replace(settings, host=host)
    if port is not None:
        settings = replace(settings, port=port)
    log_to_stderr()
    listening = listen(settings.host, settings.port)
    with listening:
        services = build_services(settings, folders, configs)
        try:
            server = _Server(services, listening, read, config, say)
            server.run(sockets=[listening])
        finally:
            services.close()


class _Server(uvicorn.Server):
    def __init__(
        self,
        services: Services,
        listening: socket.socket,
        settings: ServeSettings,
        config: Path | None,
        say: Callable[[str], Any],
    ) -> None:
        self._services = services
        self._listening = listening
        self._file = config
        self._settings = settings
        self._say = say
        self._loop: asyncio.AbstractEventLoop | None = None
        super().__init__(
            uvicorn.Config(
                create_app(services),
                http=Connection,
                log_config=None,
                access_log=False,
                lifespan="on",
                server_header=False,
                proxy_headers=bool(services.settings.proxies),
                forwarded_allow_ips=list(services.settings.proxies),
                timeout_graceful_shutdown=int(services.settings.turn_seconds + _GRACE),
                h11_max_incomplete_event_size=64 * 1024,
            )
        )

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._loop = asyncio.get_running_loop()
        if hasattr(signal, "SIGHUP"):
            self._loop.add_signal_handler(signal.SIGHUP, self._reload)
        host, port = self._listening.getsockname()[:2]
        host = "127.0.0.1" if host in ("0.0.0.0", "::") else host  # it listens on all addresses
        shown = f"[{host}]" if ":" in host else host
        token = self._services.sessions.start_token()
        names = ", ".join(self._services.indexes.names)
        self._say(f"Serving {names}. Open this address in a browser; it works once:")
        self._say(f"http://{shown}:{port}/start?token={token}")

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stops after the turns that run; at once when asked again."""
        self.force_exit = self.should_exit
        self.should_exit = True
        if self._loop:
            self._loop.call_soon_threadsafe(self._services.turns.stop)

    def _reload(self) -> None:
        assert self._loop
        self._loop.run_in_executor(None, self._renew)

    def _renew(self) -> None:
        try:
            settings, configs = read_settings(self._file)
        except AnaphoraError as error:
            self._say(f"The settings were not read again: {error}")
            return
        self._services.indexes.change(self._services.indexes.folders, configs)
        changed = need_restart(self._settings, settings)
        if changed:
            names = ", ".join(f"serve.{name}" for name in changed)
            _log.warning("changed settings need a restart: %s", names)
        self._say("The settings were read again, and the indexes are opened anew.")


def need_restart(before: ServeSettings, after: ServeSettings) -> list[str]:
    """The names of the settings that differ and are used at the start only."""
    return [
        one.name
        for one in fields(ServeSettings)
        if one.name != "configurations" and getattr(before, one.name) != getattr(after, one.name)
    ]


def listen(host: str, port: int) -> socket.socket:
    """A socket that accepts connections; port 0 takes any free one.

    Raises:
        AnaphoraError: the address cannot be used.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listening = socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        number = getattr(error, "errno", None) or 0
        reason = os.strerror(number) if number > 0 else str(error)
        raise AnaphoraError(
            f"the address {host}:{port} cannot be used: {reason}; choose another one with --host "
            "and --port"
        ) from error
    # Connections inherit it. Without it the head and the body of a response, which are sent one
    # after the other, wait 40 ms for each other.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    listening.setblocking(False)
    return listening
