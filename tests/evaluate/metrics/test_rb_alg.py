"""RB_alg, with an encoder whose token vectors are orthogonal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from anaphora.datasets.example import Example
from anaphora.evaluate.metrics.rb_alg import rb_alg
from anaphora.evaluate.results import PhrasingResult
from anaphora.evaluate.scoring import score
from anaphora.language import tokenize
from anaphora.records import Answer, Conversation, Passage, Rewrite, Turn


class Exact:
    """Two tokens are similar only if they are equal."""

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}

    def token_vectors(self, texts: Sequence[str]) -> list[np.ndarray]:
        rows = [
            [self._seen.setdefault(token, len(self._seen)) for token in tokenize(text)]
            for text in texts
        ]
        return [np.eye(512, dtype=np.float32)[row] for row in rows]


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "boats pay ten euros"),
        ("zh", "首都是北京"),
        ("ja", "東京は日本の首都です"),
        ("ar", "القاهرة عاصمة مصر"),
        ("th", "กรุงเทพเป็นเมืองหลวง"),
        ("vi", "Hà Nội là thủ đô"),
        ("ru", "лодки платят десять евро"),
        ("tr", "tekneler on avro öder"),
    ],
)
def test_the_reference_itself_from_its_passage(lang, text):
    assert rb_alg(text, [text], [text], lang, Exact()) == pytest.approx(1)
    assert rb_alg(text, [text], ["…"], lang, Exact()) == 0


def test_the_harmonic_mean_of_completeness_overlap_and_faithfulness():
    found = rb_alg("boats pay euros", ["boats pay"], ["boats pay euros at sea"], "en", Exact())
    assert found == pytest.approx(3 / (1 / 1 + 1 / 1 + 1 / 0.8))


def test_what_cannot_be_measured():
    assert rb_alg("boats", [" "], ["boats"], "en", Exact()) is None
    assert rb_alg("boats", ["boats"], [], "en", Exact()) is None
    assert rb_alg("", ["boats"], ["boats"], "en", Exact()) == 0


def test_a_run_is_scored_with_the_passages_that_were_read():
    conversation = Conversation((Turn("user", "Nó mở lúc nào?", "vi"),), None, "1")
    example = Example(conversation, answers=("Cảng mở lúc chín giờ.",))
    read = Passage("p", "d", "", "Cảng mở lúc chín giờ.", "vi")
    answer = Answer("Cảng mở lúc chín giờ. [1]", "vi", 0.9)
    result = PhrasingResult(Rewrite("Cảng mở lúc nào?", "vi"), hits=(("p", 1.0),), answer=answer)
    (scored,) = score([example], [result], ["RB_alg"], lambda ids: {"p": read})
    assert scored.scores["RB_alg"] == pytest.approx(1, abs=1e-4)
    (unknown,) = score([example], [result], ["RB_alg"], lambda ids: {})
    assert unknown.scores == {}
