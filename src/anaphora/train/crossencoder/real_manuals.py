"""Questions on real manuals, and the indexes of these manuals.

A file for each language holds our questions, and the manuals stay where they are: a line names the
passage that answers by a digest of its text. training/README.md lists the manuals.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from anaphora.assistant import Assistant
from anaphora.crossencoder.model import CrossEncoder
from anaphora.crossencoder.sequence import Sequencer, Window
from anaphora.errors import UsageError
from anaphora.index import Index, has_index, open_index
from anaphora.models.backbone import shared_backbone
from anaphora.protocols import Progress, no_progress
from anaphora.records import Conversation, Hit, Passage, Query, Turn
from anaphora.train.crossencoder.questions import RIGHT, Graded, Part, Pool, Question
from anaphora.train.text import TrainingText

REPORTED = frozenset(
    {
        "file-roller", "gnome-calculator", "gnome-sudoku", "seahorse", "sqlite", "totem",
        "borg", "pitivi", "scrapy", "shotwell", "iobroker", "lighttpd", "nadesiko", "pgadmin",
        "readmes", "thonny",
    }
)  # fmt: skip
TUNED = frozenset(
    {
        "eog", "gnome-terminal", "rustbook", "mkdocs", "polari", "epiphany", "mapproxy",
        "supervisor", "tomcat", "gthumb", "streamlink", "synapse", "textlint", "trac", "vditor",
    }
)  # fmt: skip

DEPTH = 24
"""Hits of a question; each of its negatives is one."""
NEGATIVES = 14
_FOUND = 0.9
"""Fraction of the passages that the indexes must have at least."""
_AT_ONCE = 256
_MANY, _REPEATS = 400, 3
"""A question with graded hits is repeated as the square root of the first number says, divided by
the questions on its manual; at most so often."""


@dataclass(frozen=True)
class RealQuestion:
    """A question on a real manual.

    Attributes:
        text: as it was typed.
        lang: the language of the question.
        manual: the name of the manual; for a question that no manual answers, of one that it is
            near to.
        manual_lang: the language of the manual.
        passage: the digest of the passage that answers, None if none does.
        earlier: in a conversation, the questions before.
        standalone: in a conversation, the question so that nothing before is needed.
        rewrite: the same in the words of this question and of the earlier ones.
    """

    text: str
    lang: str
    manual: str
    manual_lang: str
    passage: str | None
    earlier: tuple[str, ...] = ()
    standalone: str = ""
    rewrite: str = ""

    @property
    def alone(self) -> str:
        """The question as it is understood without the earlier ones."""
        return self.standalone or self.text


@dataclass(frozen=True)
class GradedQuestion:
    """A question whose hits are graded, each by itself.

    Attributes:
        text: as the cross-encoder reads it; a follow-up as it was typed, where that says enough.
        lang: the language of the question.
        manual: the name of the manual.
        manual_lang: the language of the manual.
        grades: the digest of each passage with its grade, from 0 to `RIGHT`.
        answers: from the digest of a passage to the characters of its text that answer, where they
            are marked.
    """

    text: str
    lang: str
    manual: str
    manual_lang: str
    grades: tuple[tuple[str, int], ...]
    answers: Mapping[str, tuple[int, int]] = field(default_factory=dict)


def graded_questions(text: TrainingText, part: Part) -> list[GradedQuestion]:
    """The questions of one part in `text.grades`."""
    return [
        GradedQuestion(
            line["question"],
            line["lang"],
            line["manual"],
            lang,
            tuple(zip(line["passages"], map(int, line["grades"]), strict=True)),
            {named: (start, end) for named, (start, end) in line.get("answers", {}).items()},
        )
        for lang, line in _lines(text.grades, part)
    ]


def real_questions(text: TrainingText, part: Part) -> list[RealQuestion]:
    """The questions of one part, each by itself: those of `text.questions` and, as they are
    understood without the earlier ones, those of `text.dialogues`."""
    asked = [
        RealQuestion(line["question"], line["lang"], line["manual"], lang, line["passage"])
        for lang, line in _lines(text.questions, part)
    ]
    known = {(one.text, one.passage) for one in asked}
    for one in (one for talk in real_dialogues(text, part) for one in talk):
        if (one.alone, one.passage) not in known:
            known.add((one.alone, one.passage))
            asked.append(
                RealQuestion(one.alone, one.lang, one.manual, one.manual_lang, one.passage)
            )
    return asked


def real_dialogues(text: TrainingText, part: Part) -> list[list[RealQuestion]]:
    """The conversations of one part, each a list of its questions."""
    return [_dialogue(line, lang) for lang, line in _lines(text.dialogues, part)]


def _lines(folder: Path, part: Part) -> Iterator[tuple[str, dict[str, Any]]]:
    """The lines of one part in the files LANG.jsonl of a folder, with these languages."""
    for path in sorted(folder.glob("*.jsonl")):
        for line in map(json.loads, path.read_text("utf-8").splitlines()):
            if part_of(line["manual"]) == part:
                yield path.stem, line


def _dialogue(line: dict[str, Any], manual_lang: str) -> list[RealQuestion]:
    found: list[RealQuestion] = []
    for turn in line["turns"]:
        found.append(
            RealQuestion(
                turn["question"],
                line["lang"],
                line["manual"],
                manual_lang,
                turn["passage"],
                tuple(one.text for one in found),
                turn.get("standalone", turn["question"]),
                turn.get("rewrite", turn["question"]),
            )
        )
    return found


def part_of(manual: str) -> Part:
    """The part that a manual is in, in all languages."""
    return "report" if manual in REPORTED else "tune" if manual in TUNED else "train"


def digest(text: str) -> str:
    """Identifies the text of a passage."""
    return sha256(text.encode()).hexdigest()[:16]


class Manuals:
    """The indexes in a folder: one for each language, in a folder that is called by its code.

    Attributes:
        fingerprint: identifies what they hold.

    Raises:
        UsageError: there is none.
        AnaphoraError: one cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        homes = [path for path in sorted(folder.glob("*")) if has_index(path)]
        if not homes:
            raise UsageError(
                f"{folder} has no folder LANG with an index of manuals; training/README.md says "
                "how to make them"
            )
        self._assistants = {path.name: Assistant(open_index(path)) for path in homes}
        self.fingerprint = " ".join(
            f"{lang}:{_index(one).fingerprint}" for lang, one in self._assistants.items()
        )

    def located(
        self, questions: Sequence[RealQuestion]
    ) -> list[tuple[RealQuestion, Passage | None]]:
        """The questions with the passages that answer them, without those whose passage or
        language is not in the indexes.

        Raises:
            UsageError: too many passages are not.
        """
        named = [one for one in questions if one.passage]
        found = sum((one.manual_lang, one.passage) in self._passages for one in named)
        if found < _FOUND * len(named):
            raise UsageError(
                f"{self._folder} has the passages of {found:,} of {len(named):,} questions; index "
                "the manuals that training/README.md lists, in the versions that it names"
            )
        return [
            (one, self._passages.get((one.manual_lang, one.passage or "")))
            for one in questions
            if one.manual_lang in self._assistants
            and (one.passage is None or (one.manual_lang, one.passage) in self._passages)
        ]

    def hits(self, question: GradedQuestion) -> list[tuple[Passage, int]]:
        """The graded hits of a question with their grades, without those that are in no index."""
        found = (
            (self._passages.get((question.manual_lang, named)), grade)
            for named, grade in question.grades
        )
        return [(passage, grade) for passage, grade in found if passage]

    def pages(self, questions: Sequence[RealQuestion]) -> list[Passage]:
        """All passages of the documents that hold the passages which answer questions."""
        named = {
            (one.manual_lang, passage.doc_id) for one, passage in self.located(questions) if passage
        }
        return [
            passage
            for lang, doc_id in sorted(named)
            for passage in _index(self._assistants[lang]).passages_of(doc_id)
        ]

    @cached_property
    def _passages(self) -> dict[tuple[str, str], Passage]:
        return {
            (lang, digest(passage.text)): passage
            for lang, one in self._assistants.items()
            for passage in _passages(_index(one))
        }

    def search(
        self, questions: Sequence[RealQuestion], progress: Progress = no_progress
    ) -> list[list[Hit]]:
        """The first DEPTH hits of the default search for each question, in the index of the
        language of its manual."""
        found: dict[int, list[Hit]] = {}
        for lang, assistant in self._assistants.items():
            rows = [row for row, one in enumerate(questions) if one.manual_lang == lang]
            for start in range(0, len(rows), _AT_ONCE):
                part = rows[start : start + _AT_ONCE]
                queries = [Query(questions[row].text, questions[row].lang) for row in part]
                hits = assistant.retriever.retrieve(queries, DEPTH)
                found |= zip(part, hits, strict=True)
                progress("searching the manuals", len(found), len(questions))
        return [found[row] for row in range(len(questions))]


