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
_OTHER = 16
"""Letters that such a heading may have besides these words: "Appendix A", "history"."""


def names_changes(text: str) -> bool:
    """Whether a question or a heading names a list of changes.

    >>> names_changes("what is in the release notes"), names_changes("リリースノートはどこですか")
    (True, True)
    """
    return _NAMES.search(text) is not None


def heads_changes(headings: Iterable[str]) -> bool:
    """Whether one of a passage's headings is that of a list of changes. Such a list names every
    topic of a manual or a program, and answers few questions.

    >>> heads_changes(["Manual", "Release Notes", "Other"])
    True
    >>> heads_changes(["FreedomBox 21.9 (2021-09-18)"])
    True
    >>> heads_changes(["6.3. Best practices for debian/changelog"])
    False
    """
    return any(
        pattern.search(heading) and sum(map(str.isalpha, pattern.sub("", heading))) <= _OTHER
        for heading in headings
        for pattern in (_NAMES, _RELEASE)
    )
