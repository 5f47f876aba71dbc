"""The upper bound of a reader that copies from given passages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence


def best_span_score(
    passages: Iterable[Sequence[str]], answers: Iterable[Sequence[str]]
) -> float | None:
    """The highest token F1 that any contiguous span of any passage has against any gold answer.

    Exact, without trying every span. With g gold tokens, s in the span and o in both (counted as
    often as they occur in both), F1 is 2 o / (s + g). Dropping a token that is not gold from an end
    makes s smaller and o no smaller, so the best span begins and ends with gold tokens. And since
    o ≤ g, a span can only beat a score b that was reached before if s < g (2 / b - 1): the search
    from each beginning ends there.

    Args:
        passages, answers: each as the metric's tokens.

    Returns:
        A score in 0..1, or None where no answer has a token.

    >>> best_span_score([["in", "the", "far", "north"]], [["the", "north"]])
    0.8
    """
    texts = [list(passage) for passage in passages]
    golds = [Counter(answer) for answer in answers if answer]
    if not golds:
        return None
    best = 0.0
    for gold in golds:
        for text in texts:
            best = max(best, _best_span(text, gold, best))
    return best


def _best_span(text: Sequence[str], gold: Counter[str], best: float) -> float:
    """The highest F1 above `best` of a span of the text, or else `best`."""
    size = gold.total()
    places = [place for place, token in enumerate(text) if token in gold]
    for number, start in enumerate(places):
        left = dict(gold)
        overlap = 0
        for place in places[number:]:
            length = place - start + 1
            if 2 * size <= best * (length + size):
                break
            if left[text[place]]:
                left[text[place]] -= 1
                overlap += 1
                best = max(best, 2 * overlap / (length + size))
    return best
