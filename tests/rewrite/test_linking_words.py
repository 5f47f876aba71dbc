from __future__ import annotations

import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.language import stop_words
from anaphora.rewrite.linking.wording import render
from anaphora.rewrite.linking.words import fold, word_ranges


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


@pytest.mark.parametrize(
    ("question", "lang", "deleted", "inserted", "expected"),
    [
        ("When did they end?", "en", [2], {2: ["the Mothers"]}, "When did the Mothers end?"),
        ("Did he win?", "en", [1], {0: ["besides", "gold", ","], 1: ["Zappa"]},
         "Besides gold, did Zappa win?"),
        ("His album?", "en", [0], {0: ["Zappa", "'s"]}, "Zappa's album?"),
        ("他是谁？", "zh", [0], {0: ["鲁迅"]}, "鲁迅是谁？"),
        ("代表作は？", "ja", [], {0: ["黒澤明", "の"]}, "黒澤明の代表作は？"),
        ("เขาคือใคร", "th", [0, 1, 2], {0: ["สุนทรภู่"]}, "สุนทรภู่คือใคร"),
        ("متى ولد؟", "ar", [], {2: ["نجيب محفوظ"]}, "متى ولد نجيب محفوظ؟"),
        ("¿Cuándo nació?", "es", [], {3: ["Frida Kahlo"]}, "¿Cuándo nació Frida Kahlo?"),
        ("Ông ấy mất ở đâu?", "vi", [0, 1], {0: ["Trần Hưng Đạo"]}, "Trần Hưng Đạo mất ở đâu?"),
        ("А он?", "ru", [1], {1: ["Гагарин"]}, "А Гагарин?"),
        ("O nerede?", "tr", [0], {0: ["Ankara"]}, "Ankara nerede?"),
        ("그는 어디에?", "ko", [0], {0: ["김연아"]}, "김연아 어디에?"),
        ("वह कहाँ है?", "hi", [0], {0: ["जयपुर"]}, "जयपुर कहाँ है?"),
        ("Où est-il ?", "fr", [2, 3], {2: ["Zola"]}, "Où est Zola ?"),
        ("Quand est-il mort ?", "fr", [], {5: ["Zola"]}, "Quand est-il mort Zola ?"),
        ("When was he born?", "en", [2], {2: ["鲁迅"]}, "When was 鲁迅 born?"),
        ("متى ولد؟", "ar", [], {2: ["鲁迅"]}, "متى ولد 鲁迅؟"),
        ("他是谁？", "zh", [0], {0: ["Zappa"]}, "Zappa是谁？"),
        ("what  about  it", "en", [2], {2: ["the film"]}, "what  about the film"),
    ],
)  # fmt: skip
def test_render(
    question: str, lang: str, deleted: list[int], inserted: dict[int, list[str]], expected: str
) -> None:
    empty = stop_words(lang)
    ranges = word_ranges(question)
    made = render(question, ranges, deleted, inserted, lambda word: word.lower() in empty)
    assert made == expected


@given(st.text(max_size=60))
def test_no_edit_changes_nothing_but_outer_spaces(text: str) -> None:
    made = render(text, word_ranges(text), (), {}, lambda word: False)
    assert "".join(made.split()) == "".join(text.split())
