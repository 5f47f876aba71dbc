"""The best span against every span."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.evaluate.best_span import best_span_score


@pytest.mark.parametrize(
    ("passages", "answers", "expected"),
    [
        (["a b c d"], ["b c"], 1.0),
        (["a b x c d"], ["b c"], 0.8),
        (["x y z"], ["b"], 0.0),
        (["x y", "q b"], ["a", "b"], 1.0),
        # More of the answer in a longer span, against less of it in a short one.
        (["a x x x x x x x x b"], ["a b"], 2 / 3),
        (["東 京 都 は"], ["東 京"], 1.0),
        (["b b"], ["b b b b"], 2 / 3),
        ([], ["a"], 0.0),
        (["a"], [""], None),
        (["a"], [], None),
    ],
)
def test_best_span(passages, answers, expected):
    found = best_span_score([p.split() for p in passages], [a.split() for a in answers])
    assert found == (None if expected is None else pytest.approx(expected))


TOKENS = st.lists(st.sampled_from("abcdef"), max_size=14)


@given(st.lists(TOKENS, max_size=3), st.lists(TOKENS, max_size=3))
def test_no_span_is_better(passages, answers):
    scores = [
        2 * (Counter(span) & Counter(answer)).total() / (len(span) + len(answer))
        for answer in answers
        if answer
        for passage in passages
        for start in range(len(passage))
        for span in [passage[start:end] for end in range(start + 1, len(passage) + 1)]
    ]
    best = max(scores, default=0.0) if any(answers) else None
    assert best_span_score(passages, answers) == best
