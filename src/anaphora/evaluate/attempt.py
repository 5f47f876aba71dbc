"""Trying a pipeline on turns, as it is or with parts of it made right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from anaphora.datasets.example import Example
from anaphora.evaluate.culprit import Counterfactual
from anaphora.evaluate.results import Ranking, Tried
from anaphora.evaluate.stages import Stages
from anaphora.language import identify_question
from anaphora.records import Conversation, Decision, Query, Rewrite, Turn
from anaphora.understand import classify_intent

AS_IT_IS = Counterfactual()


def attempt(
    stages: Stages, examples: Sequence[Example], how: Counterfactual = AS_IT_IS, read: bool = True
) -> list[Tried]:
    """What comes of each turn, without scores.

    The pipeline finds out itself which language a question is in, unless `how` says otherwise. On
    a pipeline without an index only the rewrite is tried.

    Args:
        how: what is made right for it; gold passages that the index lacks cannot be.
        read: whether the reader is tried, too.
    """
    talks = [_talk(example, how.language) for example in examples]
    rewrites = _rewrites(stages, examples, talks, how)
    tried = [
        Tried(rewrite, seconds={} if seconds is None else {"rewrite": seconds})
        for rewrite, seconds in rewrites
    ]
    asked = [place for place, one in enumerate(tried) if one.rewrite.search]
    if stages.assistant is None or not asked:
        return tried
    queries = [
        Query(one.rewrite.text, one.rewrite.lang, one.rewrite.variants)
        for one in (tried[place] for place in asked)
    ]
    gold = [_gold(stages, examples[place]) for place in asked]
    found = stages.retrieve(queries)
    first = [hits for hits, _ in found]
    if how.gold == "added":
        kept = stages.pipeline.top if stages.reranks else stages.pipeline.k
        first = [added(hits, right, kept) for hits, right in zip(first, gold, strict=True)]
    last = first
    if stages.reranks:
        reranked = stages.rerank(queries, first)
        last = [hits for hits, _ in reranked]
    if how.gold in ("first", "alone"):
        last = [
            ahead(hits, right, how.gold == "alone") for hits, right in zip(last, gold, strict=True)
        ]
    for number, place in enumerate(asked):
        seconds = {**tried[place].seconds, "retrieve": found[number][1]}
        if stages.reranks:
            seconds["rerank"] = reranked[number][1]
        tried[place] = replace(
            tried[place],
            hits=first[number] if stages.reranks else last[number],
            reranked=last[number] if stages.reranks else None,
            seconds=seconds,
        )
    if read:
        for place, (answer, took) in zip(asked, stages.read(queries, last), strict=True):
            one = tried[place]
            tried[place] = replace(one, answer=answer, seconds={**one.seconds, "read": took})
    return tried


def added(hits: Ranking, gold: Sequence[str], kept: int) -> Ranking:
    """The hits with the gold passages among the first `kept`, behind those that were there.

    >>> added((("a", 3.0), ("b", 2.0), ("c", 1.0)), ["g"], kept=2)
    (('a', 3.0), ('g', 3.0), ('b', 2.0), ('c', 1.0))
    """
    present = {id for id, _ in hits[:kept]}
    missing = [id for id in gold if id not in present][:kept]
    if not missing:
        return hits
    rest = [hit for hit in hits if hit[0] not in missing]
    cut = max(0, kept - len(missing))
    score = rest[min(cut, len(rest)) - 1][1] if rest and cut else 0.0
    return (*rest[:cut], *((id, score) for id in missing), *rest[cut:])


def ahead(hits: Ranking, gold: Sequence[str], alone: bool) -> Ranking:
    """The gold passages before the other hits, or without them.

    >>> ahead((("a", 3.0), ("g", 2.0)), ["g"], alone=False)
    (('g', 4.0), ('a', 3.0))
    """
    best = hits[0][1] if hits else 0.0
    # Scores that fall: metrics of ranking order hits by them.
    right = tuple(
        (id, best + place) for id, place in zip(gold, range(len(gold), 0, -1), strict=True)
    )
    return right if alone else (*right, *(hit for hit in hits if hit[0] not in gold))


def _talk(example: Example, told: bool) -> Conversation:
    talk = example.conversation
    question = talk.question
    turns = (
        *(Turn(turn.role, turn.text) for turn in talk.history),
        Turn(question.role, question.text, question.lang if told else None),
    )
    return replace(talk, turns=turns)


def _rewrites(
    stages: Stages, examples: Sequence[Example], talks: Sequence[Conversation], how: Counterfactual
) -> list[tuple[Rewrite, float | None]]:
    if how.question == "rewritten":
        return list(stages.rewrite(talks))
    made: list[tuple[Rewrite, float | None]] = []
    for example, talk in zip(examples, talks, strict=True):
        text = example.question if how.question == "original" else example.rewrites[0]
        courtesy = classify_intent(example.question) != "question"
        decision: Decision | None = "no retrieval" if courtesy else None
        made.append((Rewrite(text, identify_question(talk), decision=decision), None))
    return made


def _gold(stages: Stages, example: Example) -> list[str]:
    """The relevant passages that the index holds, the best ones first."""
    relevant = {id: grade for id, grade in example.relevant.items() if grade > 0}
    held = stages.passages(list(relevant))
    return sorted((id for id in relevant if id in held), key=lambda id: -relevant[id])
