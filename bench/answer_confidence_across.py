"""Fits the confidence of answers from passages in another language than the question's.

    python -m bench.answer_confidence_across INDEXES

INDEXES are those that `anaphora train judge --manuals` takes. The questions are those on real
manuals that people ask in another language, of the manuals for tuning. Each is asked twice: as it
is, and without the hits of its manual, which leaves it without an answer. Of questions with graded
hits these are read; those with a 3 among them are answerable. Prints the coefficients,
and for both the tuning and the reporting part what is refused below several limits; below 1 it is
everything whose first passage probably does not answer.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from anaphora.assistant import Assistant
from anaphora.config import Config
from anaphora.index import open_index
from anaphora.read.extractive import ExtractiveReader
from anaphora.records import Hit, Query
from anaphora.train.crossencoder.questions import RIGHT, Part
from anaphora.train.crossencoder.real_manuals import (
    Manuals,
    digest,
    graded_questions,
    real_questions,
)
from anaphora.train.text import TrainingText
from bench.answer_confidence import area, calibration_error, fit, weights, with_and_without

_LIMITS = (0.65, 0.7, 0.75, 0.8, 0.85, 1.0)
_PARTS: tuple[Part, ...] = ("tune", "report")


class _Row(NamedTuple):
    signals: tuple[float, float, float]
    answerable: bool
    among_two: bool
    among_five: bool


def rows(folder: Path, part: Part) -> Iterator[_Row]:
    questions = real_questions(TrainingText(), part)
    for lang in sorted({one.manual_lang for one in questions}):
        index = open_index(folder / lang)
        with Assistant(index, Config().without_time_limits()) as assistant:
            for one in questions:
                if one.manual_lang != lang or one.lang == lang or not one.passage:
                    continue
                for query, hits, answerable in with_and_without(assistant, one):
                    right = {one.passage} if answerable else set()
                    if row := _row(assistant, query, hits, right):
                        yield row


def graded_rows(folder: Path, part: Part) -> Iterator[_Row]:
    """Questions with graded hits, in the order of their grading."""
    manuals = Manuals(folder)
    asked = [one for one in graded_questions(TrainingText(), part) if one.lang != one.manual_lang]
    for lang in sorted({one.manual_lang for one in asked}):
        with Assistant(open_index(folder / lang), Config().without_time_limits()) as assistant:
            for one in asked:
                if one.manual_lang != lang:
                    continue
                graded = manuals.hits(one)
                hits = [Hit(passage, -at, at) for at, (passage, _) in enumerate(graded, 1)]
                right = {digest(passage.text) for passage, grade in graded if grade == RIGHT}
                if row := _row(assistant, Query(one.text, one.lang), hits, right):
                    yield row


def _row(assistant: Assistant, query: Query, hits: list[Hit], right: set[str]) -> _Row | None:
    reader = assistant.pipeline.reader
    signals = reader.signals(query, hits) if isinstance(reader, ExtractiveReader) else None
    if signals is None or signals.cosine is None:
        return None
    near = [digest(hit.passage.text) for hit in hits[:5]]
    return _Row(
        (signals.first, signals.mean, signals.cosine),
        bool(right),
        not right.isdisjoint(near[:2]),
        not right.isdisjoint(near),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("indexes", type=Path)
    folder = parser.parse_args().indexes
    parts = {part: [*rows(folder, part), *graded_rows(folder, part)] for part in _PARTS}
    arrays = {
        part: (
            np.array([row.signals for row in found]),
            np.array([float(row.answerable) for row in found]),
            np.array([float(row.among_two) for row in found]),
            np.array([row.among_five for row in found]),
        )
        for part, found in parts.items()
    }
    features, answerable, right, _ = arrays["tune"]
    for name, column, target in (("ANSWERABLE", 1, answerable), ("RIGHT", 2, right)):
        for used in (2, 3):
            factors = fit(features[:, :used], target, weights(answerable))
            print(f"{name}_ACROSS ({', '.join(f'{one:.3f}' for one in factors)})")
            for part, found in arrays.items():
                values = _predicted(factors, found[0][:, :used])
                print(
                    f"  {part}: area {area(values, found[column]):.3f}, calibration error "
                    f"{calibration_error(values, found[column], weights(found[1])):.3f}"
                )
    factors = fit(features, answerable, weights(answerable))
    for part, (own, answers, _, near) in arrays.items():
        values = _predicted(factors, own)
        print(f"{part}: {answers.sum():.0f} questions, {(1 - answers).sum():.0f} without an answer")
        for limit in _LIMITS:
            refused = (values < limit) & (own[:, 0] < 0)
            shares = [100 * refused[kept].mean() for kept in (answers == 1, near, answers == 0)]
            print(
                "  below {}: refused {:.1f} % of the answerable ones, {:.1f} % of those with the "
                "right passage among five, {:.1f} % of the others".format(limit, *shares)
            )


def _predicted(factors: np.ndarray, features: np.ndarray) -> np.ndarray:
    predicted: np.ndarray = 1 / (1 + np.exp(-(factors[0] + features @ factors[1:])))
    return predicted


if __name__ == "__main__":
    main()
