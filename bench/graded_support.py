"""Fits the card's "support" of the cross-encoder on graded hits, on the scale of earlier weights.

    python -m bench.graded_support INDEXES --before FOLDER [--weights FOLDER]

INDEXES are those that `anaphora train judge --manuals` takes. A logistic regression predicts from
relevance, the score of the best span, and whether the languages differ, that a hit answers, at
least in part. The hits are those of the questions for tuning in `training/grades`. The support is
its log-odds on the scale on which the support of the earlier weights in `--before` predicts the
same, so that what was fitted on that scale stays valid.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from anaphora.crossencoder.model import SHIPPED, CrossEncoder
from anaphora.models.backbone import shared_backbone
from anaphora.protocols import FloatArray
from anaphora.records import is_cross_lingual
from anaphora.train.crossencoder.questions import PARTLY
from anaphora.train.crossencoder.real_manuals import Manuals, graded_questions
from anaphora.train.regression import logistic_regression
from anaphora.train.text import TrainingText

_RIDGE = 1e-4


def fitted(scores: FloatArray, right: FloatArray) -> FloatArray:
    """Offset and coefficients."""
    weights = np.ones(len(right)) / len(right)
    return np.array(logistic_regression(scores, right, weights, _RIDGE, _RIDGE))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("indexes", type=Path, metavar="INDEXES")
    parser.add_argument("--before", type=Path, required=True)
    parser.add_argument("--weights", type=Path, default=SHIPPED)
    options = parser.parse_args()
    manuals = Manuals(options.indexes)
    pairs, across, right = [], [], []
    for one in graded_questions(TrainingText(), "tune"):
        for passage, grade in manuals.hits(one):
            pairs.append((one.text, passage))
            across.append(float(is_cross_lingual(one.lang, passage.lang)))
            right.append(float(grade >= PARTLY))

    def scores(folder: Path) -> tuple[CrossEncoder, FloatArray]:
        judge = CrossEncoder(shared_backbone(), folder)
        found = judge.score(pairs)
        spans = [one.spans[0].score if one.spans else 0.0 for one in found]
        return judge, np.column_stack([[one.relevance for one in found], spans, across])

    earlier, old = scores(options.before)
    support = np.array([earlier.support(a, b, bool(c)) for a, b, c in old])
    offset, factor = fitted(support[:, None], np.array(right))
    now = fitted(scores(options.weights)[1], np.array(right))
    now[0] -= offset
    print(f"{len(pairs)} hits, {sum(right):.0f} right")
    print("support:", [round(float(one), 4) for one in now / factor])


if __name__ == "__main__":
    main()
