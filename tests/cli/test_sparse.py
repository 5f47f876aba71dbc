"""Sparse weights from the command line, with a small random masked-language model."""

from __future__ import annotations

import json
import sys

import pytest
from support import tiny_encoder, tiny_mlm

PAGES = {
    "ar": "تطل الشرفة على البحر.",
    "en": "The boiler stands in the cellar.",
    "ja": "屋根裏部屋には古い写真がある。",
    "ru": "Баня топится дровами.",
    "th": "สระว่ายน้ำลึกสองเมตร",
    "tr": "Çatı katında piyano var.",
    "vi": "Mái hiên lợp ngói đỏ.",
    "zh": "备用钥匙放在花盆下面。",
}


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return tiny_mlm.make(tmp_path_factory.mktemp("mlm"), PAGES.values())


@pytest.fixture
def docs(tmp_path):
    folder = tmp_path / "docs"
    folder.mkdir()
    for lang, text in PAGES.items():
        (folder / f"{lang}.md").write_text(text, "utf-8")
    return folder


def test_an_index_with_sparse_weights_is_searched_and_keeps_them(anaphora, docs, model, tmp_path):
    index = tmp_path / "index"
    done = anaphora("index", docs, "--lexical", "--sparse", model, "--index", index)
    assert done.code == 0, done.err
    assert "8 passages given sparse weights" in done.out
    for text in PAGES.values():
        hits = anaphora("search", text, "--model", "sparse", "--index", index, "--json").json
        assert all(set(hit["sources"]) == {"sparse"} for hit in hits["hits"])
        assert hits["hits"]
    (docs / "more.md").write_text("Ещё одна страница.", "utf-8")
    again = anaphora("index", docs, "--sparse", model, "--index", index, "--lexical", "--json").json
    assert (again["weighed"], again["unchanged"]) == (1, 8)
    listed = anaphora("index", "list", "--index", index, "--json").json
    assert (listed["sparse_encoder"], listed["without_sparse_weights"]) == (model, 0)
    assert f"sparse weights of {model}" in anaphora("index", "list", "--index", index).out


def test_weights_stay_until_an_index_becomes_lexical(anaphora, docs, model, tmp_path):
    index = tmp_path / "index"
    assert anaphora("index", docs, "--sparse", model, "--index", index).code == 0
    (docs / "more.md").write_text("Ещё одна страница.", "utf-8")
    assert anaphora("index", docs, "--index", index, "--json").json["weighed"] == 1
    settings = tmp_path / "settings.toml"
    settings.write_text("[retrieve]\nsparse_weight = 1.0\n", "utf-8")
    form = anaphora("search", "Çatı", "--index", index, "--config", settings, "--json").json
    assert {"lexical", "dense", "sparse"} == {
        name for hit in form["hits"] for name in hit["sources"]
    }
    anaphora("index", docs, "--lexical", "--index", index)
    ran = anaphora("search", "Çatı", "--model", "sparse", "--index", index)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "has no sparse weights; index it with --sparse MODEL" in ran.err


def test_lost_weights_are_reported_repaired_and_made_again(anaphora, docs, model, tmp_path):
    index = tmp_path / "index"
    options = ("--lexical", "--sparse", model, "--index", index)
    anaphora("index", docs, *options)
    (path,) = (index / "segments").glob("*.impacts")
    path.write_bytes(path.read_bytes()[:-9])
    ran = anaphora("index", "verify", "--index", index)
    assert ran.code == 1
    assert ".impacts is cut short" in ran.err
    assert (
        "8 passages have no sparse weights now" in anaphora("index", "repair", "--index", index).out
    )
    form = anaphora("index", "verify", "--index", index, "--json").json
    assert form["without_sparse_weights"] == 8
    assert form["problems"] == ["8 of 8 passages have no sparse weights"]
    noted = anaphora("search", "ngói", "--model", "sparse", "--index", index)
    assert "8 of 8 passages have no sparse weights" in noted.err.replace("\n", " ")
    anaphora("index", docs, *options)
    assert "is whole" in anaphora("index", "verify", "--index", index).out


def test_eval_measures_it(anaphora, model, tmp_path):
    with (tmp_path / "passages.jsonl").open("w", encoding="utf-8") as file:
        for lang, text in PAGES.items():
            file.write(json.dumps({"_id": lang, "text": text}) + "\n")
    with (tmp_path / "turns.jsonl").open("w", encoding="utf-8") as file:
        for lang, text in PAGES.items():
            turns = [{"role": "user", "text": text}]
            file.write(json.dumps({"id": lang, "turns": turns, "relevant": [lang]}) + "\n")
    done = anaphora(
        "eval", "retrieve", tmp_path / "turns.jsonl", "--lexical", "--sparse", model,
        "-p", "splade: retrieve.model=sparse,rewrite.method=none",
        "-p", "idf: retrieve.model=sparse,retrieve.sparse_queries=idf,rewrite.method=none",
        "--out", tmp_path / "runs", "--metric", "MRR@10", "--json",
    )  # fmt: skip
    assert done.code == 0, done.err
    assert [one["name"] for one in done.json] == ["splade", "idf"]
    ran = anaphora(
        "eval", tmp_path / "turns.jsonl", "--sparse", model, "--index", tmp_path / "index"
    )
    assert ran.code == 2
    assert "--sparse cannot be used with --index" in ran.err


def test_what_cannot_give_weights_is_one_line(anaphora, docs, tmp_path, monkeypatch):
    other = tiny_encoder.make(tmp_path / "bert", PAGES.values())
    ran = anaphora("index", docs, "--sparse", other, "--index", tmp_path / "index")
    assert ran.code == 1
    assert "is not a masked-language model" in ran.err.splitlines()[-1]
    assert "MISSING" not in ran.err
    assert not (tmp_path / "index").exists()
    monkeypatch.setitem(sys.modules, "transformers", None)
    ran = anaphora("index", docs, "--sparse", "naver/splade-v3", "--index", tmp_path / "index")
    assert ran.code == 1
    assert 'needs transformers and torch: `pip install "anaphora[hf]"`' in ran.err
