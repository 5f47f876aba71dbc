"""METEOR with the synonyms of a WordNet that the test writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from anaphora.errors import UsageError
from anaphora.evaluate.metrics import meteor, meteor_with_synonyms
from anaphora.evaluate.metrics.synonyms import WordNet
from anaphora.evaluate.scoring import measurable

FILES = {
    "index.noun": "  1 The licence stands here.\ncar n 2 1 @ 2 1 00000010 00000020  \n"
    "automobile n 1 2 @ ~ 1 1 00000010  \nwolf n 1 1 @ 1 0 00000030  \n",
    "index.verb": "stop v 1 1 @ 1 1 00000040  \nhalt v 1 1 @ 1 1 00000040  \n",
    "index.adj": "",
    "index.adv": "",
    "noun.exc": "wolves wolf\n",
    "verb.exc": "",
    "adj.exc": "",
    "adv.exc": "",
}


@pytest.fixture
def wordnet(tmp_path, monkeypatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.setenv("WNSEARCHDIR", str(tmp_path))
    return tmp_path


def test_synsets_of_inflected_forms(wordnet):
    installed = WordNet.installed()
    assert installed.synsets("automobiles") < installed.synsets("cars")
    assert installed.synsets("stopping") == frozenset()
    assert installed.synsets("halting") == installed.synsets("stops") == {("verb", "00000040")}
    assert installed.synsets("wolves") == {("noun", "00000030")}


def test_synonyms_match_where_stems_do_not(wordnet):
    prediction, reference = "the automobile halts", "the cars stop"
    assert meteor_with_synonyms(prediction, [reference], "en") == 1
    assert (meteor(prediction, [reference], "en") or 0) < 0.5
    # One synonym matches one word only.
    once = meteor_with_synonyms("an automobile car", ["a car"], "en")
    assert once == meteor("an x car", ["a car"], "en")


@pytest.mark.parametrize(
    ("lang", "text"),
    [("zh", "汽车停了"), ("ja", "車が止まる"), ("ar", "توقفت السيارة"), ("th", "รถหยุด"),
     ("vi", "xe dừng lại"), ("ru", "машина стоит"), ("tr", "araba durdu")],
)  # fmt: skip
def test_other_languages_need_no_wordnet(lang, text, monkeypatch, tmp_path):
    monkeypatch.setenv("WNSEARCHDIR", str(tmp_path))
    assert meteor_with_synonyms(text, [text], lang) == meteor(text, [text], lang) == 1


def test_without_a_wordnet_the_metric_is_refused_before_the_work(monkeypatch, tmp_path):
    monkeypatch.setenv("WNSEARCHDIR", str(tmp_path))
    with pytest.raises(UsageError, match="install the package wordnet-base"):
        measurable([], True, True, ["meteor with synonyms"])


def test_a_damaged_wordnet(wordnet):
    (wordnet / "index.verb").write_text("stop v many\n", "utf-8")
    with pytest.raises(UsageError, match="cannot be read"):
        WordNet(wordnet)
