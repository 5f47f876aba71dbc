"""The configuration of a pipeline: which part does each stage's work, with which settings."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from anaphora import registry
from anaphora.errors import UsageError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_TABLES: dict[str, tuple[registry.Kind, str, str]] = {
    "rewrite": ("rewriter", "method", "linking"),
    "retrieve": ("retriever", "model", "hybrid"),
    "rerank": ("reranker", "method", "judge"),
    "read": ("reader", "method", "spans"),
    "check": ("checker", "method", "support"),
    "translate": ("translator", "method", "none"),
    "index": ("index", "engine", "local"),
}
"""By table: the kind of part, the key that names it, and the default name."""
SERVICE = "serve"
"""The table of `anaphora serve` in the same file, which is not the pipeline's."""


def _default(table: str) -> Any:
    kind, _, name = _TABLES[table]
    return registry.find(kind, name)()


@dataclass(frozen=True, slots=True)
class Config:
    """The parts of a pipeline and its index engine, each as its settings or as the part itself.

    >>> from anaphora.rewrite.history import HistoryRewriter
    >>> Config(rewrite=HistoryRewriter(turns=2)).rewrite.turns
    2
    """

    rewrite: Any = field(default_factory=lambda: _default("rewrite"))
    retrieve: Any = field(default_factory=lambda: _default("retrieve"))
    rerank: Any = field(default_factory=lambda: _default("rerank"))
    read: Any = field(default_factory=lambda: _default("read"))
    check: Any = field(default_factory=lambda: _default("check"))
    translate: Any = field(default_factory=lambda: _default("translate"))
    index: Any = field(default_factory=lambda: _default("index"))

    @classmethod
    def load(cls, path: Path) -> Config:
        """Reads a TOML file.

        Raises:
            UsageError: the file cannot be read or is not TOML, or a key or value is wrong.
        """
        return cls.of(read_toml(path))

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Config:
        """A configuration from nested mappings; what is left out has its default.

        The table `serve` is passed over.

        Raises:
            UsageError: an unknown part or key, with the nearest known one, or a value of the wrong
                type.

        >>> Config.of({"retrieve": {"model": "lmd", "mu": 500}}).retrieve.mu
        500.0
        """
        given: dict[str, Any] = {}
        for table, settings in values.items():
            if table == SERVICE:
                continue
            if table not in _TABLES:
                hint = registry.suggestion(str(table), list(_TABLES))
                raise UsageError(f"there is no setting {table!r}; {hint}")
            given[table] = _part(table, settings)
        return cls(**given)

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """The nested mappings from which `of` makes this configuration."""
        return {table: part_to_dict(table, getattr(self, table)) for table in _TABLES}

    def without_time_limits(self) -> Config:
        """The same with results that do not depend on how busy the machine is."""
        if not hasattr(self.rerank, "rerank_ms"):
            return self
        return replace(self, rerank=replace(self.rerank, rerank_ms=0))


def read_toml(path: Path) -> dict[str, Any]:
    """The nested mappings of a TOML file.

    Raises:
        UsageError: the file cannot be read or is not TOML.
    """
    try:
        with path.open("rb") as file:
            values: dict[str, Any] = tomllib.load(file)
            return values
    except OSError as error:
        raise UsageError(f"the configuration {path} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"the configuration {path} is not TOML: {error}") from error


def has_setting(values: Mapping[str, Any], table: str, key: str) -> bool:
    """Whether the part that nested mappings name in a table has this setting.

    >>> has_setting({"read": {"method": "llm"}}, "read", "endpoint")
    True
    >>> has_setting({}, "read", "endpoint")
    False

    Raises:
        UsageError: there is no such table or part.
    """
    if table not in _TABLES:
        raise UsageError(f"there is no setting {table!r}; {registry.suggestion(table, [*_TABLES])}")
    kind, selector, default = _TABLES[table]
    settings = values.get(table, {})
    name = settings.get(selector, default) if isinstance(settings, Mapping) else default
    return key in registry.parameters(registry.find(kind, str(name)))


def part_to_dict(table: str, part: Any) -> dict[str, Any]:
    """A part's name and settings, as the table of a configuration file holds them."""
    kind, selector, _ = _TABLES[table]
    settings = {one.name: getattr(part, one.name) for one in _fields(part) if one.init}
    if selector in settings:
        return settings
    return {selector: registry.name_of(kind, part), **settings}


def _fields(part: Any) -> Any:
    return fields(part) if hasattr(part, "__dataclass_fields__") else ()


def _part(table: str, values: Any) -> Any:
    if not isinstance(values, Mapping):
        raise UsageError(f"the setting {table!r} must be a table of settings, not {values!r}")
    kind, selector, default = _TABLES[table]
    name = values.get(selector, default)
    if not isinstance(name, str):
        raise UsageError(f"the setting '{table}.{selector}' must be of type str, not {name!r}")
    try:
        factory = registry.find(kind, name)
    except UsageError as error:
        raise UsageError(f"the setting '{table}.{selector}': {error}") from error
    known = registry.parameters(factory)
    hints = get_type_hints(factory)
    given: dict[str, Any] = {selector: name} if selector in known else {}
    for key, value in values.items():
        if key == selector:
            continue
        place = f"{table}.{key}"
        if key not in known:
            raise UsageError(_unknown(kind, name, table, str(key), [selector, *known]))
        given[key] = _value(hints.get(key, object), value, place)
    return factory(**given)


def _unknown(kind: registry.Kind, name: str, table: str, key: str, known: list[str]) -> str:
    known = list(dict.fromkeys(known))
    others = [
        repr(other)
        for other in registry.names(kind)
        if other != name and key in registry.parameters(registry.find(kind, other))
    ]
    if others:
        return (
            f"the {kind} {name!r} has no setting '{table}.{key}', which is one of "
            f"{', '.join(dict.fromkeys(others))}"
        )
    return f"there is no setting '{table}.{key}'; {registry.suggestion(key, known)}"


def _value(hint: Any, value: Any, place: str) -> Any:
    if get_origin(hint) is Literal:
        # 0, 0.0 and false are equal, but only the first is the setting 0.
        if not any(type(value) is type(one) and value == one for one in get_args(hint)):
            choices = ", ".join(map(repr, get_args(hint)))
            raise UsageError(f"the setting {place!r} must be one of {choices}, not {value!r}")
        return value
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError:
            raise UsageError(f"the setting {place!r} is too large a number") from None
    if isinstance(hint, type) and (
        not isinstance(value, hint) or (hint is int and isinstance(value, bool))
    ):
        raise UsageError(f"the setting {place!r} must be of type {hint.__name__}, not {value!r}")
    return value
