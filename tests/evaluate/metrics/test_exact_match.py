from __future__ import annotations

import pytest

from anaphora.evaluate.metrics.exact_match import exact_match, exact_rewrite


@pytest.mark.parametrize(
    ("prediction", "reference", "lang", "expected"),
    [
        # By the official evaluation of SQuAD 1.1.
        ("The  Beatles!", "beatles", "en", 1.0),
        ("Beatles, the", "The Beatles", "en", 1.0),
        ("Beatle", "Beatles", "en", 0.0),
        # By MLQA's.
        ("La Habana", "habana", "es", 1.0),
        ("des Rheins", "Rheins", "de", 1.0),
        # Where MLQA's fails: elision, spaces between Chinese, full-width digits.
        ("l’eau", "eau", "fr", 1.0),
        ("北 京", "北京", "zh", 1.0),
        ("１９５７年", "1957年", "ja", 1.0),
        ("กรุงเทพฯ", "กรุงเทพฯ", "th", 1.0),
        ("ISPARTA", "ısparta", "tr", 1.0),
        ("ISPARTA", "isparta", "tr", 0.0),
        ("Vie\u0323\u0302t", "Việt", "vi", 1.0),
        ("مُحَمَّد", "محمد", "ar", 1.0),
    ],
)
def test_answers(prediction: str, reference: str, lang: str, expected: float) -> None:
    assert exact_match(prediction, [reference], lang) == expected


def test_any_reference_will_do() -> None:
    assert exact_match("Bonn", ["Berlin", "Bonn"], "de") == 1.0


def test_what_says_nothing() -> None:
    assert exact_match("", ["Berlin"], "de") == 0.0
    assert exact_match("Berlin", [""], "de") is None
    assert exact_match("?", ["!"], "en") == 0.0


def test_rewrites_count_articles_and_punctuation() -> None:
    assert exact_rewrite("when did ZAPPA die ?", ["When did Zappa die?"], "en") == 1.0
    assert exact_rewrite("When did Zappa die", ["When did Zappa die?"], "en") == 0.0
    assert exact_rewrite("When did the Zappa die?", ["When did Zappa die?"], "en") == 0.0
    assert exact_rewrite("她是谁?", ["她是谁？"], "zh") == 1.0
