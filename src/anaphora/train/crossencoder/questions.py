"""The questions that the judge learns from, and the passages they are asked of."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from anaphora.datasets.example import Example
from anaphora.datasets.registry import open_dataset
from anaphora.errors import UsageError
from anaphora.ingest.splitting import split
from anaphora.records import Document, Passage
from anaphora.train.corpora import canard_official
from anaphora.train.judge.written import Block, written

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
"""Sets whose answers are stretches of their passages, under licences that let the weights ship."""
CANARD = "canard/dev.json"
CLAPNQ = (
    "clapnq_en/clapnq_dev_answerable.jsonl",
    "clapnq_en/clapnq_dev_unanswerable.jsonl",
)
"""What confidence is calibrated on."""

FILES = (*SPANS, CANARD, *CLAPNQ)

TRANSLATIONS = Path(__file__).with_name("translations.jsonl")

_OFTEN = {"ar": 2, "en": 2}
"""How often an epoch has the questions of languages with few."""
_OFTEN_TRANSLATED = 3
_OFTEN_WRITTEN = 2

_KEPT_BACK = 0.04
"""Share of the passages whose questions are for tuning."""
_LONG = 4_000
"""Characters beyond which a document is an article and is cut into passages."""


@dataclass(frozen=True)
class Asked:
    """A question, the passages that answer it, and the texts that do.

    `passages` are numbers in the pool. Without `answers` the passages are known to answer, but not
    where; without `passages` none does. Answers that are `stated` are the sentences that say it,
    and not the words asked for. `negatives` are passages that do not, the hardest first. An epoch
    asks it `often` times. `taught` are passages, the first an answering one, with what a teacher
    thinks of them. `original` is the question in its passage's language, if it is in another one.
    """

    question: str
    lang: str
    passages: tuple[int, ...]
    answers: tuple[str, ...] = ()
    negatives: tuple[int, ...] = ()
    often: int = 1
    taught: tuple[tuple[int, float], ...] = ()
    stated: bool = False
    original: str = ""


class Pool:
    """Passages by number, each text once."""

    def __init__(self) -> None:
        self.passages: list[Passage] = []
        self._known: dict[str, int] = {}
        self._by_lang: dict[str, list[int]] = defaultdict(list)

    def number(self, passage: Passage) -> int:
        known = self._known.setdefault(passage.text, len(self.passages))
        if known == len(self.passages):
            self.passages.append(replace(passage, passage_id=str(known), doc_id=str(known)))
            self._by_lang[passage.lang].append(known)
        return known

    def of_language(self, lang: str) -> list[int]:
        """The numbers of the passages in a language."""
        return self._by_lang[lang]


def training(folder: Path, seed: int) -> tuple[Pool, list[Asked], list[Asked]]:
    """The pool, the questions to train on, and those to tune on; no passage serves both."""
    pool = Pool()
    found = [asked for path in SPANS for asked in _spans(folder / path, pool)]
    found += _dialogues(folder, pool)
    found += [asked for block in written() for asked in _written(block, pool)]
    rng = random.Random(seed)
    back = {number for number in range(len(pool.passages)) if rng.random() < _KEPT_BACK}
    tuned: list[Asked] = []
    trained: list[Asked] = []
    for one in found:
        (tuned if back.intersection(one.passages or one.negatives) else trained).append(one)
    return pool, trained, [one for one in tuned if one.passages]


def check(folder: Path) -> None:
    """Said before hours of work, not in the middle of them.

    Raises:
        UsageError: a file of a data set is not in `folder`.
    """
    missing = [file for file in FILES if not (folder / file).exists()]
    if missing:
        raise UsageError(
            f"{folder} lacks {', '.join(missing)}; `anaphora data list` says where each data set "
            "is to be had"
        )


def _spans(path: Path, pool: Pool) -> Iterator[Asked]:
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
            lang = _lang(example)
            often = _OFTEN.get(lang, 1)
            yield Asked(example.question, lang, tuple(held), example.answers, often=often)


def _passages(document: Document) -> list[Passage]:
    return split(replace(document, whole=len(document.text) <= _LONG))


def _lang(example: Example) -> str:
    return example.conversation.question.lang or "unknown"


def _dialogues(folder: Path, pool: Pool) -> Iterator[Asked]:
    """CANARD's questions as people rewrote them, of the dialogues that the rewriter trains on."""
    dataset = open_dataset(folder / CANARD)
    texts = {document.doc_id: document for document in dataset.documents() or ()}
    for example in canard_official(folder, "train"):
        held = [
            pool.number(passage)
            for document in example.relevant
            for passage in _passages(texts[document])
        ]
        if held:
            yield Asked(example.rewrites[0], "en", tuple(held), often=_OFTEN["en"])


def _written(block: Block, pool: Pool) -> Iterator[Asked]:
    here = (pool.number(block.passage),)
    original = ""
    for line in block.lines:
        answers = (line.answer,) if line.answer else ()
        right, wrong = ((), here) if line.kind == "!" else (here, ())
        stated = line.kind == "~" and bool(answers)
        if line.lang == block.passage.lang:
            original = line.question
        yield Asked(
            line.question,
            line.lang,
            right,
            answers,
            wrong,
            _OFTEN_WRITTEN,
            stated=stated,
            original=original if line.question != original else "",
        )


def translated(asked: Sequence[Asked]) -> list[Asked]:
    """Those of the questions that we have translated, in another language than their passage's."""
    lines = TRANSLATIONS.read_text("utf-8").splitlines()
    said = {record["question"]: record for record in map(json.loads, lines)}
    return [
        replace(
            one,
            question=said[one.question]["text"],
            lang=said[one.question]["lang"],
            often=_OFTEN_TRANSLATED,
        )
        for one in asked
        if one.question in said
    ]


def without(passages: Sequence[int], asked: Asked, pool: Pool) -> tuple[int, ...]:
    """Those of the passages that do not hold the answer."""
    return tuple(
        number
        for number in passages
        if number not in asked.passages
        and not any(answer in pool.passages[number].text for answer in asked.answers)
    )
