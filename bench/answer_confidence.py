"""Fits the confidence of answers (`anaphora.read.confidence`) on the questions for tuning.

    python -m bench.answer_confidence FILE... --documents NAME=FOLDER... --out DIR

The files and folders are those of `anaphora eval answers`, and the indexes are kept in the same
place. Prints the coefficients of each regression, and for ten folds, each predicted by the other
nine: the area under the ROC curve, the expected calibration error, and which fraction of the
unanswerable questions is refused when so many of the answerable ones are.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

from anaphora.assistant import Assistant
from anaphora.config import Config
from anaphora.datasets.answer_turns import AnswerTurn, load_answer_turns
from anaphora.evaluate.answer_figures import nuggets_found
from anaphora.evaluate.answers import AnswerEvaluation
from anaphora.index import open_index
from anaphora.pipeline import query_of
from anaphora.read.extractive import ExtractiveReader
from anaphora.records import Conversation, Turn
from anaphora.retrieve.encoders import load_encoder

_RIDGE = 0.02
_FOLDS = 10
_REFUSED = (0.03, 0.05, 0.1, 0.15)


def signals(assistant: Assistant, turn: AnswerTurn) -> tuple[list[float], bool] | None:
    """First, mean and cosine of a turn, and whether its answer shows all facts."""
    question = Turn("user", turn.question)
    answer = assistant.pipeline.answer(Conversation((*turn.history, question)))
    trace = answer.trace
    reader = assistant.pipeline.reader
    if trace is None or trace.rewrite is None or not isinstance(reader, ExtractiveReader):
        return None
    query = query_of(trace.understanding, trace.rewrite)
    found = reader.signals(query, list(trace.hits))
    if found is None or found.cosine is None:
        return None
    shown = "\n".join(citation.quote for citation in answer.citations)
    right = bool(turn.nuggets) and all(nuggets_found(turn.nuggets, shown))
    return [found.first, found.mean, found.cosine], right


def fit(features: Any, right: Any) -> Any:
    """Offset and factors of a logistic regression with a small ridge penalty."""
    mean, spread = features.mean(0), features.std(0)
    rows = np.c_[np.ones(len(features)), (features - mean) / spread]
    penalty = _RIDGE * len(rows) * np.diag([0.0, *np.ones(features.shape[1])])
    weights = np.zeros(rows.shape[1])
    for _ in range(60):
        predicted = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (predicted - right) + penalty @ weights
        curvature = (rows * (predicted * (1 - predicted))[:, None]).T @ rows + penalty
        weights -= np.linalg.solve(curvature, slope)
    factors = weights[1:] / spread
    return np.r_[weights[0] - (factors * mean).sum(), factors]


def predicted(features: Any, right: Any) -> Any:
    """The probability of each row by a regression on the other folds."""
    fold = np.arange(len(right)) % _FOLDS
    found = np.zeros(len(right))
    for one in range(_FOLDS):
        weights = fit(features[fold != one], right[fold != one])
        found[fold == one] = 1 / (1 + np.exp(-(weights[0] + features[fold == one] @ weights[1:])))
    return found


def area(values: Any, right: Any) -> float:
    good, bad = values[right == 1], values[right == 0]
    return float(np.mean((good[:, None] > bad) + 0.5 * (good[:, None] == bad)))


def calibration_error(values: Any, right: Any) -> float:
    bins = np.minimum((values * 10).astype(int), 9)
    gaps = [abs((values[bins == one] - right[bins == one]).sum()) for one in range(10)]
    return float(sum(gaps) / len(values))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--documents", action="append", default=[])
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    folders = {
        name: Path(folder) for name, _, folder in (one.partition("=") for one in options.documents)
    }
    turns = [
        turn
        for turn in load_answer_turns(options.files)
        if turn.split == "tune" and turn.collection in folders
    ]
    evaluation = AnswerEvaluation(turns, folders, options.out)
    encoder = load_encoder()
    rows, right, answerable = [], [], []
    for name in dict.fromkeys(turn.collection for turn in turns):
        index = open_index(evaluation.index(name, encoder))
        with Assistant(index, Config().without_time_limits()) as assistant:
            for turn in turns:
                if turn.collection == name and (found := signals(assistant, turn)):
                    rows.append(found[0])
                    right.append(float(found[1]))
                    answerable.append(float(bool(turn.nuggets)))
    features, refused = np.array(rows), {}
    print(f"{len(rows)} turns, {sum(answerable):.0f} answerable, {sum(right):.0f} right")
    for name, target in (("ANSWERABLE", np.array(answerable)), ("RIGHT", np.array(right))):
        for columns in (2, 3):
            part = features[:, :columns]
            values = predicted(part, target)
            weights = ", ".join(f"{one:.3f}" for one in fit(part, target))
            print(
                f"{name} ({weights}): area {area(values, target):.3f}, "
                f"calibration error {calibration_error(values, target):.3f}"
            )
            refused[name, columns] = values
    values, target = refused["ANSWERABLE", 3], np.array(answerable)
    for fraction in _REFUSED:
        limit = np.quantile(values[target == 1], fraction)
        print(
            f"below {limit:.3f}: {100 * fraction:.0f} % of the answerable questions are refused, "
            f"{100 * np.mean(values[target == 0] < limit):.0f} % of the others"
        )


if __name__ == "__main__":
    main()
