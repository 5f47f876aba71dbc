"""Words as character ranges, and their folded forms."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.rewrite.tokenization import fold, word_ranges


def words(text: str) -> list[str]:
    return [text[start:end] for start, end in word_ranges(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What's Zappa's album?", ["What", "'s", "Zappa", "'s", "album", "?"]),
        ("东京在哪里？", ["东", "京", "在", "哪", "里", "？"]),
        ("彼はNHKで？", ["彼", "は", "NHK", "で", "？"]),
        ("เขาเกิดที่ไหน", ["เ", "ข", "า", "เ", "กิ", "ด", "ที่", "ไ", "ห", "น"]),
        ("متى وُلِدَ؟", ["متى", "وُلِدَ", "؟"]),
        ("Nó ở đâu?", ["Nó", "ở", "đâu", "?"]),
        ("А её дети?", ["А", "её", "дети", "?"]),
        ("Onun İstanbul'u?", ["Onun", "İstanbul", "'", "u", "?"]),
        ("यह क्या है?", ["यह", "क्या", "है", "?"]),
        ("그는 누구야?", ["그는", "누구야", "?"]),
        ("", []),
        (" \n", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize("text", ["Nó ở đâu?", "その人はが？", "Её дом", "그는"])
def test_decomposed_text_has_the_same_words(text: str) -> None:
    parts = [
        unicodedata.normalize("NFC", word) for word in words(unicodedata.normalize("NFD", text))
    ]
    assert parts == words(text)


@given(st.text(max_size=80))
def test_words_hold_everything_but_spaces(text: str) -> None:
    ranges = word_ranges(text)
    assert "".join(text[start:end] for start, end in ranges) == "".join(text.split())
    assert all(a[1] <= b[0] for a, b in pairwise(ranges))


@pytest.mark.parametrize(
    ("one", "other"),
    [("Dalí", "DALI"), ("Ｚａｐｐａ", "zappa"), ("’s", "'s"), ("Straße", "STRASSE")],
)
def test_fold_makes_equal(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(("one", "other"), [("が", "か"), ("й", "и"), ("ё", "е"), ("मि", "म")])
def test_marks_that_make_another_letter_stay(one: str, other: str) -> None:
    assert fold(one) != fold(other)
