"""Retrieval metrics, computed by trec_eval: a run's rankings against judged passages.

A ranking is ordered as trec_eval orders it: by score (as a 32-bit float) from high to low, equal
scores by passage id from high to low; the order in which the hits are given does not matter.

The accuracy, recall and MRR@5 of Li et al., "Dialogue-RAG: Enhancing Retrieval for LLMs via
Node-Linking Utterance Rewriting", are Success@1, R@5 and MRR@5: the paper states no formulas, and
asks whether the dialogue's document was found.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from anaphora.errors import AnaphoraError, UsageError
from anaphora.evaluate.formatting import counted, some

Qrels = Mapping[str, Mapping[str, int]]
"""Grades by query and passage; 0 is not relevant."""

HIGHEST_GRADE = 1000
"""trec_eval keeps a counter for every grade, and crashes where there are very many."""


class _Family(NamedTuple):
    """trec_eval's names of a metric without a cutoff and with one, where it has them."""

    name: str
    whole: str
    cut: str


_FAMILIES = {
    family.name.lower(): family
    for family in (
        _Family("nDCG", "ndcg", "ndcg_cut"),
        _Family("MAP", "map", "map_cut"),
        _Family("MRR", "recip_rank", "recip_rank"),
        _Family("R", "", "recall"),
        _Family("P", "", "P"),
        _Family("Success", "", "success"),
        _Family("bpref", "bpref", ""),
        _Family("Rprec", "Rprec", ""),
    )
}
_OTHER_NAMES = {
    "ap": "map",
    "rr": "mrr",
    "recall": "r",
    "precision": "p",
    "hit": "success",
    "hits": "success",
    "accuracy": "success",
}
_CUTOFF = re.compile(r"[1-9][0-9]{0,5}")


@dataclass(frozen=True, slots=True)
class Scored:
    """A run's scores, and what a reader of them must know.

    Attributes:
        values: metric, then query, to a value in 0..1; every judged query is in it.
        missing: judged queries that the run lacks; they score 0.
        unjudged: queries of the run without a relevant passage in the judgements; left out.
        duplicates: hits beyond the first of the same passage in one ranking; not counted.
        disjoint: no ranking holds any passage that was judged for its query.
    """

    values: Mapping[str, Mapping[str, float]]
    missing: tuple[str, ...] = ()
    unjudged: tuple[str, ...] = ()
    duplicates: int = 0
    disjoint: bool = False

    @property
    def warnings(self) -> tuple[str, ...]:
        """A sentence for each thing that is not as it should be."""
        found = []
        if self.disjoint:
            found.append(
                "No ranking holds a passage that was judged: check that run and judgements name "
                "passages in the same way."
            )
        if self.missing:
            number = counted(len(self.missing), "judged query is", "judged queries are")
            found.append(f"{number} missing from the run, with a score of 0: {some(self.missing)}.")
        if self.unjudged:
            number = counted(len(self.unjudged), "query has", "queries have")
            found.append(
                f"{number} no relevant passage in the judgements, left out: {some(self.unjudged)}."
            )
        if self.duplicates:
            number = counted(self.duplicates, "hit repeats", "hits repeat")
            found.append(f"{number} a passage of the same ranking; each counts once, at its best.")
        return tuple(found)


def metric_name(name: str) -> str:
    """The usual spelling of a metric's name.

    Known are nDCG, MAP and MRR, with a cutoff or without; R, P and Success with one; bpref and
    Rprec without. "Recall", "Precision", "Hit", "Accuracy", "AP" and "RR" are other names.

    Raises:
        UsageError: there is no such metric, or its cutoff is missing or not a whole number from
            1 to 999,999.

    >>> [metric_name(name) for name in ("ndcg@5", "Recall@20", "map", "hit@1")]
    ['nDCG@5', 'R@20', 'MAP', 'Success@1']
    """
    family, cutoff = _parse(name)
    return f"{family.name}@{cutoff}" if cutoff else family.name


