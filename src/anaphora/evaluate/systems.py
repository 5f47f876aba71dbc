"""Naming the systems to measure."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from anaphora.config import Config, has_setting, read_toml
from anaphora.errors import UsageError
from anaphora.pipeline import Pipeline

_NAMED = re.compile(r"([\w.\- ]+):(.+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class System:
    """A configuration or a pipeline of the user's own, and its name in results."""

    name: str = "default"
    pipeline: Config | Pipeline = field(default_factory=Config)

    @property
    def config(self) -> Config:
        """The configuration; the default one for a pipeline of the user's own."""
        return self.pipeline if isinstance(self.pipeline, Config) else Config()

    @property
    def slug(self) -> str:
        """The name as a part of a path."""
        return re.sub(r"[^\w.=-]+", "-", self.name).strip("-.") or "pipeline"


def check_names(systems: Sequence[System]) -> None:
    """Checks that every system has a name, as a part of a path, of its own.

    Raises:
        UsageError: two systems share a name.
    """
    slugs = [system.slug for system in systems]
    twice = next((name for name in slugs if slugs.count(name) > 1), None)
    if twice:
        raise UsageError(f"two pipelines are called {twice!r}; name them 'NAME: settings'")


def parse_systems(texts: Sequence[str], shared: str = "") -> list[System]:
    """The systems that texts name: a folder stands for its TOML files, sorted by name.

    Args:
        shared: settings that every system gets whose part has them, such as
            "read.endpoint=http://localhost:8000/v1,read.model=gemma". A setting of the system
            itself is replaced.

    Raises:
        UsageError: a folder has no TOML file, no system has a shared setting, or `parse_system`
            raises it.
    """
    named: list[tuple[str, dict[str, dict[str, Any]]]] = []
    for text in texts:
        if not Path(text).is_dir():
            named.append(_named(text))
            continue
        files = sorted(Path(text).glob("*.toml"))
        if not files:
            raise UsageError(f"the folder {text} has no TOML file")
        named += map(_named, map(str, files))
    for table, settings in (_settings(shared) if shared else {}).items():
        for key, value in settings.items():
            having = [one for _, one in named if has_setting(one, table, key)]
            if not having:
                raise UsageError(f"no pipeline has the setting '{table}.{key}'")
            for one in having:
                one.setdefault(table, {})[key] = value
    return [System(name, Config.of(values)) for name, values in named]


def parse_system(text: str) -> System:
    """A system from a TOML file, or from the settings that differ from the default ones.

    "NAME:" before either names it. Without it the name is that of the file, or the settings.

    Raises:
        UsageError: the file cannot be read, or a setting is unknown or has a wrong value.

    >>> one = parse_system("lmd: retrieve.model=lmd, rewrite.method=none")
    >>> one.name, one.config.retrieve.model, type(one.config.rewrite).__name__
    ('lmd', 'lmd', 'NoRewriter')
    """
    name, values = _named(text)
    return System(name, Config.of(values))


def _named(text: str) -> tuple[str, dict[str, dict[str, Any]]]:
    named = None if Path(text).is_file() else _NAMED.fullmatch(text)
    name, settings = (named[1].strip(), named[2].strip()) if named else ("", text.strip())
    if settings.endswith(".toml") or Path(settings).is_file():
        return name or Path(settings).stem, read_toml(Path(settings))
    if settings == "default":
        return name or settings, {}
    return name or settings, _settings(settings)


def _settings(text: str) -> dict[str, dict[str, Any]]:
    values: dict[str, dict[str, Any]] = {}
    for setting in filter(None, map(str.strip, text.split(","))):
        table, dot, rest = setting.partition(".")
        key, equals, value = rest.partition("=")
        if not dot or not equals:
            raise UsageError(
                f"{text!r} is neither a file nor settings such as "
                "'retrieve.model=lmd,rewrite.method=none'"
            )
        values.setdefault(table.strip(), {})[key.strip()] = _value(value.strip())
    return values


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
