"""The questions that the cross-encoder is trained on, and their passages."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, NamedTuple

from anaphora.datasets.registry import open_dataset
from anaphora.ingest.splitting import split
from anaphora.records import UNKNOWN, Document, Passage
from anaphora.train.corpora import CANARD, bucket, canard_official
from anaphora.train.crossencoder.passages import Block, written_passages
from anaphora.train.text import TrainingText

SPANS = (
    "cmrc2018_zh/cmrc2018_dev.json",
    "cmrc2018_zh/cmrc2018_trial.json",
    "drcd_zh_tw/DRCD_dev.json",
    "drcd_zh_tw/DRCD_test.json",
    "jsquad_ja/valid-v1.3.json",
    "jsquad_ja/test-v1.3.json",
    "arcd_ar/arcd-train.json",
    "arcd_ar/arcd-test.json",
    "qed_en/qed-dev.jsonlines",
    "covidqa_en/200423_covidQA.json",
)
"""Data sets with extractive answers whose licences allow the weights to be distributed."""
CLAPNQ = (
    "clapnq_en/clapnq_dev_answerable.jsonl",
    "clapnq_en/clapnq_dev_unanswerable.jsonl",
)
"""The data sets that confidence is calibrated on."""

FILES = (*SPANS, CANARD, *CLAPNQ)

_REPEATS = {"ar": 2, "en": 2}
"""How often an epoch has the questions of languages that have few questions."""
_REPEATS_TRANSLATED = 3
_REPEATS_WRITTEN = 2

_OF_MANUAL, _OF_OTHER_MANUALS = 5, 1
"""Wrong passages of a question that are from its manual, and from others in the same language."""

_TUNING = 0.04
"""Fraction of the passages whose questions are for tuning."""
_LONG = 4_000
"""Characters above which a document is split into passages."""


Part = Literal["train", "tune", "report"]
Source = Literal["articles", "invented", "real", "conversation", "graded"]
"""What a question is on: articles and other texts, or manuals that are invented or real; a question
on a real manual behind those before it; and one whose hits are graded."""

RIGHT, PARTLY = 3, 2
"""The grades of a passage that answers a question, and of one that does so in part or for another
case. Those below do not answer it: 1 is on what is asked, 0 is anything else."""


class Graded(NamedTuple):
    """A passage in the pool with its grade for a question, its window that is read, and the
    characters of its text that answer, None where they are not known."""

    passage: int
    grade: int
    window: int
    answer: tuple[int, int] | None = None


@dataclass(frozen=True)
class Question:
    """A question for training or tuning.

    Attributes:
        passages: numbers of the passages in the pool that answer the question; none if it is not
            answerable.
        answers: the texts of the answers; none if their places in the passages are not known.
        negatives: numbers of passages that do not answer it, the hardest first.
        repeats: how often an epoch has the question.
        teacher_scores: passages with a teacher's relevance; the first one answers the question.
        is_statement: the answers are sentences that contain the answer.
        original: the question in the language of its passage, if `text` is in another one.
        window: the number of the window of its passage that answers, if there are no `answers`.
        grades: the hits of a question whose hits are graded; it has no `negatives`.
    """

    text: str
    lang: str
    passages: tuple[int, ...]
    answers: tuple[str, ...] = ()
    negatives: tuple[int, ...] = ()
    repeats: int = 1
    teacher_scores: tuple[tuple[int, float], ...] = ()
    is_statement: bool = False
    original: str = ""
    source: Source = "articles"
    window: int = 0
    grades: tuple[Graded, ...] = ()


class Pool:
    """Numbered passages without duplicate texts."""

    def __init__(self) -> None:
        self.passages: list[Passage] = []
        self._known: dict[str, int] = {}
        self._by_lang: dict[str, list[int]] = defaultdict(list)

    def number(self, passage: Passage) -> int:
        """The number of a passage, which is added if its text is new."""
        known = self._known.setdefault(passage.text, len(self.passages))
        if known == len(self.passages):
            self.passages.append(replace(passage, passage_id=str(known), doc_id=str(known)))
            self._by_lang[passage.lang].append(known)
        return known

    def of_language(self, lang: str) -> list[int]:
        """The numbers of the passages in a language."""
        return self._by_lang[lang]


def training(
    folder: Path, text: TrainingText, seed: int
) -> tuple[Pool, list[Question], list[Question]]:
    """The pool, the questions to train on, and those to tune on, which share no passages."""
    pool = Pool()
    found = [one for path in SPANS for one in _extractive(folder / path, pool)]
    found += _dialogues(folder, pool)
    found += [one for block in written_passages(text.passages) for one in _written(block, pool)]
    rng = random.Random(seed)
    held_out = {number for number in range(len(pool.passages)) if rng.random() < _TUNING}
    tuning: list[Question] = []
    trained: list[Question] = []
    for one in found:
        (tuning if held_out.intersection(one.passages or one.negatives) else trained).append(one)
    return pool, trained, [one for one in tuning if one.passages]


def manual_questions(folder: Path, pool: Pool, part: Part, seed: int = 0) -> list[Question]:
    """The questions on the manuals of one part. A question's negatives are pages of its manual that
    share the most character trigrams with it, and one of another manual.

    Raises:
        MalformedData: as `written_passages`.
    """
    manuals: dict[tuple[str, str], list[Block]] = defaultdict(list)
    for block in written_passages(folder):
        manuals[block.passage.lang, block.manual].append(block)
    rng = random.Random(seed)
    numbers = {
        manual: [pool.number(block.passage) for block in blocks]
        for manual, blocks in manuals.items()
        if manual_part(*manual) == part
    }
    found = []
    for (lang, title), pages in numbers.items():
        others = [
            number
            for manual, own in numbers.items()
            if manual[0] == lang and manual[1] != title
            for number in own
        ]
        grams = {number: _trigrams(pool.passages[number].text) for number in pages}
        for one in (one for block in manuals[lang, title] for one in _written(block, pool)):
            if one.passages:
                asked = _trigrams(one.original or one.text)
                near = without_answer(pages, one, pool)
                near = tuple(sorted(near, key=lambda page: -len(asked & grams[page])))
                drawn = rng.sample(others, min(_OF_OTHER_MANUALS, len(others)))
                one = replace(one, negatives=(*near[:_OF_MANUAL], *drawn))
            found.append(replace(one, repeats=1, source="invented"))
    return found


def _trigrams(text: str) -> set[str]:
    folded = f" {text.casefold()} "
    return {folded[at : at + 3] for at in range(len(folded) - 2)}


def manual_part(lang: str, manual: str) -> Part:
    """The part that a manual is in, by the hash of its title: 80 % are trained on."""
    number = bucket(f"{lang} {manual}", 10)
    return "report" if number == 0 else "tune" if number == 1 else "train"


def _extractive(path: Path, pool: Pool) -> Iterator[Question]:
    dataset = open_dataset(path)
    parts = {
        document.doc_id: [pool.number(passage) for passage in _passages(document)]
        for document in dataset.documents() or ()
    }
    for example in dataset.examples():
        held = [
            number
            for document in example.relevant
            for number in parts.get(document, ())
            if any(answer in pool.passages[number].text for answer in example.answers)
        ]
        if held:
            lang = example.conversation.question.lang or UNKNOWN
            repeats = _REPEATS.get(lang, 1)
            yield Question(example.question, lang, tuple(held), example.answers, repeats=repeats)


def _passages(document: Document) -> list[Passage]:
    return split(replace(document, whole=len(document.text) <= _LONG))


def _dialogues(folder: Path, pool: Pool) -> Iterator[Question]:
    """CANARD's human rewrites of the dialogues that the rewriter is trained on."""
    dataset = open_dataset(folder / CANARD)
    texts = {document.doc_id: document for document in dataset.documents() or ()}
    for example in canard_official(folder, "train"):
        held = [
            pool.number(passage)
            for document in example.relevant
            for passage in _passages(texts[document])
        ]
        if held:
            yield Question(example.rewrites[0], "en", tuple(held), repeats=_REPEATS["en"])


