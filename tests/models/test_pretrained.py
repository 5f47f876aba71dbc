"""Batches and the cutting of texts; loading is tested with the models that are loaded."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from anaphora.models.pretrained import by_length, cut


@given(st.lists(st.integers(0, 50), max_size=40), st.integers(1, 200))
def test_batches_hold_each_row_once_within_the_size_and_longest_first(lengths, tokens):
    batches = list(by_length(lengths, tokens))
    rows = [row for batch in batches for row in batch]
    assert sorted(rows) == list(range(len(lengths)))
    assert [lengths[row] for row in rows] == sorted(lengths, reverse=True)
    for batch in batches:
        longest = max(1, lengths[batch[0]])
        assert len(batch) == 1 or len(batch) * longest <= tokens


def test_what_is_cut_off_is_beyond_any_token():
    assert cut(["桥" * 1000, "สั้น", ""], 2) == ["桥" * 128, "สั้น", ""]
