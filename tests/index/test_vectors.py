"""Stored vectors, the exact nearest and those by the graph."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anaphora.index.local import kernel, vectors
from anaphora.index.local.vectors import Vectors


def unit(n, d, seed=0):
    rows = np.random.default_rng(seed).standard_normal((n, d)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def alone(work, parts):
    return [work(part) for part in parts]


def nearest(stored, query, k, live=None):
    found = stored.nearest(query, live, k, alone)
    ordinals = np.concatenate([part[0] for part in found])
    scores = np.concatenate([part[1] for part in found])
    order = np.lexsort((ordinals, -scores))[:k]
    return ordinals[order].tolist(), scores[order].tolist()


def test_scores_are_the_cosines():
    rows = unit(500, 384)
    ordinals, scores = nearest(Vectors.of(rows), rows[7], 5)
    assert ordinals[0] == 7
    assert scores == pytest.approx((rows @ rows[7])[ordinals].tolist(), abs=0.004)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 70), st.integers(1, 40), st.integers(1, 80), st.integers(0, 99))
def test_kernel_and_reference_find_the_same(n, d, k, seed):
    rows = unit(n, d, seed)
    stored = Vectors.of(rows)
    live = (np.random.default_rng(seed).random(n) < 0.7).astype(np.uint8)
    for alive in (None, live):
        compiled = nearest(stored, rows[0] * 3, k, alive)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(kernel, "_kernel", None)
            reference = nearest(stored, rows[0] * 3, k, alive)
        assert compiled[1] == pytest.approx(reference[1], abs=1e-6)
        assert len(compiled[0]) == min(k, n if alive is None else int(alive.sum()))
        if alive is not None:
            assert all(alive[compiled[0]])


def test_rows_without_a_vector_are_never_found():
    rows = unit(6, 8)
    rows[2] = 0
    assert 2 not in nearest(Vectors.of(rows), rows[0], 6)[0]


def test_the_widest_products_do_not_overflow():
    rows = np.ones((3, 4096), dtype=np.float32)
    assert nearest(Vectors.of(rows), rows[0], 1)[1] == pytest.approx([1.0], abs=1e-3)


def test_beyond_the_line_a_graph_finds_nearly_the_same(monkeypatch):
    monkeypatch.setattr(vectors, "APPROXIMATE_FROM", 1000)
    rows = unit(3000, 32)
    exact = Vectors.of(rows)
    assert Vectors.of(rows[:999]).with_graph().graph is None
    stored = Vectors.from_arrays(exact.with_graph().arrays())
    assert stored.graph is not None
    live = np.ones(3000, dtype=np.uint8)
    live[::3] = 0
    for alive in (None, live):
        shared = 0
        for query in unit(20, 32, 1):
            right = dict(zip(*nearest(exact, query, 50, alive), strict=True))
            found = dict(zip(*nearest(stored, query, 50, alive), strict=True))
            assert len(found) == 50
            both = right.keys() & found.keys()
            assert [found[row] for row in both] == pytest.approx([right[row] for row in both])
            shared += len(both)
        assert shared / 1000 > 0.95


def test_without_the_extra_search_is_exact(monkeypatch):
    monkeypatch.setattr(vectors, "APPROXIMATE_FROM", 10)
    monkeypatch.setattr(vectors, "find_spec", lambda _: None)
    rows = unit(50, 8)
    stored = Vectors.of(rows).with_graph()
    assert stored.graph is None
    assert nearest(stored, rows[3], 1)[0] == [3]
