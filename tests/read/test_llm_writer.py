"""What a model behind an endpoint writes, without a check."""

from __future__ import annotations

import pytest
from support import endpoint

from anaphora.assistant import Assistant
from anaphora.config import Config
from anaphora.records import Hit, Passage, Query

TEXTS = {
    "en": ("Where is the boiler?", "The boiler stands in the cellar.", "In the cellar."),
    "zh": ("锅炉放在哪里？", "锅炉放在地下室。", "地下室。"),
    "ja": ("ボイラーはどこですか？", "ボイラーは地下室にあります。", "地下室です。"),
    "ar": ("أين الغلاية؟", "توجد الغلاية في القبو.", "في القبو."),
    "th": ("หม้อไอน้ำอยู่ที่ไหน", "หม้อไอน้ำอยู่ที่ชั้นใต้ดิน", "ชั้นใต้ดิน"),
    "vi": ("Nồi hơi ở đâu?", "Nồi hơi đặt dưới tầng hầm.", "Dưới tầng hầm."),
    "ru": ("Где стоит котёл?", "Котёл стоит в подвале.", "В подвале."),
    "tr": ("Kazan nerede?", "Kazan bodrumda duruyor.", "Bodrumda."),
}


@pytest.fixture
def asked(tmp_path):
    started = []

    def ask(step, query, hits, **settings):
        started.append(endpoint.start(tmp_path / f"log{len(started)}", step))
        config = Config.of(
            {
                "read": {
                    "method": "llm",
                    "endpoint": started[-1].url,
                    "model": "m",
                    "window": 4096,
                    **settings,
                },
                "check": {"method": "none"},
            }
        )
        (answer,) = config.read.build(Assistant(None, config)).read([query], [hits])
        return answer, started[-1].requests[-1]["body"]["messages"]

    yield ask
    for one in started:
        one.stop()


@pytest.mark.parametrize("lang", TEXTS)
def test_the_text_without_its_marks_and_the_passages_that_were_read(asked, lang):
    question, text, said = TEXTS[lang]
    hit = Hit(Passage("p", "d", "Title", text, lang), 1.0, 1)
    step = {"do": "answer", "text": f"<think>hm</think> {said} [1][7]"}
    answer, messages = asked(step, Query(question, lang), [hit])
    assert answer.text == said
    assert [one.quote for one in answer.citations] == [text]
    assert text in messages[-1]["content"]


@pytest.mark.parametrize("lang", TEXTS)
def test_without_passages_the_model_answers_from_what_it_knows(asked, lang):
    question, _, said = TEXTS[lang]
    answer, messages = asked({"do": "answer", "text": said}, Query(question, lang), [])
    assert answer.text == said
    assert answer.citations == ()
    assert "[1]" not in messages[-1]["content"]
    assert "<<" not in messages[-1]["content"]


def test_the_worst_passages_are_dropped_until_the_prompt_fits(asked):
    long = "The boiler stands in the cellar of the house. " * 30
    hits = [Hit(Passage(f"p{n}", "d", "", long, "en"), 1.0, n) for n in range(1, 6)]
    answer, _ = asked(
        {"do": "answer", "text": "In the cellar."}, Query("Where?", "en"), hits, window=1500
    )
    assert 0 < len(answer.citations) < 5
    assert answer.citations[0].passage_id == "p1"


def test_a_refusal_is_an_abstention(asked):
    hit = Hit(Passage("p", "d", "", "The boiler.", "en"), 1.0, 1)
    answer, _ = asked({"do": "answer", "text": "NONE."}, Query("Where?", "en"), [hit])
    assert answer.abstained
