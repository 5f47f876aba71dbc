"""On which scale the similarity of a question and a passage is read."""

from __future__ import annotations

_OFFSET, _FACTOR = 0.406, 0.589
"""From the cosines of trained questions to those of the original layers, on the tuning part of
`evaluation/answers`; what differs has a standard deviation of 0.012."""


def comparable(cosine: float) -> float:
    """A cosine of the default encoder on the scale of its original layers, for which the thresholds
    and the confidence of the reader were fitted."""
    return _OFFSET + _FACTOR * cosine