def _index(assistant: Assistant) -> Index:
    assert assistant.index is not None
    return assistant.index


def _passages(index: Index) -> Iterator[Passage]:
    after = ""
    while page := index.documents(after=after):
        for document in page:
            yield from index.passages_of(document.doc_id)
        after = page[-1].doc_id


def answered(manuals: Manuals, text: TrainingText, part: Part, pool: Pool) -> list[Question]:
    """The questions of one part that a passage answers, each by itself and without negatives.

    Raises:
        UsageError: as `Manuals.located`.
    """
    return [
        Question(one.text, one.lang, (pool.number(passage),), source="real")
        for one, passage in manuals.located(real_questions(text, part))
        if passage
    ]


def in_context(manuals: Manuals, text: TrainingText, part: Part, pool: Pool) -> list[Question]:
    """The later questions of the conversations of one part that a passage answers: each behind the
    questions before it (`Conversation.in_context`), and, where it needs them, in its rewrite by
    itself.

    Raises:
        UsageError: as `Manuals.located`.
    """
    later = [one for talk in real_dialogues(text, part) for one in talk if one.earlier]
    found = []
    for one, passage in manuals.located(later):
        if passage is None:
            continue
        turns = [Turn("user", earlier) for earlier in (*one.earlier, one.text)]
        asked = Conversation(tuple(turns)).in_context
        right = (pool.number(passage),)
        found.append(Question(asked, one.lang, right, source="conversation"))
        if one.rewrite != one.text:
            found.append(Question(one.rewrite, one.lang, right, source="real"))
    return found


