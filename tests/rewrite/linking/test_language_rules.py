"""The rules of each language: on layouts of our own, and through the shipped linker."""

from __future__ import annotations

from functools import lru_cache

import pytest
from support.conversations import conversation

from anaphora.models.backbone import Backbone
from anaphora.records import Conversation, Turn
from anaphora.rewrite.linking.decoding import Decoded, Insertion, Span
from anaphora.rewrite.linking.language_rules import apply_language_rules
from anaphora.rewrite.linking.model import Linker
from anaphora.rewrite.linking.phrases import PhraseSet
from anaphora.rewrite.linking.realization import realize, to_edits
from anaphora.rewrite.linking.rewriter import LinkingRewriter
from anaphora.rewrite.linking.sequence import Layout, lay_out
from anaphora.rewrite.tokenization import folded_words

PHRASES = ["de", "की", "của", "ở", "şehrinde", "「", "」"]


@lru_cache(maxsize=1)
def backbone() -> Backbone:
    return Backbone()


def laid(name: str, question: str) -> Layout:
    turns = (Turn("user", name), Turn("user", question))
    return lay_out(Conversation(turns), backbone().tokenizer)


def made(
    name: str,
    question: str,
    lang: str,
    gap: int,
    deleted: tuple[int, ...] = (),
    phrases: tuple[int, int, int] = (0, 0, 0),
) -> str:
    """The question with the whole name put before word `gap`, and these words gone."""
    layout = laid(name, question)
    closed_set = PhraseSet(PHRASES, {lang: PHRASES})
    one = Insertion(gap, (Span(1, layout.context, 0.9),), phrases, 0.9)
    decided = apply_language_rules(
        Decoded((one,), deleted, 0.9, 0.1), layout, lang, closed_set.numbers
    )
    for edit in to_edits(layout, decided, closed_set, lang):
        assert edit.replaced == question[edit.position :][: len(edit.replaced)]
    text = realize(layout, decided, closed_set, lang)
    words = set(folded_words(text))
    known = " ".join([name, question, *closed_set.texts])
    assert words <= set(folded_words(known))
    return text


