"""Relevance from a stronger English cross-encoder, which the cross-encoder is trained to match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from anaphora.errors import ModelUnavailable
from anaphora.protocols import FloatArray, Progress, no_progress
from anaphora.records import Passage
from anaphora.train.crossencoder.questions import Pool, Question

LANG = "en"
"""The language of the teacher; it scores no questions and passages in other languages."""
NEGATIVES = 5
_AT_ONCE = 16
_QUESTIONS = 64
_LONGEST = 512

Pair = tuple[str, Passage]


class Teacher:
    """A cross-encoder with one output, as int8 or float ONNX.

    Args:
        folder: contains model.onnx and tokenizer.json.

    Raises:
        ModelUnavailable: a file is missing or cannot be read.
    """

    def __init__(self, folder: Path, threads: int = 2) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3
        # Spinning threads would take CPU time from the search for negatives.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
            self._session = onnxruntime.InferenceSession(
                str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # both libraries raise their own, some of them bare
            raise ModelUnavailable(f"{folder} contains no cross-encoder: {error}") from error
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(_LONGEST, strategy="only_second")
        self._inputs = {one.name for one in self._session.get_inputs()}

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        """The model's output for each pair, higher for a more relevant passage."""
        ids, kinds = self.encode(pairs)
        order = sorted(range(len(pairs)), key=lambda at: len(ids[at]))
        scores = [0.0] * len(pairs)
        for at in range(0, len(order), _AT_ONCE):
            part = order[at : at + _AT_ONCE]
            found = self.run([ids[row] for row in part], [kinds[row] for row in part])
            for row, score in zip(part, found, strict=True):
                scores[row] = float(score)
        return scores

    def encode(self, pairs: Sequence[Pair]) -> tuple[list[list[int]], list[list[int]]]:
        """The token ids and the token types of each pair."""
        texts = [(question[:2000], passage.searched_text) for question, passage in pairs]
        encoded = self._tokenizer.encode_batch(texts)
        return [one.ids for one in encoded], [one.type_ids for one in encoded]

    def run(self, ids: Sequence[Sequence[int]], kinds: Sequence[Sequence[int]]) -> FloatArray:
        """The scores of pairs that are given as tokens, padded to the longest."""
        shape = (len(ids), max(map(len, ids)))
        given = {
            name: np.zeros(shape, np.int64)
            for name in ("input_ids", "attention_mask", "token_type_ids")
        }
        for row, (tokens, types) in enumerate(zip(ids, kinds, strict=True)):
            given["input_ids"][row, : len(tokens)] = tokens
            given["token_type_ids"][row, : len(tokens)] = types
            given["attention_mask"][row, : len(tokens)] = 1
        chosen = {name: value for name, value in given.items() if name in self._inputs}
        return np.asarray(self._session.run(None, chosen)[0]).reshape(len(ids), -1)[:, 0]


def with_teacher_scores(
    questions: Sequence[Question],
    pool: Pool,
    teacher: Teacher,
    progress: Progress = no_progress,
) -> list[Question]:
    """The questions; those in the teacher's language have its scores of their passages."""
    found = list(questions)
    rows = [
        row
        for row, one in enumerate(questions)
        if one.lang == LANG and one.passages and pool.passages[one.passages[0]].lang == LANG
    ]
    for start in range(0, len(rows), _QUESTIONS):
        part = rows[start : start + _QUESTIONS]
        numbers = [_scored_passages(questions[row], pool) for row in part]
        pairs = [
            (questions[row].text, pool.passages[number])
            for row, own in zip(part, numbers, strict=True)
            for number in own
        ]
        scores = iter(teacher.score(pairs))
        for row, own in zip(part, numbers, strict=True):
            pairs_of_row = tuple((number, next(scores)) for number in own)
            found[row] = replace(questions[row], teacher_scores=pairs_of_row)
        progress("scoring with the teacher", start + len(part), len(rows))
    return found


def _scored_passages(question: Question, pool: Pool) -> list[int]:
    """The answering passage and the hardest negatives in the teacher's language."""
    hardest = question.negatives[:NEGATIVES]
    return [
        question.passages[0],
        *(number for number in hardest if pool.passages[number].lang == LANG),
    ]
