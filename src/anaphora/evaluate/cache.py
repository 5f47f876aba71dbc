"""Results under the digest of what they were computed from, so that nothing is recomputed."""

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
from anaphora.protocols import Progress, no_progress

Input = TypeVar("Input")

_BATCH = 32
_SHARED = ("records", "pipeline.py", "understand")
_ENCODER = tuple(
    f"models/{name}.py"
    for name in ("backbone", "graph", "huggingface", "similarity", "splade", "tokenizer", "weights")
)
_CODE = {
    "rewrite": ("rewrite", "language", "index", "models"),
    "retrieve": ("retrieve", "language", "index", *_ENCODER),
    "rerank": ("rerank", "crossencoder", "language", "models"),
    "choose": ("retrieve", "rerank", "crossencoder", "language", "index", "models"),
    "similarity": ("retrieve", *_ENCODER),
    "read": ("read", "crossencoder", "language", "index", "retrieve", *_ENCODER),
}
"""The files and folders whose code and weights a stage runs on, in addition to the shared ones."""


class Cache:
    """The results of stages in one file, which several processes can share; a process that is
    killed loses at most one batch.

    Args:
        path: the file; None to keep the results in memory.

    Raises:
        AnaphoraError: the file cannot be created or is damaged.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        try:
            if path:
                path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path or ":memory:", timeout=60)
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
        key: Callable[[Input], Hashable],
        work: Callable[[list[Input]], list[Any]],
        progress: Progress = no_progress,
    ) -> list[tuple[Any, float]]:
        """The result for each input, and the seconds that it took when it was computed.

        Inputs of one key share a result. What is not cached is computed in batches, and each batch
        is stored at once. The stage's code is part of the digest, so a result is not used after a
        change of the code.

        Args:
            settings: everything else that the result depends on, as JSON.
            key: an input as JSON.
            work: computes the results for a batch of inputs, as JSON.
        """
        about = json.dumps([stage, _code(stage), settings], sort_keys=True)
        keys = [
            hashlib.sha256((about + json.dumps(key(one), ensure_ascii=False)).encode()).digest()
            for one in inputs
        ]
        try:
            found = self._found(keys)
            pairs = zip(keys, inputs, strict=True)
            missing = list({digest: one for digest, one in pairs if digest not in found}.items())
            for at in range(0, len(missing), _BATCH):
                progress(stage, at, len(missing))
                part = missing[at : at + _BATCH]
                began = perf_counter()
                values = work([one for _, one in part])
                seconds = (perf_counter() - began) / len(part)
                # As they will be read from the file.
                values = json.loads(json.dumps(values, default=float))
                computed = {
                    digest: (value, seconds)
                    for (digest, _), value in zip(part, values, strict=True)
                }
                self._store(computed)
                found |= computed
            if missing:
                progress(stage, len(missing), len(missing))
        except sqlite3.Error as error:
            raise self._failed(error) from error
        return [found[digest] for digest in keys]

    def _found(self, keys: Sequence[bytes]) -> dict[bytes, tuple[Any, float]]:
        found: dict[bytes, tuple[Any, float]] = {}
        for key in dict.fromkeys(keys):
            row = self._db.execute("SELECT value FROM results WHERE key = ?", (key,)).fetchone()
            if row:
                value, seconds = json.loads(zlib.decompress(row[0]))
                found[key] = (value, seconds)
        return found

    def _store(self, results: dict[bytes, tuple[Any, float]]) -> None:
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
            f"the cache {self._path} cannot be used ({error}); delete it, and it will be rebuilt"
        )


@cache
def _code(stage: str) -> str:
    """Digest of the files that the stage runs on."""
    package = resources.files("anaphora")
    assert isinstance(package, Path)
    digest = hashlib.sha256()
    for name in (*_SHARED, *_CODE[stage]):
        path = package / name
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file() and file.suffix not in (".pyc", ".so", ".pyd"):
                digest.update(file.relative_to(package).as_posix().encode() + b"\0")
                digest.update(file.read_bytes())
    return digest.hexdigest()
