"""The commands that train, as a person types them."""

from importlib.util import find_spec

import pytest

from anaphora.cli import training

with_torch = pytest.mark.skipif(
    not (find_spec("torch") and find_spec("sacrebleu")), reason="needs the extra train"
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
