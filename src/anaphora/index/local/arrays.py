"""Named arrays in one file. It is written once, then memory-mapped and never changed.

Layout: the magic bytes, the length of a JSON header, the header (`{name: [dtype, shape, offset]}`),
then each array at its offset, aligned to 64 bytes, little-endian.
"""

from __future__ import annotations

import json
import os
import struct
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from anaphora.errors import IndexDamaged

Array = npt.NDArray[Any]
MAGIC = b"ANAPHOR1"
ALIGNMENT = 64
CHUNK = 1 << 22


def save(path: Path, arrays: Mapping[str, Array]) -> int:
    """Writes the arrays durably and atomically; returns the file's checksum.

    Raises:
        OSError: the disk is full or the folder cannot be written.
    """
    header: dict[str, tuple[str, list[int], int]] = {}
    offset = 0
    for name, array in arrays.items():
        offset = -(-offset // ALIGNMENT) * ALIGNMENT
        header[name] = (array.dtype.newbyteorder("<").str, list(array.shape), offset)
        offset += array.nbytes
    text = json.dumps(header).encode()
    start = -(-(len(MAGIC) + 8 + len(text)) // ALIGNMENT) * ALIGNMENT
    temporary = path.with_suffix(path.suffix + ".new")
    try:
        with temporary.open("wb") as file:
            file.write((MAGIC + struct.pack("<Q", len(text)) + text).ljust(start, b"\0"))
            for name, array in arrays.items():
                file.seek(start + header[name][2])
                file.write(np.ascontiguousarray(array).data.cast("B") if array.size else b"")
            file.truncate(start + offset)
            file.flush()
            os.fsync(file.fileno())
        total = checksum(temporary)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)
    return total


def load(path: Path) -> dict[str, Array]:
    """Memory-maps the arrays, read-only.

    Raises:
        IndexDamaged: the file is missing, truncated, or not of this format.
    """
    try:
        # A plain view: numpy's own memmap class slows every later slice down several times.
        data = np.asarray(np.memmap(path, dtype=np.uint8, mode="r"))
        if bytes(data[: len(MAGIC)]) != MAGIC:
            raise ValueError("bad magic")
        (length,) = struct.unpack("<Q", bytes(data[len(MAGIC) : len(MAGIC) + 8]))
        header = json.loads(bytes(data[len(MAGIC) + 8 : len(MAGIC) + 8 + length]))
        start = -(-(len(MAGIC) + 8 + length) // ALIGNMENT) * ALIGNMENT
        arrays: dict[str, Array] = {}
        for name, (dtype, shape, offset) in header.items():
            size = int(np.prod(shape)) * np.dtype(dtype).itemsize
            part = data[start + offset : start + offset + size]
            arrays[name] = part.view(dtype).reshape(shape)
    except (OSError, ValueError, struct.error) as error:
        raise IndexDamaged(
            f"the index file {path} is missing or damaged; run 'anaphora index repair --index "
            f"{path.parent.parent}'"
        ) from error
    return arrays


def checksum(path: Path) -> int:
    """CRC-32 of a whole file."""
    total = 0
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            total = zlib.crc32(chunk, total)
    return total


def sync_folder(folder: Path) -> None:
    """Makes a rename in the folder durable, where the platform allows opening a folder."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
