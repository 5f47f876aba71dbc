from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from anaphora.rewrite.linking.heads import FloatArray, Heads

WIDTH, GAP, EDGE, DROP, PHRASES = 12, 8, 6, 4, 5
CONTEXT, QUESTION = 7, 3
SHAPES = {
    "left": (WIDTH, GAP),
    "right": (WIDTH, GAP),
    "gap.b": (GAP,),
    "first": (WIDTH, EDGE),
    "first.b": (EDGE,),
    "last": (WIDTH, EDGE),
    "last.b": (EDGE,),
    "drop": (WIDTH, DROP),
    "drop.b": (DROP,),
    "drop.w": (DROP,),
    "drop.c": (1,),
    "start": (2, GAP, EDGE),
    "start.w": (EDGE, 2),
    "end": (2, GAP, EDGE),
    "end.w": (EDGE, 2),
    "span": (EDGE, EDGE),
    "null": (GAP, 2),
    "phrase.gap": (3, GAP, PHRASES),
    "phrase.first": (3, EDGE, PHRASES),
    "phrase.last": (3, EDGE, PHRASES),
    "phrase.b": (3, PHRASES),
}


def weights() -> dict[str, FloatArray]:
    rng = np.random.default_rng(0)
    return {name: rng.normal(size=shape).astype(np.float32) for name, shape in SHAPES.items()}


def nodes() -> FloatArray:
    size = (1 + CONTEXT + QUESTION + 1, WIDTH)
    return np.random.default_rng(1).normal(size=size).astype(np.float32)


def relu(x: FloatArray) -> FloatArray:
    return np.maximum(x, 0)


@pytest.mark.parametrize("gap", range(QUESTION + 1))
def test_links_are_the_biaffine_scores(gap: int) -> None:
    w, x = weights(), nodes()
    links = Heads(w).links(x, CONTEXT)
    after = x[1 + CONTEXT + gap]
    before = x[0] if gap == 0 else x[CONTEXT + gap]
    place = relu(before @ w["left"] + after @ w["right"] + w["gap.b"])
    for node in range(1 + CONTEXT):
        first = relu(x[node] @ w["first"] + w["first.b"])
        last = relu(x[node] @ w["last"] + w["last.b"])
        for slot in range(2):
            start = place @ w["start"][slot] @ first + first @ w["start.w"][:, slot]
            if node == 0:
                start += place @ w["null"][:, slot]
            end = place @ w["end"][slot] @ last + last @ w["end.w"][:, slot]
            assert links.starts[slot, gap, node] == pytest.approx(start, rel=1e-4, abs=1e-4)
            assert links.ends[slot, gap, node] == pytest.approx(end, rel=1e-4, abs=1e-4)
        head = relu(x[2] @ w["first"] + w["first.b"])
        assert links.spans[2, node] == pytest.approx(head @ w["span"] @ last, rel=1e-4, abs=1e-4)


def test_a_word_of_the_question_may_go() -> None:
    w, x = weights(), nodes()
    links = Heads(w).links(x, CONTEXT)
    asked = x[1 + CONTEXT : -1]
    expected = relu(asked @ w["drop"] + w["drop.b"]) @ w["drop.w"] + w["drop.c"]
    assert links.deletions == pytest.approx(expected, rel=1e-4, abs=1e-4)


def test_phrases_go_by_their_slot_gap_and_span() -> None:
    w, x = weights(), nodes()
    heads = Heads(w)
    links = heads.links(x, CONTEXT)
    got = heads.phrases(links, 1, 2, 3, 5)
    expected = (
        relu(x[2 + CONTEXT] @ w["left"] + x[3 + CONTEXT] @ w["right"] + w["gap.b"])
        @ w["phrase.gap"][1]
        + relu(x[3] @ w["first"] + w["first.b"]) @ w["phrase.first"][1]
        + relu(x[5] @ w["last"] + w["last.b"]) @ w["phrase.last"][1]
        + w["phrase.b"][1]
    )
    assert got == pytest.approx(expected, rel=1e-4, abs=1e-4)


def test_several_threads_may_ask_at_once() -> None:
    heads, x = Heads(weights()), nodes()
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: heads.links(x, CONTEXT).starts, range(16)))
    assert all(np.array_equal(one, found[0]) for one in found)
