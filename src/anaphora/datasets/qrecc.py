"""QReCC: questions in conversations from QuAC, Natural Questions and TREC CAsT, with rewrites."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from anaphora.datasets.building import Ids, alternating, conversation, passage
from anaphora.datasets.example import Example, Format
from anaphora.datasets.json_stream import Record, json_items, json_lines
from anaphora.datasets.sniffing import field_names
from anaphora.records import Document

_COLLECTIONS = ("passages", "collection-paragraph")


def recognises(path: Path) -> bool:
    names = field_names(path)
    return names >= {"Context", "Question", "Conversation_no", "Turn_no"} and "Topic" not in names


def examples(path: Path) -> Iterator[Example]:
    """Takes the files of the set ("Rewrite", "Answer") and those of the SCAI-QReCC shared task,
    which have the same as "Truth_rewrite" and "Truth_answer", and the relevant passages as
    "Truth_passages". An empty answer is none: nobody found one on the web page.
    """
    ids = Ids()
    for record in json_items(path):
        dialogue = record.identity("Conversation_no")
        identity = ids.take(f"{dialogue}_{record.identity('Turn_no')}", record, "Turn_no")
        rewrite, answer = _either(record, "Rewrite"), _either(record, "Answer")
        passages = record.texts("Truth_passages") if "Truth_passages" in record else ()
        tags = {"dialogue": dialogue}
        if "Conversation_source" in record:
            tags["source"] = record.text("Conversation_source")
        yield Example(
            conversation(identity, alternating(record.texts("Context")), record.filled("Question")),
            rewrites=(rewrite,) if rewrite else (),
            answers=(answer,) if answer else (),
            relevant=dict.fromkeys(passages, 1),
            answerable=True if answer or passages else None,
            tags=tags,
        )


def documents(path: Path) -> Iterator[Document]:
    """The passages, if their files are in a subfolder `passages` or, as they come,
    `collection-paragraph`: JSON lines of "id" and "contents"."""
    for name in _COLLECTIONS:
        for file in sorted((path.parent / name).rglob("*.jsonl")):
            for record in json_lines(file):
                yield passage(record.identity("id"), record.filled("contents"), record)


def _either(record: Record, name: str) -> str:
    return record.text(name if name in record else f"Truth_{name.lower()}", "").strip()


FORMAT = Format(
    name="qrecc",
    title="QReCC: open-domain question answering with question rewriting",
    licence="CC BY-SA 3.0",
    home="https://github.com/apple/ml-qrecc",
    recognises=recognises,
    examples=examples,
    documents=documents,
)
