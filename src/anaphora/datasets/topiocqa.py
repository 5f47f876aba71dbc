"""TopiOCQA: conversations over all of Wikipedia that switch topics."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from anaphora.datasets.building import Ids, alternating, conversation, passage
from anaphora.datasets.example import Example, Format
from anaphora.datasets.json_stream import Record, json_items, lines, malformed
from anaphora.datasets.sniffing import with_fields
from anaphora.records import Document

REWRITER = "t5-qrecc"

_NONE = "UNANSWERABLE"
_REWRITES = "rewrites_t5_qrecc"
_KINDS = (_REWRITES, "original", "all_history")
_SEPARATOR = " [SEP] "


def examples(path: Path) -> Iterator[Example]:
    """One file of `topiocqa_dataset`. The gold passages and the rewrites of T5 come from the file
    of the same name below `retriever`, a folder next to it, where that was downloaded.

    The tag "topic_switch" says whether the turn's topic (a page) is not that of the turn before.
    """
    gold, rewrites = _retriever(path)
    ids = Ids()
    before = ("", "")
    for record in json_items(path):
        dialogue = record.identity("Conversation_no")
        identity = ids.take(f"{dialogue}_{record.identity('Turn_no')}", record, "Turn_no")
        topic = record.text("Topic").strip()
        tags = {"dialogue": dialogue, "topic": topic}
        if before[0] == dialogue:
            tags["topic_switch"] = "no" if before[1] == topic else "yes"
        before = (dialogue, topic)
        answers = _answers(record)
        rewrite = rewrites.get(identity)
        said = alternating(record.texts("Context"))
        yield Example(
            conversation(identity, said, record.filled("Question")),
            automatic={REWRITER: rewrite} if rewrite else {},
            answers=answers,
            relevant=dict.fromkeys(gold.get(identity, ()), 1),
            answerable=bool(answers),
            tags=tags,
        )


def documents(path: Path) -> Iterator[Document]:
    """The segments of Wikipedia (id, text and title), where `full_wiki_segments.tsv` is in the
    folder of the path or in the folder `wikipedia_split` next to it."""
    folders = (path.parent, path.absolute().parent.parent / "wikipedia_split")
    for file in (folder / "full_wiki_segments.tsv" for folder in folders):
        if file.is_file():
            yield from _segments(file)
            return


def _segments(file: Path) -> Iterator[Document]:
    for number, line in lines(file):
        columns = next(csv.reader([line], delimiter="\t"))
        if len(columns) != 3:
            what = f"needs three columns: id, text, title; it has {len(columns)}"
            raise malformed(file, f"line {number}", what)
        identity, text, title = columns
        if number > 1 or identity != "id":
            record = Record({"text": text}, file, f"line {number}")
            yield passage(identity.strip(), text, record, title.replace(_SEPARATOR, " › "))


def _retriever(path: Path) -> tuple[dict[str, list[str]], dict[str, str]]:
    """By turn, the ids of the gold passages, and the rewrites."""
    gold: dict[str, list[str]] = {}
    rewrites: dict[str, str] = {}
    for kind in _KINDS:
        file = path.absolute().parent.parent / "retriever" / kind / path.name
        if gold or not file.is_file():
            continue
        for record in json_items(file):
            turn = f"{record.identity('conv_id')}_{record.identity('turn_id')}"
            positives = record.records("positive_ctxs")
            gold[turn] = [positive.identity("passage_id") for positive in positives]
            if kind == _REWRITES:
                rewrites[turn] = record.filled("question")
    return gold, rewrites


def _answers(record: Record) -> tuple[str, ...]:
    """The answers of all annotators, without those that say that there is none."""
    texts = [record.text("Answer")]
    if "Additional_answers" in record:
        texts += [other.text("Answer") for other in record.records("Additional_answers")]
    known = (text.strip() for text in texts)
    return tuple(dict.fromkeys(text for text in known if text and text != _NONE))


FORMAT = Format(
    name="topiocqa",
    title="TopiOCQA: open-domain conversations that switch topics",
    licence="CC BY-NC-SA 4.0",
    home="https://github.com/McGill-NLP/topiocqa",
    recognises=with_fields("Conversation_no", "Turn_no", "Topic", "Question"),
    examples=examples,
    documents=documents,
)
