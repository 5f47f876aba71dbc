"""Which hits a reader considers first."""

import pytest

from anaphora.read.nearest import best_passages
from anaphora.records import Hit, Passage, Query

CHANGES = {
    "en": ("Appendix A. Changelog/History", "what is in the change log"),
    "de": ("Anhang A. Änderungsübersicht", "was steht im changelog"),
    "fr": ("Historique des modifications", "journal des modifications de la 2.0"),
    "es": ("Registro de cambios", "¿dónde está el registro de cambios?"),
    "ru": ("История изменений", "журнал изменений"),
    "tr": ("Değişiklik günlüğü", "sürüm geçmişi nerede"),
    "vi": ("Nhật ký thay đổi", "lịch sử phiên bản"),
    "zh": ("附录 更新日志", "版本历史在哪里"),
    "ja": ("改訂履歴", "変更履歴はどこですか"),
    "ko": ("변경 이력", "변경 내역은 어디에"),
    "ar": ("سجل التغييرات", "أين سجل التغييرات"),
    "th": ("ประวัติการแก้ไข", "บันทึกการเปลี่ยนแปลงอยู่ที่ไหน"),
}


def hits(lang, *headings):
    return [
        Hit(Passage(heading, "d", "", "Something.", lang, (heading,)), 1.0, rank)
        for rank, heading in enumerate(headings, 1)
    ]


def order(question, lang, found):
    return [hit.passage.passage_id for hit in best_passages(Query(question, lang), found, 9)]


@pytest.mark.parametrize("lang", CHANGES)
def test_a_list_of_changes_follows_sections_on_the_topic(lang):
    heading, asked = CHANGES[lang]
    found = hits(lang, heading, "Two", "Three", "Four")
    assert order("?", lang, found) == ["Two", heading, "Three", "Four"]
    assert order(asked, lang, found) == [heading, "Two", "Three", "Four"]


@pytest.mark.parametrize(
    "heading", ["The history of the harbour", "6.3. Best practices for debian/changelog"]
)
def test_what_is_about_changes_is_no_list_of_them(heading):
    found = hits("en", heading, "Two", "Three")
    assert order("who wrote it", "en", found)[0] == heading


def test_lists_of_changes_keep_their_order_among_themselves():
    found = hits("en", "Changelog 2.0", "Changelog 1.0")
    assert order("what is new", "en", found) == ["Changelog 2.0", "Changelog 1.0"]
