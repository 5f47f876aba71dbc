"""Dialogue-RAG-MULTI: dialogues in English and Chinese about web pages.

The format follows Figures 5 and 6 of Li et al., "Dialogue-RAG: Enhancing Retrieval for LLMs via
Node-Linking Utterance Rewriting": a dialogue is an object of "lang" and "dialogue", a list of
exchanges of "user" and "assistant"; a document is an object of "doc id" and "doc content".
Inferred: that a file holds several of them, as an array or as JSON lines; that documents are in the
folder of the dialogues; that spaces in names may be underscores; and that a dialogue which names
its document does so as the document does. Without that, no passage is known to be relevant.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from anaphora.datasets.building import Ids, Utterance, conversation, passage
from anaphora.datasets.example import Example, Format
from anaphora.datasets.json_stream import Record, json_items, json_lines, json_members
from anaphora.datasets.sniffing import field_names, files, first_record, head, with_fields
from anaphora.records import Document

_ID, _CONTENT = ("doc id", "doc_id"), ("doc content", "doc_content")


def examples(path: Path) -> Iterator[Example]:
    """One example an exchange; the assistant's part is the answer. The ids are the numbers of the
    dialogue and of the exchange."""
    for number, dialogue in enumerate(_records(path), 1):
        lang = dialogue.text("lang")
        document = next((name for name in _ID if name in dialogue), None)
        relevant = {dialogue.identity(document): 1} if document else {}
        said: list[Utterance] = []
        for turn, exchange in enumerate(dialogue.records("dialogue"), 1):
            question, answer = exchange.filled("user"), exchange.text("assistant").strip()
            yield Example(
                conversation(f"{number}_{turn}", said, question, lang=lang),
                answers=(answer,) if answer else (),
                relevant=relevant,
                answerable=True if answer else None,
                tags={"dialogue": str(number)},
            )
            said += [("user", question), ("assistant", answer)]


def documents(path: Path) -> Iterator[Document]:
    """The documents in the other files of the folder, each as one passage."""
    ids = Ids()
    for file in files(path.parent):
        names = field_names(file)
        if "dialogue" in names or not all(names & set(either) for either in (_ID, _CONTENT)):
            continue
        for record in _records(file):
            name, content = (
                next((name for name in either if name in record), either[0])
                for either in (_ID, _CONTENT)
            )
            identity = ids.take(record.identity(name), record, name)
            yield passage(identity, record.filled(content), record)


def _records(path: Path) -> Iterator[Record]:
    """The objects of an array, of JSON lines, or the one object that the file is."""
    if head(path).lstrip().startswith("["):
        yield from json_items(path)
    elif first_record(path):
        yield from json_lines(path)
    else:
        yield Record(dict(json_members(path)), path, "its outermost object")


FORMAT = Format(
    name="dialogue-rag-multi",
    title="Dialogue-RAG-MULTI: dialogues about web pages, English and Chinese",
    licence="not stated",
    home="its authors, at Wuhan University",
    recognises=with_fields("lang", "dialogue", "user", "assistant"),
    examples=examples,
    documents=documents,
)
