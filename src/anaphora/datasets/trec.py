"""Plain TREC collections: topics, judgements and, if there are any, documents in one folder."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from html import unescape
from pathlib import Path

from anaphora.datasets.beir import CORPUS, read_corpus
from anaphora.datasets.building import check_all_used, judged_question, lone_question, tidy
from anaphora.datasets.example import Example, Format
from anaphora.datasets.json_stream import lines, malformed
from anaphora.datasets.qrels import read_qrels
from anaphora.datasets.sniffing import files, first_line, head
from anaphora.ingest.content import unwrap
from anaphora.records import UNKNOWN, Document

_JUDGEMENT = re.compile(r"\S+\s+\S+\s+\S+\s+-?\d+\s*|query-id\tcorpus-id\tscore")
_TOPICS_NAME = re.compile(r"^(?!.*resolved).*(?:topic|quer(?:y|ies)|qry|question)")
"""CAsT's resolved questions are in the folder of its topics, and are not topics."""

_LABEL = re.compile(r"^\s*(?:Number|Topic|Title)\s*:\s*", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][\w-]*>")
_CRANFIELD = re.compile(r"cran.*qry")
_EMPTY = {"471", "995"}
"""Documents of Cranfield that are published without a word; one of them is judged relevant."""


@dataclass(frozen=True)
class _Parts:
    topics: Path
    qrels: Path
    documents: Path | None


def _parts(path: Path) -> _Parts | None:
    """The files of a collection, identified by their content; the path is a folder or the topics.

    None unless there is exactly one file of judgements and one of topics.
    """
    folder = path if path.is_dir() else path.parent
    inside = files(folder)
    qrels = [one for one in inside if _is_qrels(one)]
    topics = [one for one in inside if _is_topics(one)] if path == folder else [path]
    documents = [one for one in inside if one.name == CORPUS or _is_documents(one)]
    if len(qrels) != 1 or len(topics) != 1 or not _is_topics(topics[0]):
        return None
    return _Parts(topics[0], qrels[0], documents[0] if documents else None)


def _is_qrels(path: Path) -> bool:
    return _JUDGEMENT.fullmatch(first_line(path)) is not None


def _is_topics(path: Path) -> bool:
    """TREC's `<top>` elements, or lines of an id and a text in a file whose name says so."""
    if _is_marked(path, "<top>"):
        return True
    id, tab, text = first_line(path).partition("\t")
    named = _TOPICS_NAME.search(path.name.lower()) and path.suffix in (".tsv", ".txt")
    return bool(named and tab and id.strip() and text.strip() and "\t" not in text)


def _is_documents(path: Path) -> bool:
    return _is_marked(path, "<docno>")


def _is_marked(path: Path, tag: str) -> bool:
    start = head(path).lstrip().lower()
    return start.startswith("<") and tag in start


def _recognises(path: Path, cranfield: bool) -> bool:
    if path.is_file() and not _is_topics(path):
        return False
    parts = _parts(path)
    return parts is not None and bool(_CRANFIELD.search(parts.topics.name)) is cranfield


def _examples(path: Path, cranfield: bool) -> Iterator[Example]:
    """The topics that have judgements, in their file's order."""
    parts = _parts(path)
    if parts is None:
        return
    qrels = read_qrels(parts.qrels)
    seen: set[str] = set()
    for number, (place, id, text) in enumerate(_topics(parts.topics), 1):
        # Cranfield's judgements count its topics, whose own numbers have gaps.
        id = str(number) if cranfield else id
        if id in seen:
            raise malformed(parts.topics, place, f'the topic "{id}" is there for the second time')
        seen.add(id)
        relevant = qrels.pop(id, None)
        if relevant is not None:
            if cranfield:
                relevant = {name: relevant[name] for name in relevant if name not in _EMPTY}
            question = lone_question(id, text, "en" if cranfield else None)
            yield judged_question(question, relevant)
    check_all_used(qrels, parts.qrels, parts.topics, "topics")


def _topics(path: Path) -> Iterator[tuple[str, str, str]]:
    """Place, id and text of each topic."""
    if not _is_marked(path, "<top>"):
        for number, line in lines(path):
            id, tab, text = line.partition("\t")
            if not tab or not id.strip() or not text.strip():
                raise malformed(path, f"line {number}", "must be an id, a tab and a text")
            yield f"line {number}", id.strip(), text
        return
    for place, element in _elements(path, "top"):
        id = _LABEL.sub("", _field(element, "num"))
        text = _LABEL.sub("", _field(element, "title") or _field(element, "query"))
        for name, value in (("num", id), ("title", text)):
            if not value:
                raise malformed(path, place, f"<{name}> is missing or empty")
        yield place, id, text


def _documents(path: Path, cranfield: bool) -> Iterator[Document]:
    parts = _parts(path)
    if parts is None or parts.documents is None:
        return
    if parts.documents.name == CORPUS:
        yield from read_corpus(parts.documents)
        return
    for place, element in _elements(parts.documents, "doc"):
        id = _field(element, "docno")
        if not id:
            raise malformed(parts.documents, place, "<docno> is missing or empty")
        title = _field(element, "title")
        # Cranfield's texts begin with their title.
        text = _field(element, "text").removeprefix(title).strip() or title
        if cranfield and id in _EMPTY:
            continue
        if not text:
            raise malformed(parts.documents, place, f'document "{id}" is empty')
        yield Document(id, title, text, "en" if cranfield else UNKNOWN, whole=True)


def _elements(path: Path, name: str) -> Iterator[tuple[str, str]]:
    """Place and inside of each element of that name.

    Raises:
        MalformedData: the file ends within an element.
    """
    start, end, whole = (
        re.compile(pattern, re.IGNORECASE | re.DOTALL)
        for pattern in (f"<{name}>", f"</{name}>", f"<{name}>(.*?)</{name}>")
    )
    block: list[str] = []
    begun = 0
    for number, line in lines(path):
        if not block:
            begun = number
        if block or start.search(line):
            block.append(line)
        if block and end.search(line):
            text = "\n".join(block)
            for element in whole.finditer(text):
                yield f"line {begun}", element[1]
            rest = text[max(found.end() for found in end.finditer(text)) :]
            block, begun = [rest] if start.search(rest) else [], number
    if block:
        raise malformed(path, f"line {begun}", f"<{name}> has no end, or the file is cut short")


def _field(element: str, name: str) -> str:
    """The text of a field, up to its end tag or, as in TREC's topics, to the next tag."""
    found = re.search(f"<{name}>(.*?)</{name}>", element, re.IGNORECASE | re.DOTALL) or re.search(
        f"<{name}>(.*?)(?:<[a-z]+>|$)", element, re.IGNORECASE | re.DOTALL
    )
    return unwrap(tidy(unescape(_TAG.sub(" ", found[1])))) if found else ""


FORMAT = Format(
    "trec",
    "TREC: topics (a tab-separated file, or <top> elements) and qrels in one folder",
    "each set's own",
    "https://trec.nist.gov/data.html",
    partial(_recognises, cranfield=False),
    partial(_examples, cranfield=False),
    partial(_documents, cranfield=False),
)

CRANFIELD = Format(
    "cranfield",
    "Cranfield: 225 questions on 1,400 abstracts of aerodynamics, in TREC's elements",
    "not stated",
    "https://github.com/oussbenk/cranfield-trec-dataset",
    partial(_recognises, cranfield=True),
    partial(_examples, cranfield=True),
    partial(_documents, cranfield=True),
)
