"""Records to and from the JSON of docs/json.md."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from anaphora.errors import UsageError
from anaphora.language import identify, language_code
from anaphora.records import (
    UNKNOWN,
    Answer,
    Block,
    Citation,
    Claim,
    Conversation,
    Hit,
    Passage,
    Query,
    Rewrite,
    Statement,
    Support,
    Trace,
    Turn,
    Understanding,
    Writing,
)


def answer_to_dict(question: str, answer: Answer) -> dict[str, Any]:
    """What `anaphora ask --json` prints, of an answer with its trace."""
    trace = answer.trace
    assert trace
    rewrite = trace.rewrite
    return {
        "question": question,
        "rewrite": rewrite.text if rewrite else question,
        "lang": trace.understanding.lang,
        "intent": trace.understanding.intent,
        "answer": answer.text,
        "span": answer.span,
        "answer_lang": answer.lang,
        "confidence": round(answer.confidence, 4),
        "abstained": answer.abstained,
        "second_reading": answer.second_reading,
        "unmentioned": list(answer.unmentioned),
        "citations": [citation_to_dict(citation) for citation in answer.citations],
        "other_sections": [section_to_dict(one) for one in answer.other_sections],
        "writing": writing_to_dict(answer.writing) if answer.writing else None,
        "hits": [hit_to_dict(hit) for hit in trace.hits],
        "adapted": trace.adapted,
        "cut": str(trace.cut) if trace.cut else None,
        "timings": {name: round(seconds, 6) for name, seconds in trace.timings.items()},
    }


def citation_to_dict(citation: Citation) -> dict[str, Any]:
    return {
        "passage_id": citation.passage_id,
        "doc_id": citation.doc_id,
        "title": citation.title,
        "quote": citation.quote,
        "span": citation.answer,
        "start": citation.start,
        "end": citation.end,
        "place": citation.place,
        "blocks": [block_to_dict(block) for block in citation.blocks],
    }


def section_to_dict(citation: Citation) -> dict[str, Any]:
    """Where a section is that is not quoted."""
    form = citation_to_dict(citation)
    return {key: form[key] for key in ("passage_id", "doc_id", "title", "start", "end", "place")}


def block_to_dict(block: Block) -> dict[str, Any]:
    """The block with its offsets in the quote."""
    return {
        "kind": block.kind,
        "start": block.start,
        "end": block.end,
        "depth": block.depth,
        "marker": block.marker,
        "header": list(block.header),
    }


def writing_to_dict(writing: Writing) -> dict[str, Any]:
    """How a written answer came about, and why it is another one where it is."""
    return {
        "model": writing.model,
        "fallback": writing.fallback or None,
        "notes": list(writing.notes),
        "requests": writing.requests,
        "statements": [statement_to_dict(statement) for statement in writing.statements],
    }


def statement_to_dict(statement: Statement) -> dict[str, Any]:
    """One of the statements of `writing_to_dict`."""
    support = statement.support
    return {
        "text": statement.text,
        "fate": statement.fate,
        "fault": statement.fault,
        "probability": round(support.probability, 4) if support else None,
        "unsupported": [list(span) for span in support.unsupported] if support else [],
        "citations": [
            {"passage_id": cited.passage_id, "start": cited.start, "end": cited.end}
            for cited in statement.citations
        ],
    }


def trace_to_dict(trace: Trace) -> dict[str, Any]:
    """How an answer came about: the form "Trace" of docs/json.md."""
    understanding, rewrite = trace.understanding, trace.rewrite
    retrieved, reranked = (
        hits if isinstance(hits := trace.output(stage), tuple) else ()
        for stage in ("retrieve", "rerank")
    )
    read = trace.output("read")
    answer = read if isinstance(read, Answer) else None
    return {
        "turns": [
            {"role": turn.role, "text": turn.text, "lang": turn.lang}
            for turn in understanding.conversation.turns
        ],
        "lang": understanding.lang,
        "intent": understanding.intent,
        "rewrite": _rewrite_to_dict(rewrite) if rewrite else None,
        "retrieved": [_traced_hit(hit) for hit in retrieved],
        "reranked": [_traced_hit(hit) for hit in reranked],
        "adapted": trace.adapted,
        "confidence": round(answer.confidence, 4) if answer else None,
        "abstained": answer.abstained if answer else None,
        "answer_lang": answer.lang if answer else None,
        "writing": writing_to_dict(answer.writing) if answer and answer.writing else None,
        "stages": [
            {
                "name": stage.name,
                "seconds": round(stage.seconds, 6),
                "cut": str(stage.cut) if stage.cut else None,
            }
            for stage in trace.stages
        ],
    }


def _rewrite_to_dict(rewrite: Rewrite) -> dict[str, Any]:
    values = rewrite_to_dict("", rewrite)
    del values["id"]
    return {**values, "alternatives": [one.text for one in rewrite.alternatives]}


def _traced_hit(hit: Hit) -> dict[str, Any]:
    """A hit with its evidence and without its text."""
    values = hit_to_dict(hit)
    text = values.pop("text")
    evidence = hit.evidence
    return {
        **values,
        "cosine": None if hit.cosine is None else round(hit.cosine, 4),
        "relevance": round(evidence.relevance, 4) if evidence else None,
        "spans": [
            {
                "start": span.start,
                "end": span.end,
                "score": round(span.score, 4),
                "text": text[span.start : span.end],
            }
            for span in (evidence.spans if evidence else ())
        ],
    }


def search_to_dict(query: str, lang: str, hits: Sequence[Hit]) -> dict[str, Any]:
    """What `anaphora search --json` prints."""
    return {"query": query, "lang": lang, "hits": [hit_to_dict(hit) for hit in hits]}


def hit_to_dict(hit: Hit) -> dict[str, Any]:
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


def courtesy_to_dict(understanding: Understanding) -> dict[str, Any]:
    """What `anaphora rewrite --json` prints for a turn that is not a question."""
    conversation = understanding.conversation
    reason = f"it is a courtesy ({understanding.intent}) and asks nothing of the documents"
    rewrite = Rewrite(conversation.question.text, understanding.lang, reason=reason)
    return {**rewrite_to_dict(conversation.id, rewrite), "decision": "no retrieval"}


def rewrite_to_dict(id: str, rewrite: Rewrite, best: Sequence[Rewrite] = ()) -> dict[str, Any]:
    """What `anaphora rewrite --json` prints for a question, and with `--best` in addition."""
    values = {
        "id": id,
        "rewrite": rewrite.text,
        "lang": rewrite.lang,
        "confidence": round(rewrite.confidence, 4),
        "decision": rewrite.decision,
        "reason": rewrite.reason,
        "edits": [
            {
                "kind": edit.kind,
                "text": edit.text,
                "source_turn": edit.source_turn,
                "position": edit.position,
                "replaced": edit.replaced,
            }
            for edit in rewrite.edits
        ],
        "variants": list(rewrite.variants),
    }
    if best:
        values["best"] = [
            {"rewrite": one.text, "confidence": round(one.confidence, 4)} for one in best
        ]
    return values


def ranking_to_dict(id: str, hits: Sequence[Hit]) -> dict[str, Any]:
    """What `anaphora rerank --json` prints for one question."""
    ranking = [{"_id": hit.passage.passage_id, "score": hit.score} for hit in hits]
    return {"id": id, "ranking": ranking}


def reading_to_dict(id: str, answer: Answer) -> dict[str, Any]:
    """What `anaphora read --json` prints for one question."""
    return {
        "id": id,
        "span": answer.span,
        "answer": answer.text,
        "lang": answer.lang,
        "confidence": round(answer.confidence, 4),
        "abstained": answer.abstained,
        "citations": [citation_to_dict(citation) for citation in answer.citations],
        "writing": writing_to_dict(answer.writing) if answer.writing else None,
    }


def support_to_dict(id: str, passages: Sequence[str], support: Support) -> dict[str, Any]:
    """What `anaphora check --json` prints.

    Args:
        passages: the ids of the claim's evidence, in its order.
    """
    return {
        "id": id,
        "supported": support.supported,
        "probability": round(support.probability, 4),
        "citations": [passages[position] for position in support.citations],
        "unsupported": [list(place) for place in support.unsupported],
    }


def parse_turn(record: Mapping[str, Any]) -> Turn:
    """A turn from `{"role", "text", "citations"?}`.

    Raises:
        ValueError: the role is not "user" or "assistant", the text is not a string, or a citation
            is not one that `citation_to_dict` returns.
    """
    role = record.get("role")
    if role not in ("user", "assistant"):
        raise ValueError(f'"role" must be "user" or "assistant", not {json.dumps(role)}')
    cited = record.get("citations") or ()
    if not isinstance(cited, list | tuple) or not all(isinstance(one, Mapping) for one in cited):
        raise ValueError('"citations" must be a list of citations')
    return Turn(role, _string(record, "text"), citations=tuple(map(_citation, cited)))


def _citation(record: Mapping[str, Any]) -> Citation:
    """A citation from what `citation_to_dict` returns."""
    quote, start = _string(record, "quote"), record.get("start")
    if not isinstance(start, int):
        raise ValueError('"start" of a citation must be a whole number')
    answer = record.get("span")
    at = quote.find(answer) if isinstance(answer, str) and answer else -1
    span = (start + at, start + at + len(str(answer))) if at >= 0 else None
    titles = {name: str(record.get(name, "")) for name in ("doc_id", "title")}
    return Citation(
        _string(record, "passage_id"),
        quote=quote,
        start=start,
        end=start + len(quote),
        span=span,
        blocks=tuple(map(_block, record.get("blocks") or ())),
        **titles,
    )


def _block(record: Mapping[str, Any]) -> Block:
    try:
        return Block(
            record["kind"],
            int(record["start"]),
            int(record["end"]),
            int(record.get("depth", 0)),
            str(record.get("marker", "")),
            tuple(map(str, record.get("header", ()))),
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError('a block of a citation needs "kind", "start" and "end"') from error


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
    return Conversation(tuple(parse_turn(turn) for turn in turns), title, _id(record))


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
    return Query(_string(record, "text"), id=id)


def parse_candidates(record: Mapping[str, Any]) -> tuple[Query, list[Hit]]:
    """A question with its passages from `{"id"?, "question", "lang"?, "passages": [...]}`, each of
    which is `{"_id", "title"?, "text", "lang"?}`; the first one has rank 1.

    Raises:
        ValueError: a field is missing or of the wrong type, or two passages share an id.
    """
    found = record.get("passages")
    if not isinstance(found, list) or not all(isinstance(one, Mapping) for one in found):
        raise ValueError('"passages" must be a list of {"_id", "title", "text"}')
    passages = [_passage(one) for one in found]
    seen: set[str] = set()
    for passage in passages:
        if passage.passage_id in seen:
            raise ValueError(f'two passages have the "_id" {json.dumps(passage.passage_id)}')
        seen.add(passage.passage_id)
    question = _string(record, "question")
    lang = _language(record) or identify(question)
    hits = [Hit(passage, 1 / rank, rank) for rank, passage in enumerate(passages, 1)]
    return Query(question, lang, id=_id(record)), hits


def parse_claim(record: Mapping[str, Any]) -> tuple[str, list[str], Claim]:
    """The id, the ids of the passages and the claim of `{"id"?, "statement", "passages": [...],
    "question"?}`; a passage is `{"passage_id", "text"}`.

    Raises:
        ValueError: a field is missing or of the wrong type, the statement is empty, or two passages
            share an id.
    """
    found = record.get("passages")
    if not isinstance(found, list) or not all(isinstance(one, Mapping) for one in found):
        raise ValueError('"passages" must be a list of {"passage_id", "text"}')
    ids = [_passage_id(one, "passage_id") for one in found]
    for number, id in enumerate(ids):
        if id in ids[:number]:
            raise ValueError(f'two passages have the "passage_id" {json.dumps(id)}')
    statement = _string(record, "statement")
    if not statement.strip():
        raise ValueError('"statement" is empty')
    question = "" if record.get("question") is None else _string(record, "question")
    return (
        _id(record),
        ids,
        Claim(statement, tuple(_string(one, "text") for one in found), question),
    )


def _id(record: Mapping[str, Any]) -> str:
    id = record.get("id")
    return "" if id is None else str(id)


def _passage(record: Mapping[str, Any]) -> Passage:
    id = _passage_id(record, "_id")
    text = _string(record, "text")
    title = _string(record, "title") if record.get("title") is not None else ""
    lang = _language(record) or identify(text)
    return Passage(id, id, title, text, lang, end=len(text))


def _passage_id(record: Mapping[str, Any], field: str) -> str:
    id = record.get(field)
    if not isinstance(id, str | int) or isinstance(id, bool):
        raise ValueError(f'each passage needs "{field}", a string or a number')
    return str(id)


def _string(record: Mapping[str, Any], field: str) -> str:
    text = record.get(field)
    if not isinstance(text, str):
        raise ValueError(f'"{field}" must be a string')
    half = re.search("[\ud800-\udfff]", text)
    if half:
        raise ValueError(f'"{field}" holds {json.dumps(half[0])}, which is half of a character')
    return text


def _language(record: Mapping[str, Any]) -> str | None:
    lang = record.get("lang")
    if lang in (None, UNKNOWN):
        return None
    try:
        return language_code(str(lang))
    except UsageError as error:
        raise ValueError(f'"lang": {error}') from error


def read_lines(lines: Iterable[str], name: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Line number and object of each JSON line; empty lines are passed over.

    Raises:
        UsageError: a line is not UTF-8 (read with "surrogateescape"), or not a JSON object.
    """
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if not is_utf8(line):
            raise UsageError(f"{name}, line {number}: is not UTF-8")
        try:
            # Some editors put a mark before the first line.
            record = json.loads(line.removeprefix("\ufeff"))
        except ValueError as error:
            raise UsageError(f"{name}, line {number}: is not JSON ({error})") from error
        except RecursionError as error:
            raise UsageError(f"{name}, line {number}: is nested too deep") from error
        if not isinstance(record, dict):
            raise UsageError(f"{name}, line {number}: is not a JSON object")
        yield number, record


def is_utf8(line: str) -> bool:
    """Whether a line, read with "surrogateescape", was UTF-8."""
    return not re.search("[\udc80-\udcff]", line)
