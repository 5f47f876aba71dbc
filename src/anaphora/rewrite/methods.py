"""The configured rewriter."""

from __future__ import annotations

from pathlib import Path

from anaphora.config import RewriteConfig
from anaphora.errors import UsageError
from anaphora.index import Index
from anaphora.index.idf import relative_idf
from anaphora.protocols import Rewriter
from anaphora.rewrite.context import ContextRewriter
from anaphora.rewrite.expansion import HistoricalExpansion, RelativeIdf
from anaphora.rewrite.history import HistoryRewriter, NoRewriter


def make_rewriter(
    settings: RewriteConfig,
    engine: Index | None,
) -> Rewriter:
    """The configured rewriter; without an index, whose statistics say which words are telling,
    every word is.

    Args:

    Raises:
        UsageError: the method is nothing without an index, or the endpoint is no address.
    """
    if settings.method == "none":
        return NoRewriter()
    if settings.method == "history":
        return HistoryRewriter(settings.order, settings.turns)
    if settings.method == "context":
        return ContextRewriter(
            _relative_idf(engine) if engine else lambda words: [1.0] * len(words)
        )
    # What only these need takes a while to import.
    if settings.method == "linking":
        from anaphora.models.backbone import shared_backbone
        from anaphora.rewrite.linking.model import SHIPPED, read_gate
        from anaphora.rewrite.linking.rewriter import LinkingRewriter

        folder = Path(settings.model) if settings.model else SHIPPED
        beside = make_rewriter(RewriteConfig(method="context"), engine)
        return LinkingRewriter(shared_backbone(), folder, beside, gate=read_gate(folder))
    if settings.method == "pronouns":
        from anaphora.rewrite.pronouns import PronounRewriter

        return PronounRewriter()
    if settings.method == "seq2seq":
        from anaphora.rewrite.seq2seq import Seq2SeqRewriter

        return Seq2SeqRewriter(settings.model)
    if settings.method == "llm":
        from anaphora.models.chat import ChatModel
        from anaphora.rewrite.llm import LLMRewriter

        return LLMRewriter(
            ChatModel(settings.endpoint, settings.model, settings.timeout),
            make_rewriter(RewriteConfig(), engine),
            settings.order,
            settings.shots,
            parallel=settings.parallel,
        )
    if engine is None:
        raise UsageError("the rewriter 'expansion' needs an index: name one with --index")
    return HistoricalExpansion(_relative_idf(engine))


def _relative_idf(engine: Index) -> RelativeIdf:
    return lambda words: relative_idf(engine, words)
