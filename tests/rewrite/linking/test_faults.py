"""Rewrites that are no question in one language are not used."""

import pytest
from support.conversations import conversation

from anaphora.records import Edit
from anaphora.rewrite.linking.faults import find_fault


def fault(said, question, span, text):
    asked = conversation(said, "…", question)
    return find_fault(asked, text, (Edit("insert", span, 0, 0),))


@pytest.mark.parametrize(
    ("said", "question", "span", "text", "reason"),
    [
        ("Who were the Mothers?", "When did they end?", "the Mothers", "When did the Mothers end?",
         ""),
        ("这个表格怎么冻结首行？", "Can it be printed on one page?", "冻结首行",
         "Can 冻结首行 be printed on one page?", "language"),
        ("Как закрепить первую строку?", "How can it be printed on one page?", "первую строку",
         "How can первую строку be printed on one page?", "language"),
        ("How do I freeze the first row?", "Wie kann man das wieder ausschalten?", "the first row",
         "Wie kann man the first row wieder ausschalten?", "language"),
        ("What does LibreOffice Writer do?", "它可以打开哪些文件格式？", "LibreOffice Writer",
         "LibreOffice Writer可以打开哪些文件格式？", ""),
        ("Who was Marie Curie?", "Quand est-ce qu'elle est morte ?", "Marie Curie",
         "Quand est-ce que Marie Curie est morte ?", ""),
        ("Freeze it. Then print it.", "How can I undo that?", "it. Then print",
         "How can I undo it. Then print?", "sentences"),
        ("先冻结。再打印表格。", "怎么取消它？", "冻结。再打印",
         "怎么取消冻结。再打印？", "sentences"),
        ("how much disk space do i need", "and a gpu?", "how much disk space do",
         "and how much disk space do a gpu?", ""),
        ("the range 1930 to 2029", "can i change that range?", "the range 1930 to 2029",
         "can i change the range 1930 to 2029 range?", "already"),
    ],
)  # fmt: skip
def test_faults(said, question, span, text, reason):
    found = fault(said, question, span, text)
    assert reason in found
    assert bool(found) == bool(reason)
