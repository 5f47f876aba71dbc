from typing import Any

import numpy.typing as npt

Buffer = bytes | npt.NDArray[Any]

def search(
    numbers: Buffer,
    starts: Buffer,
    block_starts: Buffer,
    docs: Buffer,
    codes: Buffer,
    wide: bool,
    front_offsets: Buffer,
    fronts: Buffer,
    tables: Buffer,
    live: Buffer | None,
    k: int,
    floor: float,
) -> tuple[bytes, bytes]: ...
def nearest(
    rows: Buffer,
    factors: Buffer,
    query: Buffer,
    scale: float,
    live: Buffer | None,
    first: int,
    last: int,
    k: int,
) -> tuple[bytes, bytes]: ...
def find(blob: Buffer, offsets: Buffer, key: Buffer) -> int: ...
