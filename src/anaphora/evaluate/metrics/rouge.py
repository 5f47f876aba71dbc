"""ROUGE-1, ROUGE-2 and ROUGE-L in every script.

Lin, "ROUGE: A Package for Automatic Evaluation of Summaries" (2004), sections 2 and 3.1. Without
stemming, so that it means the same in languages that have a stemmer and in those that have none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from anaphora.evaluate.metrics.scores import Overlap, best, overlap
from anaphora.evaluate.metrics.tokens import Split, tokenized, words

Kind = Literal["1", "2", "L"]
Part = Literal["precision", "recall", "f1"]


def rouge(
    prediction: str,
    references: Sequence[str],
    lang: str,
    kind: Kind,
    part: Part = "f1",
    split: Split = words,
) -> float | None:
    """One figure of ROUGE, the best of the references; None where none of them says anything.

    >>> rouge("日本的首都", ["日本的首都是东京"], "zh", "L", "recall")
    0.625
    """
    mine = split(prediction, lang)
    golds = tokenized(references, lang, split)
    return best(lambda gold: getattr(rouge_overlap(mine, gold, kind), part), golds)


def rouge_overlap(prediction: Sequence[str], reference: Sequence[str], kind: Kind) -> Overlap:
    """The counts behind ROUGE: n-grams in common, or the longest common subsequence."""
    if kind == "L":
        return Overlap(_common(prediction, reference), len(prediction), len(reference))
    return overlap(_ngrams(prediction, int(kind)), _ngrams(reference, int(kind)))


def _ngrams(tokens: Sequence[str], n: int) -> list[tuple[str, ...]]:
    """A text shorter than n is one n-gram, so that a one-word answer can be right."""
    if len(tokens) < n:
        return [tuple(tokens)] if tokens else []
    return list(zip(*(tokens[start:] for start in range(n)), strict=False))


def _common(a: Sequence[str], b: Sequence[str]) -> int:
    """Length of the longest common subsequence.

    Hyyrö, "Bit-parallel LCS-length Computation Revisited" (2004): a column of the table is one
    integer, whose zeros mark where the length grows.
    """
    places: dict[str, int] = {}
    for index, token in enumerate(a):
        places[token] = places.get(token, 0) | 1 << index
    everywhere = (1 << len(a)) - 1
    column = everywhere
    for token in b:
        matches = column & places.get(token, 0)
        column = ((column + matches) | (column - matches)) & everywhere
    return len(a) - column.bit_count()
