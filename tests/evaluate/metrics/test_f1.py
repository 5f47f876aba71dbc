from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.evaluate.metrics.f1 import answer_words, f1


@pytest.mark.parametrize(
    ("text", "lang", "expected"),
    [
        ("The U.S.A.", "en", ["usa"]),
        ("l’homme d'affaires", "fr", ["homme", "d", "affaires"]),
        ("l'Un et le café", "fr", ["et", "café"]),
        ("un'isola", "it", ["isola"]),
        ("der Rhein, die Elbe", "de", ["rhein", "elbe"]),
        ("os Açores", "pt", ["açores"]),
        ("Ankara'da", "tr", ["ankara", "da"]),
        ("القاهرة", "ar", ["قاهره"]),
        ("ال", "ar", ["ال"]),
        ("những con sông", "vi", ["con", "sông"]),
        ("《红楼梦》，曹雪芹", "zh", ["红", "楼", "梦", "曹", "雪", "芹"]),
        ("iPhone、iPad", "ja", ["iphone", "ipad"]),
        ("$1,000 or 900€", "en", ["1000", "or", "900"]),
        ("The The", "en", ["the", "the"]),
        ("?!", "en", ["?", "!"]),
        ("🇯🇵", "ja", ["🇯", "🇵"]),
    ],
)
def test_answers_are_normalised_by_language(text: str, lang: str, expected: list[str]) -> None:
    assert answer_words(text, lang) == expected


@pytest.mark.parametrize(
    ("prediction", "reference", "lang", "expected"),
    [
        # By the official evaluation of SQuAD 1.1.
        ("in the year 1957, roughly", "1957", "en", 0.4),
        ("Kurt Goedel's theorem", "the theorem of Kurt Goedel", "en", 4 / 7),
        ("1990-1995", "1990 - 1995", "en", 0.0),
        # By the official evaluation of MLQA.
        ("en el año 1957", "1957", "es", 0.5),
        ("của những người Pháp", "người Pháp", "vi", 1.0),
        ("महात्मा गांधी ने", "महात्मा गांधी", "hi", 0.8),
        ("1957年的iPhone", "iPhone是1957年", "zh", 0.75),
    ],
)
def test_as_the_official_evaluations(
    prediction: str, reference: str, lang: str, expected: float
) -> None:
    assert f1(prediction, [reference], lang) == pytest.approx(expected)


def test_the_best_reference_counts() -> None:
    assert f1("Hauptstadt Berlin", ["Bonn", "Berlin"], "de") == pytest.approx(2 / 3)


def test_golds_that_say_nothing_cannot_be_measured() -> None:
    assert f1("Paris", ["", " "], "en") is None
    assert f1("Paris", [], "en") is None
    assert f1("Paris", ["", "Paris"], "en") == 1.0
    assert f1("", ["Paris"], "en") == 0.0
    assert f1("", [""], "en") is None


def test_answers_of_articles_punctuation_or_emoji_can_be_right() -> None:
    assert f1("A", ["a"], "en") == 1.0
    assert f1("？", ["?"], "zh") == 1.0
    assert f1("👍", ["👍"], "en") == 1.0
    assert f1("👎", ["👍"], "en") == 0.0


@given(st.text(max_size=30), st.text(max_size=30), st.sampled_from(["en", "fr", "ar", "zh", "th"]))
def test_symmetric_within_bounds_and_blind_to_composition(a: str, b: str, lang: str) -> None:
    score = f1(a, [b], lang)
    if score is None:
        assert not answer_words(b, lang)
        return
    assert 0.0 <= score <= 1.0
    if answer_words(a, lang):
        assert f1(b, [a], lang) == score
    assert f1(b, [b], lang) == 1.0
    assert f1(unicodedata.normalize("NFD", a), [b], lang) == score