@pytest.mark.parametrize(
    ("name", "question", "lang", "gap", "deleted", "expected"),
    [
        # A half of what is one word to a reader is gone: the other half goes too.
        ("Curie", "Quels prix a-t-elle reçus ?", "fr", 3, (3,), "Quels prix a Curie reçus ?"),
        ("Piaf", "Où a-t-elle grandi ?", "fr", 5, (5,), "Où a Piaf grandi ?"),
        ("สืบ", "เขาเกิดที่ไหน", "th", 0, (0, 1), "สืบเกิดที่ไหน"),
        ("วัดโพธิ์", "แล้วเปิดกี่โมง", "th", 0, (0, 1), "วัดโพธิ์เปิดกี่โมง"),
        # A word that says something stays, unless it is said again.
        ("اللوفر", "من أسسه؟", "ar", 1, (1,), "من اللوفر أسسه؟"),
        ("Frank Zappa", "Wann starb Zappa?", "de", 2, (2,), "Wann starb Frank Zappa?"),
        ("Zappa", "Wann starb dieser Musiker?", "de", 2, (2, 3), "Wann starb Zappa?"),
        ("Guernica", "Où est ce tableau ?", "fr", 2, (2, 3), "Où est Guernica ?"),
        # So does the preposition of a pronoun.
        ("लाल क़िला", "उसमें क्या है?", "hi", 0, (0,), "लाल क़िला में क्या है?"),
        ("लता", "उनके गाने कौन से हैं?", "hi", 0, (0,), "लता के गाने कौन से हैं?"),
        ("البتراء", "ماذا يوجد فيها؟", "ar", 2, (2,), "ماذا يوجد في البتراء؟"),
        ("Amália", "Onde fica a casa dela?", "pt", 4, (4,), "Onde fica a casa de Amália?"),
        # The name comes for the pronoun, and not behind the question that still has it.
        ("Цой", "Где он жил?", "ru", 3, (), "Где Цой жил?"),
        ("Цой", "Кто был её мужем?", "ru", 4, (), "Кто был её мужем Цой?"),
        ("المتنبي", "ماذا قيل عنه؟", "ar", 3, (), "ماذا قيل عن المتنبي؟"),
        ("Анна", "Он и она?", "ru", 3, (), "Он и она Анна?"),
        # Where a language has the name behind what is its own.
        ("Kahlo", "¿Cuáles son sus obras?", "es", 3, (3,), "¿Cuáles son las obras de Kahlo?"),
        ("una beca", "¿Cuál es su fin?", "es", 5, (), "¿Cuál es el fin de una beca?"),
        ("Mistral", "¿Su primer libro?", "es", 1, (1,), "¿El primer libro de Mistral?"),
        ("el Prado", "¿Cuál es su horario?", "es", 3, (3,), "¿Cuál es el horario del Prado?"),
        ("le Rhône", "Quel est son débit ?", "fr", 2, (2,), "Quel est le débit du Rhône ?"),
        ("Édith", "Quel est son âge ?", "fr", 2, (2,), "Quel est l’âge d’Édith ?"),
        ("Piaf", "Ses plus grands succès ?", "fr", 0, (0,), "Les plus grands succès de Piaf ?"),
        ("Callas", "Dov'è la sua casa?", "it", 4, (4,), "Dov'è la casa di Callas?"),
        ("o Porto", "Qual é o seu clube?", "pt", 3, (3,), "Qual é o clube do Porto?"),
        ("Amália", "Qual é o seu nome completo?", "pt", 6, (), "Qual é o nome completo de Amália?"),
        ("Amália", "Quais são seus álbuns?", "pt", 2, (2,), "Quais são os álbuns de Amália?"),
        ("Kahlo", "¿Sus obras y sus cartas?", "es", 4, (4,), "¿Sus obras y las cartas de Kahlo?"),
        # The question's own words are not said twice, whichever side they are on.
        ("Patricia Lake", "Did Lake sing?", "en", 1, (), "Did Patricia Lake sing?"),
        ("Hồ Gươm", "Hồ rộng bao nhiêu?", "vi", 1, (), "Hồ Gươm rộng bao nhiêu?"),
        ("故宫", "故宫多大？", "zh", 0, (), "故宫多大？"),
        # Nothing of this in English.
        ("Zappa", "Did he and his band win?", "en", 1, (1,), "Did Zappa and his band win?"),
        ("Zappa", "What did they record?", "en", 4, (), "What did they record Zappa?"),
    ],
)  # fmt: skip
def test_edits_after_the_rules(
    name: str, question: str, lang: str, gap: int, deleted: tuple[int, ...], expected: str
) -> None:
    assert made(name, question, lang, gap, deleted) == expected


@pytest.mark.parametrize(
    ("earlier", "question", "lang", "asks"),
    [
        ("¿Cómo verifico un índice", "¿Y cómo lo reparo?", "es", True),
        ("Comment vérifier un index", "Et comment le réparer ?", "fr", True),
        ("How do I check an index", "And how do I repair it?", "en", True),
        ("怎么检查索引", "怎么修复它？", "zh", True),
        ("Как проверить индекс", "А как его починить?", "ru", True),
        ("How much is a ticket", "And for students?", "en", False),
        ("怎么检查索引", "那压缩包呢？", "zh", False),
    ],
)
def test_a_question_that_asks_does_not_begin_as_an_earlier_one(
    earlier: str, question: str, lang: str, asks: bool
) -> None:
    text = made(earlier, question, lang, 0)
    assert (text == question) == asks
    assert made("The Who", "When did they form?", "en", 2, (2,)) == "When did the Who form?"


def test_nothing_decided_stays_nothing() -> None:
    nothing = Decoded((), (), 0.9, 0.9)
    assert apply_language_rules(nothing, laid("Zappa", "¿Y sus obras?"), "es", {"": 0}) == nothing


def test_closed_set_the_closed_set_are_written_as_people_write_them() -> None:
    assert made("Huế", "Trụ sở ở đâu?", "vi", 2, (), (3, 0, 0)) == "Trụ sở của Huế ở đâu?"
    assert made("Konya", "Kaç kişi var?", "tr", 0, (), (0, 0, 5)) == "Konya şehrinde kaç kişi var?"


