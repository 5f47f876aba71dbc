"""The settings of readers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from anaphora.protocols import Reader, Resources


@dataclass(frozen=True, slots=True)
class ExtractiveSettings:
    """The shortest answers in the best `passages`, in at most `sentences` quoted sentences.

    `model` is a folder of weights; empty for the shipped ones.
    """

    model: str = ""
    passages: int = 5
    sentences: int = 3

    def build(self, resources: Resources) -> Reader:
        """The reader.

        Raises:
            ModelUnavailable: the cross-encoder cannot be loaded.
        """
        from anaphora.crossencoder.model import SHIPPED, shared_crossencoder
        from anaphora.read.extractive import ExtractiveReader
        from anaphora.retrieve.encoders import DEFAULT

        encoder = resources.encoder
        return ExtractiveReader(
            shared_crossencoder(Path(self.model) if self.model else SHIPPED),
            self.passages,
            self.sentences,
            # Cosines are calibrated for the default encoder alone.
            encoder if encoder is not None and encoder.name == DEFAULT else None,
        )
