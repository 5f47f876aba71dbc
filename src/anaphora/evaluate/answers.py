"""Whether answers are useful: they show the facts that they should, from the right documents."""

from __future__ import annotations

import hashlib
import json
import logging
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from anaphora.assistant import Assistant
from anaphora.datasets.answer_turns import AnswerTurn, normalized, pattern
from anaphora.errors import AnaphoraError, UsageError
from anaphora.evaluate.formatting import counted
from anaphora.evaluate.systems import System, check_names
from anaphora.evaluate.tables import Cell, Table
from anaphora.index import open_index
from anaphora.ingest.update import update
from anaphora.pipeline import Pipeline
from anaphora.protocols import Encoder, Progress, no_progress
from anaphora.records import Answer, Conversation, Hit, Turn
from anaphora.retrieve.encoders import load_encoder

logger = logging.getLogger(__name__)

BASELINES = {"best passage": 1, "best three": 3}
"""What would be shown without a reader: the text of so many of the first hits."""

_NEAR = 5
_BINS = 10


@dataclass(frozen=True, slots=True)
class Shown:
    """What a person sees as the answer to one turn.

    Attributes:
        documents: the ids of the documents cited, in the order of the citations.
        confidence: None from a baseline.
    """

    text: str
    documents: tuple[str, ...]
    confidence: float | None = None
    abstained: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """One turn and what was shown for it.

    Attributes:
        hits: what the reader received, the best first.
        rewrite: the question as it was searched.
        found: of each nugget, whether an alternative of it is shown.
    """

    turn: AnswerTurn
    shown: Shown
    hits: tuple[Hit, ...]
    rewrite: str
    found: tuple[bool, ...]

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
        return any(_is_source(one, self.turn.sources) for one in self.shown.documents[:1])

    @property
    def any_right_source(self) -> bool:
        """Some citation is of a right document."""
        return any(_is_source(one, self.turn.sources) for one in self.shown.documents)

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


def _is_source(doc_id: str, sources: Sequence[str]) -> bool:
    """Whether a document is one of the sources: its id is the source's path, after the name of the
    collection's folder."""
    return any(f"/{doc_id}".endswith(f"/{source.strip('/')}") for source in sources)


@dataclass(frozen=True)
class AnswerEvaluation:
    """How answers are measured.

    Args:
        turns: the questions.
        folders: from the name of a collection to the folder of its documents. The questions on
            other collections are not asked.
        out: the folder of results and of the indexes, which are kept in `cache`.
        lexical: whether the indexes are built without vectors.
        limit: how many turns are asked, from the first; None for all.
    """

    turns: Sequence[AnswerTurn]
    folders: Mapping[str, Path]
    out: Path
    lexical: bool = False
    limit: int | None = None

    def run(
        self, systems: Sequence[System], progress: Progress = no_progress
    ) -> dict[str, list[Result]]:
        """The results of every system and of its baselines, by name.

        The indexes are built, or brought up to date. Every turn is asked with its own history and
        without time limits.

        Raises:
            UsageError: two systems share a name, a folder does not exist, or no turn is left.
            AnaphoraError: an index or a result cannot be written.
        """
        check_names(systems)
        turns = self._asked()
        encoder = None if self.lexical else load_encoder()
        indexes = {
            name: self.index(name, encoder, progress)
            for name in dict.fromkeys(turn.collection for turn in turns)
        }
        found: dict[str, list[Result]] = {}
        for system in systems:
            logger.info(f"pipeline {system.name}: {counted(len(turns), 'turn', 'turns')}")
            prefix = f"{system.name}: " if len(systems) > 1 else ""
            results = _ask(system, turns, indexes, progress)
            self._write(system, results)
            found[system.name] = results
            for name, count in BASELINES.items():
                found[prefix + name] = [_baseline(result, count) for result in results]
        return found

    def _asked(self) -> list[AnswerTurn]:
        skipped = Counter(
            turn.collection for turn in self.turns if turn.collection not in self.folders
        )
        if skipped:
            names = ", ".join(f"{name} ({count:,})" for name, count in skipped.items())
            logger.info(f"turns on collections without --documents are skipped: {names}")
        turns = [turn for turn in self.turns if turn.collection in self.folders][: self.limit]
        if not turns:
            names = ", ".join(dict.fromkeys(turn.collection for turn in self.turns))
            raise UsageError(
                f"no turn is left: give --documents NAME=FOLDER for one of {names or 'none'}"
            )
        return turns

    def index(self, name: str, encoder: Encoder | None, progress: Progress = no_progress) -> Path:
        """The folder of the collection's index, up to date. Another folder or encoder has an index
        of its own."""
        documents = self.folders[name].resolve()
        key = f"{name}\n{documents}\n{encoder.name if encoder else ''}"
        digest = hashlib.sha256(key.encode("utf-8", "surrogateescape")).hexdigest()[:8]
        readable = re.sub(r"[^-.=\w]+", "-", name)
        home = self.out / "cache" / "answers" / f"{readable}-{digest}"
        report = update(home, [documents], encoder, progress)
        if not report.held:
            raise AnaphoraError(f"{self.folders[name]} holds no document that can be read")
        return home

    def _write(self, system: System, results: Sequence[Result]) -> None:
        path = self.out / "answers" / f"{system.slug}.json"
        form = {
            "name": system.name,
            "figures": figures(results),
            "turns": [result_to_dict(result) for result in results],
        }
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            text = json.dumps(form, ensure_ascii=False, indent=1) + "\n"
            path.write_text(text, "utf-8", errors="backslashreplace")
        except OSError as error:
            raise AnaphoraError(f"{path} cannot be written: {error.strerror}") from error
        logger.info(f"written: {path}")


