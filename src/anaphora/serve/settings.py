"""The settings of the service: the table `serve` of a configuration file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from anaphora.errors import UsageError
from anaphora.registry import suggestion


def default_folder() -> Path:
    """The user's folder for conversations and keys, after the XDG base directory specification."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "anaphora"


@dataclass(frozen=True, slots=True)
class ServeSettings:
    """How the service runs.

    Attributes:
        host: the address that it listens on.
        port: 0 for any free port.
        hosts: names, besides its address, under which clients may reach it.
        origins: web pages that may call it from a browser (CORS).
        proxies: addresses of the reverse proxies whose `X-Forwarded-For` and `X-Forwarded-Proto`
            are believed.
        requests_per_minute: of one client, or of one address without a client; 0 for no limit.
        folder: where conversations, keys and uploads are stored.
        conversations: whether conversations are stored.
        configurations: by name, the settings that a client may choose instead of the default.
        waiting: turns that may wait before others are refused.
        turn_seconds: the longest time of a turn, from its start.
        upload_bytes: the largest file that may be uploaded.
        uploads_bytes: the most that the uploads of one index may take on the disk.
    """

    host: str = "127.0.0.1"
    port: int = 8765
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()
    requests_per_minute: int = 1200
    folder: Path = field(default_factory=default_folder)
    conversations: bool = True
    configurations: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    waiting: int = 32
    turn_seconds: float = 120.0
    upload_bytes: int = 50_000_000
    uploads_bytes: int = 5_000_000_000

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> ServeSettings:
        """Settings from the table of a configuration file.

        Raises:
            UsageError: a setting is unknown or of the wrong type.
        """
        defaults = cls()
        known = [one.name for one in fields(cls)]
        given: dict[str, Any] = {}
        for key, value in values.items():
            if key not in known:
                raise UsageError(f"there is no setting 'serve.{key}'; {suggestion(key, known)}")
            given[key] = _value(key, value, getattr(defaults, key))
        return cls(**given)


def _value(key: str, value: Any, default: Any) -> Any:
    place = f"serve.{key}"
    if isinstance(default, tuple):
        if isinstance(value, list) and all(isinstance(one, str) for one in value):
            return tuple(value)
        raise UsageError(f"the setting {place!r} must be a list of texts, not {value!r}")
    if isinstance(default, Path):
        if isinstance(value, str):
            return Path(value).expanduser()
        raise UsageError(f"the setting {place!r} must be a path, not {value!r}")
    kind = type(default)
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise UsageError(f"the setting {place!r} must be of type {kind.__name__}, not {value!r}")
    return value
