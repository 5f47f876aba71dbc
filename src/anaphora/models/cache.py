"""Converted files in the user's cache folder, built once and checked at every use."""

from __future__ import annotations

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
from anaphora.models.card import checksum

logger = logging.getLogger(__name__)

_MANIFEST = "manifest.json"
_TEMPORARY = ".building-"
_ABANDONED_SECONDS = 3600


def cache_folder() -> Path:
    """The folder of converted models: $ANAPHORA_CACHE, or else the platform's cache folder."""
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


def cached_folder(name: str, build: Callable[[Path], None]) -> Path:
    """Returns the folder `name` of the cache, after building its files if necessary.

    The folder is rebuilt if a file is missing, truncated or altered. Sizes are compared every time,
    contents only if a file's modification time differs from the recorded one.

    Several processes may build at once. Each builds all files in a temporary folder and moves them
    to the cache one by one, the manifest last. Therefore `build` must always write the same bytes.

    Args:
        name: changes whenever `build` would write something else.
        build: writes files (no folders) into the empty folder that it is given.

    Raises:
        ModelUnavailable: the cache folder cannot be written, or `build` raised it.
    """
    folder = cache_folder() / name
    if _is_intact(folder):
        return folder
    logger.info("preparing the language model, once")
    try:
        _build(folder, build)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ModelUnavailable(
            f"the language model cannot be prepared in {folder} ({reason}): make room there, or "
            "set ANAPHORA_CACHE to a folder that can be written"
        ) from error
    return folder


def _build(folder: Path, build: Callable[[Path], None]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    _delete_abandoned(folder.parent)
    working = Path(tempfile.mkdtemp(prefix=_TEMPORARY, dir=folder.parent))
    try:
        build(working)
        record = {}
        for path in sorted(working.iterdir()):
            with path.open("rb+") as file:
                os.fsync(file.fileno())
            status = path.stat()
            record[path.name] = [status.st_size, status.st_mtime_ns, checksum(path)]
        (working / _MANIFEST).write_text(json.dumps(record), encoding="utf-8")
        for file_name in (*record, _MANIFEST):
            os.replace(working / file_name, folder / file_name)
    finally:
        shutil.rmtree(working, ignore_errors=True)


def _is_intact(folder: Path) -> bool:
    try:
        record = json.loads((folder / _MANIFEST).read_text(encoding="utf-8"))
        for name, (size, changed, expected) in record.items():
            path = folder / name
            status = path.stat()
            if status.st_size != size:
                return False
            if status.st_mtime_ns != changed:
                if checksum(path) != expected:
                    return False
                os.utime(path, ns=(status.st_atime_ns, changed))
    except (OSError, ValueError, TypeError, AttributeError):
        return False
    return bool(record)


def _delete_abandoned(folder: Path) -> None:
    """Deletes the temporary folders of killed processes."""
    for path in folder.glob(_TEMPORARY + "*"):
        try:
            if time.time() - path.stat().st_mtime > _ABANDONED_SECONDS:
                shutil.rmtree(path, ignore_errors=True)
        except OSError:
            continue
