"""A run on disk: a folder that people, trec_eval and Anaphora itself can read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

from anaphora.datasets.json_stream import json_lines, malformed
from anaphora.errors import AnaphoraError, UsageError
from anaphora.evaluate.deserialization import from_dict
from anaphora.evaluate.results import PHRASINGS, Outcome, Run
from anaphora.records import Passage
from anaphora.retrieve.runs import ranked_lines
from anaphora.serialization import rewrite_to_dict

T = TypeVar("T")

ABOUT = "about.json"
TURNS = "turns.jsonl"
PASSAGES = "passages.jsonl"
SCORES = "scores.jsonl"
METRICS = "metrics.json"
_REWRITES = "rewrites.jsonl"
_ANSWERS = "answers.jsonl"
_TIMINGS = "timings.jsonl"
_QRELS = "qrels.txt"
REPORT = "report.html"


_FIRST_STAGE = "-first-stage"
_NAMES = (
    ABOUT,
    TURNS,
    PASSAGES,
    SCORES,
    METRICS,
    _REWRITES,
    _ANSWERS,
    _TIMINGS,
    _QRELS,
    REPORT,
    *(f"{form}{stage}.run" for form in PHRASINGS for stage in ("", _FIRST_STAGE)),
)
"""Every file of a run's folder, about.json first: without it there is no run."""


def write_run(folder: Path, run: Run, summary: Mapping[str, Any]) -> None:
    """Writes the folder, which replaces any run in it.

    `about.json` is deleted first and written last, so that a folder with one is complete.

    Args:
        summary: the content of metrics.json.

    Raises:
        AnaphoraError: a file cannot be written.
    """
    outcomes = run.outcomes
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in _NAMES:
            (folder / name).unlink(missing_ok=True)
        _write(folder / TURNS, map(_turn_to_dict, outcomes))
        _write(folder / PASSAGES, run.passages.values())
        _write(folder / SCORES, map(_scores_to_dict, outcomes))
        _write(folder / _TIMINGS, map(_timings_to_dict, outcomes))
        _write(
            folder / _REWRITES,
            (rewrite_to_dict(one.example.id, one.results["rewritten"].rewrite) for one in outcomes),
        )
        _write(folder / _ANSWERS, map(_answers_to_dict, outcomes))
        _write_rankings(folder, outcomes)
        (folder / METRICS).write_text(_pretty(summary), "utf-8")
        about = {
            **run.about,
            "name": run.name,
            "dataset": run.dataset,
            "metrics": run.metrics,
            "success": run.success,
            "warnings": run.warnings,
        }
        (folder / ABOUT).write_text(_pretty(about), "utf-8")
    except OSError as error:
        raise AnaphoraError(f"the run in {folder} cannot be written: {error.strerror}") from error


def read_run(folder: Path) -> Run:
    """The run that `write_run` wrote.

    Raises:
        AnaphoraError: there is no run in the folder, or a file of it is damaged.
    """
    about = read_about(folder)
    return Run(
        name=about.pop("name"),
        dataset=about.pop("dataset"),
        metrics=tuple(about.pop("metrics")),
        success=tuple(about.pop("success")),
        warnings=tuple(about.pop("warnings")),
        about=about,
        outcomes=tuple(_records(folder / TURNS, _outcome)),
        passages={one.passage_id: one for one in _records(folder / PASSAGES, _passage)},
    )


def read_about(folder: Path) -> dict[str, Any]:
    """The description of a run, without its turns.

    Raises:
        AnaphoraError: there is no complete run in the folder.
    """
    about = _read(folder / ABOUT)
    if not {"name", "dataset", "metrics", "success", "warnings"} <= about.keys():
        raise _damaged(folder / ABOUT)
    return about


def read_figures(folder: Path) -> dict[str, Any]:
    """The content of metrics.json.

    Raises:
        AnaphoraError: there is no complete run in the folder.
    """
    return _read(folder / METRICS)


