from __future__ import annotations

import unicodedata

import pytest

from anaphora.evaluate.metrics.ngram_recall import ngram_recall


@pytest.mark.parametrize(
    ("prediction", "reference", "lang", "expected"),
    [
        # Table 3 of the paper.
        ("sofia kovalevskaia", "sofya kovalevskaya", "en", 9 / 13),
        # By the paper's own code (BERGEN), which is for writing with spaces.
        ("It opened in 1999 in Oslo.", "1999", "en", 1.0),
        ("It opened in Oslo", "in Osl", "en", 1.0),
        ("because", "us", "en", 0.0),
        ("la Seine", "Seine-et-Marne", "fr", 3 / 7),
        # And without.
        ("日本的首都是东京。", "东京", "zh", 1.0),
        ("日本の首都は東京です。", "京", "ja", 1.0),
        ("日本的首都是东京。", "北京", "zh", 0.0),
        ("서울은 한국의 수도이다", "서울", "ko", 1.0),
        ("เมืองหลวงคือกรุงเทพมหานคร", "กรุงเทพ", "th", 1.0),
        ("Столица - МОСКВА", "Москва", "ru", 1.0),
        ("عاصمة مصر القَاهِرة", "القاهرة", "ar", 1.0),
    ],
)
def test_values(prediction: str, reference: str, lang: str, expected: float) -> None:
    assert ngram_recall(prediction, [reference], lang) == pytest.approx(expected)


def test_composition_and_case_make_no_difference() -> None:
    gold = "Nguyễn Trãi"
    for form in ("NFC", "NFD"):
        text = unicodedata.normalize(form, "ĐÓ LÀ NGUYỄN TRÃI")
        assert ngram_recall(text, [gold], "vi") == 1.0
        assert ngram_recall(text, [unicodedata.normalize("NFD", gold)], "vi") == 1.0


def test_a_gram_needed_twice_must_be_there_twice() -> None:
    assert ngram_recall("Bora", ["Bora Bora"], "en") == 0.5


def test_the_best_reference_counts() -> None:
    assert ngram_recall("Köln", ["Berlin", "Köln"], "de") == 1.0


def test_what_says_nothing() -> None:
    assert ngram_recall("", ["Köln"], "de") == 0.0
    assert ngram_recall("Köln", [""], "de") is None
    assert ngram_recall("so 👍 there", ["👍"], "en") == 0.0
    assert ngram_recall("👍", ["👍"], "en") == 1.0
    assert ngram_recall("5", ["5"], "en") == 1.0
