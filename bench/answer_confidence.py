"""Fits the confidence of answers (`anaphora.read.confidence`) on the questions for tuning.

    python -m bench.answer_confidence FILE... --documents NAME=FOLDER... --manuals INDEXES --out DIR

The files and folders are those of `anaphora eval answers`, and the indexes are kept in the same
place. INDEXES are those that `anaphora train judge --manuals` takes: questions on the manuals for
tuning are asked as they are and without the hits of their manual, and have half of the weight for
ANSWERABLE. Each source has more questions without an answer than people ask, so these are weighted
as if they were a seventh of all. Prints the coefficients of each regression, and
with each collection predicted by the others: the area under the ROC curve and the expected
calibration error, and for each file's folder which fraction of the questions is refused below
several limits.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
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
from anaphora.read.confidence import MOST
from anaphora.read.extractive import ExtractiveReader
from anaphora.records import Conversation, Hit, Query, Turn
from anaphora.retrieve.encoders import load_encoder
from anaphora.train.crossencoder.real_manuals import RealQuestion, real_questions
from anaphora.train.text import TrainingText

_RIDGE = 0.02
_UNANSWERABLE = 1 / 7
_LIMITS = (0.55, 0.6, 0.65, 0.7, 0.75)
_DEPTH = 60
_ASKED, _WITHOUT = 450, 60
"""Questions on manuals that are drawn, and first ones without an answer that are asked besides."""


def signals(assistant: Assistant, turn: AnswerTurn) -> tuple[list[float], bool] | None:
    """What is known of a turn's passages, and whether its answer shows all facts."""
    question = Turn("user", turn.question)
    answer = assistant.pipeline.answer(Conversation((*turn.history, question)))
    trace = answer.trace
    if trace is None or trace.rewrite is None:
        return None
    query = query_of(trace.understanding, trace.rewrite)
    row = _row(assistant, query, list(trace.hits))
    shown = "\n".join(citation.quote for citation in answer.citations)
    right = bool(turn.nuggets) and all(nuggets_found(turn.nuggets, shown))
    return (row, right) if row else None


def _row(assistant: Assistant, query: Query, hits: list[Hit]) -> list[float] | None:
    reader = assistant.pipeline.reader
    found = reader.signals(query, hits) if isinstance(reader, ExtractiveReader) else None
    if found is None or found.cosine is None or found.across:
        return None
    return [found.first, found.mean, found.cosine, float(min(found.unmentioned, MOST))]


def on_manuals(folder: Path) -> Iterator[tuple[list[float], bool]]:
    """What is known of the passages for questions on the manuals for tuning, each as it is and
    without the hits of its manual, and whether these answer it."""
    every = [one for one in real_questions(TrainingText(), "tune") if one.lang == one.manual_lang]
    asked = random.Random(3).sample(every, _ASKED)
    asked += [one for one in every if not one.passage][:_WITHOUT]
    for lang in sorted({one.manual_lang for one in asked}):
        with Assistant(open_index(folder / lang), Config().without_time_limits()) as assistant:
            for one in asked:
                if one.manual_lang != lang:
                    continue
                for query, hits, answerable in with_and_without(assistant, one):
                    if row := _row(assistant, query, hits):
                        yield row, answerable


def with_and_without(
    assistant: Assistant, one: RealQuestion
) -> Iterator[tuple[Query, list[Hit], bool]]:
    """The query and reranked hits of a question on a manual, as it is and without the hits of its
    manual, and whether they answer it."""
    query, top = Query(one.text, one.lang), assistant.pipeline.top
    (found,) = assistant.retriever.retrieve([query], _DEPTH)
    others = [hit for hit in found if f"/{one.manual}/" not in f"/{hit.passage.doc_id}"]
    reranker = assistant.reranker
    for hits, answerable in ((found, bool(one.passage)), (others, False)):
        yield (
            query,
            reranker.rerank([query], [hits[:top]], top)[0] if reranker else hits,
            answerable,
        )


def weights(answerable: Any) -> Any:
    """The weight of each row with which unanswerable ones have their part of the whole."""
    share = _UNANSWERABLE / (1 - _UNANSWERABLE) * answerable.sum() / (1 - answerable).sum()
    return np.where(answerable == 1, 1.0, share)


def fit(features: Any, right: Any, weight: Any) -> Any:
    """Offset and factors of a weighted logistic regression with a small ridge penalty."""
    mean = np.average(features, axis=0, weights=weight)
    spread = np.sqrt(np.average((features - mean) ** 2, axis=0, weights=weight))
    rows = np.c_[np.ones(len(features)), (features - mean) / spread]
    penalty = _RIDGE * weight.sum() * np.diag([0.0, *np.ones(features.shape[1])])
    factors = np.zeros(rows.shape[1])
    for _ in range(60):
        predicted = 1 / (1 + np.exp(-rows @ factors))
        slope = rows.T @ (weight * (predicted - right)) + penalty @ factors
        curvature = (rows * (weight * predicted * (1 - predicted))[:, None]).T @ rows + penalty
        factors -= np.linalg.solve(curvature, slope)
    scaled = factors[1:] / spread
    return np.r_[factors[0] - (scaled * mean).sum(), scaled]


