"""Attribution of one wrong answer to a stage, for a turn of a conversation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

from anaphora.assistant import Assistant
from anaphora.datasets.example import Example
from anaphora.errors import AnaphoraError
from anaphora.evaluate.cache import Cache
from anaphora.evaluate.results import PHRASINGS, PhrasingResult
from anaphora.evaluate.scoring import CAPPED, Success
from anaphora.evaluate.stages import Stages
from anaphora.language import identify
from anaphora.normal_form import normal_form
from anaphora.records import Conversation, Query

SEARCHED = 50
"""Hits among which the passages that hold the expected answer are looked for."""


def attribute(
    assistant: Assistant,
    conversation: Conversation,
    expected: str,
    rewrite: str = "",
    relevant: Sequence[str] = (),
) -> dict[str, Any]:
    """Runs the last turn again with one stage after another repaired, and names the cause.

    The method is that of `anaphora.evaluate.attribution`.

    Args:
        expected: a right answer; empty where the documents hold none.
        rewrite: the question as a person would make it self-contained; empty where it is unknown.
        relevant: ids of passages that hold the answer; empty to look for those that hold the words
            of `expected`.

    Returns:
        The form "Attribution" of docs/json.md.

    Raises:
        AnaphoraError: the extra `eval` is not installed.
    """
    if not all(map(find_spec, ("pytrec_eval", "sacrebleu"))):
        raise AnaphoraError('attribution needs an extra: pip install "anaphora[eval]"')
    from anaphora.evaluate.experiment import Experiment

    success = Success.parse(f"{CAPPED}>=0.5")
    config = assistant.config.without_time_limits()
    pipeline = assistant.pipeline
    stages = Stages(config, assistant, Cache(), max(pipeline.k, pipeline.top))
    if expected and not relevant:
        relevant = holding(assistant, (rewrite or conversation.question.text, expected), expected)
    example = Example(
        replace(conversation, id="turn"),
        rewrites=(rewrite,) if rewrite else (),
        answers=(expected,) if expected else (),
        relevant=dict.fromkeys(relevant, 1) if expected else {},
        answerable=bool(expected),
    )
    (outcome,), _ = Experiment(stages, (success.metric,), success).run([example])
    return {
        "cause": outcome.cause,
        "success": str(success),
        "right": success.threshold.met(outcome.results["rewritten"].scores[success.metric]),
        "search_failed": outcome.search_failed,
        "relevant": list(example.relevant),
        "phrasings": {
            phrasing: _phrasing(outcome.results[phrasing], success.metric)
            for phrasing in PHRASINGS
            if phrasing in outcome.results
        },
    }


def holding(assistant: Assistant, queries: Sequence[str], words: str) -> list[str]:
    """The ids of the passages which hold these words, among the first hits of each query."""
    wanted = _comparable(words)
    found = assistant.retriever.retrieve([Query(one, identify(one)) for one in queries], SEARCHED)
    ids = (
        hit.passage.passage_id
        for hits in found
        for hit in hits
        if wanted in _comparable(hit.passage.text)
    )
    return list(dict.fromkeys(ids))


def _phrasing(result: PhrasingResult, metric: str) -> dict[str, Any]:
    answer = result.answer
    return {
        "question": result.rewrite.text,
        "answer": answer.text if answer else "",
        "abstained": answer.abstained if answer else None,
        "score": result.scores.get(metric),
        "ranking": [id for id, _ in result.ranking],
    }


def _comparable(text: str) -> str:
    return " ".join(normal_form("NFKC", text).casefold().split())
