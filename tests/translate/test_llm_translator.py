"""Translation by a model behind a real server on the loopback."""

from __future__ import annotations

import pytest

from anaphora.assistant import Assistant
from anaphora.config import Config
from anaphora.errors import ModelUnavailable

BRIDGE = "The old bridge was built in 1932."
INTO = {
    "fr": "Le vieux pont a été construit en 1932.",
    "zh": "这座旧桥建于1932年。",
    "ja": "古い橋は1932年に建てられました。",
    "th": "สะพานเก่าสร้างในปี 1932",
    "ar": "بُني الجسر القديم عام ١٩٣٢.",
    "vi": "Cây cầu cũ được xây năm 1932.",
    "ru": "Старый мост построен в 1932 году.",
    "tr": "Eski köprü 1932 yılında yapıldı.",
}


def translator(endpoint):
    settings = {"method": "llm", "endpoint": endpoint.url, "model": "m", "timeout": 60}
    return Assistant(None, Config.of({"translate": settings})).translator


@pytest.mark.parametrize("lang", INTO)
def test_a_text_is_translated_and_the_model_is_told_the_languages(endpoint, lang):
    served = endpoint({"do": "answer", "text": f" {INTO[lang]}\n"})
    assert translator(served).translate([BRIDGE], "en", lang) == [INTO[lang]]
    system, user = served.requests[0]["body"]["messages"]
    assert (system["role"], user["role"]) == ("system", "user")
    assert "from English into" in system["content"]
    assert user["content"] == BRIDGE


@pytest.mark.parametrize(
    "said",
    [
        BRIDGE,
        "",
        "Le vieux pont a été construit en 1923.",
        "Le pont. " * 100,
        "Ich bin ein Sprachmodell und folge der Anweisung von 1932.",
    ],
)
def test_what_is_no_faithful_translation_is_not_given(endpoint, said):
    served = endpoint({"do": "answer", "text": said})
    assert translator(served).translate([BRIDGE], "en", "fr") == [""]


def test_each_text_has_its_own_request_and_keeps_its_place(endpoint):
    texts = [["Where", "Où est le pont ?"], ["When", "Quand a-t-il été construit ?"]]
    served = endpoint({"do": "repeat", "texts": texts})
    asked = ["When was it built?", "***", "Where is the bridge?"]
    made = translator(served).translate(asked, "en", "fr")
    assert made == ["Quand a-t-il été construit ?", "***", "Où est le pont ?"]
    assert len(served.requests) == 2


def test_an_endpoint_that_fails(endpoint):
    served = endpoint({"do": "status", "code": 401})
    with pytest.raises(ModelUnavailable, match="401"):
        translator(served).translate([BRIDGE], "en", "fr")


def test_without_a_method_there_is_no_translator():
    assert Assistant(None).translator is None
