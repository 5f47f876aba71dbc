"""The losses of retrievers by hand, gradients in chunks, and what a batch holds."""

from __future__ import annotations

import math
import random

import pytest

pytest.importorskip("torch", reason="needs the extra train")
import torch

from anaphora.records import Hit, Passage
from anaphora.train.retriever.batches import Batch, assembled, plan
from anaphora.train.retriever.losses import contrastive, distilled, in_chunks
from anaphora.train.retriever.questions import Material, Mining, Question, _mined

LANGS = ("zh", "th", "ar", "vi")


def batch(own, blocked=None, teacher=None):
    count = 1 + int(max(map(max, own)))
    return Batch(
        [""] * len(own),
        [""] * count,
        torch.tensor(own),
        torch.zeros(len(own), count, dtype=torch.bool) if blocked is None else blocked,
        None if teacher is None else torch.tensor(teacher),
    )


def test_a_passage_that_also_answers_is_no_negative():
    similar = torch.tensor([[0.5, 0.9], [0.1, 0.8]])
    blocked = torch.tensor([[False, True], [False, False]])
    loss = contrastive(similar, batch([[0], [1]], blocked), 0.1)
    second = math.log(1 + math.exp((0.1 - 0.8) / 0.1))
    assert float(loss) == pytest.approx(second / 2, abs=1e-6)


def test_a_student_that_scores_like_its_teacher_has_nothing_to_learn():
    similar = torch.tensor([[0.5, 0.3, 0.0], [0.2, 0.0, 0.6]])
    own = [[0, 1, -1], [2, 0, 1]]
    same = batch(own, teacher=[[5.0, 3.0, 0.0], [6.0, 2.0, 0.0]])
    other = batch(own, teacher=[[3.0, 5.0, 0.0], [6.0, 2.0, 0.0]])
    for way in ("kl", "margin"):
        assert float(distilled(similar, same, 0.1, way)) == pytest.approx(0, abs=1e-5)
    assert float(distilled(similar, other, 0.1, "kl")) > 0.1
    assert float(distilled(similar, other, 0.1, "margin")) == pytest.approx((2 + 2) ** 2 / 3)


def test_chunks_have_the_gradients_and_the_loss_of_the_whole_batch():
    torch.manual_seed(3)
    layer = torch.nn.Sequential(torch.nn.Linear(6, 4), torch.nn.Tanh())
    inputs = [torch.randn(length, 6) for length in (3, 1, 4, 2, 6, 5, 2, 7)]
    pairs = batch([[0], [1], [2], [3]])
    results = []
    for chunk in (8, 3, 1):
        layer.zero_grad()
        total = 0.0

        def loss(vectors):
            similar = vectors[:4] @ vectors[4:].T
            return {"a": contrastive(similar, pairs, 0.5), "b": similar.square().mean()}

        def embed(part):
            return torch.stack([layer(one).mean(0) for one in part])

        for parts in in_chunks(embed, inputs, chunk, loss):
            torch.stack(list(parts.values())).sum().backward()
            total += sum(float(one.detach()) for one in parts.values())
        results.append((total, [one.grad.clone() for one in layer.parameters()]))
    for total, gradients in results[1:]:
        assert total == pytest.approx(results[0][0], rel=1e-5)
        for mine, whole in zip(gradients, results[0][1], strict=True):
            assert torch.allclose(mine, whole, atol=1e-6)


def test_both_passes_of_a_chunk_drop_out_the_same():
    drop = torch.nn.Dropout(0.5)
    seen = []

    def embed(part):
        seen.append(drop(torch.ones(len(part), 32, requires_grad=True)))
        return seen[-1]

    list(in_chunks(embed, [[1]] * 4, 2, lambda vectors: {"a": vectors.sum()}))
    first, second, again, also = seen
    assert torch.equal(first, again)
    assert torch.equal(second, also)
    assert not torch.equal(first, second)


def material(count=24):
    passages, questions = {}, []
    for number in range(count):
        lang = LANGS[number % len(LANGS)]
        for kind in "ab":
            passages[f"{kind}{number}"] = Passage(f"{kind}{number}", "d", "", f"{number}", lang)
        questions.append(Question(f"{number}?", lang, (f"a{number}",), (f"b{number}",)))
    return Material(questions, passages)


def test_batches_of_one_language_and_every_question_once_an_epoch():
    data = material()
    for languages in ("mixed", "same"):
        batches = plan(data, 4, 2, 7, languages)
        assert batches == plan(data, 4, 2, 7, languages)
        assert batches != plan(data, 4, 2, 8, languages)
        half = len(batches) // 2
        for epoch in (batches[:half], batches[half:]):
            assert sorted(row for rows in epoch for row in rows) == list(range(24))
        kinds = [{data.questions[row].lang for row in rows} for rows in batches]
        assert all(len(one) == 1 for one in kinds) == (languages == "same")
    assert len(plan(data, 4, 0.5, 7, "mixed")) == 3


def test_a_batch_has_each_passage_once_and_blocks_known_answers():
    data = material(4)
    both = Question("4?", "zh", ("a0", "a1"), ("b0",))
    one = assembled(
        Material([*data.questions, both], data.passages), [0, 1, 4], 2, random.Random(1)
    )
    assert one.own.shape == (3, 3)
    assert one.own[:, 2].tolist() == [-1, -1, -1]
    assert len(one.passages) == 4
    (column,) = one.blocked[2].nonzero().flatten().tolist()
    assert column in (0, 2)
    assert column != int(one.own[2, 0])
    assert not one.blocked[:2].any()


def test_mined_are_the_hits_of_the_window_that_are_not_too_near():
    names = ["n1", "gold", "n2", "n3", "n4"]
    cosines = [0.9, 0.88, 0.86, 0.82, 0.8]
    found = [
        Hit(Passage(name, "d", "", name, "ja"), 1.0, rank, cosine=cosine)
        for rank, (name, cosine) in enumerate(zip(names, cosines, strict=True), 1)
    ]
    plain = [Hit(one.passage, one.score, one.rank) for one in found]
    gold = Passage("gold", "d", "", "gold", "ja")

    def mined(hits, **settings):
        return [one.passage.passage_id for one in _mined(hits, [gold], Mining(**settings))]

    assert mined(found) == ["n3", "n4"]
    assert mined(found, margin=1.0) == ["n2", "n3", "n4"]
    assert mined(plain) == ["n1", "n2", "n3", "n4"]
    assert mined(plain, first=2, last=3) == ["n2", "n3"]
    copy = Hit(Passage("copy", "another", "", "gold", "ja"), 1.0, 1, cosine=0.9)
    assert mined([copy, *found]) == ["n3", "n4"]
