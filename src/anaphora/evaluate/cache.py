"""Work done once: results under the digest of what they were made from."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Callable, Hashable, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from time import perf_counter
from typing import Any, TypeVar

from anaphora.errors import AnaphoraError

Input = TypeVar("Input")
Progress = Callable[[str, int, int], None]

_BATCH = 32
_RECORDS = ("answer.py", "conversation.py", "passage.py", "pipeline.py")
_ENCODER = tuple(
    f"models/{name}.py" for name in ("backbone", "graph", "huggingface", "tokenizer", "weights")
)
_CODE = {
    "rewrite": ("rewrite", "language", "index", "models"),
    "retrieve": ("retrieve", "language", "index", *_ENCODER),
    "rerank": ("rerank", "judge", "language", "models"),
    "likeness": ("retrieve", *_ENCODER),
    "read": ("read", "judge", "language", "index", "retrieve", *_ENCODER),
}
"""The files and folders whose code and weights a stage runs on, beside the records."""


class Cache:
    """What stages gave, kept in one file; safe for several processes and against being killed.

    Raises:
        AnaphoraError: the file cannot be made or is damaged.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, timeout=60)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute(
                "CREATE TABLE IF NOT EXISTS results"
                " (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID"
            )
        except (sqlite3.Error, OSError) as error:
            raise self._failed(error) from error

    def close(self) -> None:
        self._db.close()

    def through(
        self,
        stage: str,
        settings: Any,
        inputs: Sequence[Input],
        form: Callable[[Input], Hashable],
        work: Callable[[list[Input]], list[Any]],
        progress: Progress = lambda *_: None,
    ) -> list[tuple[Any, float]]:
        """What `work` makes of each input, and the seconds that it took when it was made.

        Inputs of one form share a result; what is not kept yet is worked on in batches, each of
        which is kept at once. The stage's code is part of what a result was made from, so that no
        result outlives a change of it.

        Args:
            settings: all else that the result depends on, as JSON.
            form: an input as JSON.
            work: gives JSON for a batch of inputs.
        """
        about = json.dumps([stage, _code(stage), settings], sort_keys=True)
        keys = [
            hashlib.sha256((about + json.dumps(form(one), ensure_ascii=False)).encode()).digest()
            for one in inputs
        ]
        try:
            found = self._found(keys)
            missing = list(
                {
                    key: one for key, one in zip(keys, inputs, strict=True) if key not in found
                }.items()
            )
            for at in range(0, len(missing), _BATCH):
                progress(stage, at, len(missing))
                part = missing[at : at + _BATCH]
                began = perf_counter()
                made = work([one for _, one in part])
                seconds = (perf_counter() - began) / len(part)
                found |= {key: (value, seconds) for (key, _), value in zip(part, made, strict=True)}
                self._keep({key: found[key] for key, _ in part})
            if missing:
                progress(stage, len(missing), len(missing))
        except sqlite3.Error as error:
            raise self._failed(error) from error
        return [found[key] for key in keys]

    def _found(self, keys: Sequence[bytes]) -> dict[bytes, tuple[Any, float]]:
        found: dict[bytes, tuple[Any, float]] = {}
        for key in dict.fromkeys(keys):
            row = self._db.execute("SELECT value FROM results WHERE key = ?", (key,)).fetchone()
            if row:
                value, seconds = json.loads(zlib.decompress(row[0]))
                found[key] = (value, seconds)
        return found

    def _keep(self, results: dict[bytes, tuple[Any, float]]) -> None:
        with self._db:
            self._db.executemany(
                "INSERT OR REPLACE INTO results VALUES (?, ?)",
                (
                    (key, zlib.compress(json.dumps(value, ensure_ascii=False).encode(), 1))
                    for key, value in results.items()
                ),
            )

    def _failed(self, error: Exception) -> AnaphoraError:
        return AnaphoraError(
            f"the cache {self._path} cannot be used ({error}); delete it, it will be made anew"
        )


@cache
def _code(stage: str) -> str:
    """Digest of the files that the stage runs on."""
    package = resources.files("anaphora")
    assert isinstance(package, Path)
    digest = hashlib.sha256()
    for name in (*_RECORDS, *_CODE[stage]):
        path = package / name
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file() and file.suffix not in (".pyc", ".so", ".pyd"):
                digest.update(file.relative_to(package).as_posix().encode() + b"\0")
                digest.update(file.read_bytes())
    return digest.hexdigest()
