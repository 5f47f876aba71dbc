"""The turns as data for the page's script: a light index, and the details in chunks.

The browser reads a chunk when one of its turns is opened, so that a page of thousands of turns
loads fast. What turns share (earlier turns, passages) is stored once.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from anaphora.evaluate.grouping import GROUPINGS
from anaphora.evaluate.report.edits import marked
from anaphora.evaluate.report.labels import FORMS, VERDICTS, pattern, threshold_name, verdict
from anaphora.evaluate.results import NEAR, Outcome, PhrasingResult, Ranking, Run
from anaphora.records import Answer, Passage, Rewrite

CHUNK = 100
"""Turns, or passages, read at once."""

SHOWN = 10
"""Hits shown of each list; gold passages further down are shown too."""

_KINDS = {"keep": 0, "insert": 1, "delete": 2}


def turns_data(runs: Sequence[Run]) -> list[tuple[str, str]]:
    """Every turn of the runs: the name and the JSON of each script element of the page."""
    passages = _Passages()
    index: list[dict[str, Any]] = []
    parts: list[tuple[str, str]] = []
    for number, run in enumerate(runs):
        index.append(_index(run))
        for chunk, outcomes in enumerate(_chunked(run.outcomes)):
            parts.append(_script(f"turns-{number}-{chunk}", _details(run, outcomes, passages)))
    for chunk, found in enumerate(_chunked(passages.found)):
        parts.append(_script(f"passages-{chunk}", [_passage(passage) for passage in found]))
    head: dict[str, Any] = {"chunk": CHUNK, "verdicts": VERDICTS, "forms": FORMS}
    head |= {"near": NEAR, "groupings": list(GROUPINGS), "runs": index}
    return [_script("index", head), *parts]


class _Passages:
    """Numbers the passages that are shown. Only within a data set is a passage's id its own."""

    def __init__(self) -> None:
        self.found: list[Passage] = []
        self._numbers: dict[tuple[str, str], int] = {}

    def number(self, run: Run, passage_id: str) -> int | str:
        """The passage's number, or its id where the run kept no text of it."""
        passage = run.passages.get(passage_id)
        if passage is None:
            return passage_id
        key = (run.dataset, passage_id)
        if key not in self._numbers:
            self._numbers[key] = len(self.found)
            self.found.append(passage)
        return self._numbers[key]


def _index(run: Run) -> dict[str, Any]:
    """What the list shows and filters by: a column a field, so that names are stored once."""
    outcomes = run.outcomes
    metric = run.success[0]
    tried = [outcome.results["rewritten"] for outcome in outcomes]
    return {
        "name": run.name,
        "dataset": run.dataset,
        "metrics": run.metrics,
        "success": (metric, threshold_name(run.success[1])),
        "id": [outcome.example.id for outcome in outcomes],
        "question": [outcome.example.question for outcome in outcomes],
        "rewrite": [
            None if one.rewrite.text == outcome.example.question else one.rewrite.text
            for one, outcome in zip(tried, outcomes, strict=True)
        ],
        "verdict": [verdict(run, outcome) for outcome in outcomes],
        "phrasings": [pattern(run, outcome) for outcome in outcomes],
        "score": [_rounded(one.scores.get(metric)) for one in tried],
        "search_failed": [outcome.search_failed for outcome in outcomes],
        **{name: [key(outcome) for outcome in outcomes] for name, key in GROUPINGS.items()},
    }


def _details(run: Run, outcomes: Sequence[Outcome], passages: _Passages) -> dict[str, Any]:
    texts: dict[tuple[str, str, str | None], int] = {}
    turns = []
    for outcome in outcomes:
        example = outcome.example
        said = [(turn.role, turn.text, turn.lang) for turn in example.conversation.turns]
        turns.append(
            {
                "title": example.conversation.title,
                "said": [texts.setdefault(turn, len(texts)) for turn in said],
                "human": list(example.rewrites),
                "answers": list(example.answers),
                "answerable": example.answerable,
                "gold": [
                    [passages.number(run, id), grade]
                    for id, grade in example.relevant.items()
                    if grade > 0
                ],
                "tags": dict(example.tags),
                "pieces": [
                    [_KINDS[piece.kind], piece.text, piece.source_turn]
                    for piece in marked(example.question, outcome.results["rewritten"].rewrite)
                ],
                "tried": {
                    form: _result(run, outcome, result, passages)
                    for form, result in outcome.results.items()
                },
            }
        )
    return {"texts": [list(text) for text in texts], "turns": turns}


def _result(
    run: Run, outcome: Outcome, result: PhrasingResult, passages: _Passages
) -> dict[str, Any]:
    gold = {id for id, grade in outcome.example.relevant.items() if grade > 0}
    return {
        "rewrite": _rewrite(result.rewrite),
        "hits": _ranking(run, result.hits, result.reranked, gold, passages),
        "found": len(result.hits),
        "reranked": None
        if result.reranked is None
        else _ranking(run, result.reranked, result.hits, gold, passages),
        "answer": None if result.answer is None else _answer(run, result.answer, passages),
        "scores": [_rounded(result.scores.get(metric)) for metric in run.metrics],
        "seconds": {stage: _rounded(seconds) for stage, seconds in result.seconds.items()},
    }


def _rewrite(rewrite: Rewrite) -> dict[str, Any]:
    return {
        "text": rewrite.text,
        "lang": rewrite.lang,
        "variants": [text for text in rewrite.variants if text != rewrite.text],
        "search": rewrite.search,
    }


def _ranking(
    run: Run, ranking: Ranking, other: Ranking | None, gold: set[str], passages: _Passages
) -> list[tuple[int, int | str, float | None, int | None]]:
    """Of the hits that are shown: rank from 1, passage, score, and rank in the other ranking."""
    ranks = {id: rank for rank, (id, _) in enumerate(other or (), 1)}
    return [
        (rank, passages.number(run, id), _rounded(score), ranks.get(id))
        for rank, (id, score) in enumerate(ranking, 1)
        if rank <= SHOWN or id in gold
    ]


def _answer(run: Run, answer: Answer, passages: _Passages) -> dict[str, Any]:
    return {
        "text": answer.text,
        "lang": answer.lang,
        "confidence": _rounded(answer.confidence),
        "abstained": answer.abstained,
        "citations": [
            [passages.number(run, item.passage_id), item.start, item.end, item.quote, item.title]
            for item in answer.citations
        ],
    }


def _passage(passage: Passage) -> tuple[str, str, str, str]:
    return passage.passage_id, passage.heading, passage.text, passage.lang


def _rounded(score: float | None) -> float | None:
    return None if score is None else float(f"{score:.4g}")


def _chunked(items: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for start in range(0, len(items), CHUNK):
        yield items[start : start + CHUNK]


def _script(name: str, data: object) -> tuple[str, str]:
    """Data for a script element that the browser does not run. "<" is escaped, because "</script"
    and "<!--" would end or change the element."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return name, text.replace("<", "\\u003c")
