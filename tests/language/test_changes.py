"""Lists of changes, known by their headings."""

import pytest

from anaphora.language.changes import heads_changes, names_changes

NEW = {
    "en": "New features in v4.5",
    "de": "Neue Funktionen in Version 4.5",
    "es": "Novedades de la versión 4.5",
    "fr": "Nouveautés de la version 4.5",
    "it": "Novità della versione 4.5",
    "pt": "Novidades da versão 4.5",
    "ru": "Новое в версии 4.5",
    "tr": "4.5 sürümündeki yenilikler",
    "fi": "Uutta versiossa 4.5",
    "vi": "Tính năng mới trong phiên bản 4.5",
    "zh": "4.5 版本的新功能",
    "ja": "4.5 の新機能",
    "ko": "4.5 버전의 새 기능",
    "ar": "الجديد في الإصدار 4.5",
    "hi": "4.5 में नया",
    "th": "คุณสมบัติใหม่ในรุ่น 4.5",
}


@pytest.mark.parametrize("lang", NEW)
def test_what_is_new_in_a_version_is_a_list_of_changes(lang):
    assert heads_changes(["Manual", NEW[lang], "Budget"])
    assert names_changes(NEW[lang])


@pytest.mark.parametrize(
    "heading",
    [
        "New features",
        "Creating new functions in 4.5 mm steps and other large sizes",
        "4.5 新しい機能を作る",
        "2.1 새 기능 추가하기",
        "2.1 新功能开发",
        "Neue Konten in Euro",
        "Новое в школе",
        "News",
    ],
)
def test_other_headings_are_not(heading):
    assert not heads_changes([heading])
