"""The figures of answers: whether they show what they should, from the right documents."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from anaphora.datasets.answer_turns import AnswerTurn, normalized, pattern
from anaphora.evaluate.formatting import counted
from anaphora.evaluate.llm_judge import agreement
from anaphora.evaluate.metrics import Grounding, code_switching, correct_language
from anaphora.evaluate.tables import Cell, Table
from anaphora.records import UNKNOWN, Hit

_NEAR = 5
_BINS = 10


@dataclass(frozen=True, slots=True)
class Shown:
    """What a person sees as the answer to one turn.

    Attributes:
        documents: the ids of the documents cited, in the order of the citations.
        confidence: None from a baseline.
        lang: the language that the answer should be in.
        grounding: None for a baseline, an abstention, or where nothing was checked.
    """

    text: str
    documents: tuple[str, ...]
    confidence: float | None = None
    abstained: bool = False
    lang: str = UNKNOWN
    grounding: Grounding | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """One turn and what was shown for it.

    Attributes:
        hits: what the reader received, the best first.
        rewrite: the question as it was searched.
        found: of each nugget, whether an alternative of it is shown.
        verdict: whether a language model takes it for right; None where none was asked.
    """

    turn: AnswerTurn
    shown: Shown
    hits: tuple[Hit, ...]
    rewrite: str
    found: tuple[bool, ...]
    verdict: bool | None = None

    @property
    def useful(self) -> bool:
        """The question is answerable, and every nugget is shown."""
        return self.turn.answerable and not self.shown.abstained and all(self.found)

    @property
    def right(self) -> bool:
        """Useful, or rightly abstained."""
        return self.useful or (self.shown.abstained and not self.turn.answerable)

    @property
    def right_source(self) -> bool:
        """The first citation is of a right document."""
        return any(is_source(one, self.turn.sources) for one in self.shown.documents[:1])

    @property
    def any_right_source(self) -> bool:
        """Some citation is of a right document."""
        return any(is_source(one, self.turn.sources) for one in self.shown.documents)

    @property
    def answering_rank(self) -> int | None:
        """The rank of the first hit whose text holds every nugget."""
        if not self.turn.answerable:
            return None
        ranks = (
            rank
            for rank, hit in enumerate(self.hits, 1)
            if all(nuggets_found(self.turn.nuggets, hit.passage.text))
        )
        return next(ranks, None)


def nuggets_found(nuggets: Sequence[Sequence[str]], text: str) -> tuple[bool, ...]:
    """Of each nugget, whether the text holds one of its alternatives.

    >>> nuggets_found([["Ctrl+S", "Strg+S"], ["re:save (as|all)"]], "Press  STRG+S [1].")
    (True, False)
    """
    text = normalized(text)
    return tuple(
        any(re.search(pattern(one), text, re.IGNORECASE) for one in nugget) for nugget in nuggets
    )


def is_source(doc_id: str, sources: Sequence[str]) -> bool:
    """Whether a document is one of the sources: its id is the source's path, after the name of the
    collection's folder."""
    return any(f"/{doc_id}".endswith(f"/{source.strip('/')}") for source in sources)


def figures(results: Sequence[Result]) -> dict[str, Any]:
    """The figures of one system, as docs/json.md lists them; None where nothing is to be counted.

    Of the answerable turns: useful answers, the fraction of the nuggets that are shown, right
    sources (where the turn names sources), and turns with an answering passage among the first
    five hits. Lengths, languages and citations are of the turns that were answered.
    """
    answerable = [one for one in results if one.turn.answerable]
    unanswerable = [one for one in results if not one.turn.answerable]
    sourced = [one for one in answerable if one.turn.sources]
    answered = [one.shown for one in results if not one.shown.abstained]
    lengths = [len(one.text) for one in answered]
    grounded = [one.grounding for one in answered if one.grounding]
    judged = agreement([one.verdict for one in results], [one.right for one in results])
    return {
        "turns": len(results),
        "answerable": len(answerable),
        "useful": _fraction(one.useful for one in answerable),
        "nugget_recall": _fraction(found for one in answerable for found in one.found),
        "right_source": _fraction(one.right_source for one in sourced),
        "any_right_source": _fraction(one.any_right_source for one in sourced),
        "retrieved": _fraction((one.answering_rank or _NEAR + 1) <= _NEAR for one in answerable),
        "right_abstention": _fraction(one.shown.abstained for one in unanswerable),
        "wrong_abstention": _fraction(one.shown.abstained for one in answerable),
        "calibration_error": calibration_error(results),
        "language": _mean(correct_language(one.text, one.lang) for one in answered),
        "code_switching": _mean(code_switching(one.text, one.lang) for one in answered),
        "citation_recall": _mean(one.recall for one in grounded),
        "citation_precision": _mean(one.precision for one in grounded),
        "unsupported": _mean(one.unsupported for one in grounded),
        "judged_right": _fraction(one.verdict for one in results if one.verdict is not None),
        "judge_agreement": judged.agreed if judged else None,
        "judge_kappa": judged.kappa if judged else None,
        "mean_length": fmean(lengths) if lengths else None,
        "longest": max(lengths, default=0),
        "groups": {
            name: {
                group: {
                    "turns": len(members),
                    "useful": _fraction(one.useful for one in members),
                }
                for group, members in _grouped(answerable, key).items()
            }
            for name, key in _GROUPS.items()
        },
    }


