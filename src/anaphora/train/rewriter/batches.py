"""Examples of like length put together as tensors."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt
import torch

from anaphora.rewrite.linking.model import node_ranges
from anaphora.rewrite.linking.realization import max_span_ends
from anaphora.rewrite.linking.sequence import Layout
from anaphora.train.alignment import Insertion
from anaphora.train.features import Features, Prepared
from anaphora.train.network import Batch, Targets, Tokens

_PLACES = 6


def batches(
    features: Features, phrases: Mapping[str, int], tokens: int, rng: random.Random
) -> Iterator[Batch]:
    """Every example once, in random order, in batches of about so many tokens."""
    for numbers in shuffled(features, tokens, rng):
        yield assemble(features, numbers, phrases)


def shuffled(features: Features, tokens: int, rng: random.Random) -> list[list[int]]:
    """Numbers of examples by batch: those of one batch are about equally long."""
    return by_length([len(one.layout.ids) for one in features.prepared], tokens, rng)


def by_length(sizes: Sequence[int], tokens: int, rng: random.Random) -> list[list[int]]:
    """The same for examples of these numbers of tokens."""
    order = sorted(range(len(sizes)), key=lambda number: sizes[number] + rng.uniform(-6, 6))
    groups: list[list[int]] = []
    group: list[int] = []
    longest = 0
    for number in order:
        longest = max(longest, sizes[number])
        if group and longest * (len(group) + 1) > tokens:
            groups.append(group)
            group, longest = [], sizes[number]
        group.append(number)
    if group:
        groups.append(group)
    rng.shuffle(groups)
    return groups


def assemble(features: Features, numbers: Sequence[int], phrases: Mapping[str, int]) -> Batch:
    prepared = [features.prepared[number] for number in numbers]
    hidden = [features.hidden[number] for number in numbers]
    layouts = [one.layout for one in prepared]
    return Batch(tokens(layouts, hidden), targets(prepared, phrases))


def tokens(layouts: Sequence[Layout], hidden: Sequence[npt.NDArray[np.floating]]) -> Tokens:
    """The layouts and what the layers below made of them, [t, d] each, padded."""
    count = len(layouts)
    longest = max(len(layout.ids) for layout in layouts)
    nodes = max(len(layout.words) for layout in layouts) + 2
    states = np.zeros((count, longest, hidden[0].shape[1]), np.float32)
    roles, distances = (np.zeros((count, longest), np.int64) for _ in range(2))
    mask = np.zeros((count, longest), bool)
    first, last, place = (np.zeros((count, nodes), np.int64) for _ in range(3))
    for at, (layout, state) in enumerate(zip(layouts, hidden, strict=True)):
        size = len(layout.ids)
        states[at, :size] = state
        mask[at, :size] = True
        roles[at, :size], distances[at, :size] = layout.roles, layout.distances
        total = len(layout.words) + 2
        first[at, :total], last[at, :total], place[at, :total] = node_ranges(layout)
    return Tokens(
        *(torch.from_numpy(part) for part in (states, roles, distances, mask, first, last, place))
    )


def targets(prepared: Sequence[Prepared], phrases: Mapping[str, int]) -> Targets:
    """The labels of examples as the heads compare their scores with them."""
    layouts = [one.layout for one in prepared]
    count = len(prepared)
    context = max(layout.context for layout in layouts) + 1
    gaps = max(len(layout.words) - layout.context for layout in layouts) + 1
    told = np.zeros((count, context), bool)
    reach = np.zeros((count, context), np.int64)
    left, right = (np.zeros((count, gaps), np.int64) for _ in range(2))
    null: list[tuple[int, int, int]] = []
    gold: list[tuple[int, int, int]] = []
    places: list[list[tuple[int, int]]] = []
    said: list[tuple[int, int, int, int, int, int]] = []
    words: list[tuple[int, int]] = []
    deleted: list[float] = []
    for at, one in enumerate(prepared):
        layout, known = one.layout, one.layout.context
        told[at, : 1 + known] = True
        reach[at, : 1 + known] = max_span_ends(layout)
        asked = len(layout.words) - known
        left[at, : asked + 1] = [0, *range(1 + known, 1 + known + asked)]
        right[at, : asked + 1] = range(1 + known, 2 + known + asked)
        insertions = {insertion.gap: insertion for insertion in one.labels.insertions}
        for gap in range(asked + 1):
            insertion = insertions.get(gap)
            if insertion is None:
                null.append((at, gap, 0))
                said.append((at, gap, 0, 0, 0, 0))
            else:
                _label(insertion, at, phrases, null, gold, places, said)
        words += [(at, 1 + known + word) for word in range(asked)]
        gone = set(one.labels.deleted)
        deleted += [float(word in gone) for word in range(asked)]
    return Targets(
        torch.from_numpy(told),
        torch.from_numpy(reach),
        torch.from_numpy(left),
        torch.from_numpy(right),
        torch.tensor(null).view(-1, 3),
        torch.tensor(gold).view(-1, 3),
        torch.tensor(places).view(-1, _PLACES, 2),
        torch.tensor(said).view(-1, 6),
        torch.tensor(words).view(-1, 2),
        torch.tensor(deleted),
    )


def _label(
    insertion: Insertion,
    at: int,
    phrases: Mapping[str, int],
    null: list[tuple[int, int, int]],
    gold: list[tuple[int, int, int]],
    places: list[list[tuple[int, int]]],
    said: list[tuple[int, int, int, int, int, int]],
) -> None:
    gap = insertion.gap
    before, between, after = (phrases.get(text, 0) for text in insertion.phrases)
    # Nodes: 0 is <s>, word n of the context is n + 1. The newest place of a span comes last.
    spans = [[(a + 1, b + 1) for a, b in found][-_PLACES:] for found in insertion.spans]
    if insertion.lacking:
        return
    for slot, found in enumerate(spans):
        gold.append((at, gap, slot))
        places.append(found + [(0, 0)] * (_PLACES - len(found)))
    if not spans:
        null.append((at, gap, 0))
        said.append((at, gap, 0, before, 0, 0))
        return
    start, end = spans[0][-1]
    said.append((at, gap, 0, before, start, end))
    if len(spans) == 1:
        null.append((at, gap, 1))
    else:
        said.append((at, gap, 1, between, *spans[1][-1]))
    said.append((at, gap, 2, after, *spans[-1][-1]))
