"""Pages of a PDF as images."""

from __future__ import annotations

import math
import struct
import zlib
from pathlib import Path

import numpy as np
import numpy.typing as npt

from anaphora.ingest.pdf.pages import opened

MAX_WIDTH = 2_000
"""Pixels of the widest image."""

_MAX_PIXELS = 8_000_000


def page_count(path: Path) -> int:
    """The number of pages.

    Raises:
        UnreadableFile: the PDF is encrypted, truncated or damaged.
        OSError: the file cannot be opened.
    """
    with opened(path) as pdf:
        return len(pdf)


def page_image(path: Path, page: int, width: int) -> bytes | None:
    """A page as a PNG image, or None if there is no such page.

    Args:
        page: from 1.
        width: of the image in pixels; it is narrower where the page is very high.

    Raises:
        UnreadableFile: the PDF is encrypted, truncated or damaged.
        OSError: the file cannot be opened.
    """
    with opened(path) as pdf:
        if not 0 < page <= len(pdf):
            return None
        shown = pdf[page - 1]
        across, up = (max(1.0, size) for size in shown.get_size())
        # PDFium rounds up.
        scale = min((min(width, MAX_WIDTH) - 0.5) / across, math.sqrt(_MAX_PIXELS / (across * up)))
        return png(shown.render(scale=scale, rev_byteorder=True).to_numpy())


def png(pixels: npt.NDArray[np.uint8]) -> bytes:
    """A PNG file of uint8 [height, width, 3]: red, green and blue."""
    height, width, _ = pixels.shape
    rows = np.zeros((height, 1 + 3 * width), np.uint8)  # each begins with its filter: none
    rows[:, 1:] = pixels.reshape(height, 3 * width)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), 6)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in parts
    )
