"""DialDoc 2023: dialogues about documents in French and Vietnamese (the shared task's Doc2Bot)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from anaphora.datasets.building import Utterance, conversation, solid
from anaphora.datasets.example import Example, Format
from anaphora.datasets.json_stream import Record, json_lines, json_texts, malformed
from anaphora.datasets.sniffing import field_names, head
from anaphora.ingest.content import clean
from anaphora.records import UNKNOWN, Document

REWRITER = "chatgpt"

_MARK = re.compile(r"<(last_turn|agent|user)>")
_LANGUAGE = re.compile(r"(Fr|Vi|Zh|En)Doc2Bot")
_RESPONSE = "<response>"
_DOMAIN = re.compile(r"[a-z]{2}-(\w+)")
_SEPARATOR = " // "


def recognises(path: Path) -> bool:
    names = field_names(path)
    return (
        "query" in names and bool(names & {"positive", "response"}) and "<last_turn>" in head(path)
    )


def examples(path: Path) -> Iterator[Example]:
    """A file of the retrieval task or of the generation task.

    Each complements the other where both are in the folder (`FrDoc2BotRetrieval_val.json` and
    `FrDoc2BotGeneration_val.json`): the one has the passage, the other the response, which is the
    answer. So do ChatGPT's rewrites (`FrDoc2BotRetrieval_gpt_val.json`), whose records stand in
    another order: they are matched by their two passages. Where several questions share both, the
    match is ambiguous, and they get none.

    The negative passage, which stands near the right one, has grade 0. Every record is a turn of
    its own; the opening question and its reply identify the dialogue.
    """
    files = _Files(path)
    numbers = {text: number for number, text in files.passages()}
    responses, passages = files.responses(), files.positives()
    rewrites, shared = files.rewrites()
    for number, record in enumerate(json_lines(path), 1):
        query = record.text("query")
        said = _utterances(record, query)
        *history, (_, question) = said
        source = record if "positive" in record else passages.take(query)
        answer = _answer(record if "response" in record else responses.take(query))
        pair = _pair(source) if source else None
        rewrite = rewrites.get(pair) if pair and shared[pair] == 1 else None
        yield Example(
            conversation(solid(f"{path.stem}#{number}"), history, question, lang=files.lang),
            automatic={REWRITER: rewrite} if rewrite else {},
            answers=(answer,) if answer else (),
            relevant=_judged(source, numbers) if source and numbers else {},
            answerable=True if source else None,
            tags=_tags(said, answer, source),
        )


def documents(path: Path) -> Iterator[Document]:
    """The passages in the folder of the path; none where it has no file of them.

    The id is the passage's number, from 0. Passages of the same text are given once, under the
    number of the first. After its text, a passage names the headings above it, from the
    innermost to the page's title, and the domain: the headings become the title.
    """
    files = _Files(path)
    for number, text in files.passages():
        own, *headings = clean(text).rstrip().split(_SEPARATOR)
        if headings and _DOMAIN.fullmatch(headings[-1]):
            title = " › ".join(heading.strip() for heading in reversed(headings[:-1]))
        else:
            own, title = clean(text), ""
        if not own.strip():
            raise malformed(files.collection or path, f"item {int(number) + 1}", "has no text")
        yield Document(number, title, own.strip(), files.lang or UNKNOWN, whole=True)


class _OtherTask:
    """Records of the other task by their query; those of the same query in their order."""

    def __init__(self, path: Path | None) -> None:
        self._records: defaultdict[str, list[Record]] = defaultdict(list)
        for record in json_lines(path) if path else ():
            self._records[record.text("query")].append(record)

    def take(self, query: str) -> Record | None:
        found = self._records[query]
        return found.pop(0) if found else None


@dataclass(frozen=True)
class _Files:
    """The files that belong to one of them."""

    path: Path

    @property
    def lang(self) -> str | None:
        names = (self.path.name, self.path.absolute().parent.name)
        found = next(filter(None, map(_LANGUAGE.search, names)), None)
        return found[1].lower() if found else None

    @property
    def collection(self) -> Path | None:
        folder = self.path.parent
        names = ["passages.json"]
        if self.lang:
            names = [f"passages.{self.lang}.json", f"all_passages/{self.lang}.json", *names]
        return next((folder / name for name in names if (folder / name).is_file()), None)

    def passages(self) -> Iterator[tuple[str, str]]:
        """Number and text of each passage whose text was not there before."""
        seen: set[str] = set()
        for number, text in enumerate(json_texts(self.collection) if self.collection else ()):
            if text not in seen:
                seen.add(text)
                yield str(number), text

    def responses(self) -> _OtherTask:
        return _OtherTask(self._beside("Retrieval", "Generation"))

    def positives(self) -> _OtherTask:
        return _OtherTask(self._beside("Generation", "Retrieval"))

    def rewrites(self) -> tuple[dict[tuple[str, str], str], Mapping[tuple[str, str], int]]:
        """The rewrite for each pair of passages, and how many questions have that pair."""
        retrieval = self._beside("Generation", "Retrieval") or self.path
        kind, found, split = retrieval.name.partition("Retrieval_")
        machine = retrieval.with_name(f"{kind}{found}gpt_{split}")
        shared: defaultdict[tuple[str, str], int] = defaultdict(int)
        if not found or not machine.is_file():
            return {}, shared
        for record in json_lines(retrieval):
            shared[_pair(record)] += 1
        return {_pair(record): record.filled("query") for record in json_lines(machine)}, shared

    def _beside(self, this: str, other: str) -> Path | None:
        if this not in self.path.name:
            return None
        path = self.path.with_name(self.path.name.replace(this, other))
        return path if path.is_file() else None


def _utterances(record: Record, query: str) -> list[Utterance]:
    """What was said, oldest first; the query has it newest first, each behind its mark."""
    before, *parts = _MARK.split(query)
    marks, texts = parts[::2], [text.strip() for text in parts[1::2]]
    if before.strip() or not marks or marks[0] != "last_turn" or "last_turn" in marks[1:]:
        raise record.wrong("query", 'must begin with "<last_turn>", which stands there once')
    if not texts[0]:
        raise record.wrong("query", "has an empty last turn")
    said: list[Utterance] = [
        ("assistant" if mark == "agent" else "user", text)
        for mark, text in zip(marks, texts, strict=True)
    ]
    return said[::-1]


def _answer(record: Record | None) -> str:
    return record.text("response").strip().removeprefix(_RESPONSE).strip() if record else ""


def _pair(record: Record) -> tuple[str, str]:
    return record.text("positive"), record.text("negative", "")


def _number(record: Record, numbers: Mapping[str, str]) -> str:
    number = numbers.get(record.text("positive"))
    if number is None:
        raise record.wrong("positive", "is not among the passages of the folder")
    return number


def _judged(record: Record, numbers: Mapping[str, str]) -> dict[str, int]:
    """The grades of the passage that answers, and of the one that does not, if there is one."""
    wrong = numbers.get(record.text("negative", ""))
    return ({wrong: 0} if wrong else {}) | {_number(record, numbers): 1}


def _tags(said: list[Utterance], answer: str, source: Record | None) -> dict[str, str]:
    tags = {}
    opening = [text for _, text in said] + [answer]
    if opening[1]:
        words = "\n".join(" ".join(text.split()) for text in opening[:2])
        tags["dialogue"] = blake2b(words.encode(), digest_size=8).hexdigest()
    if source and (domain := _DOMAIN.fullmatch(source.text("positive").split(_SEPARATOR)[-1])):
        tags["domain"] = domain[1]
    return tags


FORMAT = Format(
    name="dialdoc",
    title="DialDoc 2023: dialogues about documents, French and Vietnamese",
    licence="not stated",
    home="https://doc2dial.github.io/workshop2023",
    recognises=recognises,
    examples=examples,
    documents=documents,
)
