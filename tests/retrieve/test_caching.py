"""Texts met before are not encoded again."""

import numpy as np
import pytest

from anaphora.retrieve import caching
from anaphora.retrieve.caching import CachingEncoder

TEXTS = ["東京", "القاهرة", "Hà Nội", "กรุงเทพ", "Москва", "東京"]


class Counting:
    """Vectors that depend on kind and text, and a list of what was asked for."""

    name, dimensions = "counting", 3

    def __init__(self):
        self.asked = []

    def encode_queries(self, texts):
        return self._encode("q", texts)

    def encode_passages(self, texts, progress=None):
        return self._encode("p", texts)

    def _encode(self, kind, texts):
        self.asked += [kind + text for text in texts]
        return np.array([[ord(kind), len(text), ord(text[0])] for text in texts], np.float32)


@pytest.mark.parametrize("kind", ["encode_queries", "encode_passages"])
def test_the_vectors_are_the_encoders(kind):
    plain, kept = Counting(), CachingEncoder(Counting())
    for texts in (TEXTS, TEXTS[::-1], TEXTS[2:4], []):
        expected = getattr(plain, kind)(texts)
        np.testing.assert_array_equal(getattr(kept, kind)(texts), expected.reshape(-1, 3))


def test_each_text_is_encoded_once_as_question_and_as_passage():
    encoder = Counting()
    kept = CachingEncoder(encoder)
    kept.encode_passages(TEXTS)
    kept.encode_passages([*TEXTS, "Ankara"])
    kept.encode_queries(TEXTS[:1])
    assert encoder.asked == [*("p" + text for text in TEXTS[:-1]), "pAnkara", "q東京"]


def test_the_oldest_are_forgotten(monkeypatch):
    monkeypatch.setattr(caching, "_CAPACITY", 2)
    encoder = Counting()
    kept = CachingEncoder(encoder)
    for text in ("a", "b", "a", "c", "a", "b"):
        kept.encode_passages([text])
    assert encoder.asked == ["pa", "pb", "pc", "pb"]
    assert (kept.name, kept.dimensions) == ("counting", 3)
