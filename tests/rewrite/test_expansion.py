"""Historical query expansion, on relative_idf given by hand and by an index."""

import pytest
from support.conversations import conversation

from anaphora.rewrite.expansion import HistoricalExpansion

IDF = {"Zappa": 0.9, "guitarist": 0.35, "famous": 0.1, "album": 0.5, "东京": 0.9, "京": 0.1}


def relative_idf(words):
    return [IDF.get(word, 0.0) for word in words]


def rewritten(expansion, *texts):
    return expansion.rewrite([conversation(*texts)])[0]


def test_session_words_come_from_any_user_turn_and_not_from_answers():
    found = rewritten(
        HistoricalExpansion(relative_idf),
        "Is Zappa a famous guitarist?",
        "He made an album.",
        "What else?",
        "More.",
        "Which album sold best?",
    )
    assert found.text == "Which album sold best? Zappa"
    assert [(edit.text, edit.source_turn) for edit in found.edits] == [("Zappa", 0)]


def test_a_vague_question_also_takes_the_lesser_words_of_recent_turns():
    found = rewritten(
        HistoricalExpansion(relative_idf), "Is Zappa a famous guitarist?", "Yes.", "When was it?"
    )
    assert set(found.text.removeprefix("When was it? ").split()) == {"Zappa", "guitarist"}


def test_the_window_of_a_vague_question():
    texts = ["A guitarist?", "Yes.", "And then?", "No.", "When was it?"]
    assert "guitarist" in rewritten(HistoricalExpansion(relative_idf, window=2), *texts).text
    assert "guitarist" not in rewritten(HistoricalExpansion(relative_idf, window=1), *texts).text


def test_words_of_the_question_are_not_repeated():
    found = rewritten(
        HistoricalExpansion(relative_idf), "Who is Zappa?", "He.", "Is Zappa an album?"
    )
    assert found.text == "Is Zappa an album?"


@pytest.mark.parametrize("question", ["", "???", "🎸🎸", "في أي عام؟", "เมื่อไหร่"])
def test_any_question_passes(question):
    found = rewritten(HistoricalExpansion(relative_idf), "Who is Zappa?", "He.", question)
    assert found.text.startswith(question)


def test_chinese_words_are_added():
    found = rewritten(HistoricalExpansion(relative_idf), "东京在哪里", "日本", "人口多少")
    assert "东京" in found.text