def _ask(
    system: System,
    turns: Sequence[AnswerTurn],
    indexes: Mapping[str, Path],
    progress: Progress,
) -> list[Result]:
    results: dict[str, Result] = {}
    for name, folder in indexes.items():
        with Assistant(open_index(folder), system.config.without_time_limits()) as assistant:
            own = system.pipeline
            pipeline = own if isinstance(own, Pipeline) else assistant.pipeline
            for turn in turns:
                if turn.collection == name:
                    progress("asking", len(results), len(turns))
                    question = Turn("user", turn.question)
                    answer = pipeline.answer(Conversation((*turn.history, question)))
                    results[turn.id] = _result(turn, answer)
    progress("asking", len(turns), len(turns))
    return [results[turn.id] for turn in turns]


def _result(turn: AnswerTurn, answer: Answer) -> Result:
    documents = tuple(citation.doc_id for citation in answer.citations)
    seen = Shown(answer.text, documents, answer.confidence, answer.abstained)
    hits = answer.trace.hits if answer.trace else ()
    rewrite = answer.trace.rewrite if answer.trace else None
    return _measured(turn, seen, hits, rewrite.text if rewrite else turn.question)


def _baseline(result: Result, count: int) -> Result:
    """The text of the first hits as an answer that never abstains."""
    passages = [hit.passage for hit in result.hits[:count]]
    seen = Shown(
        "\n\n".join(passage.text for passage in passages),
        tuple(passage.doc_id for passage in passages),
    )
    return _measured(result.turn, seen, result.hits, result.rewrite)


def _measured(turn: AnswerTurn, seen: Shown, hits: tuple[Hit, ...], rewrite: str) -> Result:
    """An abstention shows no nugget, also where it quotes what is near."""
    text = "" if seen.abstained else seen.text
    return Result(turn, seen, hits, rewrite, nuggets_found(turn.nuggets, text))


def result_to_dict(result: Result) -> dict[str, Any]:
    """One turn, for a person to read."""
    turn = result.turn
    return {
        "id": turn.id,
        "collection": turn.collection,
        "kind": turn.kind,
        "lang": turn.lang,
        "history": [{"role": one.role, "text": one.text} for one in turn.history],
        "question": turn.question,
        "rewrite": result.rewrite,
        "answer": result.shown.text,
        "confidence": result.shown.confidence,
        "abstained": result.shown.abstained,
        "answerable": turn.answerable,
        "right": result.right,
        "nuggets": [
            {"alternatives": list(nugget), "found": found}
            for nugget, found in zip(turn.nuggets, result.found, strict=True)
        ],
        "sources": list(turn.sources),
        "cited": list(result.shown.documents),
        "right_source": result.right_source,
        "length": len(result.shown.text),
        "hits": [hit.passage.passage_id for hit in result.hits],
        "answering_rank": result.answering_rank,
    }


def figures(results: Sequence[Result]) -> dict[str, Any]:
    """The figures of one system, as docs/json.md lists them; None where nothing is to be counted.

    Of the answerable turns: useful answers, the fraction of the nuggets that are shown, right
    sources (where the turn names sources), and turns with an answering passage among the first
    five hits. Lengths are of the turns that were answered.
    """
    answerable = [one for one in results if one.turn.answerable]
    unanswerable = [one for one in results if not one.turn.answerable]
    sourced = [one for one in answerable if one.turn.sources]
    lengths = [len(one.shown.text) for one in results if not one.shown.abstained]
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


def _fraction(outcomes: Iterator[bool]) -> float | None:
    values = list(outcomes)
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
    "length": "mean_length",
    "longest": "longest",
}


def summary_table(systems: Mapping[str, Mapping[str, Any]]) -> Table:
    """A row for each system's figures."""
    rows = [
        (Cell(name), *(Cell(_rounded(key, one[key])) for key in _COLUMNS.values()))
        for name, one in systems.items()
    ]
    first = next(iter(systems.values()))
    caption = (
        f"{counted(first['turns'], 'turn', 'turns')}, {first['answerable']:,} of them answerable. "
        f"hit@{_NEAR}: one of the first {_NEAR} hits holds every nugget. "
        "ECE: expected calibration error. length: mean characters of the turns answered."
    )
    return Table(("system", *_COLUMNS), tuple(rows), caption)


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
