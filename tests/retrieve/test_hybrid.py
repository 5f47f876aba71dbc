"""Hybrid search with the real encoder: what either half alone would miss."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from anaphora.assemble import Workshop
from anaphora.config import of
from anaphora.indexing import update
from anaphora.passage import Query
from anaphora.retrieve.encoders import load_encoder

CODES = {
    "en": "The pump stopped with the message ERR-{}. Restart it and inform the technical service.",
    "ru": "Насос остановился с сообщением ERR-{}. Перезапустите его и сообщите в службу сервиса.",
    "ja": "ポンプが ERR-{} という表示で停止しました。再起動し、保守担当者に連絡してください。",
    "ar": "توقفت المضخة مع الرسالة ERR-{}. أعد تشغيلها وأبلغ قسم الصيانة.",
    "zh": "水泵停止运行，并显示信息 ERR-{}。请重新启动并通知维修人员。",
}
NUMBERS = range(4701, 4731)
ASKED = {
    "en": "Which report speaks of ERR-4711?",
    "ru": "В каком отчёте говорится об ERR-4711?",
    "ja": "ERR-4711 について書かれた報告はどれですか。",
    "ar": "أي تقرير يذكر ERR-4711؟",
    "zh": "哪份报告提到 ERR-4711？",
}
MEANT = {
    "en": ("How much does a doctor earn?", "Physicians are paid a salary of 90,000 a year."),
    "ru": ("Сколько зарабатывает врач?", "Годовая зарплата медиков составляет 90 тысяч."),
    "ja": ("医者はいくら稼ぎますか。", "ドクターの年収は九百万円である。"),
    "ar": ("كم يكسب الطبيب؟", "راتب الأطباء السنوي تسعون ألفا."),
    "zh": ("大夫能挣多少钱？", "医生的年薪是九万元。"),
}
OTHER = {
    "en": "Penguins feed their young with fish.",
    "ru": "Пингвины кормят птенцов рыбой.",
    "ja": "ペンギンは魚でひなを育てる。",
    "ar": "تطعم البطاريق صغارها بالسمك.",
    "zh": "企鹅用鱼喂养幼鸟。",
}
LANGUAGES = tuple(CODES)
Search = Callable[..., list[str]]


@pytest.fixture(scope="module")
def folder(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("hybrid")
    records = [
        {"_id": f"{lang}-{name}", "text": text, "lang": lang}
        for lang in LANGUAGES
        for name, text in [
            *((str(number), CODES[lang].format(number)) for number in NUMBERS),
            ("meant", MEANT[lang][1]),
            ("other", OTHER[lang]),
        ]
    ]
    source = place / "passages.jsonl"
    source.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    update(place / "index", [source], load_encoder())
    update(place / "words", [source], None)
    return place


@pytest.fixture(scope="module")
def search(folder: Path) -> Search:
    def found(model: str, lang: str, question: str, k: int = 5, index: str = "index") -> list[str]:
        workshop = Workshop(folder / index, of({"retrieve": {"model": model}}))
        hits = workshop.retriever.retrieve([Query(question, lang)], k)[0]
        return [hit.passage.passage_id for hit in hits]

    return found


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_identifier_that_vectors_cannot_tell_apart_is_found_by_its_word(
    search: Search, lang: str
) -> None:
    wanted = f"{lang}-4711"
    assert search("hybrid", lang, ASKED[lang])[0] == wanted


def test_vectors_alone_cannot_tell_the_identifiers_apart(search: Search) -> None:
    alone = [search("dense", lang, ASKED[lang])[0] == f"{lang}-4711" for lang in LANGUAGES]
    assert not all(alone)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_shares_no_word_with_the_question_is_found_by_meaning(
    search: Search, lang: str
) -> None:
    question, _ = MEANT[lang]
    assert search("bm25", lang, question)[:1] != [f"{lang}-meant"]
    assert search("hybrid", lang, question)[0] == f"{lang}-meant"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_question_in_another_language_is_found_by_meaning(search: Search, lang: str) -> None:
    for asked in LANGUAGES:
        found = search("hybrid", asked, MEANT[asked][0], k=len(LANGUAGES))
        assert f"{lang}-meant" in found, asked


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_index_without_vectors_is_searched_by_words(search: Search, lang: str) -> None:
    words = search("bm25", lang, ASKED[lang], index="words")
    assert words[0] == f"{lang}-4711"
    assert search("hybrid", lang, ASKED[lang], index="words") == words
