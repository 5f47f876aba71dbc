"""The confidence of answers."""

import pytest

from anaphora.read.confidence import (
    ANSWERABLE,
    ANSWERABLE_ACROSS,
    RIGHT,
    RIGHT_ACROSS,
    Signals,
    probability,
)


@pytest.mark.parametrize("regression", [ANSWERABLE, ANSWERABLE_ACROSS, RIGHT, RIGHT_ACROSS])
def test_a_better_first_passage_is_more_probable(regression):
    values = [regression(Signals(first, 0.0, 0.85)) for first in (-4.0, 0.0, 4.0)]
    assert values == sorted(values)
    assert len(set(values)) == 3


def test_the_other_passages_show_whether_the_documents_answer():
    assert ANSWERABLE(Signals(1.0, 1.0, 0.9)) > ANSWERABLE(Signals(1.0, -4.0, 0.9))
    assert ANSWERABLE(Signals(1.0, 0.0, 0.9)) > ANSWERABLE(Signals(1.0, 0.0, 0.78))


@pytest.mark.parametrize("cosine", [0.85, None])
def test_words_that_no_document_has_make_an_answer_less_probable(cosine):
    values = [ANSWERABLE(Signals(-1.0, -3.0, cosine, words)) for words in (2, 1, 0)]
    assert values == sorted(set(values))
    assert ANSWERABLE(Signals(-1.0, -3.0, cosine, 9)) == values[0]


def test_without_a_cosine_the_evidence_alone_counts():
    assert 0 < ANSWERABLE(Signals(-2.0, -5.0, None)) < ANSWERABLE(Signals(2.0, 1.0, None)) < 1


@pytest.mark.parametrize("extreme", [-1e9, 1e9])
def test_extreme_log_odds_are_probabilities(extreme):
    assert probability(extreme) in (0.0, 1.0)
