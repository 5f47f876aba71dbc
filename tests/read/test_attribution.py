from __future__ import annotations

import pytest
from support.lighthouse import ANSWERS, TEXTS
from support.word_checker import WordChecker

from anaphora.language import sentences
from anaphora.read.attribution import attributed, nearest

CHECKER = WordChecker(0.5)


def evidence(lang):
    return [TEXTS[lang][start:end] for start, end in sentences(TEXTS[lang], lang)]


@pytest.mark.parametrize("lang", ANSWERS)
def test_a_sentence_comes_from_the_one_that_says_it(lang):
    found = evidence(lang)[::-1]
    (place,) = attributed(ANSWERS[lang], found, CHECKER, lang)
    assert "1887" in found[place]


def test_a_joined_statement_comes_from_several():
    found = ["The ferry is old.", "The lighthouse opened in 1887.", "Gustav Berg painted it red."]
    joined = "The lighthouse of 1887 was painted red by Gustav Berg in one old summer."
    assert attributed(joined, found, CHECKER, "en") == [0, 1, 2]


def test_without_evidence_it_comes_from_nothing():
    assert attributed("The ferry is old.", [], CHECKER, "en") == []


def test_rare_words_count_more_and_what_shares_nothing_keeps_its_order():
    texts = ["灯塔很高。", "The ferry is red.", "The ferry leaves at noon.", "塔は高い。"]
    assert nearest("The ferry leaves.", texts, "en") == [2, 1, 0, 3]
