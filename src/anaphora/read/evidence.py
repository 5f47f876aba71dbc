"""The sentences that may answer, and what speaks for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from anaphora.index import Engine
from anaphora.index.keyness import keyness
from anaphora.language import analyzer, sentences, tokenize
from anaphora.passage import Hit, Query

if TYPE_CHECKING:
    from anaphora.retrieve.encoders import Encoder

CANDIDATES = 16
"""Sentences compared with the question by their meaning; chosen by their words."""
_SENTENCES = 200
"""Sentences looked at in one passage."""
_LONGEST = 600
"""Characters of a quote."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A sentence of a hit's passage: characters `start` to `end` of its text.

    `coverage` is the share of the question's words, by their keyness, that the sentence or its
    heading holds; `own_coverage` leaves the heading out. `nearness` is the cosine of the
    sentence's vector and the question's, `passage_nearness` that of the whole passage's; both are
    0 without an encoder.
    """

    hit: Hit
    start: int
    end: int
    coverage: float
    own_coverage: float
    nearness: float = 0.0
    passage_nearness: float = 0.0

    @property
    def text(self) -> str:
        return self.hit.passage.text[self.start : self.end]


def gather(
    query: Query, hits: Sequence[Hit], engine: Engine, encoder: Encoder | None
) -> list[Evidence]:
    """The best sentences of the hits, at most `CANDIDATES`, in no order that means anything."""
    found = _by_words(query, hits, engine)
    if encoder is None or not found:
        return found
    asked = encoder.encode_queries([query.text])[0]
    said = np.asarray(encoder.encode_passages([_in_context(one) for one in found])) @ asked
    known = [hit.sources["dense"] for hit in hits if "dense" in hit.sources]
    # A passage that only its words found is no nearer than the farthest that was found dense.
    least = min(known, default=0.0)
    return [
        replace(
            one,
            nearness=float(near),
            passage_nearness=one.hit.sources.get("dense", least) or float(near),
        )
        for one, near in zip(found, said, strict=True)
    ]


def _in_context(one: Evidence) -> str:
    heading = one.hit.passage.heading
    return f"{heading}\n{one.text}" if heading else one.text


def _by_words(query: Query, hits: Sequence[Hit], engine: Engine) -> list[Evidence]:
    own = analyzer(query.lang).term
    words = list(dict.fromkeys(word for word in tokenize(query.text) if own(word)))
    weights = np.array(keyness(engine, words))
    weights = weights / (weights.sum() or 1.0)
    found: dict[str, Evidence] = {}
    for hit in hits:
        passage = hit.passage
        analyse = analyzer(passage.lang)
        forms = [set(analyse.term(word)) for word in words]
        heading = set(analyse.terms(passage.heading))
        in_heading = np.array([bool(form & heading) for form in forms], dtype=bool)
        for start, end in sentences(passage.text, passage.lang)[:_SENTENCES]:
            end = min(end, start + _LONGEST)
            text = passage.text[start:end]
            terms = set(analyse.terms(text))
            held = np.array([bool(form & terms) for form in forms], dtype=bool)
            found.setdefault(
                text,
                Evidence(
                    hit,
                    start,
                    end,
                    float(weights[held | in_heading].sum()),
                    float(weights[held].sum()),
                ),
            )
    # Some of every passage, the best by their words first.
    ranked = sorted(
        found.values(), key=lambda one: one.coverage - 0.05 * one.hit.rank, reverse=True
    )
    return ranked[:CANDIDATES]
