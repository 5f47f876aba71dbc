"""Paired tests, intervals and corrections against scipy, statsmodels and what must always hold."""

from __future__ import annotations

import math
import random
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.evaluate.significance import (
    benjamini_hochberg,
    bonferroni,
    bootstrap,
    effect_size,
    holm,
    interval,
    intervals,
    randomisation,
)

TESTS = [randomisation, bootstrap]

# fmt: off
A = [0.129, 0.499, 0.601, 0.029, 0.148, 0.928, 0.07, 0.13, 0.948, 0.622, 0.369, 0.511, 0.663,
     0.275, 0.138, 0.788, 0.67, 0.512, 0.817, 0.549, 0.981, 0.205, 0.554, 0.484, 0.353, 0.592,
     0.235, 0.802, 0.867, 0.129, 0.467, 0.277, 0.083, 0.896, 0.43, 0.148, 0.673, 0.202, 0.901,
     0.217]
B = [0.249, 0.599, 0.871, 0.0, 0.066, 0.81, 0.0, 0.205, 1.0, 0.524, 0.696, 0.725, 0.838, 0.405,
     0.379, 0.572, 0.843, 0.683, 0.513, 0.668, 0.981, 0.411, 0.516, 0.53, 0.472, 0.467, 0.405,
     0.831, 1.0, 0.075, 0.734, 0.448, 0.097, 1.0, 0.732, 0.556, 0.408, 0.429, 1.0, 0.248]
# fmt: on

score = st.floats(0, 1).map(lambda value: round(value, 3))
pairs = st.lists(st.tuples(score, score), min_size=1, max_size=30)
ps = st.lists(st.floats(0, 1), max_size=12)


def parted(pairs):
    return [a for a, _ in pairs], [b for _, b in pairs]


def test_randomisation_is_exact_for_few_pairs():
    # scipy 1.17.1: permutation_test(…, permutation_type="samples", n_resamples=inf), and so below.
    a = [0.9, 0.8, 0.7, 0.6, 0.95, 0.4, 0.55, 0.3, 0.2, 1.0]
    b = [0.7, 0.85, 0.5, 0.6, 0.6, 0.3, 0.5, 0.35, 0.1, 0.8]
    assert randomisation(a, b) == 0.03515625


def test_randomisation_of_many_pairs():
    # scipy's with 2,000,000 resamples: 0.004230.
    assert randomisation(A, B, rounds=200_000) == pytest.approx(0.00423, abs=0.0006)


def test_bootstrap():
    # No library has Sakai's test; Student's t, to which it comes close, gives 0.00406 in scipy.
    assert bootstrap(A, B, rounds=200_000) == pytest.approx(0.00406, abs=0.002)


def test_interval():
    # scipy's bootstrap(…, method="percentile", n_resamples=500_000).
    assert interval(A, rounds=100_000) == pytest.approx((0.384275, 0.56115), abs=0.003)
    narrow, wide = interval(A, level=0.8), interval(A, level=0.99)
    assert wide[0] < narrow[0] < np.mean(A) < narrow[1] < wide[1]


@given(pairs.filter(lambda pairs: len(pairs) <= 8))
def test_randomisation_is_what_trying_every_sign_gives(pairs):
    differences = [a - b for a, b in pairs]
    observed = abs(sum(differences)) - 1e-9
    sums = [
        abs(sum(sign * one for sign, one in zip(signs, differences, strict=True)))
        for signs in product((1, -1), repeat=len(differences))
    ]
    expected = sum(one >= observed for one in sums) / len(sums)
    assert randomisation(*parted(pairs)) == pytest.approx(expected)


@pytest.mark.parametrize("test", TESTS)
@given(pairs=pairs, order=st.randoms(use_true_random=False))
def test_neither_order_nor_sides_matter(test, pairs, order):
    a, b = parted(pairs)
    p = test(a, b, rounds=200)
    assert 0 < p <= 1
    assert test(b, a, rounds=200) == p
    shuffled = pairs.copy()
    order.shuffle(shuffled)
    assert test(*parted(shuffled), rounds=200) == p


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("count", [1, 2, 13, 50])
def test_equal_systems(test, count):
    values = [random.Random(count).random() for _ in range(count)]
    assert test(values, values) == 1


@pytest.mark.parametrize("test", TESTS)
def test_p_is_never_zero(test):
    assert test([1.0] * 100, [0.0] * 100, rounds=999) == 0.001


@pytest.mark.parametrize("test", TESTS)
def test_p_is_uniform_where_nothing_differs(test):
    generator = np.random.default_rng(5)
    found = []
    for _ in range(300):
        a, noise = generator.random(40), generator.normal(0, 0.1, 40)
        found.append(test(list(a), list(a + noise), rounds=500))
    for quantile in (0.05, 0.25, 0.5, 0.75):
        # Four standard errors of a share of 300.
        assert np.mean(np.array(found) <= quantile) == pytest.approx(
            quantile, abs=4 * math.sqrt(quantile * (1 - quantile) / 300)
        )


@given(st.lists(score, min_size=1, max_size=40), st.randoms(use_true_random=False))
def test_intervals_hold_the_mean_and_know_no_order(values, order):
    low, high = interval(values, rounds=300)
    assert min(values) - 1e-9 <= low <= high <= max(values) + 1e-9
    shuffled = values.copy()
    order.shuffle(shuffled)
    assert interval(shuffled, rounds=300) == pytest.approx((low, high))


def test_several_columns_at_once_are_as_one_by_one():
    for column, bounds in zip((A, B), intervals({"a": A, "b": B}).values(), strict=True):
        assert interval(column) == pytest.approx(bounds)


def test_effect_size():
    assert effect_size([3, 5], [1, 1]) == pytest.approx(3 / math.sqrt(2))
    assert effect_size([1, 1], [3, 5]) == pytest.approx(-3 / math.sqrt(2))
    assert effect_size(A, A) == 0
    assert effect_size([0.3, 0.4, 0.5], [0.1, 0.2, 0.3]) == math.inf
    assert effect_size([0.5], [0.75]) == -math.inf


def test_corrections():
    # statsmodels 0.15.0, multipletests with "holm", "bonferroni" and "fdr_bh".
    ps = [0.01, 0.04, 0.03, 0.005, 0.2, 0.04]
    assert holm(ps) == pytest.approx([0.05, 0.12, 0.12, 0.03, 0.2, 0.12])
    assert bonferroni(ps) == pytest.approx([0.06, 0.24, 0.18, 0.03, 1.0, 0.24])
    assert benjamini_hochberg(ps) == pytest.approx([0.03, 0.048, 0.048, 0.03, 0.2, 0.048])


@given(ps)
def test_corrected_values_keep_their_order_and_their_strictness(ps):
    for one, loosest, middle, strictest in zip(
        ps, benjamini_hochberg(ps), holm(ps), bonferroni(ps), strict=True
    ):
        assert one <= loosest + 1e-12
        assert loosest <= middle + 1e-12
        assert middle <= strictest + 1e-12
        assert strictest <= 1
    for correct in (holm, bonferroni, benjamini_hochberg):
        ordered = [corrected for _, corrected in sorted(zip(ps, correct(ps), strict=True))]
        assert ordered == sorted(ordered)


@pytest.mark.parametrize("function", [randomisation, bootstrap, effect_size])
def test_scores_that_are_no_pairs(function):
    with pytest.raises(ValueError, match="equally many, not 2 and 1"):
        function([1, 2], [1])
    for bad in ([], [math.nan], [math.inf]):
        with pytest.raises(ValueError, match="finite"):
            function(bad, bad)
