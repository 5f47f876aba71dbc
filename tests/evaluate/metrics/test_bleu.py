from __future__ import annotations

import sys

import nltk.translate.bleu_score as nltk
import pytest

from anaphora.errors import AnaphoraError
from anaphora.evaluate.metrics import bleu as metric
from anaphora.evaluate.metrics.bleu import _scorer, corpus_bleu

# nltk 3.10.4: corpus_bleu, unsmoothed, and sentence_bleu with SmoothingFunction(0.1).method1.
PREDICTIONS = ["when did the band break up ?", "who was the drummer of the band ?"]
REFERENCES = ["when did the mothers break up ?", "who was the drummer of the mothers ?"]
CORPUS = {1: 0.8667, 2: 0.7746, 3: 0.6891, 4: 0.5747}
SENTENCE = {1: 0.8571, 2: 0.7559, 3: 0.6114, 4: 0.2749}


@pytest.mark.parametrize(("order", "expected"), CORPUS.items())
def test_corpus(order: int, expected: float) -> None:
    mine = [text.split() for text in PREDICTIONS]
    golds = [text.split() for text in REFERENCES]
    assert corpus_bleu(mine, golds, order) == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize(("order", "expected"), SENTENCE.items())
def test_sentence(order: int, expected: float) -> None:
    score = metric(PREDICTIONS[0], [REFERENCES[0]], "en", order)
    assert score == pytest.approx(expected, abs=5e-5)


def test_nltk_agrees() -> None:
    smoothing = nltk.SmoothingFunction(0.1).method1
    for prediction, reference in zip(PREDICTIONS, reversed(REFERENCES), strict=True):
        theirs = nltk.sentence_bleu(
            [reference.split()], prediction.split(), smoothing_function=smoothing
        )
        assert metric(prediction, [reference], "en") == pytest.approx(theirs)


@pytest.mark.parametrize("text", ["是", "東京", "Да", "😀", "?"])
def test_texts_too_short_for_an_order_can_be_right(text: str) -> None:
    assert metric(text, [text], "zh", 4) == pytest.approx(1)
    assert corpus_bleu([[text]], [[text]], 4) == pytest.approx(1)


def test_the_nearest_of_several_references_gives_the_length() -> None:
    assert metric("the red cat", ["a cat", "the red cat sleeps"], "en", 1) == pytest.approx(1)


def test_what_says_nothing() -> None:
    assert metric("", ["Paris"], "en") == 0.0
    assert metric("Paris", [" "], "en") is None
    assert corpus_bleu([["a"]], [[]]) is None
    assert corpus_bleu([], []) is None
    assert corpus_bleu([[]], [["a"]]) == 0.0
    assert corpus_bleu([["a"], ["b"]], [[], ["b"]]) == pytest.approx(1)


def test_every_prediction_needs_its_reference() -> None:
    with pytest.raises(ValueError, match="zip"):
        corpus_bleu([["a"], ["b"]], [["a"]])


def test_without_sacrebleu_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    _scorer.cache_clear()
    monkeypatch.setitem(sys.modules, "sacrebleu.metrics.bleu", None)
    with pytest.raises(AnaphoraError, match=r"anaphora\[eval\]"):
        metric("a", ["a"], "en")
