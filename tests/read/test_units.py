"""What is quoted, and that no quote begins or ends inside a grapheme."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from anaphora.language import continues_grapheme
from anaphora.read.units import LONGEST, quoted, whole
from anaphora.records import Passage

# The range that is asked for, and what it must become.
WITHIN = {
    "th": ("ที่น้ำตก", (3, 4), "น้ำ"),
    "hi": ("यह नि है", (3, 4), "नि"),
    "ar": ("كَتَبَ", (2, 3), "تَ"),
    "vi": (unicodedata.normalize("NFD", "chợ"), (2, 3), unicodedata.normalize("NFD", "ợ")),
    "ko": (unicodedata.normalize("NFD", "집에"), (1, 2), unicodedata.normalize("NFD", "집")),
    "ja": (unicodedata.normalize("NFD", "がく"), (0, 1), unicodedata.normalize("NFD", "が")),
    "ru": (unicodedata.normalize("NFD", "мой"), (2, 3), unicodedata.normalize("NFD", "й")),
    "tr": (unicodedata.normalize("NFD", "şu"), (1, 2), unicodedata.normalize("NFD", "ş")),
    "zh": ("老茶馆", (1, 2), "茶"),
    "emoji": ("a👨🏽\u200d🚀b", (2, 3), "👨🏽\u200d🚀"),
}


@pytest.mark.parametrize("kind", WITHIN)
def test_a_range_grows_to_whole_graphemes(kind):
    text, asked, expected = WITHIN[kind]
    start, end = whole(text, *asked)
    assert text[start:end] == expected
    assert whole(text, start, end) == (start, end)


def test_whole_words_stay_as_they_are():
    assert whole("in the year", 3, 6) == (3, 6)


@pytest.mark.parametrize("lang", ["en", "ru", "hi", "ar", "ko"])
def test_of_a_long_sentence_whole_words_are_quoted(lang):
    word = {"en": "lighthouse", "ru": "маяки", "hi": "किला", "ar": "القلعة", "ko": "등대는"}[lang]
    text = " ".join([word] * 400)
    start, end = quoted(Passage("p", "d", "", text, lang), 1200, 1210)
    assert start <= 1200 < 1210 <= end
    assert LONGEST - 100 <= end - start <= LONGEST
    assert not text[start].isspace()
    assert set(text[start:end].split()) == {word}


def test_a_long_sentence_without_spaces_is_cut_where_it_must():
    text = "น้ำ" * 500
    start, end = quoted(Passage("p", "d", "", text, "th"), 900, 904)
    assert LONGEST <= end - start <= LONGEST + 4
    assert len(text[start:end]) % 3 == 0
    assert text[start:end].startswith("น้ำ")


@settings(max_examples=80, deadline=None)
@given(st.text(alphabet="aก้ำि\u0301\u200d👩🏽🇯\u1161\u1100 .。", max_size=80), st.data())
def test_a_quote_holds_what_was_asked_and_parts_no_grapheme(text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    if start == end:
        return
    span = whole(text, start, end)
    quote = quoted(Passage("p", "d", "", text, "th"), *span)
    assert quote[0] <= span[0] <= start < end <= span[1] <= quote[1]
    for place in (*span, *quote):
        if 0 < place < len(text) and place in span:
            assert not continues_grapheme(text[place - 1], text[place])
