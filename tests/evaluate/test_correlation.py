"""Similar questions and similar answers."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anaphora.evaluate.correlation import correlate, density, jaccard, recall_overlap

NUMBER = st.floats(-1e6, 1e6, allow_subnormal=False)
PAIRS = st.lists(st.tuples(NUMBER, NUMBER), min_size=2, max_size=20)


@pytest.mark.parametrize(
    ("reference", "ranking", "k", "expected"),
    [
        (["a", "b"], ["b", "a"], 2, 1.0),
        (["a", "b"], ["b", "a"], 1, 0.0),
        (["a", "b", "c", "d"], ["d", "x"], 1000, 0.25),
        (["a", "a"], ["a"], 1000, 1.0),
        (["a"], [], 1000, 0.0),
        ([], ["a"], 1000, None),
        ([], [], 1000, 1.0),
    ],
)
def test_overlap_of_rankings(reference, ranking, k, expected):
    assert recall_overlap(reference, ranking, k) == expected


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (["東京", "都"], ["東京"], 0.5),
        (["Москва"], ["Москва", "Москва"], 1.0),
        (["الرباط"], ["فاس"], 0.0),
        ([], ["a"], 0.0),
        ([], [], 1.0),
    ],
)
def test_jaccard(first, second, expected):
    assert jaccard(first, second) == jaccard(second, first) == expected


def test_known_coefficients():
    # By hand: means 3 and 4; sums of products 6, of squares 10 and 6.
    x, y = [1, 2, 3, 4, 5], [2, 4, 5, 4, 5]
    found = correlate(x, y)
    assert found.n == 5
    assert found.pearson.value == pytest.approx(6 / math.sqrt(60))
    # Ranks of y: 1, 2.5, 4.5, 2.5, 4.5; sums of products 7, of squares 10 and 9.
    assert found.spearman.value == pytest.approx(7 / math.sqrt(90))


def test_agrees_with_numpy():
    random = np.random.default_rng(1)
    x = random.random(300)
    y = x + random.random(300)
    assert correlate(x, y).pearson.value == pytest.approx(np.corrcoef(x, y)[0, 1])


def test_the_interval_is_that_of_theory():
    # For normal pairs Fisher's transformation gives the interval.
    random = np.random.default_rng(2)
    x = random.normal(size=400)
    y = 0.6 * x + 0.8 * random.normal(size=400)
    found = correlate(x, y)
    for each in (found.pearson, found.spearman):
        low, high = (
            math.tanh(math.atanh(each.value) + side * 1.96 / math.sqrt(397)) for side in (-1, 1)
        )
        assert each.low == pytest.approx(low, abs=0.025)
        assert each.high == pytest.approx(high, abs=0.025)
    assert correlate(x, y) == found
    assert correlate(x, y, seed=1).pearson.low != found.pearson.low


@pytest.mark.parametrize(
    ("x", "y"),
    [([], []), ([0.5], [1.0]), ([1, 1, 1], [0, 0.5, 1]), ([0, 0.5, 1], [0.1 + 0.2] * 3)],
)
def test_undefined_coefficients_are_none(x, y):
    found = correlate(x, y)
    assert (found.n, found.pearson, found.spearman) == (len(x), None, None)


@pytest.mark.parametrize("x", [[0, 1], [0, 0.5, 1], [0, 0, 0, 0, 1, 0, 0, 0]])
def test_no_interval_where_many_resamples_are_constant(x):
    found = correlate(x, x)
    assert found.pearson.value == pytest.approx(1)
    assert (found.pearson.low, found.pearson.high) == (None, None)


@settings(max_examples=30, deadline=None)
@given(PAIRS)
def test_coefficients_are_bounded_and_symmetric(pairs):
    x, y = zip(*pairs, strict=True)
    found, turned = correlate(x, y), correlate(y, x)
    assert (found.pearson is None) == (min(x) == max(x) or min(y) == max(y))
    for one, other in ((found.pearson, turned.pearson), (found.spearman, turned.spearman)):
        if one is None:
            assert other is None
        else:
            assert -1 <= one.value <= 1
            assert one.value == pytest.approx(other.value)
            assert one.low is None or -1 <= one.low <= one.high <= 1


def test_what_cannot_be_correlated():
    with pytest.raises(ValueError, match="cannot be paired"):
        correlate([1.0], [1.0, 2.0])
    with pytest.raises(ValueError, match="finite"):
        correlate([1.0, math.nan], [1.0, 2.0])


def test_density():
    found = density([0.0, 0.05, 0.3, 1.0], [1.0, 0.04, 0.3, 0.99], bins=10)
    assert (found.x_range, found.y_range) == ((0.0, 1.0), (0.0, 1.0))
    where = {(x, y): n for y, row in enumerate(found.counts) for x, n in enumerate(row) if n}
    assert where == {(0, 9): 1, (0, 0): 1, (3, 3): 1, (9, 9): 1}


def test_density_of_negative_cosines():
    found = density([-1.0, 0.0], [0.0, 1.0], bins=2)
    assert (found.x_range, found.y_range) == ((-1.0, 1.0), (0.0, 1.0))
    assert found.counts == ((1, 0), (0, 1))


@given(st.lists(st.tuples(st.floats(-1, 1), st.floats(0, 1)), max_size=30))
def test_every_point_is_in_one_square(points):
    x, y = [x for x, _ in points], [y for _, y in points]
    assert sum(map(sum, density(x, y).counts)) == len(points)


@pytest.mark.parametrize("wrong", [1.5, -2.0, math.nan])
def test_what_is_no_similarity(wrong):
    with pytest.raises(ValueError, match=r"-1\.\.1"):
        density([wrong], [0.5])
    with pytest.raises(ValueError, match="cannot be paired"):
        density([0.5], [])
