"""The JSON forms of docs/json.md: records to dicts, and lines of input to records."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from anaphora.answer import Answer, Trace
from anaphora.conversation import Conversation, Rewrite, Turn
from anaphora.errors import UsageError
from anaphora.passage import Hit, Query


def answer_form(question: str, answer: Answer, trace: Trace) -> dict[str, Any]:
    """What `anaphora ask --json` prints."""
    rewrite = trace.output("rewrite")
    assert isinstance(rewrite, Rewrite)
    return {
        "question": question,
        "rewrite": rewrite.text,
        "lang": rewrite.lang,
        "answer": answer.text,
        "answer_lang": answer.lang,
        "confidence": round(answer.confidence, 4),
        "abstained": answer.abstained,
        "citations": [
            {
                "passage_id": citation.passage_id,
                "doc_id": citation.doc_id,
                "title": citation.title,
                "quote": citation.quote,
                "start": citation.start,
                "end": citation.end,
            }
            for citation in answer.citations
        ],
        "hits": [hit_form(hit) for hit in trace.hits],
        "timings": {name: round(seconds, 6) for name, seconds in trace.timings.items()},
    }


def search_form(query: str, lang: str, hits: Sequence[Hit]) -> dict[str, Any]:
    """What `anaphora search --json` prints."""
    return {"query": query, "lang": lang, "hits": [hit_form(hit) for hit in hits]}


def hit_form(hit: Hit) -> dict[str, Any]:
    passage = hit.passage
    return {
        "rank": hit.rank,
        "score": hit.score,
        "passage_id": passage.passage_id,
        "doc_id": passage.doc_id,
        "title": passage.heading,
        "lang": passage.lang,
        "text": passage.text,
        "sources": dict(hit.sources),
    }


def rewrite_form(id: str, rewrite: Rewrite) -> dict[str, Any]:
    """What `anaphora rewrite --json` prints for one conversation."""
    return {
        "id": id,
        "rewrite": rewrite.text,
        "lang": rewrite.lang,
        "confidence": round(rewrite.confidence, 4),
        "edits": [
            {
                "kind": edit.kind,
                "text": edit.text,
                "source_turn": edit.source_turn,
                "position": edit.position,
            }
            for edit in rewrite.edits
        ],
        "variants": list(rewrite.variants),
    }


def parse_turn(record: Mapping[str, Any]) -> Turn:
    """A turn from `{"role", "text"}`.

    Raises:
        ValueError: the role is not "user" or "assistant", or the text is not a string.
    """
    role, text = record.get("role"), record.get("text")
    if role not in ("user", "assistant"):
        raise ValueError(f'"role" must be "user" or "assistant", not {json.dumps(role)}')
    if not isinstance(text, str):
        raise ValueError('"text" must be a string')
    return Turn(role, text)


def parse_conversation(record: Mapping[str, Any]) -> Conversation:
    """A conversation from `{"id", "turns": [...], "title"?}`; the last turn is the question.

    Raises:
        ValueError: a field is missing or of the wrong type.
    """
    turns = record.get("turns")
    if not isinstance(turns, list) or not all(isinstance(turn, Mapping) for turn in turns):
        raise ValueError('"turns" must be a list of {"role", "text"}')
    title = record.get("title")
    if title is not None and not isinstance(title, str):
        raise ValueError('"title" must be a string')
    return Conversation(tuple(parse_turn(turn) for turn in turns), title, str(record.get("id", "")))


def parse_query(record: Mapping[str, Any]) -> Query:
    """A query from `{"_id", "text"}`.

    Raises:
        ValueError: a field is missing or of the wrong type.
    """
    text = record.get("text")
    if "_id" not in record or not isinstance(text, str):
        raise ValueError('a query needs "_id" and "text"')
    id = str(record["_id"])
    if not id or any(char.isspace() for char in id):
        raise ValueError(f'"_id" {json.dumps(id)} must not be empty or hold spaces in a run file')
    return Query(text, id=id)


def read_lines(lines: Iterable[str], name: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Line number and object of each JSON line; empty lines are passed over.

    Raises:
        UsageError: a line is not a JSON object.
    """
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError as error:
            raise UsageError(f"{name}, line {number}: is not JSON ({error})") from error
        if not isinstance(record, dict):
            raise UsageError(f"{name}, line {number}: is not a JSON object")
        yield number, record
