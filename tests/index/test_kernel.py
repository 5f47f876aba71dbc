"""The compiled kernel against the reference in numpy, and the reference against arithmetic."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.segments import make_segment, statistics

from anaphora.index import BM25, LMDirichlet, LMJelinekMercer
from anaphora.index.local import kernel, ranking
from anaphora.index.local.postings import (
    Builder,
    Postings,
    decode_length,
    encode_length,
    merge,
    term_key,
)

TOKENS = ["東京", "ไทย", "ışık", "Straße", "نص", "đất", "дом", "a", "b", "c"]
passages = st.lists(st.lists(st.sampled_from(TOKENS), max_size=30), min_size=1, max_size=60)
models = st.sampled_from(
    [BM25(), BM25(1.2, 0.75), LMDirichlet(), LMDirichlet(20), LMJelinekMercer()]
)


def ranked(segments, tokens, k, model):
    words = [
        ranking.look_up(segments, {"xx": [term_key("xx", token)]}, tokens.count(token))
        for token in dict.fromkeys(tokens)
    ]
    found = ranking.rank(segments, statistics(segments), words, k, model)
    return found.rows.tolist(), found.scores.tolist()


def test_the_compiled_kernel_is_what_the_tests_run():
    assert kernel.COMPILED


@settings(max_examples=150, deadline=None)
@given(passages, st.lists(st.sampled_from(TOKENS), min_size=1, max_size=8), models, st.data())
def test_kernel_and_reference_agree(texts, query, model, data):
    dead = data.draw(st.lists(st.booleans(), min_size=len(texts), max_size=len(texts)))
    k = data.draw(st.integers(1, 70))
    live = None if not any(dead) else np.array([not d for d in dead], dtype=np.uint8)
    segment = make_segment(texts, live=live)
    compiled = ranked([segment], query, k, model)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel, "_kernel", None)
        assert ranked([segment], query, k, model) == compiled


@pytest.mark.parametrize("seed", range(6))
def test_kernel_and_reference_agree_over_many_windows_and_blocks(seed):
    rng = np.random.default_rng(seed)
    n, words = 30_000, [f"w{i}" for i in range(40)]
    weights = 1 / np.arange(1, 41)
    lengths = rng.integers(0, 40, n)
    drawn = rng.choice(40, p=weights / weights.sum(), size=lengths.sum())
    texts = [[words[i] for i in part] for part in np.split(drawn, np.cumsum(lengths)[:-1])]
    live = (rng.random(n) < 0.9).astype(np.uint8) if seed % 2 else None
    segment = make_segment(texts, live=live)
    for _ in range(15):
        query = [words[i] for i in rng.choice(40, size=rng.integers(1, 9))]
        model = [BM25(), LMDirichlet(), LMJelinekMercer(0.7)][seed % 3]
        for k in (1, 10, 500):
            compiled = ranked([segment], query, k, model)
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(kernel, "_kernel", None)
                assert ranked([segment], query, k, model) == compiled


def test_frequencies_over_65535_and_many_distinct_pairs_are_exact():
    texts = [["a"] * 70_000 + ["b"], ["a"] * 3, ["b"] * 2]
    segment = make_segment(texts)
    start, end = (int(segment.postings.starts[i]) for i in (0, 1))
    assert segment.postings.frequencies(start, end).tolist() == [70_000, 3]
    assert ranked([segment], ["a"], 3, LMDirichlet(1e6))[0] == [0, 1]


def test_more_than_65536_codes_take_wide_codes():
    # One passage of each length class with each frequency, more pairs than 16 bits hold.
    lengths = decode_length(np.arange(60, 140))
    builder = Builder()
    for length in lengths.tolist():
        terms = []
        for tf in range(1, 830):
            terms += [f"t{tf}"] * tf
        builder.add("xx", terms + ["pad"] * int(length))
    postings = builder.build()
    assert postings.codes.itemsize in (2, 4)
    assert postings.frequencies(0, len(postings.docs)).sum() == postings.lengths.sum()


@given(st.integers(0, 2**31 - 1))
def test_lengths_round_down_to_a_byte(length):
    decoded = int(decode_length(encode_length(np.array([length])))[0])
    assert decoded <= length
    assert decoded == length if length <= 40 else decoded > length * 0.85


@settings(max_examples=80, deadline=None)
@given(st.lists(passages, min_size=1, max_size=4), st.data())
def test_merged_segments_equal_one_built_at_once(parts, data):
    live = []
    for part in parts:
        flags = data.draw(st.lists(st.booleans(), min_size=len(part), max_size=len(part)))
        live.append(np.array(flags, dtype=np.uint8) if not all(flags) else None)
    kept = [
        tokens
        for part, alive in zip(parts, live, strict=True)
        for tokens, keep in zip(part, np.ones(len(part)) if alive is None else alive, strict=True)
        if keep
    ]
    segments = [make_segment(part) for part in parts]
    merged = merge([segment.postings for segment in segments], live)
    assert_equal(merged, make_segment(kept).postings)


def assert_equal(one: Postings, other: Postings):
    for name, array in one.arrays().items():
        np.testing.assert_array_equal(array, other.arrays()[name], err_msg=name)


@settings(max_examples=50)
@given(st.lists(st.text(min_size=1), min_size=1, max_size=50, unique=True), st.text())
def test_terms_are_found_and_others_are_not(terms, other):
    postings = make_segment([terms]).postings
    for term in terms:
        number = postings.find(term_key("xx", term))
        assert postings.terms()[number] == term_key("xx", term)
        assert kernel.find(postings.blob, postings.term_offsets, term_key("xx", term)) == number
    if other not in terms:
        assert postings.find(term_key("xx", other)) == -1


def test_reference_scores_are_the_formula():
    texts = [["a", "a", "b"], ["b"], ["a", "c", "c", "c"]]
    rows, scores = ranked([make_segment(texts)], ["a"], 3, BM25(1.0, 0.5))
    idf = np.log1p((3 - 2 + 0.5) / 2.5)
    average = 8 / 3

    def score(tf, length):
        return idf * tf / (tf + 1.0 * (0.5 + 0.5 * length / average))

    assert rows == [0, 2]
    assert scores == pytest.approx([score(2, 3), score(1, 4)], rel=1e-6)
