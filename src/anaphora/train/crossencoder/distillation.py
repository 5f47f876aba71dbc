"""Relevance as a stronger model of one language sees it, for the judge to learn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from anaphora.errors import ModelUnavailable
from anaphora.evaluate.cache import Progress
from anaphora.protocols import FloatArray
from anaphora.records import Passage
from anaphora.train.judge.questions import Asked, Pool

LANG = "en"
"""What the teacher reads; other questions and passages it does not see."""
NEGATIVES = 5
_AT_ONCE = 16
_QUESTIONS = 64
_LONGEST = 512

Pair = tuple[str, Passage]


class Teacher:
    """A cross-encoder with one output, as int8 or float ONNX.

    Args:
        folder: holds model.onnx and tokenizer.json.

    Raises:
        ModelUnavailable: a file is missing or cannot be read.
    """

    def __init__(self, folder: Path, threads: int = 2) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3
        # Threads that wait would count as work.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
            self._session = onnxruntime.InferenceSession(
                str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # both libraries raise their own, some of them bare
            raise ModelUnavailable(f"{folder} holds no cross-encoder: {error}") from error
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
        """Tokens of each pair, and to which of the two they belong."""
        texts = [(question[:2000], passage.searched_text) for question, passage in pairs]
        encoded = self._tokenizer.encode_batch(texts)
        return [one.ids for one in encoded], [one.type_ids for one in encoded]

    def run(self, ids: Sequence[Sequence[int]], kinds: Sequence[Sequence[int]]) -> FloatArray:
        """Scores of pairs as tokens, filled up to the longest."""
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


def taught(
    asked: Sequence[Asked], pool: Pool, teacher: Teacher, progress: Progress = lambda *_: None
) -> list[Asked]:
    """The questions, those in the teacher's language with its scores of their passages."""
    found = list(asked)
    rows = [
        row
        for row, one in enumerate(asked)
        if one.lang == LANG and one.passages and pool.passages[one.passages[0]].lang == LANG
    ]
    for start in range(0, len(rows), _QUESTIONS):
        part = rows[start : start + _QUESTIONS]
        numbers = [_own(asked[row], pool) for row in part]
        scores = iter(
            teacher.score(
                [
                    (asked[row].question, pool.passages[number])
                    for row, mine in zip(part, numbers, strict=True)
                    for number in mine
                ]
            )
        )
        for row, mine in zip(part, numbers, strict=True):
            found[row] = replace(asked[row], taught=tuple((one, next(scores)) for one in mine))
        progress("asking the teacher", start + len(part), len(rows))
    return found


def _own(asked: Asked, pool: Pool) -> list[int]:
    """The answering passage and the hardest wrong ones that the teacher can read."""
    wrong = asked.negatives[:NEGATIVES]
    return [
        asked.passages[0],
        *(number for number in wrong if pool.passages[number].lang == LANG),
    ]
