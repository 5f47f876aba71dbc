from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from anaphora.evaluate.metrics.bertscore import BackboneTokens, BertScore, bertscore, bertscore_f1
from anaphora.models.backbone import Backbone
from anaphora.models.weights import FloatArray

LETTERS = {"a": (1.0, 0.0), "b": (0.0, 1.0), "c": (0.6, 0.8), "z": (-1.0, 0.0)}


class Letters:
    """Letters as vectors: a and b are orthogonal, c lies between, z is opposed to a."""

    def token_vectors(self, texts: Sequence[str]) -> list[FloatArray]:
        return [
            np.array([LETTERS[char] for char in text], np.float32).reshape(-1, 2) for text in texts
        ]


@pytest.mark.parametrize(
    ("prediction", "reference", "expected"),
    [
        # Equations 1-3 by hand.
        ("ab", "c", BertScore(0.7, 0.8)),
        ("a", "ab", BertScore(1.0, 0.5)),
        ("ab", "ba", BertScore(1.0, 1.0)),
        ("a", "z", BertScore(0.0, 0.0)),
        ("", "a", BertScore(0.0, 0.0)),
    ],
)
def test_greedy_matching(prediction: str, reference: str, expected: BertScore) -> None:
    [score] = bertscore([prediction], [reference], Letters())
    assert score is not None
    assert score.precision == pytest.approx(expected.precision)
    assert score.recall == pytest.approx(expected.recall)


def test_f_is_their_harmonic_mean() -> None:
    assert BertScore(1.0, 0.5).f1 == pytest.approx(2 / 3)
    assert BertScore(0.0, 0.0).f1 == 0.0


def test_a_reference_that_says_nothing() -> None:
    assert bertscore(["a"], [""], Letters()) == [None]
    assert bertscore_f1("Paris", [" ", ""], "fr") is None
    with pytest.raises(TypeError, match="sequence of strings"):
        bertscore_f1("Paris", "Paris", "fr")


@pytest.fixture(scope="module")
def encoder() -> BackboneTokens:
    return BackboneTokens(Backbone())


def test_one_unit_vector_a_token(encoder: BackboneTokens) -> None:
    short, long, same = encoder.token_vectors(["東京", "When did they disband?", "東京"])
    assert len(long) > len(short) > 0
    assert np.linalg.norm(long, axis=1) == pytest.approx(1, abs=1e-5)
    assert np.array_equal(short, same)


@pytest.mark.parametrize(
    ("reference", "near", "far"),
    [
        ("When did the band break up?", "When did the group split up?", "Where is the river?"),
        ("東京は日本の首都です。", "日本の首都は東京である。", "昨日は雨が降りました。"),
        ("Столица Франции - Париж.", "Париж - главный город Франции.", "Вчера шёл дождь."),
        ("عاصمة فرنسا هي باريس", "باريس عاصمة فرنسا", "هطل المطر أمس"),
    ],
)
def test_what_means_the_same_scores_higher(reference: str, near: str, far: str) -> None:
    close, distant = bertscore_f1(near, [reference], ""), bertscore_f1(far, [reference], "")
    assert close is not None
    assert distant is not None
    assert 0 < distant < close < 1


def test_composition_makes_no_difference() -> None:
    assert bertscore_f1("Vie\u0323\u0302t Nam", ["Việt Nam"], "vi") == pytest.approx(1, abs=1e-5)
