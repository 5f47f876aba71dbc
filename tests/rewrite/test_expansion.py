"""Historical query expansion, on relative_idf given by hand and by an index."""

from contextlib import closing
from dataclasses import replace

import pytest
from support.conversations import conversation

from anaphora.assistant import Assistant
from anaphora.config import Config
from anaphora.evaluate.collection import index_documents
from anaphora.index import BM25, open_index
from anaphora.records import Document, Query
from anaphora.registry import build
from anaphora.rewrite.expansion import BM25Scores, HistoricalExpansion, IdfScores

IDF = {"Zappa": 0.9, "guitarist": 0.35, "famous": 0.1, "album": 0.5, "东京": 0.9, "京": 0.1}


def relative_idf(words):
    return [IDF.get(word, 0.0) for word in words]


def expansion(**settings):
    return HistoricalExpansion(IdfScores(relative_idf), **settings)


def rewritten(rewriter, *texts):
    return rewriter.rewrite([conversation(*texts)])[0]


def test_session_words_come_from_any_user_turn_and_not_from_answers():
    found = rewritten(
        expansion(),
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
        expansion(),
        "Is Zappa a famous guitarist?",
        "Yes.",
        "When was it?",
    )
    assert set(found.text.removeprefix("When was it? ").split()) == {"Zappa", "guitarist"}


def test_the_window_of_a_vague_question():
    texts = ["A guitarist?", "Yes.", "And then?", "No.", "When was it?"]
    assert "guitarist" in rewritten(expansion(window=2), *texts).text
    assert "guitarist" not in rewritten(expansion(window=1), *texts).text


def test_words_of_the_question_are_not_repeated():
    found = rewritten(expansion(), "Who is Zappa?", "He.", "Is Zappa an album?")
    assert found.text == "Is Zappa an album?"


@pytest.mark.parametrize("question", ["", "???", "🎸🎸", "في أي عام؟", "เมื่อไหร่"])
def test_any_question_passes(question):
    found = rewritten(expansion(), "Who is Zappa?", "He.", question)
    assert found.text.startswith(question)


def test_chinese_words_are_added():
    found = rewritten(expansion(), "东京在哪里", "日本", "人口多少")
    assert "东京" in found.text


@pytest.fixture
def towns(tmp_path):
    texts = [
        "Zappa đến Đà Nẵng bằng tàu.",
        *(f"Tàu số {number} đến Huế." for number in range(30)),
        *(f"列车{number}开往上海。" for number in range(30)),
    ]
    records = [Document(str(number), "", text, whole=True) for number, text in enumerate(texts)]
    with closing(open_index(index_documents(tmp_path, records, None))) as index:
        yield index


def test_the_scores_of_the_paper_are_those_of_the_best_passage(towns):
    scores = BM25Scores(towns)
    rare, common, absent = scores.words(["Zappa", "Huế", "Tokyo"], "vi")
    assert rare > common > absent == 0.0
    best = towns.search([Query("Zappa đến Huế", "vi")], 1, BM25(0.82, 0.68))[0][0].score
    assert scores.question("Zappa đến Huế", "vi") == best
    assert scores.question("", "zh") == 0.0


def test_the_method_of_the_paper_by_name(towns):
    config = Config.of({"rewrite": {"method": "expansion", "scores": "bm25"}})
    rewriter = build(config.rewrite, Assistant(towns, config))
    assert rewriter == HistoricalExpansion.of_the_paper(towns)
    found = rewritten(
        replace(rewriter, session=3.0, query=1.0, ambiguous=2.0), "Zappa ở đâu?", "Huế.", "Ai?"
    )
    assert "Zappa" in found.text
