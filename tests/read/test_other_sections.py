"""The sections that are named where an answer is not sure."""

import pytest

from anaphora.read.other_sections import SURE, other_sections
from anaphora.records import Answer, Block, Citation, Passage

HEADINGS = {
    "en": ("Updating", "Upgrades", "Boot", "SELinux"),
    "zh": ("更新系统", "升级", "启动", "安全"),
    "ja": ("更新", "アップグレード", "起動", "セキュリティ"),
    "th": ("อัปเดต", "อัปเกรด", "เริ่มระบบ", "ความปลอดภัย"),
    "ar": ("تحديث النظام", "الترقية", "الإقلاع", "الأمان"),
    "vi": ("Cập nhật", "Nâng cấp", "Khởi động", "Bảo mật"),
    "ru": ("Обновление", "Повышение версии", "Загрузка", "Безопасность"),
    "tr": ("Güncelleme", "Yükseltme", "Önyükleme", "Güvenlik"),
}


def passage(rank, heading, lang="en", text="Something is said here."):
    blocks = (Block("paragraph", 0, len(text), place=f"s{rank}"),)
    return Passage(f"p{rank}", f"{lang}.html", "", text, lang, (heading,), blocks=blocks)


def answer(confidence, *cited, **more):
    citations = tuple(Citation(one.passage_id, one.doc_id, one.heading, "", 0, 0) for one in cited)
    return Answer("So.", "en", confidence, citations, **more)


def titles(found, given):
    return [one.title for one in other_sections(found, given)]


@pytest.mark.parametrize("lang", HEADINGS)
def test_an_unsure_answer_names_the_sections_that_it_does_not_cite(lang):
    wrong, *others = HEADINGS[lang]
    found = [
        passage(rank, one, lang) for rank, one in enumerate((wrong, *others, wrong, others[0]), 1)
    ]
    assert titles(found, answer(SURE - 0.01, found[0])) == others
    assert titles(found, answer(SURE, found[0])) == []
    first = other_sections(found, answer(0.2, found[0]))[0]
    assert (first.passage_id, first.doc_id, first.place) == ("p2", f"{lang}.html", "s2")
    assert found[1].text[first.start : first.end] == first.quote == found[1].text


def test_at_most_three_are_named_and_an_abstention_names_them_too():
    found = [passage(rank, f"Section {rank}") for rank in range(1, 9)]
    named = titles(found, answer(0.1, *found[:3], abstained=True))
    assert named == ["Section 4", "Section 5", "Section 6"]


def test_translations_and_headings_alone_are_not_named():
    alone = "Tools\n\nImages"
    bare = Passage(
        "p4", "en.html", "", alone, "en", ("Contents",), blocks=(Block("heading", 0, len(alone)),)
    )
    found = [passage(1, "Ferry"), passage(2, "Fähre", "de"), passage(3, "Tickets"), bare]
    assert titles(found, answer(0.4, found[0])) == ["Tickets"]


def test_what_cites_nothing_names_nothing():
    assert titles([passage(1, "Ferry")], answer(0.0)) == []
    assert titles([], answer(0.0)) == []
