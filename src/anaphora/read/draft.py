"""A written answer while it is made: each sentence is checked before it is shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from time import perf_counter

from anaphora.crossencoder.model import CrossEncoder
from anaphora.language import identify, identify_question, is_fragment
from anaphora.protocols import Checker
from anaphora.read.cleaning import clean
from anaphora.read.output import Written
from anaphora.read.planted import quotations
from anaphora.read.sources import Source
from anaphora.records import (
    UNKNOWN,
    Checked,
    Citation,
    Cited,
    Claim,
    Conversation,
    Fate,
    Fault,
    Passage,
    Query,
    Statement,
    Support,
    Text,
    Turn,
)

RELEVANT = -1.0
"""In log-odds, the least relevance to the question of the first sentence that is shown, and of
every sentence where the passages hold instructions to a model: see docs/decisions/writing.md."""


@dataclass
class Draft:
    """The sentences of one answer and their fates.

    Args:
        sources: those that the model may cite by number.
        cross_encoder: says whether a sentence may answer the question; None to leave this open.
        suspected: whether the passages hold instructions to a model.
    """

    query: Query
    checker: Checker
    sources: Sequence[Source]
    cross_encoder: CrossEncoder | None = None
    suspected: bool = False
    statements: list[Statement] = field(default_factory=list)
    citations: list[Citation] = field(default_factory=list)
    text: str = ""
    seconds: float = 0.0
    failed: tuple[str, tuple[Source, ...]] | None = None
    """The first sentence that its sources do not support, and these sources."""
    _shown: list[str] = field(default_factory=list)
    _held: Written | None = None

    def add(self, written: Written) -> Iterator[Checked | Text | Cited]:
        """Checks a sentence. One without a citation waits for the next, whose citations in the same
        line are its own too."""
        held, self._held = self._held, None
        if held:
            numbers = () if written.begins_line else written.numbers
            yield from self._decide(Written(held.text, numbers, held.begins_line))
        if written.numbers:
            yield from self._decide(written)
        else:
            self._held = written

    def end(self) -> Iterator[Checked | Text | Cited]:
        """Decides on a sentence that still waits."""
        held, self._held = self._held, None
        if held:
            yield from self._decide(held)

    def add_repaired(
        self, written: Written, sources: Sequence[Source]
    ) -> Iterator[Checked | Text | Cited]:
        """Checks a restated sentence against the sources of the failed one."""
        yield from self._decide_on(written, sources, repaired=True)

    def _decide(self, written: Written) -> Iterator[Checked | Text | Cited]:
        most = len(self.sources)
        cited = [self.sources[number - 1] for number in written.numbers if 1 <= number <= most]
        yield from self._decide_on(written, cited, repaired=False)

    def _decide_on(
        self, written: Written, sources: Sequence[Source], repaired: bool
    ) -> Iterator[Checked | Text | Cited]:
        text = clean(written.text, "\n".join(one.evidence for one in sources))
        if not any(map(str.isalnum, text)):
            return
        support: Support | None = None
        fault = self._fault(text, sources)
        if fault is None:
            support = self._supported(text, sources)
            fault = None if support.supported else "unsupported"
        if fault == "unsupported" and not repaired and self.failed is None:
            self.failed = text, tuple(sources)
        if fault is None and support:
            # Where several texts support the statement only together, none does so alone.
            sources = [sources[at] for at in support.citations] or sources
        citations = tuple(one.citation() for one in sources)
        fate: Fate = "struck" if fault else "repaired" if repaired else "shown"
        statement = Statement(text, citations, fate, fault, support)
        self.statements.append(statement)
        yield Checked(statement)
        if fault is None:
            yield from self._show(statement, written.begins_line)

    def _fault(self, text: str, sources: Sequence[Source]) -> Fault | None:
        if not sources:
            return "uncited"
        if _letters(text) in map(_letters, self._shown):
            return "repeated"
        if not self._in_language(text):
            return "language"
        return None if self._relevant(text, sources) else "irrelevant"

    def _relevant(self, text: str, sources: Sequence[Source]) -> bool:
        """Whether a sentence may answer the question. What a document tells a model to say has
        nothing to do with the question; but neither has, by itself, a later step of a procedure. So
        a later sentence is free, unless a source has it in quotation marks."""
        told = self.suspected or _is_quotation(text, sources)
        if self.cross_encoder is None or (self.text and not told):
            return True
        began = perf_counter()
        passage = Passage("", "", "", text, self.query.lang, end=len(text))
        (found,) = self.cross_encoder.score([(self.query.text, passage)])
        self.seconds += perf_counter() - began
        return found.relevance >= RELEVANT

    def _in_language(self, text: str) -> bool:
        """Whether a sentence, and the answer with it, are in the question's language or in none
        that can be identified."""
        lang = self.query.lang
        if lang == UNKNOWN:
            return True
        asked = Turn("user", self.query.text, lang)
        found = identify_question(Conversation((asked, Turn("user", text))))
        whole = identify(" ".join((*self._shown, text)))
        return found == lang and whole in (lang, UNKNOWN)

    def _supported(self, text: str, sources: Sequence[Source]) -> Support:
        evidence = tuple(one.evidence for one in sources)
        claims = [Claim(text, evidence, self.query.text)]
        if not is_fragment(text, self.query.lang):
            # A sentence may be true although it answers another question.
            claims.append(Claim(text, evidence))
        began = perf_counter()
        support = max(self.checker.check(claims), key=lambda one: one.probability)
        self.seconds += perf_counter() - began
        return support

    def _show(self, statement: Statement, begins_line: bool) -> Iterator[Text | Cited]:
        new: list[tuple[int, Citation]] = []
        marks: list[str] = []
        for citation in statement.citations:
            if citation not in self.citations:
                self.citations.append(citation)
                new.append((len(self.citations), citation))
            marks.append(f"[{self.citations.index(citation) + 1}]")
        lead = "" if not self.text else "\n" if begins_line else " "
        part = f"{lead}{statement.text} {''.join(dict.fromkeys(marks))}"
        self.text += part
        self._shown.append(statement.text)
        yield Text(part)
        for number, citation in new:
            yield Cited(number, citation)


def _is_quotation(text: str, sources: Sequence[Source]) -> bool:
    """Whether a sentence is what a source has in quotation marks, or a part of it."""
    own = _letters(text)
    return any(own in _letters(part) for one in sources for part in quotations(one.evidence))


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
