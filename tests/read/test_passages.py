"""The baseline that shows the first passages."""

from __future__ import annotations

import pytest

from anaphora.config import Config
from anaphora.read.passages import PassageReader
from anaphora.records import Hit, Passage, Query

TWO = {
    "en": "The boiler stands in the cellar. The red valve closes the gas pipe.",
    "zh": "锅炉放在地下室。红色阀门关闭煤气管道。",
    "ja": "ボイラーは地下室にあります。赤いバルブはガス管を閉めます。",
    "ar": "توجد الغلاية في القبو. الصمام الأحمر يغلق أنبوب الغاز.",
    "th": "หม้อไอน้ำอยู่ที่ชั้นใต้ดินของอาคารนี้ วาล์วสีแดงปิดท่อแก๊สของอาคารนี้",
    "vi": "Nồi hơi đặt dưới tầng hầm. Van màu đỏ đóng đường ống khí đốt.",
    "ru": "Котёл стоит в подвале. Красный вентиль закрывает газовую трубу.",
    "tr": "Kazan bodrumda duruyor. Kırmızı vana gaz borusunu kapatır.",
}


def hits(lang: str, count: int = 4) -> list[Hit]:
    return [
        Hit(Passage(f"p{n}", f"d{n}", f"Title {n}", TWO[lang], lang), 1 / n, n)
        for n in range(1, count + 1)
    ]


@pytest.mark.parametrize("lang", TWO)
def test_whole_sentences_up_to_a_number_of_words(lang):
    whole, short = (
        PassageReader(words=words).read([Query("?", lang)], [hits(lang)])[0] for words in (0, 1)
    )
    assert [one.quote for one in whole.citations] == [TWO[lang]] * 3
    assert whole.text.endswith("[3]")
    (only,) = short.citations
    assert TWO[lang].startswith(only.quote)
    assert 0 < len(only.quote) < len(TWO[lang])
    for answer in (whole, short):
        for one in answer.citations:
            assert TWO[lang][one.start : one.end] == one.quote


def test_the_words_are_those_of_all_passages_together():
    reader = PassageReader(passages=3, words=20)
    (answer,) = reader.read([Query("?", "en")], [hits("en")])
    first, second = answer.citations
    assert first.quote == TWO["en"]
    assert second.quote == "The boiler stands in the cellar."


def test_nothing_was_found():
    (answer,) = PassageReader().read([Query("哪里？", "zh")], [[]])
    assert answer.abstained
    assert answer.lang == "zh"


def test_by_name():
    config = Config.of({"read": {"method": "passages", "passages": 2, "words": 90}})
    assert config.read == PassageReader(2, 90)
    assert config.to_dict()["read"] == {"method": "passages", "passages": 2, "words": 90}