def _written(block: Block, pool: Pool) -> Iterator[Question]:
    here = (pool.number(block.passage),)
    original = ""
    for one in block.questions:
        answers = (one.answer,) if one.answer else ()
        right, wrong = ((), here) if one.kind == "!" else (here, ())
        if one.lang == block.passage.lang:
            original = one.question
        yield Question(
            one.question,
            one.lang,
            right,
            answers,
            wrong,
            _REPEATS_WRITTEN,
            is_statement=one.kind in "~+" and bool(answers),
            original=original if one.question != original else "",
        )


def translated(questions: Sequence[Question], path: Path) -> list[Question]:
    """The questions that the file `path` translates, in another language than their passage's."""
    lines = path.read_text("utf-8").splitlines()
    translations = {record["question"]: record for record in map(json.loads, lines)}
    return [
        replace(
            one,
            text=translations[one.text]["text"],
            lang=translations[one.text]["lang"],
            repeats=_REPEATS_TRANSLATED,
            original=one.text,
        )
        for one in questions
        if one.text in translations
    ]


def without_answer(passages: Sequence[int], question: Question, pool: Pool) -> tuple[int, ...]:
    """The passages that do not contain an answer to the question."""
    return tuple(
        number
        for number in passages
        if number not in question.passages
        and not any(answer in pool.passages[number].text for answer in question.answers)
    )


def occurrences(text: str, answer: str) -> Iterator[tuple[int, int]]:
    """The character ranges of an answer in a text."""
    start = text.find(answer)
    while start >= 0:
        yield start, start + len(answer)
        start = text.find(answer, start + 1)
