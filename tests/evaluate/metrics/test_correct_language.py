from __future__ import annotations

import pytest
from support.corpus import PARAGRAPHS, TARGETS

from anaphora.evaluate.metrics import ANSWER_METRICS, correct_language, mean


@pytest.mark.parametrize("lang", TARGETS)
def test_a_text_is_in_its_language_and_no_other(lang: str) -> None:
    text = " ".join(PARAGRAPHS[lang])
    assert correct_language(text, lang) == 1.0
    assert {correct_language(text, other) for other in TARGETS if other != lang} == {0.0}


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("", "en"),
        ("1,923 – 1,969", "en"),
        ("👍", "fr"),
        ("Frank Zappa", "es"),
        ("Москва", "ru"),
        ("東京", "ja"),
        ("The library was founded in the old town.", "unknown"),
    ],
)
def test_what_cannot_be_told(text: str, lang: str) -> None:
    assert correct_language(text, lang) is None


@pytest.mark.parametrize(
    ("text", "lang", "expected"),
    [
        ("東京です", "ja", 1.0),
        ("东京", "zh", 1.0),
        ("东京", "en", 0.0),
        ("서울", "ko", 1.0),
        ("กรุงเทพ", "th", 1.0),
    ],
)
def test_short_answers_whose_script_tells(text: str, lang: str, expected: float) -> None:
    assert correct_language(text, lang) == expected


def test_undetermined_answers_leave_both_sum_and_count() -> None:
    answers = ["La biblioteca se fundó en 1923.", "1923", "The library opened in 1923."]
    metric = ANSWER_METRICS["language"]
    assert mean(metric(answer, [], "es") for answer in answers) == 0.5
