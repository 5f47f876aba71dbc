"""The configured reader."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from anaphora.config import ReadConfig
from anaphora.protocols import Reader

if TYPE_CHECKING:
    from anaphora.protocols import Encoder


def make_reader(settings: ReadConfig, encoder: Encoder | None = None) -> Reader:
    """The configured reader.

    Args:
        encoder: of the index's vectors. Only the default one is used: passages in another language
            than the question's are compared by its cosine.

    Raises:
        ModelUnavailable: the cross-encoder cannot be loaded.
    """
    # What this needs takes a while to import.
    from anaphora.crossencoder.model import SHIPPED, shared_crossencoder
    from anaphora.read.extractive import ExtractiveReader
    from anaphora.retrieve.encoders import DEFAULT

    folder = Path(settings.model) if settings.model else SHIPPED
    known = encoder if encoder is not None and encoder.name == DEFAULT else None
    return ExtractiveReader(
        shared_crossencoder(folder), settings.passages, settings.sentences, known
    )
