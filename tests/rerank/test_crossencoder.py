"""The cross-encoder as a scorer, with evidence that is given."""

import pytest

from anaphora.records import Evidence, Passage, Query, Span
from anaphora.rerank.crossencoder import CrossEncoderScorer


class FixedEvidence:
    def __init__(self, known):
        self.known = known
        self.asked = []

    def score(self, pairs):
        self.asked += [(question, passage.text) for question, passage in pairs]
        return [self.known[passage.text] for _, passage in pairs]

    def support(self, relevance, span, cross_lingual):
        return 1.0 + 0.5 * relevance + 0.25 * span - 2.0 * cross_lingual


def passage(text):
    return Passage(text, text, "", text, "zh")


KNOWN = {
    "东京": Evidence(2.0, (Span(0, 2, 4.0), Span(0, 1, -3.0))),
    "京都": Evidence(3.0, (Span(0, 2, -8.0),)),
    "…": Evidence(3.0, ()),
}


def test_the_score_is_the_support_of_the_best_span():
    model = FixedEvidence(KNOWN)
    asked = [(Query("首都在哪里？", "zh"), [passage("东京"), passage("京都")])]
    (scores,) = CrossEncoderScorer(model).score(asked)
    assert [one.value for one in scores] == [pytest.approx(3.0), pytest.approx(0.5)]
    assert [one.evidence for one in scores] == [KNOWN["东京"], KNOWN["京都"]]
    assert model.asked == [("首都在哪里？", "东京"), ("首都在哪里？", "京都")]


def test_a_follow_up_is_read_without_the_question_before_it():
    model = FixedEvidence(KNOWN)
    query = Query("日本在哪里。首都呢？", "zh", read="首都呢？")
    CrossEncoderScorer(model).score([(query, [passage("东京")])])
    assert model.asked == [("首都呢？", "东京")]


def test_a_passage_without_a_span_comes_last():
    found = CrossEncoderScorer(FixedEvidence(KNOWN)).score(
        [(Query("?"), [passage(text) for text in KNOWN])]
    )
    assert found[0] is not None
    assert found[0].index(min(found[0])) == 2


def test_a_passage_in_another_language_counts_less():
    def score(lang):
        found = CrossEncoderScorer(FixedEvidence(KNOWN)).score(
            [(Query("?", lang), [passage("东京")])]
        )
        return found[0][0].value

    assert score("zh") == score("unknown") == pytest.approx(3.0)
    assert score("vi") == pytest.approx(1.0)


def test_every_question_has_a_list_of_its_own():
    asked = [(Query("a"), [passage("东京")]), (Query("b"), []), (Query("c"), [passage("京都")])]
    found = CrossEncoderScorer(FixedEvidence(KNOWN)).score(asked)
    assert [len(scores or ()) for scores in found] == [1, 0, 1]
