"""BERTScore: the similarity of each token's vector to the closest one of the other text.

Zhang et al., "BERTScore: Evaluating Text Generation with BERT" (2020), equations 1-3, without
inverse document frequencies and without rescaling: figures of different encoders do not compare.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from anaphora.evaluate.metrics.scores import several

if TYPE_CHECKING:
    from anaphora.models.backbone import Backbone
    from anaphora.models.weights import FloatArray

_CACHED = 64


class TokenEncoder(Protocol):
    """Makes a vector of each token of a text, in its context."""

    def token_vectors(self, texts: Sequence[str]) -> list[FloatArray]:
        """Unit vectors of the tokens of each text: float32 [tokens, d]."""
        ...


class BackboneTokens:
    """The shared layers of multilingual-e5-small: the eighth of twelve, for it is between the
    middle and the top that the paper finds the best layer of encoders of this kind.

    A text longer than `max_tokens` counts with its beginning.
    """

    def __init__(self, backbone: Backbone) -> None:
        self._backbone = backbone

    def token_vectors(self, texts: Sequence[str]) -> list[FloatArray]:
        import numpy as np

        ids = [self._backbone.tokens(text) for text in texts]
        same_length: dict[int, list[int]] = defaultdict(list)
        for row, one in enumerate(ids):
            same_length[len(one)].append(row)
        vectors: dict[int, FloatArray] = {}
        for rows in same_length.values():
            hidden = self._backbone.hidden([ids[row] for row in rows])
            hidden /= np.linalg.norm(hidden, axis=2, keepdims=True)
            # The marks of beginning and end are no tokens of the text.
            vectors |= zip(rows, hidden[:, 1:-1], strict=True)
        return [vectors[row] for row in range(len(texts))]


@dataclass(frozen=True, slots=True)
class BertScore:
    """Precision: how well the prediction's tokens are matched; recall: the reference's."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


def bertscore(
    predictions: Sequence[str], references: Sequence[str], encoder: TokenEncoder
) -> list[BertScore | None]:
    """Scores of n texts against one reference each; None for a reference without tokens.

    Raises:
        ValueError: there is not one reference for each prediction.
    """
    pairs = list(zip(predictions, references, strict=True))
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    vectors = dict(zip(texts, encoder.token_vectors(texts), strict=True))
    return [_matched(vectors[mine], vectors[gold]) for mine, gold in pairs]


def bertscore_f1(prediction: str, references: Sequence[str], lang: str) -> float | None:
    """F of one text by the default encoder, the best of the references.

    None where no reference says anything. The language makes no difference.

    Raises:
        ModelUnavailable: the encoder's weights are not installed.
    """
    mine = _default_vectors(prediction)
    scores = [_matched(mine, _default_vectors(gold)) for gold in several(references)]
    return max((score.f1 for score in scores if score), default=None)


def _matched(prediction: FloatArray, reference: FloatArray) -> BertScore | None:
    if not len(reference):
        return None
    if not len(prediction):
        return BertScore(0.0, 0.0)
    cosines = prediction @ reference.T
    return BertScore(_mean(cosines.max(axis=1)), _mean(cosines.max(axis=0)))


def _mean(cosines: FloatArray) -> float:
    """The mean, within 0..1: rounding, and tokens of opposed meaning, may leave it."""
    return min(max(float(cosines.mean()), 0.0), 1.0)


@lru_cache(maxsize=1)
def default_encoder() -> TokenEncoder:
    """The encoder of `bertscore_f1`.

    Raises:
        ModelUnavailable: its weights are not installed.
    """
    from anaphora.models.backbone import shared_backbone

    return BackboneTokens(shared_backbone())


@lru_cache(maxsize=_CACHED)
def _default_vectors(text: str) -> FloatArray:
    return default_encoder().token_vectors([text])[0]
