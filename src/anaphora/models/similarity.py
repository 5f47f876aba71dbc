"""On which scale the similarity of a question and a passage is read."""

from __future__ import annotations

_OFFSET, _FACTOR = 0.369, 0.628
"""From the cosines of trained questions to those of the original layers, as the layers before these
were read when the confidence was fitted: on the first hits of questions on manuals that are not
trained on, in their language and in others; what differs has a standard deviation of 0.007."""


def comparable(cosine: float) -> float:
    """A cosine of the default encoder on the scale of its original layers, for which the thresholds
    and the confidence of the reader were fitted."""
    return _OFFSET + _FACTOR * cosine
