"""The hits that a reader considers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from anaphora.records import Hit, Passage, Query

_OWN_LANGUAGE = 4
"""A hit in the question's language counts as if its rank were divided by this number."""

_CHANGES = 3
"""A hit in a list of changes counts as if its rank were multiplied by this number."""
_LIST_OF_CHANGES = re.compile(
    r"change[ -]?logs?\b|(?:change|revision|version) history|änderungs(?:übersicht|protokoll"
    r"|historie|verlauf)|(?:versions|revisions)geschichte|journal des modifications"
    r"|historique des (?:modifications|révisions|versions|changements)"
    r"|registro de (?:cambios|alterações)|historial de (?:cambios|revisiones|versiones)"
    r"|histórico de (?:alterações|revisões|versões)|registro delle modifiche"
    r"|cronologia delle (?:modifiche|revisioni)|журнал изменений"
    r"|история (?:изменений|версий|правок)"
    r"|değişiklik (?:günlüğü|kayıtları|geçmişi)|sürüm geçmişi|muutosloki|(?:muutos|versio)historia"
    r"|nhật ký thay đổi|lịch sử (?:thay đổi|phiên bản|sửa đổi)"
    r"|(?:更新|变更|更改|修改|修订|版本)(?:日志|历史|记录)|(?:変更|更新|改訂)(?:履歴|ログ|記録)"
    r"|변경 ?(?:이력|내역|로그|기록)|개정 ?이력|سجل (?:التغييرات|التعديلات)|परिवर्तन (?:लॉग|इतिहास)"
    r"|บันทึกการเปลี่ยนแปลง|ประวัติการ(?:แก้ไข|เปลี่ยนแปลง)",
    re.IGNORECASE,
)
"""Headings of what was changed in a document or a program: it names every topic and answers few
questions."""
_BESIDE = 16
"""Letters that such a heading may have besides these words: "Appendix A", "history"."""


def best_passages(query: Query, hits: Sequence[Hit], count: int) -> list[Hit]:
    """The `count` best hits; those in the question's language precede translations of them.

    Without this, translations of one passage fill all places where documents exist in many
    languages. Passages in lists of changes follow others, unless the question names such a list;
    those that consist of headings, such as lists of links, come last.
    """
    asked = _LIST_OF_CHANGES.search(query.text) is not None

    def place(hit: Hit) -> tuple[bool, float]:
        rank = hit.rank / (_OWN_LANGUAGE if hit.passage.lang == query.lang else 1)
        changes = not asked and _is_list_of_changes(hit.passage)
        return _only_headings(hit.passage), rank * (_CHANGES if changes else 1)

    return sorted(hits, key=place)[:count]


def _is_list_of_changes(passage: Passage) -> bool:
    return any(
        _LIST_OF_CHANGES.search(heading)
        and sum(map(str.isalpha, _LIST_OF_CHANGES.sub("", heading))) <= _BESIDE
        for heading in (passage.title, *passage.section)
    )


def _only_headings(passage: Passage) -> bool:
    headings = sum(block.end - block.start for block in passage.blocks if block.kind == "heading")
    return 2 * headings > len(passage.text)
