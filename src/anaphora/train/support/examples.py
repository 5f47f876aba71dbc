"""The claims that the checker is trained, tuned and measured on."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from anaphora.crossencoder.model import CrossEncoder
from anaphora.datasets.registry import open_dataset
from anaphora.language import sentences
from anaphora.protocols import Progress
from anaphora.records import UNKNOWN, Claim, Passage
from anaphora.train.corpora import Part
from anaphora.train.crossencoder.passages import written_passages
from anaphora.train.crossencoder.questions import CLAPNQ, SPANS
from anaphora.train.support.alterations import Context, altered
from anaphora.train.support.statements import Statement, title_part, written_statements
from anaphora.train.text import TrainingText

FILES: Final = (*SPANS, *CLAPNQ)
"""The data sets that claims are made of; all of their licences allow the weights to be
distributed."""
_LONG: Final = 1800
"""Characters of a passage that are read of a public data set."""
_LONGEST_ANSWER: Final = 300
_NOT_ANSWERED, _NOT_ANSWERED_PUBLIC = 60, 300
"""Questions of each language without an answer in their passage, whose best span is a claim: those
that were written for this project, and those of a public data set."""


@dataclass(frozen=True)
class Example:
    """A claim with its labels.

    Attributes:
        lang: the language of the statement.
        unsupported: the character ranges of the statement that the evidence does not support.
        kind: what makes it unsupported; empty if it is supported.
        source: "statement", "altered", "sentence" (of the passage itself), "question",
            "unanswerable", or "elsewhere" (an answer on another passage).
        keep: a part of the evidence that no cut may remove; empty if the place is not known.
        set: the name of the public data set; empty for text that was written for this project.
        across: the evidence is in another language than the statement.
        original: the statement in the language of the evidence; empty if it is not known.
    """

    statement: str
    evidence: str
    lang: str
    question: str = ""
    unsupported: tuple[tuple[int, int], ...] = ()
    kind: str = ""
    source: str = "statement"
    keep: str = ""
    set: str = ""
    across: bool = False
    original: str = ""

    @property
    def supported(self) -> bool:
        return not self.unsupported


@dataclass(frozen=True)
class Asked:
    """A question with its answer in a passage; without an answer, the passage has none."""

    question: str
    answer: str
    lang: str
    passage: Passage
    set: str = ""


class Material:
    """What claims of one part are drawn from, by the language of the statement.

    Args:
        asked: questions with an answer.
        wrong: questions that their passage does not answer, with the span that a reader found.
    """

    def __init__(
        self, statements: Iterable[Statement], asked: Iterable[Asked], wrong: Iterable[Asked]
    ) -> None:
        self.statements: dict[str, list[Statement]] = defaultdict(list)
        self.asked: dict[str, list[Asked]] = defaultdict(list)
        self.wrong: dict[str, list[Asked]] = defaultdict(list)
        self.passages: dict[str, list[Passage]] = defaultdict(list)
        self._answers: dict[str, list[str]] = defaultdict(list)
        for statement in statements:
            self.statements[statement.lang].append(statement)
        for one in asked:
            self.asked[one.lang].append(one)
            self._answers[one.passage.text].append(one.answer)
        for one in wrong:
            self.wrong[one.lang].append(one)
        known = set()
        for group in (*self.asked.values(), *self.wrong.values()):
            for one in group:
                if one.passage.text not in known:
                    known.add(one.passage.text)
                    self.passages[one.passage.lang].append(one.passage)

    @property
    def languages(self) -> list[str]:
        """Those that have passages of their own."""
        return sorted(lang for lang in self.asked if self.passages.get(lang))

    def draw(self, rng: random.Random, lang: str) -> Example | None:
        """A claim whose statement is in a language; None if none could be made."""
        chance = rng.random()
        written = self.statements[lang]
        if written and chance < 0.58:
            supported = rng.random() < 0.5
            one = rng.choice(written)
            for _ in range(20):
                if one.supported == supported:
                    break
                one = rng.choice(written)
            return stated(one)
        if chance < 0.74:
            return self.altered(rng, lang)
        if chance < 0.77:
            return self._verbatim(rng, lang)
        return self.answered(rng, lang)

    def altered(self, rng: random.Random, lang: str) -> Example | None:
        """A supported statement, or a sentence of a passage, that was altered."""
        supported = [one for one in self.statements[lang] if one.supported]
        if supported and rng.random() < 0.7:
            base = stated(rng.choice(supported))
        else:
            sentence = self._verbatim(rng, lang)
            if sentence is None:
                return None
            base = sentence
        other = rng.choice(self.passages[lang])
        found = altered(
            base.statement,
            Context(base.evidence, other.text, _sentence(other, rng), lang),
            rng,
        )
        if found is None:
            return None
        return replace(
            base,
            statement=found.text,
            unsupported=found.unsupported,
            kind=found.kind,
            source="altered",
        )

    def _verbatim(self, rng: random.Random, lang: str) -> Example | None:
        passage = rng.choice(self.passages[lang])
        sentence = _sentence(passage, rng)
        if not 20 <= len(sentence) <= _LONGEST_ANSWER:
            return None
        return Example(sentence, evidence(passage), lang, source="sentence", keep=sentence)

    def answered(self, rng: random.Random, lang: str) -> Example | None:
        """A question with an answer, right or wrong."""
        one = rng.choice(self.asked[lang])
        across = one.passage.lang != lang
        chance = rng.random()
        if chance < 0.5:
            return Example(
                one.answer, evidence(one.passage), lang, one.question, source="question",
                keep=one.answer, set=one.set, across=across,
            )  # fmt: skip
        if chance < 0.7 and self.wrong[lang]:
            wrong = rng.choice(self.wrong[lang])
            return _unsupported(wrong, wrong.passage, wrong.answer, "unanswerable")
        if chance < 0.85:
            others = [
                answer
                for answer in self._answers[one.passage.text]
                if answer.lower() not in one.answer.lower()
                and one.answer.lower() not in answer.lower()
            ]
            if others:
                return _unsupported(one, one.passage, rng.choice(others), "question")
        elsewhere = rng.choice(self.passages[one.passage.lang])
        if one.answer.lower() in elsewhere.text.lower():
            return None
        return _unsupported(one, elsewhere, one.answer, "elsewhere")


def stated(one: Statement) -> Example:
    """A written statement as a claim."""
    return Example(
        one.text, evidence(one.passage), one.lang, one.question, one.unsupported, one.kind,
        across=one.lang != one.passage.lang, original=one.original,
    )  # fmt: skip


def _unsupported(one: Asked, passage: Passage, answer: str, source: str) -> Example:
    return Example(
        answer, evidence(passage), one.lang, one.question, ((0, len(answer)),), "answer", source,
        set=one.set, across=one.lang != passage.lang,
    )  # fmt: skip


def claim(one: Example) -> Claim:
    """An example as the checker gets it."""
    return Claim(one.statement, (one.evidence,), one.question)


def evidence(passage: Passage) -> str:
    """A passage as evidence, with its title."""
    return f"{passage.heading}\n{passage.text}" if passage.heading else passage.text


def _sentence(passage: Passage, rng: random.Random) -> str:
    found = sentences(passage.text, passage.lang)
    start, end = rng.choice(found)
    return passage.text[start:end]


def asked_questions(data: Path, text: TrainingText) -> Iterator[Asked]:
    """All questions of the written passages and of the public data sets."""
    for folder in (text.passages, text.manuals):
        for block in written_passages(folder):
            for one in block.questions:
                answer = "" if one.kind == "!" else one.answer
                if one.kind == "!" or 0 < len(answer) <= _LONGEST_ANSWER:
                    yield Asked(one.question, answer, one.lang, block.passage)
    for file in FILES:
        yield from asked_in(data / file, file.partition("/")[0])


def asked_in(path: Path, name: str) -> Iterator[Asked]:
    """The questions of a public data set."""
    dataset = open_dataset(path)
    texts = {document.doc_id: document for document in dataset.documents() or ()}
    for example in dataset.examples():
        lang = example.conversation.question.lang or UNKNOWN
        for number in example.relevant:
            document = texts[number]
            answer = min(example.answers, key=len, default="")
            if example.answers and len(document.text) > _LONG:
                # Long articles: the part around the answer.
                at = document.text.find(answer)
                start = max(0, at - _LONG // 2)
                body = document.text[start : start + _LONG]
            else:
                body = document.text[:_LONG]
            if len(answer) <= _LONGEST_ANSWER:
                passage = Passage("", number, document.title, body, lang)
                yield Asked(example.question, answer, lang, passage, name)
            break


def misread(asked: Sequence[Asked], judge: CrossEncoder, progress: Progress) -> list[Asked]:
    """Questions that their passage does not answer, with the span that the cross-encoder finds."""
    found = []
    for done, one in enumerate(asked, 1):
        (read,) = judge.score([(one.question, one.passage)])
        if read.spans:
            span = read.spans[0]
            answer = one.passage.text[span.start : span.end]
            found.append(Asked(one.question, answer, one.lang, one.passage, one.set))
        progress("reading", done, len(asked))
    return found


def gathered(
    data: Path,
    text: TrainingText,
    judge: CrossEncoder,
    seed: int,
    progress: Progress,
    wanted: Sequence[Part] = ("train", "tune", "report"),
) -> dict[Part, Material]:
    """The material of the parts that are wanted; titles are in one part each."""
    statements: dict[Part, list[Statement]] = defaultdict(list)
    for statement in written_statements(text):
        statements[statement.part].append(statement)
    asked: dict[Part, list[Asked]] = defaultdict(list)
    without: dict[tuple[Part, str, str], list[Asked]] = defaultdict(list)
    for one in asked_questions(data, text):
        part = title_part(one.passage)
        if one.answer:
            asked[part].append(one)
        else:
            without[part, one.lang, one.set].append(one)
    rng = random.Random(seed)
    chosen: dict[Part, list[Asked]] = defaultdict(list)
    for (part, _, name), group in sorted(without.items()):
        count = _NOT_ANSWERED_PUBLIC if name else _NOT_ANSWERED
        chosen[part] += rng.sample(group, min(count, len(group)))
    return {
        part: Material(statements[part], asked[part], misread(chosen[part], judge, progress))
        for part in wanted
    }
