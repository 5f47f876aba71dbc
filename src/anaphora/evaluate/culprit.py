"""Which stage is to blame for a failed turn: it is run again with one stage after another repaired.

The first repair after which the turn succeeds names the culprit. Repairs add up along the pipeline,
and only turns that still fail go on to the next, so that few are run again often:

| repair                                            | the turn then succeeds: |
|---------------------------------------------------|-------------------------|
| the question's language is the one the data say   | language                |
| the question as it was asked, not rewritten       | rewriting               |
| a person's rewrite                                | rewriting               |
| the right passages among the first stage's hits   | retrieval               |
| the right passages first                          | reranking               |
| the right passages alone                          | reading: distracted     |
| none, but a span of the right passages would do   | reading                 |
| none, and the answer is in another language than  |                         |
| asked, as are the right passages                  | language                |
| none                                              | data: no stage could    |

Where no reranker runs, the first stage's order is final: putting the right passages among its hits
would say nothing, and putting them first says "retrieval". Where success is judged by the ranking,
the right passages alone say nothing either: a turn that fails with them first is the data's fault,
which may name passages that the collection lacks. Where the documents hold no answer, success is to
say so; a failure that no rewrite repairs is reading's.

The idea of blaming by exchanging the question is that of "A Wrong Answer or a Wrong Question?"; the
repairs behind it are ours. What a verdict does not rest on, where data lack something, `limits`
says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, get_args

from anaphora.datasets.example import Example
from anaphora.evaluate.blame import Threshold
from anaphora.evaluate.results import Culprit, Form, Outcome
from anaphora.records import UNKNOWN

CULPRITS: Final[tuple[Culprit, ...]] = get_args(Culprit)
"""In the pipeline's order."""

Gold = Literal["", "added", "first", "alone"]


@dataclass(frozen=True, slots=True)
class Counterfactual:
    """How a turn is run again.

    Attributes:
        question: the phrasing that is searched and read.
        language: the question's language is the one that the data say, whatever was identified.
        gold: what becomes of the passages with a grade above 0: "added" to the first stage's hits
            (behind them, those that it missed, before any reranking), put "first" in the order that
            the reader is given, by grade, or given to it "alone".
    """

    question: Form = "rewritten"
    language: bool = False
    gold: Gold = ""


Rerun = Callable[[Sequence[Example], Counterfactual], Sequence["float | None"]]
"""Runs turns again; gives the success metric's value of each, None where it could not be run or
judged. Where the documents hold no answer (`answerable` is False) it is 1 for saying so, else 0."""


def _unknown(_: Example) -> None:
    return None


@dataclass(frozen=True)
class Conditions:
    """What the pipeline has and what the data tell.

    Attributes:
        threshold: what the success metric must reach.
        judges: what the success metric looks at.
        reranks: whether the pipeline has a reranker.
        reachable: whether some span of the right passages would reach the threshold
            (see `oracle.best_span_score`); None where that cannot be told.
        gold_language: the language of the right passages; None where that cannot be told.
    """

    threshold: Threshold
    judges: Literal["ranking", "answer"]
    reranks: bool
    reachable: Callable[[Example], bool | None] = _unknown
    gold_language: Callable[[Example], str | None] = _unknown


def find_culprits(
    failed: Sequence[Outcome], conditions: Conditions, rerun: Rerun
) -> dict[str, Culprit]:
    """The culprit of each failed turn, by its id.

    A turn of which nobody can tell is left out: the data name no right passages for it and no
    rewrite repairs it, or it could not be run again with them.

    Args:
        failed: turns whose "rewritten" phrasing does not reach the threshold.

    Raises:
        ValueError: `rerun` does not give one value a turn.
    """
    ladder = _Ladder(conditions, rerun, {outcome.example.id: outcome for outcome in failed})
    ladder.climb("language", _language_differs, language=True)
    ladder.climb("rewriting", _always, keep=False, question="original")
    ladder.climb("rewriting", _has_rewrite, question="human")
    if conditions.reranks:
        ladder.climb("retrieval", _has_gold, gold="added")
        ladder.climb("reranking", _has_gold, gold="first")
    else:
        ladder.climb("retrieval", _has_gold, gold="first")
    if conditions.judges == "answer":
        ladder.climb("reading", _has_gold, gold="alone")
    for id, outcome in ladder.failing.items():
        culprit = _beyond_repair(outcome, conditions, id in ladder.ran)
        if culprit:
            ladder.found[id] = culprit
    return {id: ladder.found[id] for id in ladder.order if id in ladder.found}


