"""The configured rewriter."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from anaphora.config import RewriteConfig
from anaphora.errors import UsageError
from anaphora.index import Engine
from anaphora.index.keyness import keyness
from anaphora.pipeline import Rewriter
from anaphora.rewrite.context import ContextRewriter
from anaphora.rewrite.expansion import HistoricalExpansion, Keyness
from anaphora.rewrite.history import HistoryRewriter, NoRewriter


def make_rewriter(
    settings: RewriteConfig,
    engine: Engine | None,
    notify: Callable[[str], None] = lambda _: None,
) -> Rewriter:
    """The configured rewriter; without an index, whose statistics say which words are telling,
    every word is.

    Args:
        notify: is told in one line that a model is being loaded, or that an endpoint failed and
            the default rewriter did its work.

    Raises:
        UsageError: the method is nothing without an index, or the endpoint is no address.
    """
    if settings.method == "none":
        return NoRewriter()
    if settings.method == "history":
        return HistoryRewriter(settings.order, settings.turns)
    if settings.method == "context":
        return ContextRewriter(_keyness(engine) if engine else lambda words: [1.0] * len(words))
    # What only these need takes a while to import.
    if settings.method == "linking":
        from anaphora.models.backbone import shared_backbone
        from anaphora.rewrite.linking.model import SHIPPED, read_gate
        from anaphora.rewrite.linking.rewriter import LinkingRewriter

        folder = Path(settings.model) if settings.model else SHIPPED
        beside = make_rewriter(RewriteConfig(method="context"), engine)
        return LinkingRewriter(shared_backbone(notify), folder, beside, gate=read_gate(folder))
    if settings.method == "pronouns":
        from anaphora.rewrite.pronouns import PronounRewriter

        return PronounRewriter()
    if settings.method == "seq2seq":
        from anaphora.rewrite.seq2seq import Seq2SeqRewriter

        return Seq2SeqRewriter(settings.model, notify)
    if settings.method == "llm":
        from anaphora.models.chat import ChatModel
        from anaphora.rewrite.llm import LLMRewriter

        return LLMRewriter(
            ChatModel(settings.endpoint, settings.model, settings.timeout),
            make_rewriter(RewriteConfig(), engine, notify),
            settings.order,
            settings.shots,
            parallel=settings.parallel,
            notify=notify,
        )
    if engine is None:
        raise UsageError("the rewriter 'expansion' needs an index: name one with --index")
    return HistoricalExpansion(_keyness(engine))


def _keyness(engine: Engine) -> Keyness:
    return lambda words: keyness(engine, words)