def calibration_error(results: Sequence[Result]) -> float | None:
    """The expected calibration error of the confidence (Guo et al., 2017, "On Calibration of Modern
    Neural Networks", equation 3), over ten bins of equal width; None where no result has one.

    A turn is right if it is useful or rightly abstained. The confidence is the probability that the
    documents' best answer is right, so an abstention counts with one minus it.
    """
    bins: dict[int, list[tuple[float, bool]]] = {}
    for one in results:
        confidence = one.shown.confidence
        if confidence is not None:
            probability = 1 - confidence if one.shown.abstained else confidence
            at = min(int(probability * _BINS), _BINS - 1)
            bins.setdefault(at, []).append((probability, one.right))
    total = sum(map(len, bins.values()))
    if not total:
        return None
    gaps = (sum(probability - right for probability, right in one) for one in bins.values())
    return sum(map(abs, gaps)) / total


def _fraction(outcomes: Iterable[bool]) -> float | None:
    values = list(outcomes)
    return fmean(values) if values else None


def _mean(scores: Iterable[float | None]) -> float | None:
    values = [one for one in scores if one is not None]
    return fmean(values) if values else None


_GROUPS: Mapping[str, Callable[[AnswerTurn], str]] = {
    "turn": lambda turn: "follow-up" if turn.history else "first question",
    "kind": lambda turn: turn.kind or "unknown",
    "language": lambda turn: turn.lang,
}


def _grouped(
    results: Sequence[Result], key: Callable[[AnswerTurn], str]
) -> dict[str, list[Result]]:
    groups: dict[str, list[Result]] = {}
    for one in results:
        groups.setdefault(key(one.turn), []).append(one)
    return dict(sorted(groups.items()))


_COLUMNS = {
    "useful": "useful",
    "nuggets": "nugget_recall",
    "source": "right_source",
    "any source": "any_right_source",
    f"hit@{_NEAR}": "retrieved",
    "right abst.": "right_abstention",
    "wrong abst.": "wrong_abstention",
    "ECE": "calibration_error",
    "language": "language",
    "length": "mean_length",
    "longest": "longest",
}


_GROUNDED_COLUMNS = {
    "cite recall": "citation_recall",
    "cite precision": "citation_precision",
    "unsupported": "unsupported",
}
_JUDGED_COLUMNS = {
    "judge": "judged_right",
    "agreement": "judge_agreement",
    "kappa": "judge_kappa",
}


def summary_table(systems: Mapping[str, Mapping[str, Any]]) -> Table:
    """A row for each system's figures; what no system was measured by has no column."""
    columns = dict(_COLUMNS)
    for optional in (_GROUNDED_COLUMNS, _JUDGED_COLUMNS):
        if any(one[key] is not None for one in systems.values() for key in optional.values()):
            columns |= optional
    rows = [
        (Cell(name), *(Cell(_rounded(key, one[key])) for key in columns.values()))
        for name, one in systems.items()
    ]
    first = next(iter(systems.values()))
    caption = (
        f"{counted(first['turns'], 'turn', 'turns')}, {first['answerable']:,} of them answerable. "
        f"hit@{_NEAR}: one of the first {_NEAR} hits holds every nugget. "
        "ECE: expected calibration error. length: mean characters of the turns answered."
    )
    return Table(("system", *columns), tuple(rows), caption)


def groups_table(systems: Mapping[str, Mapping[str, Any]]) -> Table:
    """The fraction of useful answers, a row for each group and a column for each system."""
    groups: Mapping[str, Mapping[str, Any]] = next(iter(systems.values()))["groups"]
    rows = [
        (
            Cell(group),
            Cell(one["turns"]),
            *(Cell(system["groups"][name][group]["useful"]) for system in systems.values()),
        )
        for name, members in groups.items()
        for group, one in members.items()
    ]
    return Table(("useful", "turns", *systems), tuple(rows))


def _rounded(key: str, value: float | None) -> float | None:
    return round(value) if key == "mean_length" and value is not None else value
