"""QED: English questions of Natural Questions, each with the paragraph that answers it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from anaphora.datasets.building import Ids, distinct, each_once, lone_question, tidy
from anaphora.datasets.example import Example, Format
from anaphora.datasets.json_stream import Record, json_lines
from anaphora.datasets.sniffing import with_first_record
from anaphora.records import Document


def _examples(path: Path) -> Iterator[Example]:
    ids = Ids()
    for record, document in _records(path):
        # Its annotators found that the paragraph does not answer the question after all.
        answerable = record.record("annotation").text("explanation_type", "") != "none"
        id = ids.take(record.identity("example_id"), record, "example_id")
        yield Example(
            lone_question(id, record.filled("question_text"), "en"),
            answers=_answers(record) if answerable else (),
            relevant={document.doc_id: int(answerable)},
            answerable=answerable,
        )


def _documents(path: Path) -> Iterator[Document]:
    return each_once(document for _, document in _records(path))


def _records(path: Path) -> Iterator[tuple[Record, Document]]:
    """Each question and its paragraph, whose id is that of the first question about it."""
    ids: dict[tuple[str, str], str] = {}
    for record in json_lines(path):
        title, text = tidy(record.text("title_text", "")), tidy(record.filled("paragraph_text"))
        id = ids.setdefault((title, text), record.identity("example_id"))
        yield record, Document(id, title, text, "en", whole=True)


def _answers(record: Record) -> tuple[str, ...]:
    """What each annotator marked; several spans of one annotator are one answer."""
    marked = record.values.get("original_nq_answers")
    if not isinstance(marked, list) or not all(isinstance(spans, list) for spans in marked):
        raise record.wrong("original_nq_answers", "must be a list of lists of spans")
    if not all(
        isinstance(span, dict) and isinstance(span.get("string"), str)
        for spans in marked
        for span in spans
    ):
        raise record.wrong("original_nq_answers", 'must be of spans with a "string"')
    return distinct(", ".join(span["string"] for span in spans) for spans in marked if spans)


FORMAT = Format(
    "qed",
    "QED: English questions of Natural Questions, each with a paragraph of Wikipedia",
    "CC BY-SA 3.0",
    "https://github.com/google-research-datasets/QED",
    with_first_record("example_id", "question_text", "paragraph_text", "annotation"),
    _examples,
    _documents,
)