def read_scores(folder: Path) -> dict[str, dict[str, dict[str, float]]]:
    """Phrasing -> metric -> turn -> score."""
    found: dict[str, dict[str, dict[str, float]]] = {}
    for record in json_lines(folder / SCORES):
        for form in PHRASINGS:
            if form in record:
                for metric, value in record.record(form).values.items():
                    found.setdefault(form, {}).setdefault(metric, {})[record.text("id")] = value
    return found


def _read(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise UsageError(
            f"there is no finished run in {path.parent}; create one with 'anaphora eval'"
        ) from None
    except OSError as error:
        raise AnaphoraError(f"{path} cannot be read: {error.strerror}") from error
    except ValueError:
        raise _damaged(path) from None
    if not isinstance(found, dict):
        raise _damaged(path)
    return found


def _records(path: Path, make: Callable[[Mapping[str, Any]], T]) -> Iterator[T]:
    for record in json_lines(path):
        try:
            yield make(record.values)
        except (KeyError, TypeError, ValueError):
            raise malformed(path, record.place, "is not a record of a run") from None


def _damaged(path: Path) -> AnaphoraError:
    return AnaphoraError(f"{path} is damaged; run the evaluation again")


def _write(path: Path, records: Iterable[Any]) -> None:
    with path.open("w", encoding="utf-8", newline="\n", errors="backslashreplace") as file:
        for record in records:
            file.write(json.dumps(record, ensure_ascii=False, default=_fields) + "\n")


def _fields(record: Any) -> dict[str, Any]:
    """As `asdict`, one level at a time: `asdict` copies everything first."""
    # A field left out of comparisons, such as an answer's trace, is not part of the record's value.
    return {field.name: getattr(record, field.name) for field in fields(record) if field.compare}


def _pretty(values: Mapping[str, Any]) -> str:
    return json.dumps(values, ensure_ascii=False, indent=1) + "\n"


def _write_rankings(folder: Path, outcomes: Sequence[Outcome]) -> None:
    """A TREC run for each phrasing, and one of the first stage where a reranker followed."""
    for form in PHRASINGS:
        found = [(one.example.id, one.results[form]) for one in outcomes if form in one.results]
        last = [(id, one.ranking) for id, one in found]
        first = [(id, one.hits) for id, one in found if one.reranked is not None]
        for name, rankings in ((form, last), (form + _FIRST_STAGE, first)):
            if any(hits for _, hits in rankings):
                with (folder / f"{name}.run").open("w", encoding="utf-8", newline="\n") as file:
                    for id, hits in rankings:
                        file.writelines(line + "\n" for line in ranked_lines(id, hits))
    judged = [(one.example.id, one.example.relevant) for one in outcomes if one.example.relevant]
    if judged:
        with (folder / _QRELS).open("w", encoding="utf-8", newline="\n") as file:
            for id, relevant in judged:
                file.writelines(f"{id} 0 {name} {grade}\n" for name, grade in relevant.items())


def _turn_to_dict(one: Outcome) -> dict[str, Any]:
    return {
        "example": one.example,
        "tried": one.results,
        "culprit": one.cause,
        "search_failed": one.search_failed,
        "likeness": one.similarity,
    }


def _outcome(values: Mapping[str, Any]) -> Outcome:
    names = {"tried": "results", "culprit": "cause", "likeness": "similarity"}
    return from_dict(Outcome, {names.get(name, name): value for name, value in values.items()})


def _passage(values: Mapping[str, Any]) -> Passage:
    return from_dict(Passage, values)


def _scores_to_dict(one: Outcome) -> dict[str, Any]:
    scores: dict[str, Any] = {
        phrasing: dict(result.scores) for phrasing, result in one.results.items()
    }
    return {
        "id": one.example.id,
        **scores,
        "unchanged": one.unchanged,
        "culprit": one.cause,
        "search_failed": one.search_failed,
    }


def _timings_to_dict(one: Outcome) -> dict[str, Any]:
    seconds: dict[str, Any] = {
        phrasing: dict(result.seconds) for phrasing, result in one.results.items()
    }
    return {"id": one.example.id, **seconds}


def _answers_to_dict(one: Outcome) -> dict[str, Any]:
    answers: dict[str, Any] = {
        phrasing: result.answer for phrasing, result in one.results.items() if result.answer
    }
    return {"id": one.example.id, **answers}