def searched(
    manuals: Manuals,
    text: TrainingText,
    pool: Pool,
    judge: CrossEncoder,
    progress: Progress = no_progress,
) -> list[Question]:
    """The questions of the training part, each by itself, with hits of the search as negatives.

    Args:
        judge: says which window of a passage answers.

    Raises:
        UsageError: as `Manuals.located`.
    """
    located = manuals.located(real_questions(text, "train"))
    hits = manuals.search([one for one, _ in located], progress)
    found = []
    for (one, passage), own in zip(located, hits, strict=True):
        right = (pool.number(passage),) if passage else ()
        wrong = dict.fromkeys(pool.number(hit.passage) for hit in own)
        negatives = [number for number in wrong if number not in right][:NEGATIVES]
        if right or negatives:
            found.append(
                Question(one.text, one.lang, right, negatives=tuple(negatives), source="real")
            )
    return with_windows(found, pool, judge)


def graded(manuals: Manuals, text: TrainingText, pool: Pool, judge: CrossEncoder) -> list[Question]:
    """The questions of the training part whose hits are graded, without hits that are not in the
    indexes. Those on manuals with few questions are repeated, up to three times, so that the
    weights learn less of single manuals.

    Args:
        judge: says which window of a passage is read.
    """
    asked = graded_questions(text, "train")
    hits = [manuals.hits(one) for one in asked]
    pairs = [(one.text, hit) for one, own in zip(asked, hits, strict=True) for hit, _ in own]
    windows = iter(best_windows(pairs, judge))
    sizes = Counter(one.manual for one in asked)
    found = []
    for one, own in zip(asked, hits, strict=True):
        grades = tuple(
            Graded(
                pool.number(passage), grade, next(windows), one.answers.get(digest(passage.text))
            )
            for passage, grade in own
        )
        right = tuple(hit.passage for hit in grades if hit.grade == RIGHT)
        repeats = min(max(round((_MANY / sizes[one.manual]) ** 0.5), 1), _REPEATS)
        found.append(
            Question(one.text, one.lang, right, repeats=repeats, source="graded", grades=grades)
        )
    return found


def with_windows(questions: Sequence[Question], pool: Pool, judge: CrossEncoder) -> list[Question]:
    """The questions; one whose answer is not known has the window of its passage that `judge`
    finds most relevant."""
    found = list(questions)
    asked = [
        (row, pool.passages[one.passages[0]])
        for row, one in enumerate(questions)
        if one.passages and not one.answers
    ]
    windows = best_windows([(questions[row].text, passage) for row, passage in asked], judge)
    for (row, _), window in zip(asked, windows, strict=True):
        found[row] = replace(questions[row], window=window)
    return found


def best_windows(pairs: Sequence[tuple[str, Passage]], judge: CrossEncoder) -> list[int]:
    """For each question and passage, the number of the window that `judge` finds most relevant."""
    sequencer = Sequencer(shared_backbone().tokenizer)
    windows = [sequencer.windows(asked, one.full_heading, one.text) for asked, one in pairs]
    parts = [
        (asked, _part(passage, window))
        for (asked, passage), own in zip(pairs, windows, strict=True)
        if len(own) > 1
        for window in own
    ]
    evidence = iter(judge.score(parts) if parts else ())
    found = []
    for own in windows:
        relevance = [next(evidence).relevance for _ in own] if len(own) > 1 else [0.0]
        found.append(relevance.index(max(relevance)))
    return found


def _part(passage: Passage, window: Window) -> Passage:
    """The part of a passage that a window shows."""
    start = min(start for start, _ in window.ranges)
    return replace(passage, text=passage.text[start : max(end for _, end in window.ranges)])
