"""From the log-odds of a window's tokens to spans of characters."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from anaphora.crossencoder.sequence import Window
from anaphora.language.scripts import script_of
from anaphora.records import Span

FloatArray = npt.NDArray[np.float32]

_LONGEST = 40
"""The most tokens of a span."""
_AROUND = " \t\n\r\u00a0\u3000.,;:!?…。，、；：！？．؟،؛।"
"""Characters that no span begins or ends with."""
_WHOLE = frozenset({"Latin", "Cyrillic", "Greek", "Devanagari"})


def best_spans(window: Window, spans: FloatArray, text: str, count: int = 1) -> list[Span]:
    """The `count` best spans of a window that do not overlap, the best first.

    Args:
        spans: log-odds [2, t] of where the answer begins and ends; place 0 is "no answer here".
    """
    first, size = window.first, len(window.ranges)
    if not size:
        return []
    begins, ends = spans[0, first : first + size], spans[1, first : first + size]
    scores = begins[:, None] + ends[None, :]
    scores = np.where(_allowed(size), scores, -np.inf)
    null = float(spans[0, 0] + spans[1, 0])
    found: list[Span] = []
    while len(found) < count:
        place = int(scores.argmax())
        a, b = divmod(place, size)
        if not np.isfinite(scores[a, b]):
            break
        start, end = _trimmed(text, window.ranges[a][0], window.ranges[b][1])
        span = Span(start, end, float(scores[a, b]) - null)
        if start < end and not any(span.overlaps(other) for other in found):
            found.append(span)
        scores[: b + 1, a:] = -np.inf
    return found


def best_extent(window: Window, extents: FloatArray) -> tuple[int, int] | None:
    """The most probable range of all that answers in a window, in characters of the text; None in
    an empty text, and from weights that were not trained to say it, which give 0 everywhere.

    Args:
        extents: log-odds [2, t] of where it begins and ends.
    """
    first, size = window.first, len(window.ranges)
    if not size:
        return None
    begins, ends = extents[0, first : first + size], extents[1, first : first + size]
    if not begins.any() and not ends.any():
        return None
    # The best end at or behind each token.
    after = np.maximum.accumulate(ends[::-1])[::-1]
    begin = int((begins + after).argmax())
    end = begin + int(ends[begin:].argmax())
    return window.ranges[begin][0], window.ranges[end][1]


def _allowed(size: int) -> npt.NDArray[np.bool_]:
    ahead = np.arange(size)[None] - np.arange(size)[:, None]
    allowed: npt.NDArray[np.bool_] = (ahead >= 0) & (ahead < _LONGEST)
    return allowed


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    for _ in range(_LONGEST):
        start -= start > 0 and _joins(text[start - 1 : start + 1])
        end += end < len(text) and _joins(text[end - 1 : end + 1])
    part = text[start:end]
    after = part.rstrip(_AROUND)
    return start + len(part) - len(part.lstrip(_AROUND)), start + len(after)


def _joins(two: str) -> bool:
    """Whether two characters belong to one word that a span must not cut.

    Spans may cut words in scripts without spaces, Korean words before a particle, and Arabic words
    after an article.
    """
    return all(script_of(char) in _WHOLE for char in two)
