"""Whether a text is one of the references, after normalisation."""

from __future__ import annotations

from collections.abc import Sequence

from anaphora.evaluate.metrics.f1 import answer_words
from anaphora.evaluate.metrics.scores import best
from anaphora.evaluate.metrics.tokens import Split, paper_tokens, tokenized


def exact_match(prediction: str, references: Sequence[str], lang: str) -> float | None:
    """1 if an answer has the words of a reference, in order, else 0: SQuAD's, by language.

    None where no reference says anything.

    >>> exact_match("the Beatles.", ["Beatles", "The Fab Four"], "en")
    1.0
    """
    return _exact(prediction, references, lang, answer_words)


def exact_rewrite(prediction: str, references: Sequence[str], lang: str) -> float | None:
    """1 if a rewrite has the tokens of a reference, punctuation included, else 0."""
    return _exact(prediction, references, lang, paper_tokens)


def _exact(prediction: str, references: Sequence[str], lang: str, split: Split) -> float | None:
    mine = split(prediction, lang)
    return best(lambda gold: float(mine == gold), tokenized(references, lang, split))
