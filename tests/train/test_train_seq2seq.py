"""Training a sequence-to-sequence rewriter, on tiny models made here."""

from __future__ import annotations

import logging

import pytest
from support import tiny_seq2seq
from support.conversations import understood

from anaphora.datasets.example import Example
from anaphora.errors import AnaphoraError
from anaphora.records import Conversation, Turn
from anaphora.rewrite.seq2seq import Seq2SeqRewriter

pytest.importorskip("torch", reason="needs the extra train")
from anaphora.train.seq2seq import Recipe, train_seq2seq

DIALOGUES = [
    ("who led them", "zappa", "when was he born", "when was zappa born"),
    ("who wrote it", "verdi", "where was he born", "where was verdi born"),
    ("故宫在哪", "北京", "它多大", "故宫多大"),
    ("где кремль", "москва", "он большой", "кремль большой"),
    ("أين الأهرام", "مصر", "متى بنيت", "متى بنيت الأهرام"),
    ("วัดอยู่ที่ไหน", "กรุงเทพ", "สร้างเมื่อไร", "วัดสร้างเมื่อไร"),
]


def example(asked, answered, question, rewrite):
    turns = (Turn("user", asked), Turn("assistant", answered), Turn("user", question))
    return Example(Conversation(turns), rewrites=(rewrite,))


EXAMPLES = [example(*texts) for texts in DIALOGUES]


@pytest.fixture
def base(tmp_path):
    return str(tiny_seq2seq.make(tmp_path / "base", [" ".join(texts) for texts in DIALOGUES]))


def weights(folder):
    from safetensors.torch import load_file

    return load_file(folder / "model.safetensors")


def test_a_tiny_model_learns_its_examples_and_rewrites_them(base, tmp_path, caplog):
    recipe = Recipe(steps=160, batch=6, at_once=6, learning_rate=1e-2)
    with caplog.at_level(logging.INFO, "anaphora"):
        folder = train_seq2seq(EXAMPLES, base, tmp_path / "out", recipe)
    assert caplog.messages[-1].startswith("160 of 160: loss 0.0")
    rewriter = Seq2SeqRewriter(str(folder))
    found = rewriter.rewrite([understood(one.conversation) for one in EXAMPLES])
    assert [rewrite.text for rewrite in found] == [texts[3] for texts in DIALOGUES]
    assert all(rewrite.confidence > 0.9 for rewrite in found)
    edit = found[0].edits[0]
    assert (edit.kind, edit.text, edit.replaced, edit.source_turn) == ("replace", "zappa", "he", 1)
    assert found[0].variants == ("when was he born",)
    assert [rewrite.lang for rewrite in found[2:]] == ["zh", "ru", "ar", "th"]


def test_an_interrupted_run_ends_with_the_same_weights(base, tmp_path):
    import torch

    recipe = Recipe(steps=8, batch=4, at_once=4, learning_rate=1e-3, checkpoint_seconds=0)
    straight = train_seq2seq(EXAMPLES, base, tmp_path / "straight", recipe)

    class Stop(Exception):
        pass

    def stop(task, done, total):
        if done == 5:
            raise Stop

    again = tmp_path / "stopped"
    with pytest.raises(Stop):
        train_seq2seq(EXAMPLES, base, again, recipe, stop)
    assert not (again / "model.safetensors").exists()
    train_seq2seq(EXAMPLES, base, again, recipe)
    mine, theirs = weights(straight), weights(again)
    assert all(torch.equal(mine[name], theirs[name]) for name in mine)
    first = weights(tmp_path / "base")
    assert any(not torch.equal(mine[name], first[name]) for name in first if "block" in name)


def test_how_a_batch_is_divided_changes_nothing(base, tmp_path):
    import torch

    found = [
        weights(
            train_seq2seq(
                EXAMPLES,
                base,
                tmp_path / f"by-{size}",
                Recipe(steps=2, batch=6, at_once=size, learning_rate=1e-3),
            )
        )
        for size in (1, 6)
    ]
    for name, value in found[0].items():
        assert torch.allclose(value, found[1][name], atol=1e-4), name


def test_a_run_with_another_recipe_is_not_continued(base, tmp_path):
    recipe = Recipe(steps=1, batch=2, learning_rate=1e-3)
    train_seq2seq(EXAMPLES, base, tmp_path / "out", recipe)
    with pytest.raises(AnaphoraError, match="a training run with batch 2"):
        train_seq2seq(
            EXAMPLES, base, tmp_path / "out", Recipe(steps=1, batch=3, learning_rate=1e-3)
        )


def test_there_must_be_something_to_learn_from(base, tmp_path):
    bare = Example(Conversation((Turn("user", "where"),)))
    with pytest.raises(AnaphoraError, match="none of the examples"):
        train_seq2seq([bare], base, tmp_path / "out")
