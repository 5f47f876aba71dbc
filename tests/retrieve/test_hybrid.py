"""Hybrid search with the real encoder: what either half alone would miss."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from anaphora.assistant import Assistant
from anaphora.config import Config
from anaphora.index import open_index
from anaphora.ingest.update import update
from anaphora.records import Query
from anaphora.retrieve.encoders import load_encoder

REPORT = {
    "en": "On Tuesday the pump in the cellar stopped again. The caretaker noted ERR-4711, cleaned "
    "the filter, waited for an hour until the motor was cold and called the technical service.",
    "ru": "Во вторник насос в подвале снова остановился. Смотритель записал ERR-4711, почистил "
    "фильтр, подождал час, пока мотор остыл, и позвонил в службу сервиса.",
    "ja": "火曜日に地下のポンプがまた止まった。管理人は ERR-4711 と書き留め、フィルターを掃除し、"
    "モーターが冷えるまで一時間待ってから保守の担当者に電話した。",
    "ar": "توقفت المضخة في القبو مرة أخرى يوم الثلاثاء. سجل الحارس ERR-4711 ونظف المرشح "
    "وانتظر ساعة حتى برد المحرك ثم اتصل بقسم الصيانة.",
    "zh": "星期二地下室的水泵又停了。管理员记下 ERR-4711，清洗了过滤器，"
    "等了一个小时让电机冷却，然后给维修部门打了电话。",
}
OTHERS = [f"ERR-{number}" for number in range(4701, 4731) if number != 4711]
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
LANGUAGES = tuple(REPORT)
Search = Callable[..., list[str]]


@pytest.fixture(scope="module")
def folder(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("hybrid")
    encoder = load_encoder()
    for lang in LANGUAGES:
        texts = {code: f"{code}: {OTHER[lang]}" for code in OTHERS}
        texts |= {"report": REPORT[lang], "meant": MEANT[lang][1], "other": OTHER[lang]}
        source = place / f"{lang}.jsonl"
        records = [{"_id": name, "text": text, "lang": lang} for name, text in texts.items()]
        source.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
        update(place / lang, [source], encoder)
        update(place / f"{lang}-words", [source], None)
    return place


@pytest.fixture(scope="module")
def search(folder: Path) -> Search:
    def found(model: str, index: str, lang: str, question: str) -> list[str]:
        assistant = Assistant(open_index(folder / index), Config.of({"retrieve": {"model": model}}))
        hits = assistant.retriever.retrieve([Query(question, lang)], 5)[0]
        return [hit.passage.passage_id for hit in hits]

    return found


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_identifier_among_similar_ones_is_found_by_its_word(search: Search, lang: str) -> None:
    # In the other languages the encoder tells them apart by itself.
    assert lang not in ("ja", "ru") or search("dense", lang, lang, "ERR-4711")[0] != "report"
    assert search("hybrid", lang, lang, "ERR-4711")[0] == "report"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_shares_no_word_with_the_question_is_found_by_meaning(
    search: Search, lang: str
) -> None:
    question, _ = MEANT[lang]
    assert "meant" not in search("bm25", lang, lang, question)
    assert search("hybrid", lang, lang, question)[0] == "meant"


@pytest.mark.parametrize("asked", LANGUAGES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_question_in_another_language_is_found_by_meaning(
    search: Search, lang: str, asked: str
) -> None:
    assert search("hybrid", lang, asked, MEANT[asked][0])[0] == "meant"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_index_without_vectors_is_searched_by_words(search: Search, lang: str) -> None:
    words = search("bm25", f"{lang}-words", lang, "ERR-4711")
    assert words[0] == "report"
    assert search("hybrid", f"{lang}-words", lang, "ERR-4711") == words


@pytest.mark.parametrize("lang", LANGUAGES)
def test_only_hybrid_search_reads_a_question_behind_the_earlier_ones(
    folder: Path, lang: str
) -> None:
    question, _ = MEANT[lang]
    alone, read = Query("?1", lang), Query("?1", lang, in_context=question)

    def scores(model: str, query: Query) -> dict[str, float]:
        assistant = Assistant(open_index(folder / lang), Config.of({"retrieve": {"model": model}}))
        (hits,) = assistant.retriever.retrieve([query], 40)
        return {hit.passage.passage_id: hit.score for hit in hits}

    assert scores("dense", read) == scores("dense", alone)
    assert scores("bm25", read) == scores("bm25", alone)
    assert scores("hybrid", read)["meant"] > scores("hybrid", alone)["meant"]
