"""Files made once from something slower to read, kept in the user's cache folder."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from anaphora.errors import ModelUnavailable

logger = logging.getLogger(__name__)

_MANIFEST = "manifest.json"
_WORKING = ".making-"
_ABANDONED_SECONDS = 3600


def cache_folder() -> Path:
    """Where prepared models are kept: $ANAPHORA_CACHE, else the platform's folder for caches."""
    chosen = os.environ.get("ANAPHORA_CACHE")
    if chosen:
        return Path(chosen).expanduser()
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    elif sys.platform == "darwin":
        base = "~/Library/Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser() / "anaphora"


def prepared(name: str, make: Callable[[Path], None]) -> Path:
    """The folder `name` of the cache with the files that `make` writes, made if need be.

    A file that is missing, cut short or altered makes the whole folder anew. Sizes are compared
    every time; contents only when a file's time of change is not the one on record.

    Several processes may do this at once: each makes all files elsewhere and moves them here one
    by one, the manifest last. `make` must therefore always write the same bytes.

    Args:
        name: must change whenever `make` would write something else.
        make: writes files (no folders) into the empty folder it is given.

    Raises:
        ModelUnavailable: the cache folder cannot be written, or what `make` raised.
    """
    folder = cache_folder() / name
    if _is_whole(folder):
        return folder
    logger.info("preparing the language model, once")
    try:
        _make(folder, make)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ModelUnavailable(
            f"the language model cannot be prepared in {folder} ({reason}): make room there, or "
            "set ANAPHORA_CACHE to a folder that can be written"
        ) from error
    return folder


def _make(folder: Path, make: Callable[[Path], None]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    _sweep(folder.parent)
    working = Path(tempfile.mkdtemp(prefix=_WORKING, dir=folder.parent))
    try:
        make(working)
        record = {}
        for path in sorted(working.iterdir()):
            with path.open("rb+") as file:
                os.fsync(file.fileno())
            status = path.stat()
            record[path.name] = [status.st_size, status.st_mtime_ns, _checksum(path)]
        (working / _MANIFEST).write_text(json.dumps(record), encoding="utf-8")
        for file_name in (*record, _MANIFEST):
            os.replace(working / file_name, folder / file_name)
    finally:
        shutil.rmtree(working, ignore_errors=True)


def _is_whole(folder: Path) -> bool:
    try:
        record = json.loads((folder / _MANIFEST).read_text(encoding="utf-8"))
        for name, (size, changed, checksum) in record.items():
            path = folder / name
            status = path.stat()
            if status.st_size != size:
                return False
            if status.st_mtime_ns != changed:
                if _checksum(path) != checksum:
                    return False
                os.utime(path, ns=(status.st_atime_ns, changed))
    except (OSError, ValueError, TypeError, AttributeError):
        return False
    return bool(record)


def _checksum(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def _sweep(folder: Path) -> None:
    """Removes what killed processes left behind."""
    for path in folder.glob(_WORKING + "*"):
        try:
            if time.time() - path.stat().st_mtime > _ABANDONED_SECONDS:
                shutil.rmtree(path, ignore_errors=True)
        except OSError:
            continue
