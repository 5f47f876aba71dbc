"""Attribution of a failure to a stage: the turn is run again with one stage after another repaired.

The first repair after which the turn succeeds names the cause. Repairs accumulate along the
pipeline, and only turns that still fail go on to the next repair.

| repair                                             | the turn then succeeds: |
|----------------------------------------------------|-------------------------|
| the language of the question is that of the data   | language                |
| the question as it was asked, not rewritten        | rewriting               |
| the human rewrite                                  | rewriting               |
| the relevant passages among the first stage's hits | retrieval               |
| the relevant passages first                        | reranking               |
| the relevant passages alone, of which the reader   | reading                 |
| had one among the first five hits                  |                         |
| the relevant passages alone, of which it had none  | retrieval or reranking  |
| none, but a span of them would be right            | reading                 |
| none, and the answer has another language than the | language                |
| question, as have the relevant passages            |                         |
| none                                               | data                    |

The reader is blamed only where the search did its part, or where it fails with the relevant
passages alone. Where none of them is among the first five hits that it received under any phrasing,
and it needs them alone, the cause is the stage that lost them: retrieval where none is among the
hits that the first stage passes on, else reranking.

Without a reranker the order of the first stage is final: the relevant passages are not added to
its hits but put first, and the cause is "retrieval". Where success is judged by the ranking, the
relevant passages alone show nothing: a turn that fails with them first has the cause "data", which
may name passages that the collection lacks. Where the documents hold no answer, success is to
abstain, and a failure that no rewrite repairs has the cause "reading".

Exchanging the question is the method of Vakulenko et al., "A Wrong Answer or a Wrong Question? An
Intricate Relationship between Question Reformulation and Answer Selection in Conversational
Question Answering" (2020), section 3; the repairs after it are ours.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final, Literal, get_args

from anaphora.datasets.example import Example
from anaphora.evaluate.breakdown import Threshold
from anaphora.evaluate.results import NEAR, Cause, Outcome, Phrasing, holds_relevant
from anaphora.records import UNKNOWN, is_cross_lingual

CAUSES: Final[tuple[Cause, ...]] = get_args(Cause)
"""In the order of the pipeline."""

_AFTER_REWRITING: Final[tuple[Cause, ...]] = ("retrieval", "reranking", "reading")

Gold = Literal["", "added", "first", "alone"]


@dataclass(frozen=True, slots=True)
class Counterfactual:
    """What is corrected when a turn is run again.

    Attributes:
        question: the phrasing that is searched and read.
        language: the language of the question is that of the data, not the identified one.
        gold: the passages with a grade above 0 are "added" to the first stage's hits (after them,
            those that it missed, before any reranking), put "first" in the order that the reader
            receives, by grade, or given to it "alone".
        translated: an answer in another language than the question's is translated.
        checked: what a reader writes is checked; False to show all of it.
    """

    question: Phrasing = "rewritten"
    language: bool = False
    gold: Gold = ""
    translated: bool = False
    checked: bool = True


Rerun = Callable[[Sequence[Example], Counterfactual], Sequence["float | None"]]
"""Runs turns again and returns the success metric of each; None where it could not be run or
judged. Where the documents hold no answer (`answerable` is False) it is 1 for an abstention, else
0."""


def _unknown(_: Example) -> None:
    return None


@dataclass(frozen=True)
class Conditions:
    """What the system has and what the data contain.

    Attributes:
        threshold: what the success metric must reach.
        judges: what the success metric judges.
        reranks: whether the system has a reranker.
        translates: whether it has a translator.
        kept: how many hits of the first stage go on to the next one.
        reachable: whether some span of the relevant passages would reach the threshold
            (see `best_span.best_span_score`); None where that is unknown.
        gold_language: the language of the relevant passages; None where it is unknown.
    """

    threshold: Threshold
    judges: Literal["ranking", "answer"]
    reranks: bool
    kept: int
    reachable: Callable[[Example], bool | None] = _unknown
    gold_language: Callable[[Example], str | None] = _unknown
    translates: bool = False


def attribute_failures(
    failed: Sequence[Outcome], conditions: Conditions, rerun: Rerun
) -> dict[str, Cause]:
    """The cause of each failure, by the turn's id.

    A turn whose cause cannot be determined is left out: the data have no relevant passages for it
    and no rewrite repairs it, or it could not be run again with them.

    Args:
        failed: turns whose "rewritten" phrasing does not reach the threshold.

    Raises:
        ValueError: `rerun` does not return one value a turn.
    """
    repairs = _Repairs(conditions, rerun, {outcome.example.id: outcome for outcome in failed})
    repairs.apply("language", _language_differs, language=True)
    if conditions.translates:
        repairs.apply("language", _answer_elsewhere, keep=False, translated=True)
    repairs.apply("rewriting", lambda _: True, keep=False, question="original")
    repairs.apply("rewriting", _has_rewrite, question="human")
    if conditions.reranks:
        repairs.apply("retrieval", _has_gold, gold="added")
        repairs.apply("reranking", _has_gold, gold="first")
    else:
        repairs.apply("retrieval", _has_gold, gold="first")
    if conditions.judges == "answer":
        repairs.apply("checking", _struck, keep=False, checked=False)
        for stage in _AFTER_REWRITING:
            at_fault = partial(_first_fault_is, stage, conditions)
            repairs.apply(stage, at_fault, gold="alone")
    for id, outcome in repairs.failing.items():
        cause = _without_repair(outcome, conditions, id in repairs.judged)
        if cause:
            repairs.causes[id] = cause
    found = repairs.causes
    return {
        outcome.example.id: _of_reader(found[outcome.example.id], outcome)
        for outcome in failed
        if outcome.example.id in found
    }


@dataclass
class _Repairs:
    """The turns that still fail, each with its repairs so far."""

    conditions: Conditions
    rerun: Rerun
    failing: dict[str, Outcome]
    causes: dict[str, Cause] = field(default_factory=dict)
    judged: set[str] = field(default_factory=set)
    """The turns that could be run and judged with the last repair tried on them."""

    def __post_init__(self) -> None:
        self._applied = dict.fromkeys(self.failing, Counterfactual())

    def apply(
        self,
        cause: Cause,
        concerns: Callable[[Outcome], bool],
        keep: bool = True,
        **repair: Any,
    ) -> None:
        """Runs the turns that a repair concerns again; those that succeed have this cause.

        Args:
            keep: whether the repair stays in place for the next ones.
        """
        together: dict[Counterfactual, list[str]] = {}
        for id, outcome in self.failing.items():
            if concerns(outcome):
                together.setdefault(replace(self._applied[id], **repair), []).append(id)
        for counterfactual, ids in together.items():
            values = self.rerun([self.failing[id].example for id in ids], counterfactual)
            if len(values) != len(ids):
                raise ValueError(f"{len(ids)} turns were run again and gave {len(values)} values")
            for id, value in zip(ids, values, strict=True):
                if keep:
                    self._applied[id] = counterfactual
                self.judged.discard(id)
                if value is not None:
                    self.judged.add(id)
                    if self.conditions.threshold.met(value):
                        self.causes[id] = cause
                        del self.failing[id]


def _without_repair(outcome: Outcome, conditions: Conditions, judged: bool) -> Cause | None:
    example = outcome.example
    if example.answerable is False:
        return "reading" if conditions.judges == "answer" else None
    if not _has_gold(outcome) or not judged:
        return None
    if conditions.judges == "ranking":
        return "data"
    if conditions.reachable(example) is not False:
        return "reading"
    result = outcome.results["rewritten"]
    lang = _question_language(outcome) or result.rewrite.lang
    gold = conditions.gold_language(example)
    if _answer_elsewhere(outcome) and gold not in (None, UNKNOWN, lang):
        return "language"
    return "data"


def _of_reader(cause: Cause, outcome: Outcome) -> Cause:
    """The cause; a failure to read of a reader that writes is one of generation."""
    answer = outcome.results["rewritten"].answer
    return "generation" if cause == "reading" and answer and answer.writing else cause


def _struck(outcome: Outcome) -> bool:
    """Whether the check struck something that the reader had written."""
    answer = outcome.results["rewritten"].answer
    writing = answer.writing if answer else None
    return writing is not None and any(one.fate == "struck" for one in writing.statements)


def _answer_elsewhere(outcome: Outcome) -> bool:
    """Whether the answer is in another language than the question."""
    result = outcome.results["rewritten"]
    lang = _question_language(outcome) or result.rewrite.lang
    return result.answer is not None and is_cross_lingual(lang, result.answer.lang)


def _first_fault_is(stage: Cause, conditions: Conditions, outcome: Outcome) -> bool:
    """Whether this stage is the first after rewriting that fails under every phrasing, if a search
    succeeds with a relevant passage among the first `NEAR` hits."""
    if not _has_gold(outcome):
        return False
    example, results = outcome.example, outcome.results.values()
    if any(holds_relevant(one.ranking[:NEAR], example) for one in results):
        return stage == "reading"
    found = any(holds_relevant(one.hits[: conditions.kept], example) for one in results)
    return stage == ("reranking" if conditions.reranks and found else "retrieval")


def _has_rewrite(outcome: Outcome) -> bool:
    return bool(outcome.example.rewrites)


def _has_gold(outcome: Outcome) -> bool:
    example = outcome.example
    return example.answerable is not False and any(grade > 0 for grade in example.relevant.values())


def _question_language(outcome: Outcome) -> str | None:
    """The language of the question according to the data."""
    lang = outcome.example.conversation.question.lang
    return lang if lang != UNKNOWN else None


def _language_differs(outcome: Outcome) -> bool:
    lang = _question_language(outcome)
    return lang is not None and outcome.results["rewritten"].rewrite.lang != lang


def limits(failed: Sequence[Outcome], conditions: Conditions) -> tuple[str, ...]:
    """What the causes of these turns cannot show, for lack of data or of stages, a sentence each.

    >>> limits([], Conditions(Threshold.parse("=1"), "answer", reranks=True, kept=20))
    ()
    """
    if not failed:
        return ()
    judged = [outcome for outcome in failed if outcome.example.answerable is not False]

    def lacking(has: Callable[[Outcome], bool], among: Sequence[Outcome]) -> str:
        count = sum(not has(outcome) for outcome in among)
        return f"{count} of {len(failed)} failed turns" if count else ""

    found = []
    if turns := lacking(_has_rewrite, failed):
        found.append(
            f"{turns} have no human rewrite: a bad rewrite shows only where the question as asked "
            "succeeds, and is attributed to a later stage elsewhere."
        )
    if turns := lacking(_has_gold, judged):
        found.append(
            f"{turns} have no passages judged relevant: their failures can only be attributed to "
            "rewriting, and those that no rewrite repairs have no cause."
        )
    if turns := lacking(lambda outcome: _question_language(outcome) is not None, failed):
        found.append(
            f"In {turns} the data do not name the question's language: a wrong identification "
            "cannot be detected."
        )
    if conditions.judges == "ranking":
        found.append("Success is judged by the ranking: no failure is attributed to reading.")
    else:
        unsure = [o for o in judged if _has_gold(o) and conditions.reachable(o.example) is None]
        if unsure:
            found.append(
                f"For {len(unsure)} of {len(failed)} failed turns it is unknown whether the "
                "relevant passages hold the answer: what no repair mends is attributed to reading."
            )
    if not conditions.reranks:
        found.append("No reranker runs: a wrong order of the hits counts as retrieval.")
    return tuple(found)