@dataclass
class _Ladder:
    """The turns that still fail, each with the repairs that it has so far."""

    conditions: Conditions
    rerun: Rerun
    failing: dict[str, Outcome]
    found: dict[str, Culprit] = field(default_factory=dict)
    ran: set[str] = field(default_factory=set)
    """The turns that the last repair tried on them could be run and judged with."""

    def __post_init__(self) -> None:
        self.order = tuple(self.failing)
        self.repairs = dict.fromkeys(self.failing, Counterfactual())

    def climb(
        self,
        culprit: Culprit,
        concerns: Callable[[Outcome], bool],
        keep: bool = True,
        **repair: Any,
    ) -> None:
        """Runs the turns that a repair concerns; those that succeed are the culprit's.

        Args:
            keep: whether the repair stays in place for the ones that follow.
        """
        together: dict[Counterfactual, list[str]] = {}
        for id, outcome in self.failing.items():
            if concerns(outcome):
                together.setdefault(replace(self.repairs[id], **repair), []).append(id)
        for counterfactual, ids in together.items():
            values = self.rerun([self.failing[id].example for id in ids], counterfactual)
            if len(values) != len(ids):
                raise ValueError(f"{len(ids)} turns were run again and gave {len(values)} values")
            for id, value in zip(ids, values, strict=True):
                if keep:
                    self.repairs[id] = counterfactual
                self.ran.discard(id)
                if value is not None:
                    self.ran.add(id)
                    if self.conditions.threshold.met(value):
                        self.found[id] = culprit
                        del self.failing[id]


def _beyond_repair(outcome: Outcome, conditions: Conditions, ran: bool) -> Culprit | None:
    example = outcome.example
    if example.answerable is False:
        return "reading" if conditions.judges == "answer" else None
    if not _has_gold(outcome) or not ran:
        return None
    if conditions.judges == "ranking":
        return "data"
    if conditions.reachable(example) is not False:
        return "reading"
    if _answered_in_another_language(outcome) and _passages_are_in_another_language(
        outcome, conditions
    ):
        return "language"
    return "data"


def _always(_: Outcome) -> bool:
    return True


def _has_rewrite(outcome: Outcome) -> bool:
    return bool(outcome.example.rewrites)


def _has_gold(outcome: Outcome) -> bool:
    example = outcome.example
    return example.answerable is not False and any(grade > 0 for grade in example.relevant.values())


def _asked(outcome: Outcome) -> str | None:
    """The question's language as the data have it."""
    lang = outcome.example.conversation.question.lang
    return lang if lang != UNKNOWN else None


def _language_differs(outcome: Outcome) -> bool:
    asked = _asked(outcome)
    return asked is not None and outcome.tried["rewritten"].rewrite.lang != asked


def _answered_in_another_language(outcome: Outcome) -> bool:
    tried = outcome.tried["rewritten"]
    asked = _asked(outcome) or tried.rewrite.lang
    return tried.answer is not None and tried.answer.lang not in (asked, UNKNOWN)


def _passages_are_in_another_language(outcome: Outcome, conditions: Conditions) -> bool:
    lang = conditions.gold_language(outcome.example)
    asked = _asked(outcome) or outcome.tried["rewritten"].rewrite.lang
    return lang not in (None, UNKNOWN, asked)


def limits(failed: Sequence[Outcome], conditions: Conditions) -> tuple[str, ...]:
    """What the culprits of these turns cannot say, for want of data or of stages, a sentence each.

    >>> limits([], Conditions(Threshold.parse("=1"), "answer", reranks=True))
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
            "succeeds, and is blamed on a later stage elsewhere."
        )
    if turns := lacking(_has_gold, judged):
        found.append(
            f"{turns} have no passages judged right: beyond rewriting nothing can be blamed for "
            "them, and those that no rewrite repairs have no culprit."
        )
    if turns := lacking(lambda outcome: _asked(outcome) is not None, failed):
        found.append(
            f"{turns} do not say the question's language: one that was identified wrongly cannot "
            "be told."
        )
    if conditions.judges == "ranking":
        found.append("Success is judged by the ranking: reading cannot be blamed.")
    else:
        unsure = [o for o in judged if _has_gold(o) and conditions.reachable(o.example) is None]
        if unsure:
            found.append(
                f"For {len(unsure)} of {len(failed)} failed turns nobody can tell whether the "
                "right passages hold the answer: what no repair mends is blamed on reading."
            )
    if not conditions.reranks:
        found.append("No reranker runs: a wrong order of the hits counts as retrieval.")
    return tuple(found)
