"""Rewrites that are no question in one language are not used."""

import re

import pytest
from support.conversations import conversation

from anaphora.records import Edit
from anaphora.rewrite.linking.faults import find_fault

PRONOUNS = ("elle", "eso", "ihn", "il", "it")


def fault(said, question, span, text, replaced=""):
    asked = conversation(said, "…", question)
    kind = "replace" if replaced else "insert"
    at = question.index(replaced)
    return find_fault(asked, text, (Edit(kind, span, 0, at, replaced),))


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
        ("パッケージをインストールするには", "それを削除するには", "パッケージをインストール",
         "パッケージをインストールを削除するには", "clause"),
        ("パッケージをインストールするには", "それを削除するには", "パッケージ",
         "パッケージを削除するには", ""),
        ("comment faire une capture d'écran", "où est-elle enregistrée", "écran",
         "où écran est enregistrée", "part of a name"),
        ("comment faire une capture d'écran", "où est-elle enregistrée", "capture d'écran",
         "où capture d'écran est enregistrée", ""),
        ("como hago una captura de pantalla", "dónde se guarda eso", "pantalla",
         "dónde se guarda pantalla", "part of a name"),
        ("la file est pleine", "où est-elle", "file est pleine", "où file est pleine est",
         "a sentence"),
        ("das ist so: die Platte ist voll", "wo finde ich ihn", "Platte ist voll",
         "wo finde ich Platte ist voll", "a sentence"),
        ("mail is stuck in the queue", "how do i delete it", "mail is stuck in the queue",
         "how do i delete mail is stuck in the queue", "a sentence"),
        ("can i sync with git", "change the font", "git", "git change the font", "before the verb"),
        ("se puede usar git", "cambiar la fuente", "git", "git cambiar la fuente",
         "before the verb"),
        ("можно ли с git", "изменить шрифт", "git", "git изменить шрифт", "before the verb"),
        ("what is a font", "which size", "font", "font which size", ""),
        ("mail is stuck in the queue", "how do i delete it", "the queue",
         "how do i delete the queue", ""),
        ("comment régler l'écran", "où est-il placé", "écran", "où écran est placé", ""),
        ("parle-moi de Zappa", "quand est-il mort ?", "Zappa", "quand Zappa est mort ?", ""),
    ],
)  # fmt: skip
def test_faults(said, question, span, text, reason):
    replaced = next((word for word in PRONOUNS if re.search(rf"\b{word}\b", question)), "")
    found = fault(said, question, span, text, replaced)
    assert reason in found
    assert bool(found) == bool(reason)


@pytest.mark.parametrize(
    ("said", "question", "span", "text"),
    [
        ("how do i save as jpeg", "and png?", "how do i save", "how do i save and png?"),
        ("wie speichere ich", "und png?", "wie speichere ich", "wie speichere ich und png?"),
        ("как сохранить", "а png?", "как сохранить", "как сохранить а png?"),
        ("cách lưu", "còn png?", "cách lưu", "cách lưu còn png?"),
    ],
)
def test_nothing_stands_before_and(said, question, span, text):
    assert "before" in fault(said, question, span, text)
    assert fault(said, question, span, f"{question[:-1]} {span}?") == ""


def test_another_and_is_no_fault():
    text = "and did Simon and Garfunkel sing?"
    assert not fault("Simon and Garfunkel", "and did they sing?", "Simon and Garfunkel", text)


@pytest.mark.parametrize(
    ("question", "replaced", "faulty"),
    [
        ("what does the = key do", "the =", True),
        ("was macht die Taste +", "die Taste +", True),
        ("how do i delete it", "it", False),
        ("how do i load the file", "the file", False),
        ("comment l'effacer", "l'", False),
        ("как его удалить", "его", False),
        ("onu nasıl silerim", "onu", False),
        ("怎么删除它", "它", False),
    ],
)
def test_no_symbol_is_replaced(question, replaced, faulty):
    text = question.replace(replaced, "Maske")
    assert ("symbol" in fault("Maske", question, "Maske", text, replaced)) == faulty


def test_no_function_word_is_doubled():
    assert fault("what formats", "what about pdf", "what formats", "what what formats pdf")
    assert not fault("Duran Duran", "when did they end", "Duran Duran", "when did Duran Duran end")
    assert not fault("a b", "what what is it", "pdf", "what what is pdf", "it")
