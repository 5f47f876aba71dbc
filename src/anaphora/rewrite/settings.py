"""The settings of rewriters that are more than their own settings."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from anaphora.errors import UsageError
from anaphora.index import TermStatistics
from anaphora.index.idf import relative_idf
from anaphora.protocols import Resources, Rewriter
from anaphora.rewrite.expansion import RelativeIdf
from anaphora.validation import check_present, check_ranges, request_ranges

if TYPE_CHECKING:
    from anaphora.models.endpoint import ChatModel


@dataclass(frozen=True, slots=True)
class ExpansionSettings:
    """Keywords of the history are appended: by the index's term statistics, or by BM25 scores and
    the thresholds of Lin et al. (2020)."""

    scores: Literal["idf", "bm25"] = "idf"

    def build(self, resources: Resources) -> Rewriter:
        """The rewriter.

        Raises:
            UsageError: there is no index, or for "idf" none with term statistics.
        """
        from anaphora.rewrite.expansion import HistoricalExpansion, IdfScores

        index = resources.index
        if index is None or (self.scores == "idf" and not isinstance(index, TermStatistics)):
            raise UsageError("the rewriter 'expansion' needs an index: name one with --index")
        if self.scores == "bm25":
            return HistoricalExpansion.of_the_paper(index)
        return HistoricalExpansion(IdfScores(_idf(resources)))


@dataclass(frozen=True, slots=True)
class ContextSettings:
    """The words that set the topic are appended to a question that depends on context."""

    def build(self, resources: Resources) -> Rewriter:
        from anaphora.rewrite.context import ContextRewriter

        return ContextRewriter(_idf(resources))


@dataclass(frozen=True, slots=True)
class LinkingSettings:
    """A trained model copies words of the conversation into the question.

    `model` is a folder of weights; empty for the shipped ones.
    """

    model: str = ""

    def build(self, resources: Resources) -> Rewriter:
        """The rewriter.

        Raises:
            ModelUnavailable: the weights cannot be loaded.
        """
        from anaphora.models.backbone import shared_backbone
        from anaphora.rewrite.context import ContextRewriter
        from anaphora.rewrite.follow_ups import FollowUpRewriter
        from anaphora.rewrite.linking.model import SHIPPED, read_gate
        from anaphora.rewrite.linking.rewriter import LinkingRewriter

        folder = Path(self.model) if self.model else SHIPPED
        context = ContextRewriter(_idf(resources))
        gate = read_gate(folder)
        return FollowUpRewriter(LinkingRewriter(shared_backbone(), folder, context, gate=gate))


@dataclass(frozen=True, slots=True)
class Seq2SeqSettings:
    """The sequence-to-sequence checkpoint `model`: a name on the Hugging Face hub, or a folder.

    Raises:
        UsageError: `model` is empty.
    """

    model: str = ""

    def __post_init__(self) -> None:
        check_present("rewrite", self, "the rewriter 'seq2seq'", ["model"])

    def build(self, resources: Resources) -> Rewriter:
        from anaphora.rewrite.seq2seq import Seq2SeqRewriter

        return Seq2SeqRewriter(self.model)


@dataclass(frozen=True, slots=True)
class LLMSettings:
    """The `model` behind an OpenAI-compatible `endpoint`, such as http://localhost:8000/v1.

    `order` is that of the turns in the prompt, `shots` the number of examples before them,
    `timeout` the seconds that an answer may take with all its retries, `parallel` the number of
    concurrent requests.

    Raises:
        UsageError: `endpoint` or `model` is empty, or a number is out of range.
    """

    endpoint: str = ""
    model: str = ""
    order: Literal["newest", "oldest"] = "newest"
    shots: Literal[0, 3] = 0
    timeout: float = 20.0
    parallel: int = 4

    def __post_init__(self) -> None:
        check_ranges("rewrite", self, **request_ranges(self.timeout, self.parallel))
        check_present("rewrite", self, "the rewriter 'llm'", ["endpoint", "model"])

    def build(self, resources: Resources) -> Rewriter:
        """The rewriter, which falls back on the default one.

        Raises:
            UsageError: the endpoint is not an address.
        """
        from anaphora.rewrite.llm import LLMRewriter

        return LLMRewriter(
            self.language_model(),
            LinkingSettings().build(resources),
            self.order,
            self.shots,
            parallel=self.parallel,
        )

    def language_model(self) -> ChatModel:
        from anaphora.models.endpoint import ChatModel

        return ChatModel(self.endpoint, self.model, self.timeout)


def _idf(resources: Resources) -> RelativeIdf:
    """The index's IDF; without term statistics every word has the highest."""
    index = resources.index
    if not isinstance(index, TermStatistics):
        return lambda words: [1.0] * len(words)
    return lambda words: relative_idf(index, words)
