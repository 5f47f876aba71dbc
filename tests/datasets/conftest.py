"""Small files in the formats of the sets."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

Write = Callable[[str, Any], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a value as JSON, a text as it is; gives the path."""

    def write(name: str, value: Any) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        path.write_text(text, encoding="utf-8")
        return path

    return write


@pytest.fixture
def write_lines(write: Write) -> Callable[[str, Sequence[Any]], Path]:
    """Writes values as JSON lines; a text as it is; gives the path."""

    def write_lines(name: str, values: Sequence[Any]) -> Path:
        lines = (v if isinstance(v, str) else json.dumps(v, ensure_ascii=False) for v in values)
        return write(name, "".join(line + "\n" for line in lines))

    return write_lines
