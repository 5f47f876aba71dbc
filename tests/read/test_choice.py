"""The second extract of a comparison is about what the first one leaves out."""

import pytest

from anaphora.read.choice import second
from anaphora.records import Passage, Query

# A question, what is shown, and the passages after it.
COMPARED = {
    "en": ("remove vs purge", "To remove keeps files.", ["To hold keeps it.", "To purge deletes."]),
    "de": (
        "Unterschied Fußnote Endnote",
        "Die Fußnote steht unten.",
        ["Ein Rand.", "Die Endnote."],
    ),
    "zh": ("组合和分组有什么区别", "组合以后不能编辑。", ["打印文档。", "分组以后可以编辑。"]),
    "ja": (
        "結合とグループ化の違いは",
        "結合すると編集できません。",
        ["印刷します。", "グループ化します。"],
    ),
    "ko": ("복사와 이동의 차이", "복사는 남깁니다.", ["인쇄합니다.", "이동은 옮깁니다."]),
    "th": ("คัดลอกกับย้ายต่างกันอย่างไร", "คัดลอกเก็บไว้", ["พิมพ์เอกสาร", "ย้ายแล้วหายไป"]),
    "ar": (
        "ما الفرق بين النسخ وبين النقل",
        "النسخ يبقي الملف.",
        ["اطبع المستند.", "النقل يزيل الملف."],
    ),
    "vi": (
        "sao chép khác di chuyển thế nào",
        "Sao chép giữ tệp.",
        ["In tài liệu.", "Di chuyển tệp."],
    ),
    "ru": ("чем отличается копия от ссылки", "Копия занимает место.", ["Печать.", "Ссылка мала."]),
    "tr": ("kopya ile bağlantı farkı", "Kopya yer kaplar.", ["Yazdır.", "Bağlantı küçüktür."]),
}


def chosen(question: str, lang: str, shown: str, others: list[str]) -> int:
    first, *rest = (
        Passage(f"{at}.md#1", f"{at}.md", "Title", text, lang)
        for at, text in enumerate([shown, *others])
    )
    return second(Query(question, lang), first, shown, rest)


@pytest.mark.parametrize("lang", COMPARED)
def test_of_a_comparison_both_sides_are_shown(lang):
    question, shown, others = COMPARED[lang]
    assert chosen(question, lang, shown, others) == 1
    assert chosen(question, lang, "\n".join([shown, *others]), others) == 0


@pytest.mark.parametrize("question", ["What is purge?", "remove and purge", "vs", ""])
def test_for_other_questions_the_next_passage_is_shown(question):
    assert chosen(question, "en", "To remove keeps files.", ["Hold.", "To purge deletes."]) == 0
