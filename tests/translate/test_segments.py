from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from support.corpus import PARAGRAPHS

from anaphora.translate.segments import joined, segments


@given(st.sampled_from(sorted(PARAGRAPHS)), st.integers(1, 40))
def test_every_letter_is_in_a_segment_that_fits(lang, room):
    text = "\n".join(PARAGRAPHS[lang])
    found = segments(text, lang, len, room)
    assert all(end - start <= max(room, 1) for start, end in found)
    assert "".join(text[start:end] for start, end in found).replace(" ", "") == "".join(
        text.split()
    )


def test_sentences_stay_whole_where_they_fit():
    text = "It stands. It is old.\n\nIt fell."
    found = segments(text, "en", len, 100)
    assert [text[start:end] for start, end in found] == ["It stands.", "It is old.", "It fell."]
    assert joined(text, found, ["A.", "B.", "C."], "de") == "A. B.\n\nC."
    assert joined(text, found, ["甲。", "乙。", "丙。"], "zh") == "甲。乙。\n\n丙。"


def test_no_text():
    assert segments(" \n", "en", len, 10) == []
    assert joined("", [], [], "en") == ""