@pytest.mark.parametrize(
    ("lang", "phrase"),
    [("vi", "của"), ("vi", "ở"), ("de", "für"), ("fr", "à"), ("fr", "d'"), ("tr", "için")],
)
def test_the_shipped_closed_set_has_its_accents(lang: str, phrase: str) -> None:
    linker = Linker(backbone())
    assert linker.phrases.allowed(lang)[linker.phrases.numbers[phrase]]


@pytest.mark.parametrize(
    ("name", "question", "lang", "expected"),
    [
        ("『雪国", "いつの作品ですか？", "ja", "雪国いつの作品ですか？"),
        ("『雪国』", "いつの作品ですか？", "ja", "『雪国』いつの作品ですか？"),
        ("红楼梦》", "是谁写的？", "zh", "红楼梦是谁写的？"),
        ("«Войну и мир", "кто написал?", "ru", "Войну и мир кто написал?"),
    ],
)
def test_no_half_of_a_pair_of_brackets_is_taken(
    name: str, question: str, lang: str, expected: str
) -> None:
    assert made(name, question, lang, 0) == expected


def test_brackets_of_the_closed_set_are_a_pair() -> None:
    assert (
        made("雪国", "は誰の作品ですか？", "ja", 0, (), (6, 0, 7)) == "「雪国」は誰の作品ですか？"
    )


@lru_cache(maxsize=1)
def linker() -> LinkingRewriter:
    return LinkingRewriter(backbone())


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (("लाल क़िला कहाँ है?", "दिल्ली में।", "उसमें क्या देखने लायक है?"), "लाल क़िला में क्या"),
        (("ما هي البتراء؟", "مدينة أثرية.", "ماذا يوجد فيها؟"), "في البتراء"),
        (("Кто такой Виктор Цой?", "Музыкант.", "Где он жил?"), "Где Виктор Цой жил?"),
        (("¿Quién fue Gabriela Mistral?", "Una poeta.", "¿Cuál fue su primer libro?"),
         "¿Cuál fue el primer libro de Gabriela Mistral?"),
        (("Qu'est-ce que le mont Ventoux ?", "Un sommet.", "Quelle est son altitude ?"),
         "Quelle est l’altitude du mont Ventoux ?"),
        (("วัดพระแก้วอยู่ที่ไหน", "กรุงเทพฯ", "แล้วเปิดกี่โมง"), "พระแก้วเปิดกี่โมง"),
    ],
    ids=["hi", "ar", "ru", "es", "fr", "th"],
)  # fmt: skip
def test_the_shipped_linker_writes_sentences(texts: tuple[str, str, str], expected: str) -> None:
    (one,) = linker().rewrite([conversation(*texts)])
    assert expected in one.text


@pytest.mark.parametrize(
    ("lang", "name", "question", "gap", "deleted", "expected"),
    [
        ("fr", "la corbeille", "comment je la vide", 3, (), "comment je vide la corbeille"),
        ("fr", "mes mails", "Comment je les sauvegarde ?", 2, (2,),
         "Comment je sauvegarde mes mails ?"),
        ("fr", "un filtre", "pour le supprimer", 3, (), "pour supprimer un filtre"),
        ("fr", "la clé", "comment je la avais", 3, (), "comment je la clé avais"),
        ("fr", "pitivi", "pour le son", 3, (), "pour le son pitivi"),
        ("fr", "apache", "vérifie-t-il la clé", 7, (), "vérifie-t-il la clé apache"),
        ("es", "cabecera", "que se las salte", 4, (), "que se las salte cabecera"),
        ("es", "una carpeta", "¿Cómo la borro?", 3, (), "¿Cómo borro una carpeta?"),
        ("it", "la cartella", "come la cancello", 2, (), "come cancello la cartella"),
        ("pt", "a pasta", "como a apago", 1, (1,), "como apago a pasta"),
        ("pt", "de log", "como o abro", 3, (), "como o abro de log"),
    ],
)  # fmt: skip
def test_words_for_an_object_pronoun_go_behind_its_verb(
    lang: str, name: str, question: str, gap: int, deleted: tuple[int, ...], expected: str
) -> None:
    assert made(name, question, lang, gap, deleted) == expected