def predicted(features: Any, right: Any, answerable: Any, collections: Any) -> Any:
    """The probability of each row by a regression on the other collections."""
    found = np.zeros(len(right))
    for one in np.unique(collections):
        rest, own = collections != one, collections == one
        factors = fit(features[rest], right[rest], weights(answerable[rest]))
        found[own] = 1 / (1 + np.exp(-(factors[0] + features[own] @ factors[1:])))
    return found


def area(values: Any, right: Any) -> float:
    good, bad = values[right == 1], values[right == 0]
    return float(np.mean((good[:, None] > bad) + 0.5 * (good[:, None] == bad)))


def calibration_error(values: Any, right: Any, weight: Any) -> float:
    bins = np.minimum((values * 10).astype(int), 9)
    gaps = [abs((weight * (values - right))[bins == one].sum()) for one in range(10)]
    return float(sum(gaps) / weight.sum())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--documents", action="append", default=[])
    parser.add_argument("--manuals", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    folders = {
        name: Path(folder) for name, _, folder in (one.partition("=") for one in options.documents)
    }
    turns, folder_of = [], {}
    for file in options.files:
        for turn in load_answer_turns([file]):
            if turn.split == "tune" and turn.collection in folders:
                turns.append(turn)
                folder_of[turn.id] = file.parent.name
    evaluation = AnswerEvaluation(turns, folders, options.out)
    encoder = load_encoder()
    rows, right, answerable, collections, asked = [], [], [], [], []
    for name in dict.fromkeys(turn.collection for turn in turns):
        index = open_index(evaluation.index(name, encoder))
        with Assistant(index, Config().without_time_limits()) as assistant:
            for turn in turns:
                if turn.collection == name and (found := signals(assistant, turn)):
                    rows.append(found[0])
                    right.append(float(found[1]))
                    answerable.append(float(bool(turn.nuggets)))
                    collections.append(name)
                    asked.append(folder_of[turn.id])
    manuals = [*zip(*on_manuals(options.manuals), strict=True)]
    report(*map(np.array, (rows, right, answerable, collections, asked)), *map(np.array, manuals))


def report(
    features: Any,
    right: Any,
    answerable: Any,
    collections: Any,
    asked: Any,
    manuals: Any,
    on_topic: Any,
) -> None:
    """Prints the coefficients and what they reach."""
    print(f"{len(features)} turns, {sum(answerable):.0f} answerable, {sum(right):.0f} right")
    on_topic = on_topic.astype(float)
    shares = [weights(one) / weights(one).sum() for one in (answerable, on_topic)]
    for columns in ([0, 1, 3], [0, 1, 2, 3]):
        both = np.r_[features[:, columns], manuals[:, columns]]
        factors = fit(both, np.r_[answerable, on_topic], np.concatenate(shares))
        print(f"ANSWERABLE with manuals ({', '.join(f'{one:.3f}' for one in factors)})")
        for name, part, target in (("turns", features, answerable), ("manuals", manuals, on_topic)):
            values = 1 / (1 + np.exp(-(factors[0] + part[:, columns] @ factors[1:])))
            print(
                f"  {name}: area {area(values, target):.3f}; refused "
                + _refused(values, part, target)
            )
    for name, target in (("ANSWERABLE", answerable), ("RIGHT", right)):
        for columns in ([0, 1, 3], [0, 1, 2, 3]):
            part = features[:, columns]
            values = predicted(part, target, answerable, collections)
            written = ", ".join(f"{one:.3f}" for one in fit(part, target, weights(answerable)))
            print(
                f"{name} ({written}): area {area(values, target):.3f}, "
                f"calibration error {calibration_error(values, target, weights(answerable)):.3f}"
            )
    values = predicted(features, answerable, answerable, collections)
    for folder in dict.fromkeys(asked):
        own = asked == folder
        print(f"{folder}, refused: " + _refused(values[own], features[own], answerable[own]))


def _refused(values: Any, features: Any, answerable: Any) -> str:
    return "; ".join(
        f"below {limit} {100 * np.mean(refused[answerable == 1]):.1f} % of the answerable "
        f"questions and {100 * np.mean(refused[answerable == 0]):.0f} % of the others"
        for limit in _LIMITS
        # The reader's own rule: a first passage that probably answers is shown.
        for refused in [(values < limit) & (features[:, 0] < 0)]
    )


if __name__ == "__main__":
    main()
