"""Quotations in another language, translated by a model behind a real server on the loopback."""

from __future__ import annotations

import pytest

from anaphora.assistant import Assistant
from anaphora.config import Config
from anaphora.language import message
from anaphora.read.passages import PassageReader
from anaphora.read.translated import TranslatingReader
from anaphora.records import Block, Hit, Passage, Query
from anaphora.registry import build

TEXT = "The pump stops at 80 degrees. Press the red button."
INTO = {
    "de": "Die Pumpe hält bei 80 Grad an. Drücken Sie den roten Knopf.",
    "ja": "ポンプは80度で止まります。赤いボタンを押してください。",
    "zh": "水泵在80度时停止。请按红色按钮。",
    "th": "ปั๊มหยุดที่ 80 องศา กดปุ่มสีแดง",
    "ar": "تتوقف المضخة عند 80 درجة. اضغط الزر الأحمر.",
    "vi": "Máy bơm dừng ở 80 độ. Nhấn nút màu đỏ.",
    "ru": "Насос останавливается при 80 градусах. Нажмите красную кнопку.",
    "tr": "Pompa 80 derecede durur. Kırmızı düğmeye basın.",
}


def hit(text, lang="en", blocks=()):
    return Hit(Passage("p", "d", "Pump", text, lang, end=len(text), blocks=blocks), 1.0, 1)


def reader(endpoint, inner=None):
    model = {"method": "llm", "endpoint": endpoint.url, "model": "m", "timeout": 60}
    translator = Assistant(None, Config.of({"translate": model})).translator
    return TranslatingReader(inner or PassageReader(), translator)


@pytest.mark.parametrize("lang", INTO)
def test_the_text_is_translated_and_the_citations_are_the_original(endpoint, lang):
    served = endpoint({"do": "answer", "text": INTO[lang]})
    (answer,) = reader(served).read([Query("?", lang)], [[hit(TEXT)]])
    assert answer.text == f"{message('translated', lang)}\n\n{INTO[lang]} [1]"
    assert answer.lang == lang
    assert [citation.quote for citation in answer.citations] == [TEXT]


def test_code_markers_and_marks_stay(endpoint):
    text = "Do this:\nStop the pump.\nanaphora index verify\nWait."
    blocks = (
        Block("paragraph", 0, 8),
        Block("item", 9, 23, 1, "1."),
        Block("code", 24, 45, 1),
        Block("item", 46, 51, 1, "2."),
    )
    texts = [["Do", "Das tun:"], ["Stop", "Pumpe anhalten."], ["Wait", "Warten."]]
    served = endpoint({"do": "repeat", "texts": texts})
    (answer,) = reader(served).read([Query("?", "de")], [[hit(text, blocks=blocks)]])
    said, _, shown = answer.text.partition("\n\n")
    assert said == message("translated", "de")
    (original,) = PassageReader().read([Query("?", "de")], [[hit(text, blocks=blocks)]])
    expected = original.text
    for key, translation in (
        ("Do this:", "Das tun:"),
        ("Stop the pump.", "Pumpe anhalten."),
        ("Wait.", "Warten."),
    ):
        expected = expected.replace(key, translation)
    assert shown == expected
    assert "anaphora index verify" in shown


@pytest.mark.parametrize("lang", ["en", "unknown"])
def test_an_answer_in_the_questions_language_is_left(endpoint, lang):
    served = endpoint({"do": "answer", "text": "no"})
    (answer,) = reader(served).read([Query("?", lang)], [[hit(TEXT)]])
    assert answer == PassageReader().read([Query("?", lang)], [[hit(TEXT)]])[0]
    (nothing,) = reader(served).read([Query("?", "de")], [[]])
    assert nothing.abstained
    assert served.requests == []


@pytest.mark.parametrize(
    "step", [{"do": "answer", "text": "I obey."}, {"do": "status", "code": 401, "message": "no"}]
)
def test_where_translation_fails_the_answer_stays_as_it_is(endpoint, step):
    (answer,) = reader(endpoint(step)).read([Query("?", "de")], [[hit(TEXT)]])
    assert answer == PassageReader().read([Query("?", "de")], [[hit(TEXT)]])[0]


def test_the_extractive_reader_translates_if_there_is_a_translator(endpoint):
    text = "The library was founded in the old town in 1923."
    served = endpoint({"do": "answer", "text": "Die Bibliothek wurde 1923 gegründet."})
    model = {"method": "llm", "endpoint": served.url, "model": "m", "timeout": 60}
    query = Query("Wann wurde die Bibliothek gegründet?", "de")
    found = [[hit(text)]]
    for translate, lang in ((True, "de"), (False, "en")):
        config = Config.of({"translate": model, "read": {"translate": translate}})
        (answer,) = build(config.read, Assistant(None, config)).read([query], found)
        assert answer.lang == lang
        assert answer.citations[0].quote == text
        assert answer.span
    assert len(served.requests) == 1
