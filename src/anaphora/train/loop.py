"""The folder that a training keeps its state in."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from anaphora.errors import UsageError
from anaphora.models.card import checksum

DATA = "data"
"""In a recipe, the digest of what is learnt from."""


def digest(files: Iterable[Path]) -> str:
    """Of the contents of files, in their order."""
    found = sha256()
    for path in files:
        found.update(checksum(path).encode())
    return found.hexdigest()


def prepare(out: Path, recipe: Mapping[str, Any]) -> None:
    """Makes the folder and notes the recipe in it, or compares it with the one noted there.

    Raises:
        UsageError: the folder cannot be made, or holds a training by another recipe.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"the folder {out} cannot be made: {error.strerror or error}") from error
    path = out / "recipe.json"
    if not path.exists():
        path.write_text(json.dumps(recipe, indent=1) + "\n", "utf-8")
        return
    noted, told = json.loads(path.read_text("utf-8")), json.loads(json.dumps(recipe))
    changed = [
        "other data" if name == DATA else f"{name} {noted.get(name)}"
        for name in told
        if told[name] != noted.get(name)
    ]
    if changed:
        raise UsageError(
            f"{out} holds a training with {', '.join(changed)}; name another folder, or delete it"
        )


class Log:
    """What a training says, as lines of JSON in a file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._began = time.time()

    def __call__(self, event: str, **values: Any) -> None:
        record = {"event": event, "at": round(time.time() - self._began), **values}
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
