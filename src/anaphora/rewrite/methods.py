"""The configured rewriter."""

from __future__ import annotations

from anaphora.config import RewriteConfig
from anaphora.errors import UsageError
from anaphora.index import Engine
from anaphora.index.keyness import keyness
from anaphora.pipeline import Rewriter
from anaphora.rewrite.context import ContextRewriter
from anaphora.rewrite.expansion import HistoricalExpansion, Keyness
from anaphora.rewrite.history import HistoryRewriter, NoRewriter


def make_rewriter(settings: RewriteConfig, engine: Engine | None) -> Rewriter:
    """The configured rewriter; without an index, whose statistics say which words are telling,
    every word is.

    Raises:
        UsageError: the method is nothing without an index.
    """
    if settings.method == "none":
        return NoRewriter()
    if settings.method == "history":
        return HistoryRewriter(settings.order, settings.turns)
    if settings.method == "context":
        return ContextRewriter(_keyness(engine) if engine else lambda words: [1.0] * len(words))
    if engine is None:
        raise UsageError("the rewriter 'expansion' needs an index: name one with --index")
    return HistoricalExpansion(_keyness(engine))


def _keyness(engine: Engine) -> Keyness:
    return lambda words: keyness(engine, words)
