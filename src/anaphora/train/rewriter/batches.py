"""Batches of examples of similar length as padded tensors."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import torch

from anaphora.rewrite.linking.model import node_ranges
from anaphora.rewrite.linking.realization import max_span_ends
from anaphora.rewrite.linking.sequence import Layout
from anaphora.train.rewriter.alignment import Insertion
from anaphora.train.rewriter.features import Features, Prepared
from anaphora.train.rewriter.network import Batch, Targets, Tokens

_PLACES = 6


def epochs(
    sizes: Sequence[int], tokens: int, count: float, seed: int
) -> tuple[list[list[int]], list[int]]:
    """The numbers of the examples of every step, and the step at which each epoch ends.

    Args:
        sizes: the number of tokens of each example.
        tokens: the size of a batch.
        count: the number of epochs.
    """
    rounds = [
        by_length(sizes, tokens, random.Random(seed + epoch)) for epoch in range(math.ceil(count))
    ]
    steps = max(1, round(count * len(rounds[0])))
    plan = [group for groups in rounds for group in groups][:steps]
    return plan, [min(len(rounds[0]) * epoch, len(plan)) for epoch in range(1, len(rounds) + 1)]


def by_length(sizes: Sequence[int], tokens: int, rng: random.Random) -> list[list[int]]:
    """The numbers of all examples in random batches of similar length.

    Args:
        sizes: the number of tokens of each example.
        tokens: the size of a batch, with padding; a longer example is a batch by itself.
    """
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
    """The layouts and their hidden states, [t, d] each, padded."""
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
    """The labels of examples as tensors, which the heads compare their scores with."""
    layouts = [one.layout for one in prepared]
    count = len(prepared)
    context = max(layout.context for layout in layouts) + 1
    gaps = max(len(layout.words) - layout.context for layout in layouts) + 1
    mask = np.zeros((count, context), bool)
    reach = np.zeros((count, context), np.int64)
    left, right = (np.zeros((count, gaps), np.int64) for _ in range(2))
    null: list[tuple[int, int, int]] = []
    gold: list[tuple[int, int, int]] = []
    places: list[list[tuple[int, int]]] = []
    chosen: list[tuple[int, int, int, int, int, int]] = []
    words: list[tuple[int, int]] = []
    deleted: list[float] = []
    for at, one in enumerate(prepared):
        layout, known = one.layout, one.layout.context
        mask[at, : 1 + known] = True
        reach[at, : 1 + known] = max_span_ends(layout)
        length = len(layout.words) - known
        left[at, : length + 1] = [0, *range(1 + known, 1 + known + length)]
        right[at, : length + 1] = range(1 + known, 2 + known + length)
        insertions = {insertion.gap: insertion for insertion in one.labels.insertions}
        for gap in range(length + 1):
            insertion = insertions.get(gap)
            if insertion is None:
                null.append((at, gap, 0))
                chosen.append((at, gap, 0, 0, 0, 0))
            else:
                _label(insertion, at, phrases, null, gold, places, chosen)
        words += [(at, 1 + known + word) for word in range(length)]
        removed = set(one.labels.deleted)
        deleted += [float(word in removed) for word in range(length)]
    return Targets(
        torch.from_numpy(mask),
        torch.from_numpy(reach),
        torch.from_numpy(left),
        torch.from_numpy(right),
        torch.tensor(null).view(-1, 3),
        torch.tensor(gold).view(-1, 3),
        torch.tensor(places).view(-1, _PLACES, 2),
        torch.tensor(chosen).view(-1, 6),
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
    chosen: list[tuple[int, int, int, int, int, int]],
) -> None:
    gap = insertion.gap
    before, between, after = (phrases.get(text, 0) for text in insertion.phrases)
    # Node 0 is <s>, and node n + 1 is word n of the context. The last place of a span is the
    # latest one.
    spans = [[(a + 1, b + 1) for a, b in found][-_PLACES:] for found in insertion.spans]
    if insertion.lacking:
        return
    for slot, found in enumerate(spans):
        gold.append((at, gap, slot))
        places.append(found + [(0, 0)] * (_PLACES - len(found)))
    if not spans:
        null.append((at, gap, 0))
        chosen.append((at, gap, 0, before, 0, 0))
        return
    start, end = spans[0][-1]
    chosen.append((at, gap, 0, before, start, end))
    if len(spans) == 1:
        null.append((at, gap, 1))
    else:
        chosen.append((at, gap, 1, between, *spans[1][-1]))
    chosen.append((at, gap, 2, after, *spans[-1][-1]))
