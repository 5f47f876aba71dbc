"""The indexes of a server by name, each opened once, with an assistant for each configuration."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, Literal

from anaphora.assistant import Assistant
from anaphora.config import Config
from anaphora.errors import AnaphoraError, UsageError
from anaphora.index import Index, Upgradable, Upgrade, Watched, open_index
from anaphora.records import Claim, Hit, Query
from anaphora.registry import suggestion
from anaphora.serve.problems import Problem

DEFAULT: Final = "default"
"""The name of the configuration without further settings."""
_WARMING: Final = "What do these documents describe?"
State = Literal["ready", "updating", "damaged"]


@dataclass(frozen=True, slots=True)
class Status:
    """The state of an index, as clients see it.

    Attributes:
        state: "updating" while another process writes it; it can be searched meanwhile.
        detail: a sentence that says more; empty where there is nothing to say.
    """

    name: str
    state: State
    detail: str = ""
    documents: int = 0
    passages: int = 0
    languages: tuple[str, ...] = ()
    encoder: str = ""
    without_vectors: int = 0


def configurations(values: Mapping[str, Any], others: Mapping[str, Any]) -> dict[str, Config]:
    """The configurations by name: that of a file, and those whose tables replace some of its own.

    Raises:
        UsageError: a setting is wrong.
    """
    found = {DEFAULT: Config.of(values)}
    for name, tables in others.items():
        place = f"serve.configurations.{name}"
        if not isinstance(tables, Mapping):
            raise UsageError(f"the setting {place!r} must be a table of tables, not {tables!r}")
        if "index" in tables:
            raise UsageError(f"the setting '{place}.index' cannot differ from the table 'index'")
        try:
            found[name] = Config.of({**values, **tables})
        except UsageError as error:
            raise UsageError(f"in {place}: {error}") from error
    return found


class Indexes:
    """The open indexes. Every method may be called from several threads.

    Args:
        folders: by name; the first one is the default.
        configs: by name; one of them is `DEFAULT`.
    """

    def __init__(self, folders: Mapping[str, Path], configs: Mapping[str, Config]) -> None:
        self.folders = dict(folders)
        self.configs = dict(configs)
        self._lock = threading.Lock()
        self._opened: dict[str, _Opened] = {}
        self._locks = {name: threading.Lock() for name in folders}

    @property
    def names(self) -> list[str]:
        return list(self.folders)

    @property
    def default(self) -> str:
        return next(iter(self.folders))

    def find(self, name: str | None) -> str:
        """The name, or the default for None.

        Raises:
            Problem: 404, there is no such index.
        """
        if name is None or name in self.folders:
            return self.default if name is None else name
        raise Problem(
            HTTPStatus.NOT_FOUND, f"there is no index {name!r}; {suggestion(name, self.names)}"
        )

    def find_configuration(self, name: str | None) -> str:
        """The name, or the default for None.

        Raises:
            Problem: 404, there is no such configuration.
        """
        if name is None or name in self.configs:
            return name or DEFAULT
        raise Problem(
            HTTPStatus.NOT_FOUND,
            f"there is no configuration {name!r}; {suggestion(name, list(self.configs))}",
        )

    @contextmanager
    def use(self, name: str | None = None, configuration: str | None = None) -> Iterator[Assistant]:
        """An assistant on the index as it is now. It stays open until the block ends.

        Loads models: call it in a thread that may take its time.

        Raises:
            Problem: 404, there is no such index or configuration; 503, it cannot be opened.
        """
        name, configuration = self.find(name), self.find_configuration(configuration)
        opened = self._borrow(name)
        try:
            yield opened.assistant(configuration, self.configs[configuration])
        finally:
            self._return(opened)

    @contextmanager
    def opened(self, name: str | None = None) -> Iterator[Index]:
        """An index as it is now, without models. It stays open until the block ends.

        Raises:
            Problem: 404, there is no such index; 503, it cannot be opened.
        """
        opened = self._borrow(self.find(name))
        try:
            yield opened.index
        finally:
            self._return(opened)

    def status(self, name: str) -> Status:
        """The state of an index."""
        try:
            with self.opened(name) as index:
                counts, missing = index.counts(), index.without_vectors()
                writing = isinstance(index, Watched) and index.being_written()
                upgrade = index.upgrade if isinstance(index, Upgradable) else None
                return Status(
                    name,
                    "updating" if writing else "ready",
                    _detail(writing, missing, upgrade),
                    counts.documents,
                    counts.passages,
                    index.languages,
                    index.encoder,
                    missing,
                )
        except (AnaphoraError, Problem) as error:
            return Status(name, "damaged", str(error))

    def load(self) -> None:
        """Opens all indexes and loads the models of all configurations.

        Raises:
            AnaphoraError: an index or a model is missing or damaged.
        """
        for name in self.folders:
            for configuration in self.configs:
                opened = self._borrow(name, problems=False)
                try:
                    _warm(opened.assistant(configuration, self.configs[configuration]))
                finally:
                    self._return(opened)

    def change(self, folders: Mapping[str, Path], configs: Mapping[str, Config]) -> None:
        """Serves other indexes and configurations; turns that run end with those they began."""
        with self._lock:
            retired = list(self._opened.values())
            self._opened = {}
            self.folders, self.configs = dict(folders), dict(configs)
            self._locks = {name: threading.Lock() for name in folders}
        for opened in retired:
            self._retire(opened)

    def close(self) -> None:
        self.change(self.folders, self.configs)

    def _borrow(self, name: str, problems: bool = True) -> _Opened:
        with self._locks[name]:
            with self._lock:
                opened = self._opened.get(name)
            if opened and opened.is_outdated():
                with self._lock:
                    self._opened.pop(name, None)
                self._retire(opened)
                opened = None
            if opened is None:
                try:
                    opened = _Opened(open_index(self.folders[name], self.configs[DEFAULT].index))
                except AnaphoraError as error:
                    if not problems:
                        raise
                    raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, str(error)) from error
            with self._lock:
                self._opened[name] = opened
                opened.users += 1
            return opened

    def _return(self, opened: _Opened) -> None:
        with self._lock:
            opened.users -= 1
            last = opened.retired and not opened.users
        if last:
            opened.index.close()

    def _retire(self, opened: _Opened) -> None:
        with self._lock:
            opened.retired = True
            unused = not opened.users
        if unused:
            opened.index.close()


@dataclass
class _Opened:
    """An open index and its assistants; closed when it is outdated and nobody uses it."""

    index: Index
    users: int = 0
    retired: bool = False
    _assistants: dict[str, Assistant] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self._encoders = self.index.encoder, self.index.sparse_encoder

    def is_outdated(self) -> bool:
        """Contents are renewed by the index itself; another index or encoder is not."""
        with suppress(AnaphoraError):
            replaced = isinstance(self.index, Watched) and self.index.replaced()
            return replaced or (self.index.encoder, self.index.sparse_encoder) != self._encoders
        return True

    def assistant(self, configuration: str, config: Config) -> Assistant:
        with self._lock:
            found = self._assistants.get(configuration)
            if found is None:
                found = Assistant(self.index, config)
                _ = found.pipeline  # builds the parts here, once, not in two turns at a time
                self._assistants[configuration] = found
            return found


def _warm(assistant: Assistant) -> None:
    """Loads the models, which is otherwise done by the first question; asks no endpoint."""
    config = assistant.config

    def local(*names: str) -> bool:
        return not any(getattr(getattr(config, name), "endpoint", "") for name in names)

    if local("rewrite", "rerank", "read", "check", "translate"):
        for event in assistant.stream(_WARMING):
            del event
        return
    query = Query(_WARMING, "en")
    hits: list[Hit] = []
    if local("rewrite"):
        assistant.rewrite(_WARMING)
    if local("translate"):
        hits = assistant.search(_WARMING)
    if local("rerank") and assistant.reranker:
        assistant.reranker.rerank([query], [hits], len(hits))
    if local("check") and assistant.checker:
        assistant.checker.check([Claim(_WARMING, (_WARMING,))])
    if local("read", "check", "translate"):
        assistant.pipeline.reader.read([query], [hits])


def _detail(writing: bool, missing: int, upgrade: Upgrade | None) -> str:
    if writing:
        return "another process is updating the index; answers come from its last state"
    if missing:
        return f"{missing} passages have no vectors; run 'anaphora index' on the documents again"
    if upgrade:
        return (
            f"searched by fast vectors, because {upgrade.missing} passages have no vectors of "
            f"{upgrade.encoder}; run 'anaphora index' on the documents again"
        )
    return ""
