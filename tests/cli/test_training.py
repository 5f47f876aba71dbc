"""The commands that train, as a person types them."""

import json
from importlib.util import find_spec

import pytest
from support import tiny_seq2seq
from support.conversations import understood

from anaphora.cli import training
from anaphora.records import Conversation, Turn
from anaphora.rewrite.seq2seq import Seq2SeqRewriter

with_torch = pytest.mark.skipif(
    not all(map(find_spec, ("torch", "transformers", "sacrebleu"))), reason="needs the extra train"
)


def test_without_the_extra_one_sentence_says_what_to_install(anaphora, tmp_path, monkeypatch):
    monkeypatch.setattr(training, "find_spec", lambda name: None)
    done = anaphora("train", "rewriter", tmp_path, tmp_path / "out")
    assert done.code == 1
    assert done.err == 'anaphora: training needs an extra: pip install "anaphora[train]"\n'
    assert not (tmp_path / "out").exists()


@with_torch
def test_what_the_folder_of_data_lacks_is_named_before_any_work(anaphora, tmp_path):
    (tmp_path / "canard").mkdir()
    (tmp_path / "canard" / "dev.json").write_text("[]")
    done = anaphora("train", "rewriter", tmp_path, tmp_path / "out")
    assert done.code == 2
    assert "lacks canard/train_partial_history.jsonl, gecor_camrest676/" in done.err
    assert "canard/dev.json" not in done.err
    assert "jsquad_ja/valid-v1.3.json" in done.err
    assert not (tmp_path / "out").exists()


@with_torch
@pytest.mark.parametrize("epochs", ["0", "-1", "nan"])
def test_epochs_are_more_than_none(anaphora, tmp_path, epochs):
    done = anaphora("train", "rewriter", tmp_path, tmp_path / "out", "--epochs", epochs)
    assert done.code == 2
    assert "--epochs must be more than 0" in done.err


def test_help_names_data_and_options(anaphora):
    assert "rewriter" in anaphora("train", "--help").out
    done = anaphora("train", "rewriter", "--help")
    assert done.code == 0
    for part in ("DATA", "OUT", "--epochs", "--seed"):
        assert part in done.out


@with_torch
def test_a_sequence_to_sequence_rewriter_is_trained_and_rewrites(anaphora, tmp_path):
    talks = [("Who was Zappa?", "Where was he born?", "Where was Zappa born?")] * 3
    talks += [("谁是扎帕？", "他在哪里出生？", "扎帕在哪里出生？")] * 3
    base = tiny_seq2seq.make(tmp_path / "base", [" ".join(texts) for texts in talks])
    lines = [
        {
            "id": str(number),
            "turns": [{"role": "user", "text": text} for text in said],
            "rewrite": rewrite,
        }
        for number, (*said, rewrite) in enumerate(talks)
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (tmp_path / "talks.jsonl").write_text(text, "utf-8")
    out = tmp_path / "out"
    done = anaphora("train", "seq2seq", base, tmp_path / "talks.jsonl", out, "--steps", 2)
    assert done.code == 0, done.err
    assert f"written: {out}" in done.err
    rewriter = Seq2SeqRewriter(str(out))
    talk = Conversation((Turn("user", "Who was Zappa?"), Turn("user", "Where was he born?")))
    [made] = rewriter.rewrite([understood(talk)])
    assert made.text


@with_torch
def test_a_set_without_rewrites_teaches_no_sequence_to_sequence_model(anaphora, tmp_path):
    base = tiny_seq2seq.make(tmp_path / "base", ["Why?"])
    line = {"id": "1", "turns": [{"role": "user", "text": "Why?"}]}
    (tmp_path / "talks.jsonl").write_text(json.dumps(line) + "\n", "utf-8")
    done = anaphora("train", "seq2seq", base, tmp_path / "talks.jsonl", tmp_path / "out")
    assert done.code == 1
    assert "none of the examples has a question and a rewrite to learn from" in done.err
