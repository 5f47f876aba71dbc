"""The commands that train, as a person types them."""

import json
from importlib.util import find_spec
from pathlib import Path

import pytest
from support import dialogues, tiny_encoder, tiny_seq2seq, towns
from support.conversations import understood

from anaphora.assistant import Assistant
from anaphora.cli.training import options
from anaphora.config import Config
from anaphora.records import Conversation, Query, Turn
from anaphora.registry import build
from anaphora.rewrite.seq2seq import Seq2SeqRewriter

TEXT = Path(__file__).parents[2] / "training"

with_torch = pytest.mark.skipif(
    not all(map(find_spec, ("torch", "transformers", "sacrebleu"))), reason="needs the extra train"
)


def test_without_the_extra_one_sentence_says_what_to_install(anaphora, tmp_path, monkeypatch):
    monkeypatch.setattr(options, "find_spec", lambda name: None)
    done = anaphora("train", "rewriter", tmp_path, tmp_path / "out")
    assert done.code == 1
    assert done.err == 'anaphora: training needs an extra: pip install "anaphora[train]"\n'
    assert not (tmp_path / "out").exists()


@with_torch
def test_missing_data_sets_are_named_before_any_work(anaphora, tmp_path):
    (tmp_path / "canard").mkdir()
    (tmp_path / "canard" / "dev.json").write_text("[]")
    done = anaphora("train", "rewriter", tmp_path, tmp_path / "out", "--text", TEXT)
    assert done.code == 2
    assert "lacks canard/train_partial_history.jsonl, gecor_camrest676/" in done.err
    assert "canard/dev.json" not in done.err
    assert "jsquad_ja/valid-v1.3.json" in done.err
    assert not (tmp_path / "out").exists()


@with_torch
@pytest.mark.parametrize("command", ["rewriter", "judge"])
def test_missing_training_text_is_named_before_any_work(anaphora, tmp_path, command):
    (tmp_path / "passages").mkdir()
    given = ("--text", tmp_path)
    done = anaphora("train", command, tmp_path, tmp_path / "out", *given)
    assert done.code == 2
    missing = "conversations, follow-ups, translations.jsonl, templates.toml"
    assert f"{tmp_path} lacks {missing}" in done.err
    assert "passages" not in done.err
    assert "--text" in done.err
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
    for part in ("DATA", "OUT", "--text", "--epochs", "--seed"):
        assert part in done.out


