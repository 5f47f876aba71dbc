"""Which hits a reader considers first."""

import pytest

from anaphora.read.nearest import best_passages
from anaphora.records import Block, Hit, Passage, Query

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


RELEASES = {
    "en": ("Release Notes", "what do the release notes say"),
    "de": ("Versionshinweise", "wo stehen die versionshinweise"),
    "fr": ("Notes de version", "où sont les notes de version"),
    "es": ("Notas de la versión", "¿qué dicen las notas de la versión?"),
    "ru": ("Примечания к выпуску", "что нового"),
    "tr": ("Sürüm notları", "sürüm notları nerede"),
    "vi": ("Ghi chú phát hành", "ghi chú phát hành ở đâu"),
    "zh": ("发行说明", "发布说明在哪里"),
    "ja": ("リリースノート", "リリースノートはどこですか"),
    "ko": ("릴리스 노트", "릴리즈 노트는 어디에"),
    "ar": ("ملاحظات الإصدار", "أين ملاحظات الإصدار"),
    "th": ("บันทึกประจำรุ่น", "บันทึกประจำรุ่นอยู่ที่ไหน"),
}


@pytest.mark.parametrize("lang", RELEASES)
def test_release_notes_are_a_list_of_changes(lang):
    heading, asked = RELEASES[lang]
    found = hits(lang, heading, "Two", "Three", "Four")
    assert order("?", lang, found) == ["Two", heading, "Three", "Four"]
    assert order(asked, lang, found) == [heading, "Two", "Three", "Four"]


@pytest.mark.parametrize("heading", ["FreedomBox 21.9 (2021-09-18)", "v0.15.3, 2017-10-20"])
def test_a_version_with_its_date_heads_a_list_of_changes(heading):
    assert order("?", "en", hits("en", heading, "Two", "Three"))[0] == "Two"


def test_captions_alone_come_last():
    steps = Passage("steps", "d", "", "Step 1\n\nStep 2\n\nStep 3\n\nStep 4", "en")
    table = Passage("table", "d", "", "8080\n8081", "en")
    found = [Hit(passage, 1.0, rank) for rank, passage in enumerate([steps, table], 1)]
    assert order("?", "en", found) == ["table", "steps"]


@pytest.mark.parametrize(
    "heading",
    [
        "The history of the harbour",
        "6.3. Best practices for debian/changelog",
        "2.1 Results of 2020",
    ],
)
def test_what_is_about_changes_is_no_list_of_them(heading):
    found = hits("en", heading, "Two", "Three")
    assert order("who wrote it", "en", found)[0] == heading


def test_lists_of_changes_keep_their_order_among_themselves():
    found = hits("en", "Changelog 2.0", "Changelog 1.0")
    assert order("what is new", "en", found) == ["Changelog 2.0", "Changelog 1.0"]


def test_code_alone_follows_text():
    options = "  -i <interface>  name of it\n  -k <channel>  of wifi"
    lines = ["Use this command:", "capture -i wlan0"]
    both = "\n".join(lines)
    passages = [
        Passage("help", "d", "", options, "en", blocks=(Block("code", 0, len(options)),)),
        Passage(
            "how", "d", "", both, "en",
            blocks=(Block("paragraph", 0, 17), Block("code", 18, len(both))),
        ),
        Passage("text", "d", "", "It captures packets.", "en"),
    ]  # fmt: skip
    found = [Hit(passage, 1.0, rank) for rank, passage in enumerate(passages, 1)]
    assert order("how do i capture packets on wifi", "en", found) == ["how", "help", "text"]
