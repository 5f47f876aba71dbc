"""Records from their JSON forms, which are `dataclasses.asdict`'s."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from anaphora.datasets.example import Example
from anaphora.evaluate.results import Outcome, Ranking, Tried
from anaphora.records import Answer, Citation, Conversation, Edit, Passage, Rewrite, Turn


def outcome_of(values: Mapping[str, Any]) -> Outcome:
    return Outcome(
        _example_of(values["example"]),
        {form: _tried_of(tried) for form, tried in values["tried"].items()},
        values["culprit"],
        values["likeness"],
    )


def _example_of(values: Mapping[str, Any]) -> Example:
    talk = values["conversation"]
    turns = tuple(Turn(**turn) for turn in talk["turns"])
    return Example(
        **{
            **values,
            "conversation": Conversation(turns, talk["title"], talk["id"]),
            "rewrites": tuple(values["rewrites"]),
            "answers": tuple(values["answers"]),
        }
    )


def _tried_of(values: Mapping[str, Any]) -> Tried:
    return Tried(
        **{
            **values,
            "rewrite": rewrite_of(values["rewrite"]),
            "hits": ranking_of(values["hits"]),
            "reranked": None if values["reranked"] is None else ranking_of(values["reranked"]),
            "answer": values["answer"] and answer_of(values["answer"]),
        }
    )


def ranking_of(hits: Sequence[Sequence[Any]]) -> Ranking:
    return tuple((str(id), float(score)) for id, score in hits)


def rewrite_of(values: Mapping[str, Any]) -> Rewrite:
    edits = tuple(Edit(**edit) for edit in values["edits"])
    return Rewrite(**{**values, "edits": edits, "variants": tuple(values["variants"])})


def answer_of(values: Mapping[str, Any]) -> Answer:
    return Answer(**{**values, "citations": tuple(map(_citation_of, values["citations"]))})


def _citation_of(values: Mapping[str, Any]) -> Citation:
    span = values.get("span")
    return Citation(**{**values, "span": span and tuple(span)})


def passage_of(values: Mapping[str, Any]) -> Passage:
    return Passage(**{**values, "section": tuple(values["section"])})
