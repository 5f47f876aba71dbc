"""A small random masked-language model with a tokenizer of single characters."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from support import tiny_encoder


def make(folder: Path, texts: Iterable[str], kind: str = "BertForMaskedLM") -> str:
    """Writes a model of BERT's class `kind` that can spell `texts`; returns its folder."""
    return tiny_encoder.make(folder, texts, kind, seed=2, initializer_range=0.5)