@with_torch
def test_a_sequence_to_sequence_rewriter_is_trained_and_rewrites(anaphora, tmp_path):
    dialogues = [("Who was Zappa?", "Where was he born?", "Where was Zappa born?")] * 3
    dialogues += [("谁是扎帕？", "他在哪里出生？", "扎帕在哪里出生？")] * 3
    base = tiny_seq2seq.make(tmp_path / "base", [" ".join(texts) for texts in dialogues])
    lines = [
        {
            "id": str(number),
            "turns": [{"role": "user", "text": text} for text in turns],
            "rewrite": rewrite,
        }
        for number, (*turns, rewrite) in enumerate(dialogues)
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (tmp_path / "dialogues.jsonl").write_text(text, "utf-8")
    out = tmp_path / "out"
    done = anaphora("train", "seq2seq", base, tmp_path / "dialogues.jsonl", out, "--steps", 2)
    assert done.code == 0, done.err
    assert f"written: {out}" in done.err
    rewriter = Seq2SeqRewriter(str(out))
    conversation = Conversation(
        (Turn("user", "Who was Zappa?"), Turn("user", "Where was he born?"))
    )
    [rewrite] = rewriter.rewrite([understood(conversation)])
    assert rewrite.text


@with_torch
def test_a_data_set_without_rewrites_trains_no_sequence_to_sequence_model(anaphora, tmp_path):
    base = tiny_seq2seq.make(tmp_path / "base", ["Why?"])
    line = {"id": "1", "turns": [{"role": "user", "text": "Why?"}]}
    (tmp_path / "dialogues.jsonl").write_text(json.dumps(line) + "\n", "utf-8")
    done = anaphora("train", "seq2seq", base, tmp_path / "dialogues.jsonl", tmp_path / "out")
    assert done.code == 1
    assert "none of the examples has a question and a rewrite to learn from" in done.err


@with_torch
@pytest.mark.parametrize("kind", ["seq2seq", "fid"])
def test_a_reader_is_trained_and_answers(anaphora, tmp_path, kind):
    data = dialogues.write(tmp_path / "dialdoc")
    base = tiny_seq2seq.make(tmp_path / "base", [dialogues.LETTERS], "MT5")
    out = tmp_path / "out"
    given = ("--kind", kind, "--model", base, "--steps", 2, "--passages", 2)
    done = anaphora("train", "reader", data, out, *given)
    assert done.code == 0, done.err
    assert f"written: {out}" in done.err
    settings = {"method": kind, "model": str(out), "min_length": 5, "max_length": 9}
    config = Config.of({"read": settings, "check": {"method": "none"}})
    reader = build(config.read, Assistant(None, config))
    [answer] = reader.read([Query("Où est la chaudière ?", "fr")], [dialogues.hits("À la cave.")])
    assert answer.text
    assert not answer.abstained


@with_torch
def test_a_reader_of_no_known_kind_or_input(anaphora, tmp_path):
    data = dialogues.write(tmp_path / "dialdoc")
    for option, message in (("--kind", "seq2seq or fid"), ("--input", "question or history or")):
        done = anaphora("train", "reader", data, tmp_path / "out", "--model", "x", option, "poem")
        assert done.code == 2
        assert f"{option} must be {message}" in done.err


@with_torch
def test_a_retriever_is_trained_and_searches(anaphora, tmp_path):
    data = towns.write(tmp_path / "towns.jsonl", towns.pairs(1, 4))
    out = tmp_path / "out"
    given = ("--epochs", 1, "--mine", "bm25", "--ranks", "1-3", "--batch", 4, "--layers", 4)
    done = anaphora("train", "retriever", data, data, out, *given)
    assert done.code == 0, done.err
    assert f"written: {out}" in done.err
    done = anaphora("eval", "retrieve", data, "--encoder", out, "--out", tmp_path / "runs")
    assert done.code == 0, done.err
    done = anaphora("eval", "retrieve", data, "--encoder", out, "--lexical")
    assert done.code == 2
    assert "--encoder cannot be used with --lexical, which has no vectors" in done.err
    (tmp_path / "town.txt").write_text(towns.pairs(1, 1)[0][1], "utf-8")
    index = ("--index", tmp_path / "index")
    assert anaphora("index", tmp_path / "town.txt", *index, "--encoder", out).code == 0
    done = anaphora("search", towns.pairs(1, 1)[0][0], *index, "--model", "dense")
    assert done.code == 0, done.err
    assert "town.txt" in done.out


@with_torch
@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--query", "poem", "--query must be linking or newest or oldest or question"),
        ("--mine", "poem", "--mine must be bm25 or dense or hybrid or none"),
        ("--ranks", "5-2", "--ranks must be two ranks such as 1-10"),
        ("--margin", "0", "--margin must be more than 0"),
        ("--layers", "5", "--layers must be 4, 9, 12"),
        ("--languages", "zh", "--languages must be mixed or same"),
    ],
)
def test_wrong_settings_of_a_retriever(anaphora, tmp_path, option, value, message):
    data = towns.write(tmp_path / "towns.jsonl", towns.pairs(1, 4))
    done = anaphora("train", "retriever", data, tmp_path / "out", option, value)
    assert done.code == 2
    assert message in done.err


@with_torch
def test_a_reranker_is_trained_and_reranks(anaphora, tmp_path):
    data = towns.write(tmp_path / "towns.jsonl", towns.pairs(1, 8))
    base = tiny_encoder.make(tmp_path / "base", [towns.letters()])
    out = tmp_path / "out"
    given = ("--model", base, "--loss", "pointwise", "--epochs", 1, "--mine", "none")
    done = anaphora("train", "reranker", data, out, *given)
    assert done.code == 0, done.err
    assert f"written: {out}" in done.err
    chosen = f"rerank.method=crossencoder,rerank.model={out}"
    runs = ("--out", tmp_path / "runs", "--lexical")
    done = anaphora("eval", "retrieve", data, "-p", chosen, *runs)
    assert done.code == 0, done.err
    done = anaphora("train", "reranker", data, out, "--model", base, "--loss", "poem")
    assert done.code == 2
    assert "--loss must be pointwise or listwise" in done.err


@with_torch
@pytest.mark.parametrize(
    ("options", "said"),
    [(["--graded"], "name their indexes with --manuals"), (["--manuals", "x"], "with --from")],
)
def test_training_on_manuals_names_what_it_lacks(anaphora, tmp_path, options, said):
    done = anaphora("train", "judge", tmp_path, tmp_path / "out", *options)
    assert done.code == 2
    assert said in done.err
    assert "Traceback" not in done.err
