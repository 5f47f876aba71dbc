"""Synthetic follow-ups from self-contained questions."""

from __future__ import annotations

import random

import pytest

from anaphora.train.rewriter.synthetic import Paragraph, Question, from_paragraphs, from_templates
from anaphora.train.text import TrainingText

PARAGRAPHS = {
    "ar": ("الإسكندرية مدينة", "من أسس الإسكندرية؟", "متى بنيت الإسكندرية؟"),
    "de": ("Lübeck ist eine Stadt.", "Wer gründete Lübeck?", "Wie viele Türme hat Lübeck heute?"),
    "es": ("Toledo es una ciudad.", "¿Quién fundó Toledo?", "¿Cuántas puertas tiene Toledo hoy?"),
    "fr": ("Carcassonne est une ville.", "Qui fonda Carcassonne ?", "Où se trouve Carcassonne ?"),
    "ja": ("鎌倉は町である。", "鎌倉はどこですか？", "鎌倉の人口はいくつですか？"),
    "ru": ("Суздаль — город.", "Кто основал Суздаль?", "Сколько церквей в городе Суздаль?"),
    "vi": ("Hội An là một thành phố.", "Hội An ở đâu?", "Dân số của Hội An là bao nhiêu?"),
    "zh": ("平遥是一座城。", "平遥在哪里？", "平遥的人口有多少？"),
}


@pytest.mark.parametrize("lang", PARAGRAPHS)
def test_a_known_name_is_deleted_and_the_original_question_is_the_rewrite(lang: str) -> None:
    text, *questions = PARAGRAPHS[lang]
    paragraph = Paragraph("", text, tuple(Question(one, text, "p1") for one in questions))
    found = [
        one for seed in range(20) for one in from_paragraphs([paragraph], lang, random.Random(seed))
    ]
    changed = [one for one in found if one.question != one.rewrites[0]]
    assert changed
    for one in found:
        assert one.rewrites[0] in questions
        assert one.relevant == {"p1": 1}
        assert one.conversation.question.lang == lang
    for one in changed:
        assert len(one.conversation.turns) > 1
        assert "  " not in one.question
        assert one.question == one.question.strip()


def test_a_part_of_a_longer_name_is_left_where_it_is() -> None:
    text = "Tesla Electric Light & Manufacturing und Tesla."
    whole = "Wer entwarf die Lampen von Tesla Electric Light & Manufacturing?"
    questions = ("Was machte Tesla Electric?", whole)
    paragraph = Paragraph("", text, tuple(Question(one, "Licht", "p1") for one in questions))
    found = [
        one for seed in range(40) for one in from_paragraphs([paragraph], "de", random.Random(seed))
    ]
    of_whole = [one.question for one in found if one.rewrites == (whole,)]
    assert of_whole
    assert set(of_whole) == {whole}


def test_a_name_is_deleted_with_its_preposition() -> None:
    text = "Die Krone von Polen liegt in Polen."
    questions = ("Wo liegt die Krone der Könige in Polen?", "Wer war König in Polen?")
    paragraph = Paragraph("", text, tuple(Question(one, text, "p1") for one in questions))
    follow_ups = {
        one.question
        for seed in range(40)
        for one in from_paragraphs([paragraph], "de", random.Random(seed))
        if one.question != one.rewrites[0]
    }
    assert "Wer war König?" in follow_ups
    assert follow_ups & {"Wer war König in er?", "Wer war König in sie?", "Wer war König in es?"}


def test_templates_are_in_fifteen_languages() -> None:
    found = list(from_templates(TrainingText().templates, random.Random(0), 5))
    assert len({one.conversation.question.lang for one in found}) == 15
