"""Records from their JSON, which is that of `dataclasses.asdict`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import is_dataclass
from functools import lru_cache
from types import NoneType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

T = TypeVar("T")


def from_dict(kind: type[T], values: Mapping[str, Any]) -> T:
    """A record, with the records and tuples in it. Fields that it does not have are left out.

    Raises:
        TypeError: a field is missing, or a value is not of its type's shape.

    >>> from anaphora.records import Edit
    >>> from_dict(Edit, {"kind": "insert", "text": "x", "source_turn": None, "position": 3})
    Edit(kind='insert', text='x', source_turn=None, position=3, replaced='')
    """
    hints = _hints(kind)  # type: ignore[arg-type]
    known = {name: _value(hints[name], value) for name, value in values.items() if name in hints}
    return kind(**known)


@lru_cache(maxsize=64)
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _value(hint: Any, value: Any) -> Any:
    if value is None:
        return None
    arguments = [one for one in get_args(hint) if one is not NoneType]
    if is_dataclass(hint) and isinstance(hint, type):
        return from_dict(hint, value)
    if get_origin(hint) is tuple:
        kinds = arguments[:1] * len(value) if arguments[-1] is ... else arguments
        return tuple(_value(inner, item) for inner, item in zip(kinds, value, strict=True))
    if isinstance(value, Mapping) and len(arguments) == 2:
        return {name: _value(arguments[1], item) for name, item in value.items()}
    # An optional value.
    return _value(arguments[0], value) if NoneType in get_args(hint) else value
