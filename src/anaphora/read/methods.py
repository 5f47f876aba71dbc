"""The configured reader."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from anaphora.config import ReadConfig
from anaphora.errors import UsageError
from anaphora.pipeline import Reader

if TYPE_CHECKING:
    from anaphora.index import Engine
    from anaphora.retrieve.encoders import Encoder


def make_reader(
    settings: ReadConfig,
    index: Engine | None = None,
    encoder: Encoder | None = None,
    notify: Callable[[str], None] = lambda _: None,
) -> Reader:
    """The configured reader.

    Args:
        index, encoder: what the method "sentences" needs: the statistics of words, and vectors
            where there are any. "spans" compares passages in other languages by the default one.
        notify: is told in one line when something slow begins.

    Raises:
        UsageError: the method needs an index and there is none.
        ModelUnavailable: the judge cannot be loaded.
    """
    # What each of these needs takes a while to import.
    if settings.method == "spans":
        from anaphora.judge.model import SHIPPED, shared_judge
        from anaphora.read.spans import SpanReader
        from anaphora.retrieve.encoders import DEFAULT

        folder = Path(settings.model) if settings.model else SHIPPED
        judge = shared_judge(folder, notify)
        known = encoder if encoder is not None and encoder.name == DEFAULT else None
        return SpanReader(judge, settings.passages, settings.sentences, known)
    if index is None:
        raise UsageError("the reader 'sentences' needs an index; choose 'spans'")
    from anaphora.read.extractive import ExtractiveReader

    return ExtractiveReader(index, encoder, settings.passages, settings.sentences)
