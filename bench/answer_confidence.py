"""Fits the confidence of answers (`anaphora.read.confidence`) on the questions for tuning.

    python -m bench.answer_confidence FILE... --documents NAME=FOLDER... --manuals INDEXES --out DIR

The files and folders are those of `anaphora eval answers`, and the indexes are kept in the same
place. INDEXES are those that `anaphora train judge --manuals` takes. Questions on the manuals for
tuning are asked as they are and without the hits of their manual, and the graded hits of others are
read (`training/grades`): a question whose hits have a 3 is answerable, and an answer that shows one
of these is right. The three sources have equal weight. Each has more questions without an answer
than people ask, so these are weighted as if they were a seventh of all. Prints the coefficients of
each regression, and for each source the area under the ROC curve, the expected calibration error,
and which fraction of the questions is refused below several limits.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

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
from anaphora.train.crossencoder.questions import RIGHT
from anaphora.train.crossencoder.real_manuals import (
    Manuals,
    RealQuestion,
    graded_questions,
    real_questions,
)
from anaphora.train.text import TrainingText

_RIDGE = 0.02
_UNANSWERABLE = 1 / 7
_LIMITS = (0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75)
_DEPTH = 60
_ASKED, _WITHOUT = 450, 60
"""Questions on manuals that are drawn, and first ones without an answer that are asked besides."""


class Row(NamedTuple):
    """What is known of a question's passages, whether they answer it, and whether the answer shown
    does."""

    signals: list[float]
    answerable: bool
    right: bool


def on_turns(turns: Sequence[AnswerTurn], folders: Mapping[str, Path], out: Path) -> Iterator[Row]:
    """Turns of `anaphora eval answers`: an answer that shows all facts is right."""
    evaluation, encoder = AnswerEvaluation(turns, folders, out), load_encoder()
    for name in dict.fromkeys(turn.collection for turn in turns):
        index = open_index(evaluation.index(name, encoder))
        with Assistant(index, Config().without_time_limits()) as assistant:
            for turn in turns:
                if turn.collection == name and (row := _of_turn(assistant, turn)):
                    yield row


def _of_turn(assistant: Assistant, turn: AnswerTurn) -> Row | None:
    question = Turn("user", turn.question)
    answer = assistant.pipeline.answer(Conversation((*turn.history, question)))
    trace = answer.trace
    if trace is None or trace.rewrite is None:
        return None
    query = query_of(trace.understanding, trace.rewrite)
    found = _signals(assistant, query, list(trace.hits))
    shown = "\n".join(citation.quote for citation in answer.citations)
    right = bool(turn.nuggets) and all(nuggets_found(turn.nuggets, shown))
    return Row(found, bool(turn.nuggets), right) if found else None


def _signals(assistant: Assistant, query: Query, hits: list[Hit]) -> list[float] | None:
    reader = assistant.pipeline.reader
    found = reader.signals(query, hits) if isinstance(reader, ExtractiveReader) else None
    if found is None or found.cosine is None or found.across:
        return None
    return [found.first, found.mean, found.cosine, float(min(found.unmentioned, MOST))]


def on_manuals(folder: Path) -> Iterator[Row]:
    """Questions on the manuals for tuning, each as it is and without the hits of its manual; what
    is shown is not known."""
    every = [one for one in real_questions(TrainingText(), "tune") if one.lang == one.manual_lang]
    asked = random.Random(3).sample(every, _ASKED)
    asked += [one for one in every if not one.passage][:_WITHOUT]
    for lang in sorted({one.manual_lang for one in asked}):
        with Assistant(open_index(folder / lang), Config().without_time_limits()) as assistant:
            for one in asked:
                if one.manual_lang != lang:
                    continue
                for query, hits, answerable in with_and_without(assistant, one):
                    if found := _signals(assistant, query, hits):
                        yield Row(found, answerable, False)


def on_graded(folder: Path) -> Iterator[Row]:
    """Questions for tuning with graded hits, in the order of their grading."""
    manuals = Manuals(folder)
    asked = [one for one in graded_questions(TrainingText(), "tune") if one.lang == one.manual_lang]
    for lang in sorted({one.manual_lang for one in asked}):
        with Assistant(open_index(folder / lang), Config().without_time_limits()) as assistant:
            for one in asked:
                if one.manual_lang != lang or not (graded := manuals.hits(one)):
                    continue
                query = Query(one.text, one.lang)
                hits = [Hit(passage, -at, at) for at, (passage, _) in enumerate(graded, 1)]
                found = _signals(assistant, query, hits)
                right = {passage.passage_id for passage, grade in graded if grade == RIGHT}
                (answer,) = assistant.pipeline.reader.read([query], [hits])
                shown = {citation.passage_id for citation in answer.citations}
                if found:
                    yield Row(found, bool(right), bool(right & shown))


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
    turns = [
        turn
        for turn in load_answer_turns(options.files)
        if turn.split == "tune" and turn.collection in folders
    ]
    report(
        {
            "turns": list(on_turns(turns, folders, options.out)),
            "manuals": list(on_manuals(options.manuals)),
            "graded": list(on_graded(options.manuals)),
        }
    )


def report(sources: Mapping[str, Sequence[Row]]) -> None:
    """Prints the coefficients and what they reach."""
    for name, kept in (("ANSWERABLE", list(sources)), ("RIGHT", ["turns", "graded"])):
        parts = {}
        for source in kept:
            features, answerable, right = map(np.array, zip(*sources[source], strict=True))
            answers = answerable.astype(float)
            target = answers if name == "ANSWERABLE" else right.astype(float)
            parts[source] = features, target, answers, weights(answers)
        for columns in ([0, 1, 3], [0, 1, 2, 3]):
            factors = fit(
                np.concatenate([part[0][:, columns] for part in parts.values()]),
                np.concatenate([part[1] for part in parts.values()]),
                np.concatenate([part[3] / part[3].sum() for part in parts.values()]),
            )
            print(f"{name} ({', '.join(f'{one:.3f}' for one in factors)})")
            for source, (features, target, answers, weight) in parts.items():
                values = 1 / (1 + np.exp(-(factors[0] + features[:, columns] @ factors[1:])))
                print(
                    f"  {source}: {len(target)} of which {target.sum():.0f}, area "
                    f"{area(values, target):.3f}, calibration error "
                    f"{calibration_error(values, target, weight):.3f}"
                )
                if name == "ANSWERABLE":
                    print("    refused: " + _refused(values, features, answers))


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
