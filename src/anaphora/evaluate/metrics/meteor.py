"""METEOR with exact and stem matches, the two of its matchers that every language can have, and
for English with the synonyms of WordNet too.

Banerjee and Lavie, "METEOR: An Automatic Metric for MT Evaluation with Improved Correlation with
Human Judgments" (2005), in the notation of Lavie and Agarwal (2007): alpha 0.9, beta 3, gamma 0.5.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from anaphora.evaluate.metrics.scores import best, overlap
from anaphora.evaluate.metrics.synonyms import WordNet
from anaphora.evaluate.metrics.tokens import tokenized, words
from anaphora.language import analyzer

_ALPHA: Final = 0.9
_BETA: Final = 3
_GAMMA: Final = 0.5

_BEAM: Final = 40
"""Alignments followed side by side, as many as METEOR 1.5 follows."""

_NOWHERE: Final = -2


def meteor(prediction: str, references: Sequence[str], lang: str) -> float | None:
    """The weighted harmonic mean of precision and recall, less a penalty for broken order.

    Words match by their Snowball stems, which equal words share. The penalty is
    gamma * (chunks / matches) ** beta over the fewest chunks that an alignment can have, and none
    where both texts are one and the same chunk, as in the authors' own later scorer: identical
    texts score 1. The best of the references; None where none of them says anything.

    >>> round(meteor("the cat sat on the mat", ["on the mat sat the cat"], "en"), 4)
    0.9375
    """
    mine = stems(prediction, lang)
    return best(lambda gold: _score(mine, gold), tokenized(references, lang, stems))


def meteor_with_synonyms(prediction: str, references: Sequence[str], lang: str) -> float | None:
    """As `meteor`; in English, words that it leaves over also match if they share a synset.

    Raises:
        UsageError: no WordNet is installed.
    """
    if lang != "en":
        return meteor(prediction, references, lang)
    wordnet = WordNet.installed()
    own, mine = words(prediction, lang), stems(prediction, lang)

    def score(gold: Sequence[str]) -> float:
        reference = [analyzer(lang).stem(word) for word in gold]
        return _score(_with_synonyms(own, mine, gold, reference, wordnet), reference)

    return best(score, tokenized(references, lang, words))


def _with_synonyms(
    own: Sequence[str],
    mine: Sequence[str],
    gold: Sequence[str],
    reference: Sequence[str],
    wordnet: WordNet,
) -> list[str]:
    """The stems of the prediction; one that the reference lacks is replaced by that of its first
    synonym among the reference's words that are left over."""
    free = Counter(reference) - Counter(mine)
    left = [(word, stem) for word, stem in zip(gold, reference, strict=True) if free[stem]]
    spare = Counter(mine) - Counter(reference)
    found = list(mine)
    for at, word in enumerate(own):
        if not spare[mine[at]]:
            continue
        synsets = wordnet.synsets(word)
        match = next((pair for pair in left if synsets & wordnet.synsets(pair[0])), None)
        if match:
            left.remove(match)
            spare[mine[at]] -= 1
            found[at] = match[1]
    return found


def stems(text: str, lang: str) -> list[str]:
    """The stems of a text's words."""
    return [analyzer(lang).stem(word) for word in words(text, lang)]


def _score(prediction: Sequence[str], reference: Sequence[str]) -> float:
    counts = overlap(prediction, reference)
    precision, recall = counts.precision, counts.recall
    if not precision or not recall:
        return 0.0
    if prediction == reference:
        return 1.0
    mean = precision * recall / (_ALPHA * precision + (1 - _ALPHA) * recall)
    return mean * (1 - _GAMMA * (chunks(prediction, reference) / counts.matched) ** _BETA)


def chunks(prediction: Sequence[str], reference: Sequence[str]) -> int:
    """Into how few stretches, contiguous and in the same order on both sides, the words fall that
    a largest matching pairs. The fewest on short texts, near them on long ones (a beam search)."""
    places: dict[str, list[int]] = {}
    for index, token in enumerate(reference):
        places.setdefault(token, []).append(index)
    everywhere = {token: sum(1 << place for place in found) for token, found in places.items()}
    spare = Counter(prediction) - Counter(reference)
    seen: Counter[str] = Counter()
    # (reference words used, where the last word went) -> chunks
    beam = {(0, _NOWHERE): 0}
    for token in prediction:
        following: dict[tuple[int, int], int] = {}
        for (used, last), count in beam.items():
            for place in places.get(token, ()):
                if not used >> place & 1:
                    grown = count + (place != last + 1)
                    state = (used | 1 << place, place)
                    following[state] = min(grown, following.get(state, grown))
            left_out = seen[token] - (used & everywhere.get(token, 0)).bit_count()
            if left_out < spare[token]:
                state = (used, _NOWHERE)
                following[state] = min(count, following.get(state, count))
        seen[token] += 1
        # Of alignments with as many chunks, those that may go on without a new one come first.
        kept = sorted(following.items(), key=lambda item: (item[1], item[0][1] == _NOWHERE))
        beam = dict(kept[:_BEAM])
    return min(beam.values())
