"""Batches of claims as tensors."""

from __future__ import annotations

import random
from collections.abc import Iterator

from anaphora.check.sequence import Sequencer, Window
from anaphora.check.trigrams import shared, trigrams
from anaphora.language import identify, sentences
from anaphora.train.support.examples import Example, Material
from anaphora.train.support.network import Batch, assemble

_CUT = 0.75
"""Fraction of the claims whose evidence is a few sentences."""
_MOST_SENTENCES = 4
_CHUNK = 256
"""Claims that are sorted by length at a time."""


def drawn(material: Material, rng: random.Random) -> Example:
    """A claim in a language drawn at random; all languages are drawn alike."""
    while True:
        example = material.draw(rng, rng.choice(material.languages))
        if example is not None:
            return example


def window(example: Example, sequencer: Sequencer, rng: random.Random) -> Window | None:
    """The claim with all of its evidence or a part of it; None if the evidence does not fit."""
    text = example.evidence
    comparable = bool(not example.across or example.keep or example.original)
    if rng.random() < _CUT and comparable:
        text = cut(example, rng.randint(1, _MOST_SENTENCES), rng)
    found = sequencer.windows(example.statement, text, example.question)
    if len(found) > 1 and comparable:
        text = cut(example, 2 * _MOST_SENTENCES, rng)
        found = sequencer.windows(example.statement, text, example.question)
    return found[0] if len(found) == 1 else None


def cut(example: Example, count: int, rng: random.Random) -> str:
    """The sentences of the evidence that share most with the claim, in their order."""
    text = example.evidence
    ranges = sentences(text, identify(text) if example.across else example.lang)
    asked = trigrams(f"{example.original or example.statement} {example.question}")
    at = text.find(example.keep) if example.keep else -1

    def score(place: tuple[int, int]) -> float:
        start, end = place
        if example.supported and at >= 0 and start < at + len(example.keep) and end > at:
            return float("inf")
        return shared(asked, text[start:end])

    least = 2 if example.supported and not example.keep else 1
    best = sorted(ranges, key=score, reverse=True)[: max(count, least)]
    return " ".join(text[start:end] for start, end in sorted(best))


def batches(
    material: Material, sequencer: Sequencer, size: int, seed: int, position: int, total: int
) -> Iterator[tuple[int, Batch]]:
    """Batches of `size` claims from a position on, each with the position after it."""
    for chunk in range(position // _CHUNK, -(-total // _CHUNK)):
        rng = random.Random(seed * 1_000_003 + chunk)
        rows: list[tuple[Window, Example]] = []
        while len(rows) < _CHUNK:
            example = drawn(material, rng)
            found = window(example, sequencer, rng)
            if found is not None:
                rows.append((found, example))
        rows.sort(key=lambda row: len(row[0].ids))
        parts = [rows[at : at + size] for at in range(0, len(rows), size)]
        rng.shuffle(parts)
        done = chunk * _CHUNK
        for part in parts:
            done += len(part)
            if done > position:
                examples = [example for _, example in part]
                yield (
                    done,
                    assemble(
                        [one for one, _ in part],
                        [one.supported for one in examples],
                        [one.unsupported for one in examples],
                    ),
                )
