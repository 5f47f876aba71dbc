"""Translation with tiny models of the real architectures, which learn three sentences here."""

from __future__ import annotations

import pytest
from support import tiny_translators
from support.corpus import TARGETS

from anaphora.errors import ModelUnavailable
from anaphora.translate.seq2seq import Seq2SeqTranslator

PAIRS = [
    ("La chaudière est à la cave.", "锅炉在地下室。"),
    ("Elle date de 1932.", "它建于1932年。"),
    ("Où est-elle?", "它在哪里?"),
]
TEXTS = [text for pair in PAIRS for text in pair]


@pytest.fixture(scope="module", params=["nllb", "m2m", "marian"])
def folder(request, tmp_path_factory):
    place = tmp_path_factory.mktemp("models") / request.param
    made = getattr(tiny_translators, request.param)(place, TEXTS)
    return tiny_translators.teach(made, "fr", "zh", PAIRS)


def test_sentences_are_translated_one_by_one_into_the_language(folder):
    translator = Seq2SeqTranslator(str(folder))
    texts = ["La chaudière est à la cave. Elle date de 1932.", "Où est-elle?\n\nElle date de 1932."]
    together = translator.translate(texts, "fr", "zh")
    assert together == ["锅炉在地下室。它建于1932年。", "它在哪里?\n\n它建于1932年。"]
    assert [translator.translate([text], "fr", "zh")[0] for text in texts] == together
    assert translator.translate([], "fr", "zh") == []


def test_what_is_not_faithful_is_not_given(folder):
    translator = Seq2SeqTranslator(str(folder), beams=1)
    (made,) = translator.translate(["Elle date de 1923, de 1932 et de 1392."], "fr", "zh")
    assert made == ""


def test_the_model_is_told_both_languages(tmp_path):
    place = tiny_translators.nllb(tmp_path / "tiny", TEXTS)
    translator = Seq2SeqTranslator(str(place))
    model = translator._model("fr", "zh")
    for lang in TARGETS:
        _, decoding = translator._languages(model, "fr", lang)
        assert decoding.first == model.tokenizer.convert_tokens_to_ids(
            tiny_translators.TOKENS["nllb"].split()[TARGETS.index(lang)]
        )
        translator._languages(model, lang, "en")
        (ids,) = model.token_ids(["La cave"], 50)
        token = tiny_translators.TOKENS["nllb"].split()[TARGETS.index(lang)]
        assert model.tokenizer.convert_ids_to_tokens(ids)[0] == token
    with pytest.raises(ModelUnavailable, match="does not translate from fr into nl"):
        translator.translate(["Où ?"], "fr", "nl")


def test_a_model_of_one_pair_is_named_by_its_languages(tmp_path):
    place = tiny_translators.marian(tmp_path / "opus-mt-fr-zh", TEXTS, ("fr", "zh"))
    tiny_translators.teach(place, "fr", "zh", PAIRS)
    translator = Seq2SeqTranslator(str(tmp_path / "opus-mt-{source}-{target}"))
    assert translator.translate(["Où est-elle?"], "fr", "zh") == ["它在哪里?"]
    with pytest.raises(ModelUnavailable, match="opus-mt-zh-fr"):
        translator.translate(["它在哪里?"], "zh", "fr")
    with pytest.raises(ModelUnavailable, match="does not translate from zh into fr"):
        Seq2SeqTranslator(str(place)).translate(["它在哪里?"], "zh", "fr")
