"""Running a system on turns, as it is or with a part of its input corrected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from anaphora.datasets.example import Example
from anaphora.evaluate.attribution import Counterfactual
from anaphora.evaluate.results import PhrasingResult, Ranking
from anaphora.evaluate.stages import Hits, Stages
from anaphora.pipeline import query_of
from anaphora.records import Conversation, Hit, Passage, Rewrite, Turn, Understanding

UNCHANGED = Counterfactual()


def run_turns(
    stages: Stages, examples: Sequence[Example], how: Counterfactual = UNCHANGED, read: bool = True
) -> list[PhrasingResult]:
    """The output of the stages for each turn, without scores.

    The system identifies the language of each question itself, unless `how` says otherwise. Without
    an index only rewriting runs.

    Args:
        how: what is corrected; gold passages that the index lacks cannot be.
        read: whether the reader runs.
    """
    conversations = [_conversation(example, how.language) for example in examples]
    understood = stages.understand(conversations)
    results = [
        PhrasingResult(
            stages.choose(one, rewrite), seconds={} if seconds is None else {"rewrite": seconds}
        )
        for one, (rewrite, seconds) in zip(
            understood, _rewrites(stages, examples, understood, how), strict=True
        )
    ]
    searched = [place for place, one in enumerate(results) if one.rewrite.search]
    if stages.assistant is None or not searched:
        return results
    queries = [
        replace(query_of(understood[place], results[place].rewrite), id="") for place in searched
    ]
    gold = [_gold(stages, examples[place]) for place in searched]
    found = stages.retrieve(queries)
    first = [hits for hits, _ in found]
    if how.gold == "added":
        first = [with_gold(hits, one, stages.kept) for hits, one in zip(first, gold, strict=True)]
    last = first
    if stages.reranks:
        reranked = stages.rerank(queries, first)
        last = [hits for hits, _ in reranked]
    if how.gold in ("first", "alone"):
        alone = how.gold == "alone"
        last = [gold_first(hits, one, alone) for hits, one in zip(last, gold, strict=True)]
    answers = stages.read(queries, last, how.checked, how.translated) if read else []
    for number, place in enumerate(searched):
        seconds = {**results[place].seconds, "retrieve": found[number][1]}
        if stages.reranks:
            seconds["rerank"] = reranked[number][1]
        if read:
            seconds["read"] = answers[number][1]
        results[place] = replace(
            results[place],
            hits=_ranking(first[number] if stages.reranks else last[number]),
            reranked=_ranking(last[number]) if stages.reranks else None,
            answer=answers[number][0] if read else None,
            seconds=seconds,
        )
    return results


def with_gold(hits: Hits, gold: Mapping[str, Passage], kept: int) -> Hits:
    """The hits with the gold passages among the first `kept`, after those that were there."""
    present = {hit.passage.passage_id for hit in hits[:kept]}
    missing = [one for id, one in gold.items() if id not in present][:kept]
    if not missing:
        return hits
    rest = [hit for hit in hits if hit.passage not in missing]
    cut = max(0, kept - len(missing))
    score = rest[min(cut, len(rest)) - 1].score if rest and cut else 0.0
    return _ranked([*rest[:cut], *(Hit(one, score, 0) for one in missing), *rest[cut:]])


def gold_first(hits: Hits, gold: Mapping[str, Passage], alone: bool) -> Hits:
    """The gold passages before the other hits, or without them."""
    best = hits[0].score if hits else 0.0
    known = {hit.passage.passage_id: hit for hit in hits}
    # The scores decrease, because metrics of ranking sort hits by them.
    first = [
        replace(known.get(id) or Hit(one, 0.0, 0), score=best + place)
        for (id, one), place in zip(gold.items(), range(len(gold), 0, -1), strict=True)
    ]
    others = [] if alone else [hit for hit in hits if hit.passage.passage_id not in gold]
    return _ranked([*first, *others])


def _ranked(hits: Hits) -> Hits:
    return [replace(hit, rank=rank) for rank, hit in enumerate(hits, 1)]


def _ranking(hits: Hits) -> Ranking:
    """The hits with scores that decrease: trec_eval reads float32, and orders equal scores by the
    ids of passages, whatever was shown first."""
    found, limit = [], np.float32(np.inf)
    for hit in hits:
        score = np.float32(hit.score)
        limit = np.nextafter(limit, np.float32(-np.inf)) if score >= limit else score
        found.append((hit.passage.passage_id, float(limit)))
    return tuple(found)


def _conversation(example: Example, with_language: bool) -> Conversation:
    conversation = example.conversation
    question = conversation.question
    turns = (
        *(Turn(turn.role, turn.text) for turn in conversation.history),
        Turn(question.role, question.text, question.lang if with_language else None),
    )
    return replace(conversation, turns=turns)


def _rewrites(
    stages: Stages,
    examples: Sequence[Example],
    understood: Sequence[Understanding],
    how: Counterfactual,
) -> list[tuple[Rewrite, float | None]]:
    """The phrasing of each question and the seconds of rewriting; a courtesy is not rewritten."""
    questions = [one.conversation for one in understood if one.intent == "question"]
    rewrites = iter(stages.rewrite(questions) if how.question == "rewritten" else ())
    found: list[tuple[Rewrite, float | None]] = []
    for example, one in zip(examples, understood, strict=True):
        if one.intent != "question":
            text = example.rewrites[0] if how.question == "human" else example.question
            found.append((Rewrite(text, one.lang, decision="no retrieval"), None))
        elif how.question == "rewritten":
            found.append(next(rewrites))
        else:
            text = example.question if how.question == "original" else example.rewrites[0]
            found.append((Rewrite(text, one.lang), None))
    return found


def _gold(stages: Stages, example: Example) -> Mapping[str, Passage]:
    """The relevant passages that the index contains, those of the highest grade first."""
    relevant = {id: grade for id, grade in example.relevant.items() if grade > 0}
    return stages.passages(sorted(relevant, key=lambda id: -relevant[id]))
