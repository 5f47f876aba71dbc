"""The settings of readers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from anaphora.protocols import Reader, Resources
from anaphora.validation import check_ranges


@dataclass(frozen=True, slots=True)
class ExtractiveSettings:
    """Extracts of two hits, of `length` characters together; the best `passages` are read.

    `model` is a folder of weights; empty for the shipped ones.
    """

    model: str = ""
    passages: int = 5
    length: int = 700

    def __post_init__(self) -> None:
        check_ranges(
            "read",
            self,
            passages=(self.passages >= 1, "1 or more"),
            length=(100 <= self.length <= 10_000, "from 100 to 10,000"),
        )

    def build(self, resources: Resources) -> Reader:
        """The reader.

        Raises:
            ModelUnavailable: the cross-encoder cannot be loaded.
        """
        from anaphora.crossencoder.model import SHIPPED, shared_crossencoder
        from anaphora.models.backbone import NAME
        from anaphora.read.extractive import ExtractiveReader

        encoder = resources.encoder
        return ExtractiveReader(
            shared_crossencoder(Path(self.model) if self.model else SHIPPED),
            self.passages,
            self.length,
            # Cosines are calibrated for the default encoder alone.
            encoder if encoder is not None and encoder.name == NAME else None,
        )
