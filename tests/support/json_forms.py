"""What docs/json.md says of JSON values, for the tests that compare it with what is printed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tools.pages import ROOT

FORMS = ROOT / "docs" / "json.md"

TYPES = {
    "string": str,
    "string or null": (str, type(None)),
    "number": (int, float),
    "integer": int,
    "boolean": bool,
    "list": list,
    "list or null": (list, type(None)),
    "list of strings": list,
    "object": dict,
    "object or null": (dict, type(None)),
    "integer or null": (int, type(None)),
    "number or null": (int, float, type(None)),
    "boolean or null": (bool, type(None)),
}
OPEN = re.compile(
    r"(.+\.)?(timings|sources|languages|culprits|search_failures|rewrite_errors|seconds|relevant|tags)"
    r"|\[\]\.scores(\.\*)?|\[\]\.rewriting(\.\*)?|\[\]\.groups(\.\*(\.\*\.scores)?)?"
)
"""Objects whose keys are names: of stages, languages, metrics, …"""


def shape(value, name: str = "") -> Iterator[tuple[str, object]]:
    """Every field in a JSON value, as docs/json.md names them, and an example of its values."""
    if name and not name.endswith("*"):
        yield name.removesuffix("[]"), value
    if isinstance(value, list):
        for item in value:
            if isinstance(item, dict):
                for key, inner in item.items():
                    yield from shape(inner, f"{name}[].{key}")
    elif isinstance(value, dict):
        names = OPEN.fullmatch(name)
        for key, inner in value.items():
            if not names:
                yield from shape(inner, f"{name}.{key}" if name else key)
            elif isinstance(inner, dict):
                yield from shape(inner, f"{name}.*")
