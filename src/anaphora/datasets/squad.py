"""Sets in the format of SQuAD: articles of paragraphs, each with questions about it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from pathlib import Path
from urllib.parse import unquote

from anaphora.datasets.building import Ids, distinct, lone_question, tidy
from anaphora.datasets.example import Example, Format
from anaphora.datasets.json_stream import Record, json_items
from anaphora.datasets.sniffing import head
from anaphora.records import UNKNOWN, Document

_CODES = {
    "ar", "bg", "bn", "ca", "cs", "da", "de", "el", "en", "es", "et", "eu", "fa", "fi",
    "fr", "he", "hi", "hu", "it", "ja", "ko", "lt", "nl", "pl", "pt", "ro", "ru", "sk",
    "sl", "sr", "sv", "sw", "ta", "te", "th", "tr", "uk", "ur", "vi", "zh",
}  # fmt: skip
"""The language codes that are recognised in a file's name; "id", "is" and "no" are words too."""

_SQUAD = re.compile(r'"paragraphs"\s*:')
_CMRC = re.compile(r'"(?:context_text|query_text)"\s*:')
_QUAC = '"followup"'
_CROSS = re.compile(r"context-([a-z]{2})-question-([a-z]{2})")


@dataclass(frozen=True)
class _Set:
    """A known set: `mark` is found in the name of its files or, where their name does not say it,
    `inside` in their beginning."""

    name: str
    title: str
    licence: str
    home: str
    mark: str = r"(?!)"
    inside: str = r"(?!)"
    lang: str | None = None

    def owns(self, path: Path, start: str) -> bool:
        return bool(re.search(self.mark, path.name.lower()) or re.search(self.inside, start))


_KNOWN = (
    _Set(
        "xquad",
        "XQuAD: 240 paragraphs and 1,190 questions of SQuAD, translated into each language",
        "CC BY-SA 4.0",
        "https://github.com/google-deepmind/xquad",
        mark=r"^xquad\.",
    ),
    _Set(
        "mlqa",
        "MLQA: questions on paragraphs of seven languages, asked in the same or in another one",
        "CC BY-SA 3.0",
        "https://github.com/facebookresearch/MLQA",
        mark=_CROSS.pattern,
    ),
    _Set(
        "cmrc2018",
        "CMRC 2018: Chinese questions on paragraphs of Wikipedia",
        "CC BY-SA 4.0",
        "https://github.com/ymcui/cmrc2018",
        mark="cmrc2018",
        inside=_CMRC.pattern,
        lang="zh",
    ),
    _Set(
        "drcd",
        "DRCD: questions in traditional Chinese on paragraphs of Wikipedia",
        "CC BY-SA 3.0",
        "https://github.com/DRCKnowledgeTeam/DRCD",
        mark="^drcd",
        lang="zh",
    ),
    _Set(
        "jsquad",
        "JSQuAD of JGLUE: Japanese questions on paragraphs of Wikipedia",
        "CC BY-SA 4.0",
        "https://github.com/yahoojapan/JGLUE",
        mark="jsquad",
        inside=r'"id"\s*:\s*"a\d+p\d+q\d+"',
        lang="ja",
    ),
    _Set(
        "arcd",
        "ARCD: Arabic questions on paragraphs of Wikipedia",
        "MIT",
        "https://github.com/husseinmozannar/SOQAL",
        mark=r"^arcd\b",
        lang="ar",
    ),
    _Set(
        "persianqa",
        "PersianQA: Persian questions on paragraphs of Wikipedia, some without an answer there",
        "GPL-3.0",
        "https://github.com/sajjjadayobi/PersianQA",
        mark=r"^pqa_|persianqa",
        lang="fa",
    ),
    _Set(
        "poquad",
        "PoQuAD: Polish questions on paragraphs of Wikipedia, some without an answer there",
        "GPL-3.0 or CC BY 4.0, by where it comes from",
        "https://huggingface.co/datasets/clarin-pl/poquad",
        mark="poquad",
        inside=r'"generative_answer"\s*:',
        lang="pl",
    ),
    _Set(
        "covidqa",
        "COVID-QA: English questions on scientific articles",
        "Apache-2.0",
        "https://github.com/deepset-ai/COVID-QA",
        mark="covid-?qa",
        lang="en",
    ),
)

