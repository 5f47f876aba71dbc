"""Headings of lists of changes: changelogs, version histories and release notes."""

from __future__ import annotations

import re
from collections.abc import Iterable

_NAMES = re.compile(
    r"change[ -]?logs?\b|(?:change|revision|version) history|release notes?\b|what['’]?s new\b"
    r"|änderungs(?:übersicht|protokoll|historie|verlauf)|(?:versions|revisions)geschichte"
    r"|(?:versions|veröffentlichungs)hinweise|was ist neu"
    r"|journal des modifications|historique des (?:modifications|révisions|versions|changements)"
    r"|notes? de (?:version|publication|parution)"
    r"|registro de (?:cambios|alterações)|historial de (?:cambios|revisiones|versiones)"
    r"|notas? de (?:la )?(?:versión|publicación|lanzamiento|versão|lançamento)"
    r"|histórico de (?:alterações|revisões|versões)|registro delle modifiche"
    r"|cronologia delle (?:modifiche|revisioni)|note di (?:rilascio|versione)"
    r"|журнал изменений|история (?:изменений|версий|правок)|примечания к (?:выпуску|версии)"
    r"|что нового"
    r"|değişiklik (?:günlüğü|kayıtları|geçmişi)|sürüm (?:geçmişi|notları)"
    r"|muutosloki|(?:muutos|versio)historia|julkaisutiedot"
    r"|nhật ký thay đổi|lịch sử (?:thay đổi|phiên bản|sửa đổi)|ghi chú phát hành"
    r"|(?:更新|变更|更改|修改|修订|版本)(?:日志|历史|记录)|(?:发行|发布|版本)说明"
    r"|(?:変更|更新|改訂)(?:履歴|ログ|記録)|リリース ?ノート"
    r"|변경 ?(?:이력|내역|로그|기록)|개정 ?이력|릴리[스즈] ?노트"
    r"|سجل (?:التغييرات|التعديلات)|ملاحظات الإصدار|परिवर्तन (?:लॉग|इतिहास)|रिलीज़ नोट्स"
    r"|บันทึกการเปลี่ยนแปลง|ประวัติการ(?:แก้ไข|เปลี่ยนแปลง)|บันทึกประจำรุ่น",
    re.IGNORECASE,
)
_RELEASE = re.compile(r"\bv?\d+\.\d[\w.+~-]*\W{0,4}\d{4}-\d\d-\d\d\b")
"""A version and its date."""
_NEW = re.compile(
    r"(?:new (?:features?|functions?)|news?|improvements) (?:in|of|since) "
    r"(?:(?:version|release) )?v?{0}"
    r"|(?:neue funktionen|neuigkeiten|neuerungen|neues|neu) (?:in|ab|seit) (?:version )?v?{0}"
    r"|(?:nouveautés|novedades|novità|novidades)(?: \w+){{1,2}} (?:versi[oó]n|versione|versão) {0}"
    r"|(?:nouveautés|novedades|novità|novidades)(?: \w+){{1,2}} v?{0}"
    r"|(?:новое|новинки|нововведения|новые (?:функции|возможности)) в (?:версии )?v?{0}"
    r"|{0}(?: sürümü\w*|['’]\w+) yeni(?:likler| özellikler)"
    r"|uutta versiossa {0}|(?:tính năng mới|điểm mới) (?:trong|của) (?:phiên bản )?{0}"
    r"|{0} ?(?:版本?(?:中?的)?|中?的)新(?:功能|特性|增功能)|{0} ?版?の新(?:機能|しい機能)"
    r"|{0} ?(?:버전의?|의) ?(?:새 ?기능|새로운 기능|신기능)"
    r"|(?:الجديد|ما الجديد|الميزات الجديدة) في (?:الإصدار )?{0}|{0} (?:में नया|की नई विशेषताएं)"
    r"|(?:คุณสมบัติใหม่|มีอะไรใหม่)ใน(?:รุ่น|เวอร์ชัน)? ?{0}".format(r"\d+(?:\.[\dx]+)+"),
    re.IGNORECASE,
)
"""What is new in a version."""
_OTHER = 16
"""Letters that such a heading may have besides these words: "Appendix A", "history"."""


def names_changes(text: str) -> bool:
    """Whether a question or a heading names a list of changes.

    >>> names_changes("what is in the release notes"), names_changes("リリースノートはどこですか")
    (True, True)
    """
    return any(pattern.search(text) for pattern in (_NAMES, _NEW))


def heads_changes(headings: Iterable[str]) -> bool:
    """Whether one of a passage's headings is that of a list of changes. Such a list names every
    topic of a manual or a program, and answers few questions.

    >>> heads_changes(["Manual", "Release Notes", "Other"])
    True
    >>> heads_changes(["FreedomBox 21.9 (2021-09-18)"]), heads_changes(["New features in v4.5"])
    (True, True)
    >>> heads_changes(["6.3. Best practices for debian/changelog"])
    False
    """
    return any(
        pattern.search(heading) and sum(map(str.isalpha, pattern.sub("", heading))) <= _OTHER
        for heading in headings
        for pattern in (_NAMES, _RELEASE, _NEW)
    )
