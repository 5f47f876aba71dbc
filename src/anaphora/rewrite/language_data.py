"""What the rewriters know of each language: `languages/LANG.toml`.

Their sections and keys are explained in languages/README.md.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from anaphora.language.tables import load_toml

_FOLDER = Path(__file__).with_name("languages")


@lru_cache(maxsize=1)
def languages() -> tuple[str, ...]:
    """The languages that have a file, sorted."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))


@lru_cache(maxsize=128)
def section(lang: str, name: str) -> dict[str, Any]:
    """A section of a language's file, empty where there is none."""
    found: dict[str, Any] = _file(lang).get(name, {})
    return found


@lru_cache(maxsize=32)
def _file(lang: str) -> dict[str, Any]:
    return load_toml(_FOLDER / f"{lang}.toml") if lang in languages() else {}