def score_run(
    rankings: Mapping[str, Sequence[tuple[str, float]]],
    qrels: Qrels,
    metrics: Sequence[str],
    level: int = 1,
) -> Scored:
    """Scores each judged query: one that has a passage of grade `level` or more.

    From that grade on a passage counts as relevant; nDCG alone takes the grades themselves as its
    gains, those under `level` too and those below 0 as 0. The values stand under the metrics' usual
    names (`metric_name`), in the order asked for. MAP@k divides by all relevant passages, as
    trec_eval's map_cut does.

    Args:
        rankings: passage ids with their scores, by query.
        qrels: grades by query and passage.
        metrics: names such as "nDCG@5".
        level: the least grade of a relevant passage, at least 1.

    Raises:
        UsageError: a metric is unknown, no query is judged, none of those judged is in the run, a
            grade is beyond 1,000, or a score is not a number.
        AnaphoraError: pytrec_eval-terrier is not installed.

    >>> score_run({"q": [("a", 2.0), ("b", 1.0)]}, {"q": {"b": 1}}, ["MRR@10"]).values
    {'MRR@10': {'q': 0.5}}
    """
    wanted = [_parse(name) for name in metrics]
    judged = _judged(qrels, level)
    found = {query: _hits(query, rankings[query]) for query in judged if query in rankings}
    if not found:
        raise UsageError(
            f"none of the {len(judged):,} judged queries ({some(list(judged))}) is in the run "
            f"({some(list(rankings)) or 'it is empty'}): are both of the same data set?"
        )
    measured = _trec_eval(found, judged, {_measure(*metric) for metric in wanted}, level)
    values = {}
    for family, cutoff in wanted:
        measure = _measure(family, cutoff)
        one = {query: of_query[measure] for query, of_query in measured.items()}
        if family.name == "MRR" and cutoff:
            # trec_eval cuts no reciprocal rank; the rank is within k where 1/rank is 1/k or more.
            one = {query: value if value >= 1 / cutoff else 0.0 for query, value in one.items()}
        name = f"{family.name}@{cutoff}" if cutoff else family.name
        values[name] = {query: one.get(query, 0.0) for query in judged}
    return Scored(
        values,
        missing=tuple(query for query in judged if query not in rankings),
        unjudged=tuple(query for query in rankings if query not in judged),
        duplicates=sum(len(rankings[query]) - len(hits) for query, hits in found.items()),
        disjoint=all(judged[query].keys().isdisjoint(hits) for query, hits in found.items()),
    )


def _parse(name: str) -> tuple[_Family, int]:
    """A metric's family and cutoff; 0 stands for none."""
    stem, at, cutoff = name.strip().partition("@")
    key = stem.lower()
    family = _FAMILIES.get(_OTHER_NAMES.get(key, key))
    if family is None:
        names = [*_FAMILIES, *_OTHER_NAMES]
        near = difflib.get_close_matches(key, names, n=1, cutoff=0.5)
        if near:
            meant = _FAMILIES[_OTHER_NAMES.get(near[0], near[0])].name
            hint = f"did you mean {meant + at + cutoff!r}?"
        else:
            hint = f"there are {', '.join(known.name for known in _FAMILIES.values())}"
        raise UsageError(f"there is no retrieval metric {name!r}; {hint}")
    if not at:
        if not family.whole:
            raise UsageError(f"the metric {name!r} needs a cutoff, such as {family.name}@5")
        return family, 0
    if not family.cut:
        raise UsageError(
            f"the metric {family.name} takes no cutoff: ask for it without {at}{cutoff}"
        )
    if not _CUTOFF.fullmatch(cutoff):
        raise UsageError(
            f"the cutoff of {name!r} must be a whole number from 1 to 999,999, such as 5"
        )
    return family, int(cutoff)


def _measure(family: _Family, cutoff: int) -> str:
    """The name of the value in trec_eval's output."""
    if not cutoff or family.name == "MRR":
        return family.whole
    return f"{family.cut}_{cutoff}"


def _judged(qrels: Qrels, level: int) -> dict[str, dict[str, int]]:
    """The queries with a relevant passage, and all their grades."""
    if level < 1:
        raise UsageError(
            f"the grade from which a passage is relevant must be 1 or more, not {level}"
        )
    judged = {}
    for query, grades in qrels.items():
        highest = max(grades.values(), default=0)
        if highest > HIGHEST_GRADE:
            raise UsageError(
                f"query {query!r} has a passage of grade {highest}, beyond {HIGHEST_GRADE:,}: "
                "trec_eval cannot count so many grades"
            )
        if highest >= level:
            judged[query] = dict(grades)
    if not judged:
        raise UsageError(
            f"no query has a passage of grade {level} or more: retrieval cannot be scored without"
        )
    return judged


def _hits(query: str, ranking: Sequence[tuple[str, float]]) -> dict[str, float]:
    """Scores by passage, each passage's best."""
    hits = dict(ranking)
    if len(hits) < len(ranking):
        # Of the same keys the last stays: the best, where they come in ascending order.
        hits = dict(sorted(ranking, key=lambda hit: hit[1]))
    if any(map(math.isnan, hits.values())):
        raise UsageError(f"the run has a score for query {query!r} that is not a number (NaN)")
    return hits


def _trec_eval(
    run: dict[str, dict[str, float]],
    qrels: dict[str, dict[str, int]],
    measures: set[str],
    level: int,
) -> dict[str, dict[str, float]]:
    try:
        from pytrec_eval import RelevanceEvaluator
    except ImportError as error:
        raise AnaphoraError(
            'retrieval metrics need pytrec_eval-terrier: `pip install "anaphora[eval]"`'
        ) from error
    evaluator = RelevanceEvaluator(qrels, measures, relevance_level=level)
    measured: dict[str, dict[str, float]] = evaluator.evaluate(run)
    return measured
