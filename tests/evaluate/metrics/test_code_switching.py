from __future__ import annotations

import pytest
from support.corpus import PARAGRAPHS, TARGETS

from anaphora.evaluate.metrics import ANSWER_METRICS, FAULTS, code_switching


@pytest.mark.parametrize(
    ("text", "lang", "expected"),
    [
        ("Столица Франции - Paris", "ru", 1 / 3),
        ("首都是Paris", "zh", 1 / 4),
        ("東京タワー", "ja", 0.0),
        ("カナ", "zh", 1.0),
        ("大韓民國 서울", "ko", 0.0),
        ("عاصمة فرنسا Paris 2024", "ar", 1 / 3),
        ("राजधानी Paris है", "hi", 1 / 3),
        ("la capitale, 東", "fr", 1 / 3),
        ("กข Paris", "th", 1 / 3),
        ("Beograd, Београд", "sr", 0.0),
    ],
)
def test_the_share_of_foreign_script(text: str, lang: str, expected: float) -> None:
    assert code_switching(text, lang) == pytest.approx(expected)


@pytest.mark.parametrize("lang", TARGETS)
def test_a_text_of_each_language_against_others(lang: str) -> None:
    text = " ".join(PARAGRAPHS[lang])
    own = code_switching(text, lang)
    assert own is not None
    assert own < 0.2
    other = "en" if own < 0.2 and lang in ("ar", "hi", "ja", "ko", "ru", "th", "zh") else "ru"
    foreign = code_switching(text, other)
    assert foreign is not None
    assert foreign > 0.8


def test_where_there_is_no_script() -> None:
    assert code_switching("2024!", "ru") is None
    assert code_switching("", "ru") is None
    assert code_switching("Paris", "unknown") is None


def test_it_is_no_metric_of_which_more_is_better() -> None:
    assert "code-switching" not in ANSWER_METRICS
    assert FAULTS["code-switching"]("Париж", ["anything"], "ru") == 0.0
