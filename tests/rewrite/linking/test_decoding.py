from __future__ import annotations

import numpy as np
import pytest

from anaphora.rewrite.linking.decoding import Decoded, Thresholds, decode
from anaphora.rewrite.linking.heads import Heads, Links

CONTEXT = ["who", "were", "the", "mothers", "of", "invention"]
WORDS = len(CONTEXT)
REACH = [0, *[WORDS] * WORDS]
PHRASES = 3
"""None, "besides", "of"."""


def text(first: int, last: int) -> str:
    return " ".join(CONTEXT[first - 1 : last])


def scored(question: int, spans: dict[tuple[int, int, int], tuple[int, float]]) -> Links:
    """Links for a question of so many words: by (slot, gap, first node) the last node of a span
    and its score; all else is far below the null node."""
    gaps = question + 1
    starts = np.full((2, gaps, 1 + WORDS), -9, np.float32)
    starts[:, :, 0] = 0
    ends = np.zeros((2, gaps, 1 + WORDS), np.float32)
    pairs = np.zeros((1 + WORDS, 1 + WORDS), np.float32)
    for (slot, gap, first), (last, score) in spans.items():
        starts[slot, gap, first] = score
        pairs[first, last] = 9
    return Links(
        starts,
        ends,
        pairs,
        np.full(question, -9, np.float32),
        np.eye(gaps, dtype=np.float32),
        np.zeros((1 + WORDS, 1), np.float32),
        np.zeros((1 + WORDS, 1), np.float32),
    )


def heads(gaps: int, said: dict[tuple[int, int], int] | None = None) -> Heads:
    """Heads whose phrases are none, but for those said at (slot, gap)."""
    by_gap = np.zeros((3, gaps, PHRASES), np.float32)
    by_gap[:, :, 0] = 9
    for (slot, gap), phrase in (said or {}).items():
        by_gap[slot, gap, phrase] = 20
    edge = np.zeros((3, 1, PHRASES), np.float32)
    bias = np.zeros((3, PHRASES), np.float32)
    return Heads(
        {"phrase.gap": by_gap, "phrase.first": edge, "phrase.last": edge, "phrase.b": bias}
    )


def run(links: Links, said: dict[tuple[int, int], int] | None = None) -> Decoded:
    gaps = links.starts.shape[1]
    allowed = np.ones(PHRASES, bool)
    return decode(links, heads(gaps, said), REACH, text, allowed, Thresholds())[0]


def test_nothing_is_put_in_where_the_null_node_wins() -> None:
    decoded = run(scored(4, {}))
    assert decoded.insertions == ()
    assert decoded.deleted == ()
    assert decoded.null > 0.9
    assert decoded.confidence > 0.9


def test_a_span_in_place_of_a_pronoun() -> None:
    links = scored(4, {(0, 2, 3): (6, 5.0)})
    links.deletions[2] = 5
    decoded = run(links)
    (insertion,) = decoded.insertions
    assert (insertion.gap, insertion.spans[0].first, insertion.spans[0].last) == (2, 3, 6)
    assert decoded.deleted == (2,)


def test_a_pronoun_stays_where_nothing_comes_for_it() -> None:
    links = scored(4, {})
    links.deletions[2] = 5
    assert run(links).deleted == ()


def test_two_spans_at_one_place_do_not_overlap() -> None:
    links = scored(4, {(0, 0, 3): (4, 5.0), (1, 0, 4): (6, 5.0), (1, 0, 6): (6, 4.0)})
    (insertion,) = run(links, {(0, 0): 1, (1, 0): 2}).insertions
    assert [(span.first, span.last) for span in insertion.spans] == [(3, 4), (6, 6)]
    assert insertion.phrases == (1, 2, 0)


def test_the_same_words_come_once_but_for_every_pronoun() -> None:
    links = scored(4, {(0, 1, 3): (6, 2.0), (0, 3, 3): (6, 5.0)})
    assert [one.gap for one in run(links).insertions] == [3]
    links.deletions[[1, 3]] = 5
    assert [one.gap for one in run(links).insertions] == [1, 3]


def test_a_phrase_alone() -> None:
    (insertion,) = run(scored(4, {}), {(0, 4): 2}).insertions
    assert (insertion.gap, insertion.spans, insertion.phrases) == (4, (), (2, 0, 0))


def test_a_phrase_of_another_language_is_never_said() -> None:
    links = scored(4, {(0, 0, 3): (4, 5.0)})
    said = {(0, 0): 1, (0, 4): 2}
    allowed = np.array([True, False, False])
    decoded = decode(links, heads(5, said), REACH, text, allowed, Thresholds())[0]
    assert [one.phrases for one in decoded.insertions] == [(0, 0, 0)]


def test_equal_words_share_their_probability() -> None:
    links = scored(2, {(0, 1, 2): (2, 0.0), (0, 1, 5): (5, 0.0)})
    probability = run(links).insertions[0].probability

    def same(first: int, last: int) -> str:
        return "x" if first == last else f"{first}-{last}"

    one = decode(links, heads(3), REACH, same, np.ones(PHRASES, bool), Thresholds())[0]
    assert one.insertions[0].probability == pytest.approx(2 * probability, rel=0.01)
    assert one.insertions[0].spans[0].first in (2, 5)


def test_the_best_is_the_same_however_many_are_asked_for() -> None:
    # The best first choice overlaps the likely second span, the next one does not.
    links = scored(4, {(0, 1, 3): (6, 3.0), (0, 1, 1): (1, 2.9), (1, 1, 4): (5, 6.0)})
    allowed = np.ones(PHRASES, bool)
    (one,) = decode(links, heads(5), REACH, text, allowed, Thresholds())
    first, *_ = decode(links, heads(5), REACH, text, allowed, Thresholds(), 3)
    assert (one.insertions, one.confidence) == (first.insertions, first.confidence)


def test_the_next_best_differ_in_their_spans() -> None:
    links = scored(4, {(0, 1, 3): (4, 6.0), (0, 1, 6): (6, 4.0), (0, 3, 5): (5, 6.0)})
    every = decode(links, heads(5), REACH, text, np.ones(PHRASES, bool), Thresholds(), 4)
    spans = [tuple(one.spans[0] for one in found.insertions) for found in every]
    assert [[one.first for one in some] for some in spans[:2]] == [[3, 5], [6, 5]]
    assert len(set(spans)) == len(spans) <= 4
    probabilities = [found.relative_probability for found in every]
    assert probabilities == sorted(probabilities, reverse=True)
    assert sum(probabilities) == pytest.approx(1)
    best = run(links)
    assert (best.insertions, best.confidence) == (every[0].insertions, every[0].confidence)