_ANY = _Set(
    "squad",
    "SQuAD 1.1 and 2.0, and any other set in their format",
    "CC BY-SA 4.0 (SQuAD itself)",
    "https://rajpurkar.github.io/SQuAD-explorer/",
)


@dataclass(frozen=True, slots=True)
class _Paragraph:
    """`number` of `article`, both from 1; `id` is that of the first paragraph with its text."""

    id: str
    place: str
    title: str
    text: str
    questions: list[Record]

    @property
    def first(self) -> bool:
        return self.id == self.place


def _owner(path: Path) -> _Set | None:
    """The set that a file belongs to; None where it is not of this format."""
    if path.suffix != ".json":
        return None
    start = head(path)
    if _QUAC in start or not (_SQUAD.search(start) or _CMRC.search(start)):
        return None
    return next((known for known in _KNOWN if known.owns(path, start)), _ANY)


def _languages(path: Path, known: _Set) -> tuple[str | None, str | None]:
    """The language of the questions and that of the paragraphs."""
    name = path.name.lower()
    if cross := _CROSS.search(name):
        return cross[2], cross[1]
    if known is _ANY and re.search(r"^(train|dev)-v(1\.1|2\.0)\.json$", name):
        return "en", "en"
    # The first part names the set, the last one is the suffix.
    parts = re.split(r"[._-]", name)[1:-1]
    lang = known.lang or next((part for part in parts if part in _CODES), None)
    return lang, lang


def _paragraphs(path: Path) -> Iterator[_Paragraph]:
    seen: dict[bytes, str] = {}
    official = head(path).lstrip().startswith("[")
    for number, article in enumerate(json_items(path, None if official else "data"), 1):
        title = tidy(unquote(article.text("title", "")).replace("_", " "))
        parts = [article] if official else article.records("paragraphs")
        for part_number, part in enumerate(parts, 1):
            text = tidy(part.filled("context_text" if official else "context"))
            # JSQuAD sets the title before each paragraph.
            text = text.removeprefix(f"{title} [SEP] ")
            place = f"{number}-{part_number}"
            key = blake2b(text.encode(), digest_size=16).digest()
            yield _Paragraph(seen.setdefault(key, place), place, title, text, part.records("qas"))


def _examples(known: _Set, path: Path) -> Iterator[Example]:
    lang, _ = _languages(path, known)
    ids = Ids()
    for paragraph in _paragraphs(path):
        for number, question in enumerate(paragraph.questions, 1):
            field = "query_id" if "query_id" in question else "id"
            # PoQuAD's questions have no id of their own.
            made = f"{paragraph.place}-{number}"
            id = ids.take(question.identity(field) if field in question else made, question, field)
            yield _example(question, id, paragraph.id, lang)


def _example(question: Record, id: str, paragraph: str, lang: str | None) -> Example:
    if "query_text" in question:
        text, texts = question.text("query_text"), question.texts("answers")
    else:
        text = question.text("question")
        texts = () if "answers" not in question else _texts(question)
    impossible = question.values.get("is_impossible") or False
    if not isinstance(impossible, bool):
        raise question.wrong("is_impossible", "must be true or false")
    answers = () if impossible else distinct(texts)
    answerable = False if impossible else True if answers else None
    return Example(
        lone_question(id, text, lang),
        answers=answers,
        relevant={} if answerable is None else {paragraph: int(answerable)},
        answerable=answerable,
    )


def _texts(question: Record) -> tuple[str, ...]:
    return tuple(answer.text("text") for answer in question.records("answers"))


def _documents(known: _Set, path: Path) -> Iterator[Document]:
    _, lang = _languages(path, known)
    for paragraph in _paragraphs(path):
        if paragraph.first:
            yield Document(
                paragraph.id, paragraph.title, paragraph.text, lang or UNKNOWN, whole=True
            )


def _recognises(known: _Set) -> Callable[[Path], bool]:
    return lambda path: _owner(path) is known


FORMATS = tuple(
    Format(
        known.name,
        known.title,
        known.licence,
        known.home,
        _recognises(known),
        partial(_examples, known),
        partial(_documents, known),
    )
    for known in (*_KNOWN, _ANY)
)
"""One format a known set, and last the one for all others."""
