from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.corpus import TARGETS, joined

from anaphora.language import (
    continues_grapheme,
    counts_characters,
    dominant_script,
    is_cjk,
    script_counts,
)
from anaphora.language.scripts import mark_class, ranges, script_of

SCRIPTS = {
    "ar": "Arabic", "hi": "Devanagari", "ja": "Kana", "ko": "Hangul", "ru": "Cyrillic",
    "th": "Thai", "zh": "Han",
}  # fmt: skip


@pytest.mark.parametrize("lang", TARGETS)
def test_dominant_script(lang: str) -> None:
    found = dominant_script(joined(lang))
    assert found == SCRIPTS.get(lang, "Latin") or (lang == "ja" and found == "Han")


def test_no_letters_no_script() -> None:
    assert dominant_script("12 😀 …") is None
    assert script_counts("12 😀 …") == {}


def test_full_width_and_half_width_forms_have_their_script() -> None:
    assert script_of("Ａ") == "Latin"
    assert script_of("ｶ") == "Kana"


def test_counts_characters() -> None:
    assert {lang for lang in TARGETS if counts_characters(lang)} == {"ja", "th", "zh"}
    assert all(map(counts_characters, ("km", "lo", "my")))
    assert not counts_characters("unknown")


def test_is_cjk() -> None:
    assert all(map(is_cjk, "漢々〇ひカｶ𠀋"))
    assert not any(map(is_cjk, "aก한。「"))


def test_mark_class_holds_the_marks() -> None:
    mark = re.compile(f"[{mark_class()}]")
    for code in range(0x10000):
        if unicodedata.category(chr(code))[0] == "M":
            assert mark.match(chr(code))


@given(st.sets(st.integers(0, 0x10FFFF), min_size=1))
def test_ranges_are_the_code_points(codes: set[int]) -> None:
    inside = re.compile(f"[{ranges(codes)}]")
    assert all(inside.match(chr(code)) for code in codes)
    assert all(
        inside.match(chr(code + 1)) is None
        for code in codes
        if code + 1 not in codes and code < 0x10FFFF
    )


@given(st.text())
def test_counts_agree_with_single_characters(text: str) -> None:
    counts = script_counts(text)
    assert sum(counts.values()) == sum(1 for char in text if script_of(char) is not None)


@pytest.mark.parametrize(
    "grapheme",
    ["e\u0301", "กำ", "น้ำ", "नि", "بَ", "\u1112\u1161\u11ab", "ｶﾞ", "👩\u200d🚀", "👍🏽", "🇻🇳"],
)
def test_a_grapheme_is_one(grapheme: str) -> None:
    assert all(continues_grapheme(*pair) for pair in pairwise(grapheme))


@pytest.mark.parametrize("text", ["ab", "東京", "กข", "नम", "한국", "📗📘", "a\n", "a "])
def test_graphemes_are_apart(text: str) -> None:
    assert not any(continues_grapheme(*pair) for pair in pairwise(text))
