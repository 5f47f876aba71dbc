from __future__ import annotations

import nltk.translate.meteor_score as nltk
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.evaluate.metrics.meteor import chunks, meteor, stems
from anaphora.evaluate.metrics.tokens import words


@pytest.mark.parametrize(
    ("prediction", "reference", "expected"),
    [
        # nltk 3.10.4 with PyStemmer's English stemmer and no WordNet.
        ("the bands broke up", "the band broke up in 1969", 0.6843),
        ("a singer left", "the drummer stayed", 0.0),
        # By hand: "on the mat", "sat" and "the cat" are 3 chunks of 6 matches. nltk says 0.5, for
        # it pairs each "the" with the wrong one.
        ("on the mat sat the cat", "the cat sat on the mat", 0.9375),
        # nltk says 0.9977: there one chunk is a penalty even where it is the whole text.
        ("the cat sat on the mat", "the cat sat on the mat", 1.0),
    ],
)
def test_english(prediction: str, reference: str, expected: float) -> None:
    assert meteor(prediction, [reference], "en") == pytest.approx(expected, abs=5e-5)


def test_nltk_agrees() -> None:
    class NoSynonyms:
        def synsets(self, *_: object) -> list[object]:
            return []

    class Stemmer:
        def stem(self, word: str) -> str:
            return stems(word, "en")[0]

    prediction, reference = "Who joined that band after 1969?", "After 1969, who was joining it?"
    theirs = nltk.single_meteor_score(
        words(reference, "en"), words(prediction, "en"), stemmer=Stemmer(), wordnet=NoSynonyms()
    )
    assert meteor(prediction, [reference], "en") == pytest.approx(theirs)


def test_stems_match_in_their_language() -> None:
    assert meteor("столицы", ["столица"], "ru") == 1.0
    assert meteor("kitaplar", ["kitap"], "tr") == 1.0
    assert meteor("Häuser", ["Haus"], "de") == 1.0
    assert meteor("Häuser", ["Haus"], "en") == 0.0


def test_what_says_nothing() -> None:
    assert meteor("", ["Paris"], "en") == 0.0
    assert meteor("Paris", [""], "en") is None
    assert meteor("👍", ["👍"], "en") == 1.0


def fewest(prediction: str, reference: str) -> tuple[int, int]:
    """Matches (negated) and chunks over every alignment there is."""

    def after(at: int, used: frozenset[int], last: int) -> tuple[int, int]:
        if at == len(prediction):
            return (0, 0)
        found = [after(at + 1, used, -2)]
        for place, token in enumerate(reference):
            if token == prediction[at] and place not in used:
                matches, count = after(at + 1, used | {place}, place)
                found.append((matches - 1, count + (place != last + 1)))
        return min(found)

    return after(0, frozenset(), -2)


@given(st.text("abc", max_size=6), st.text("abc", max_size=6))
def test_the_fewest_chunks_of_all_largest_matchings(prediction: str, reference: str) -> None:
    assert chunks(list(prediction), list(reference)) == fewest(prediction, reference)[1]
