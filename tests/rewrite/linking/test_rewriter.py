"""The shipped linker: properties of every rewrite, and conversations that it must get right."""

from __future__ import annotations

import json
import random
import shutil
from functools import lru_cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.conversations import conversation

from anaphora.errors import ModelUnavailable
from anaphora.models.backbone import Backbone
from anaphora.records import Conversation
from anaphora.rewrite.linking.model import CARD, SHIPPED, Linker, read_gate
from anaphora.rewrite.linking.rewriter import LinkingRewriter
from anaphora.rewrite.tokenization import folded_words


@lru_cache(maxsize=1)
def linker() -> LinkingRewriter:
    return LinkingRewriter(Backbone())


@lru_cache(maxsize=1)
def gated() -> LinkingRewriter:
    return LinkingRewriter(Backbone(), gate=read_gate())


@lru_cache(maxsize=64)
def closed_set(lang: str) -> frozenset[str]:
    """A language's phrases, and the function words that the rules insert."""
    phrases = Linker(Backbone()).phrases
    allowed = phrases.allowed(lang)
    own = [text for text, may in zip(phrases.texts, allowed, strict=False) if may]
    return frozenset().union(*map(words, (*own, *phrases.texts[len(allowed) :])))


def words(text: str) -> set[str]:
    return set(folded_words(text))


CONVERSATIONS = [
    conversation(
        "Who were the Mothers of Invention?", "A band led by Frank Zappa.", "When did they end?"
    ),
    conversation("鲁迅是谁？", "中国作家。", "他的代表作是什么？"),
    conversation("黒澤明とは？", "映画監督。", "代表作は何ですか？"),
    conversation("من هو نجيب محفوظ؟", "كاتب مصري.", "متى ولد؟"),
    conversation("Кто такой Юрий Гагарин?", "Космонавт.", "Когда он родился?"),
    conversation("Trần Hưng Đạo là ai?", "Một vị tướng.", "Ông ấy mất ở đâu?"),
    conversation("Where is Bergen?", "In Norway.", "Thanks!"),
    conversation("สุนทรภู่คือใคร", "กวี", "เขาเกิดเมื่อไหร่"),
    conversation("जयपुर कहाँ है?", "राजस्थान में।", "वहाँ कितने लोग रहते हैं?"),
    conversation("김연아 누구야?", "피겨 선수.", "언제 태어났어?"),
]


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        (CONVERSATIONS[0], "Mothers of Invention"),
        (CONVERSATIONS[1], "鲁迅"),
        (CONVERSATIONS[2], "黒澤明"),
        (CONVERSATIONS[3], "نجيب محفوظ"),
        (CONVERSATIONS[4], "Юрий Гагарин"),
        (CONVERSATIONS[5], "Trần Hưng Đạo"),
        (conversation("What was his first album?", title="Frank Zappa"), "Frank Zappa"),
    ],
)
def test_the_name_is_put_in(asked: Conversation, name: str) -> None:
    made = linker().rewrite([asked])[0]
    assert name in made.text
    assert made.variants == (asked.question.text,)
    assert any(edit.text.startswith(name) or name in edit.text for edit in made.edits)


def test_the_weights_are_small_enough_to_travel_in_the_package() -> None:
    assert sum(file.stat().st_size for file in SHIPPED.iterdir()) < 12e6


def test_edits_know_their_turn_and_place() -> None:
    (made,) = linker().rewrite([CONVERSATIONS[4]])
    edit = next(edit for edit in made.edits if "Гагарин" in edit.text)
    assert (edit.kind, edit.source_turn, edit.replaced) == ("replace", 0, "он")
    assert CONVERSATIONS[4].question.text[edit.position :].startswith("он")


@pytest.mark.parametrize(
    "asked",
    [
        conversation("When did they disband?"),
        conversation("他是谁？"),
        conversation(""),
        conversation("", "", "?"),
        conversation("word " * 50_000, "A.", "word " * 50_000),
    ],
    ids=["first", "first zh", "empty", "all empty", "long"],
)
def test_without_context_the_question_is_left(asked: Conversation) -> None:
    made = linker().rewrite([asked])[0]
    assert made.text == asked.question.text
    assert made.edits == ()


@pytest.mark.parametrize(
    "asked",
    [
        conversation("Who was Frank Zappa?", "A musician.", "What is the capital city of Norway?"),
        conversation("Who was Frank Zappa?", "A musician.", "How do I renew a passport in Japan?"),
        conversation("鲁迅是谁？", "作家。", "挪威的首都是哪里？"),
        conversation("Кто такой Гагарин?", "Космонавт.", "Какая столица Норвегии?"),
    ],
)
def test_a_new_topic_is_left_alone(asked: Conversation) -> None:
    made = gated().rewrite([asked])[0]
    assert (made.text, made.edits) == (asked.question.text, ())


def test_a_batch_is_decided_as_its_parts_are() -> None:
    together = gated().rewrite(CONVERSATIONS)
    assert together == [gated().rewrite([one])[0] for one in CONVERSATIONS]
    assert all(one.decision and one.reason for one in together)


def test_the_rest_of_a_batch_changes_nothing() -> None:
    alone = [linker().rewrite([one])[0] for one in CONVERSATIONS]
    order = list(range(len(CONVERSATIONS)))
    random.Random(1).shuffle(order)
    together = linker().rewrite([CONVERSATIONS[number] for number in order])
    assert [alone[number] for number in order] == together


@pytest.mark.parametrize("turns", [3, 501])
def test_long_histories(turns: int) -> None:
    said = [f"What about the number {number}?" for number in range(turns - 1)]
    made = linker().rewrite([conversation(*said, "Why is it prime?", title="Numbers")])[0]
    assert made.text


QUESTIONS = """Who was he?|Frank Zappa|它呢？|متى ولد؟|Ông ấy là ai?|Кто он?|他的书|¿Y sus obras?
|उसमें क्या है?|Quel est son âge ?|ماذا يوجد فيها؟|O que há nele?|เขาเกิดที่ไหน"""
texts = st.text(max_size=40) | st.sampled_from([one.strip() for one in QUESTIONS.split("|")])


@settings(max_examples=60, deadline=None)
@given(st.lists(texts, min_size=1, max_size=5), texts | st.none())
def test_every_word_was_said_or_is_in_the_closed_set(said: list[str], title: str | None) -> None:
    asked = conversation(*said, title=title)
    made = linker().rewrite([asked])[0]
    known = set().union(*(words(turn.text) for turn in asked.turns), words(title or ""))
    assert words(made.text) <= known | closed_set(made.lang)
    assert 0 <= made.confidence <= 1
    best = linker().n_best(asked, 4)
    assert best[0].text == made.text
    assert len({one.text for one in best}) == len(best) <= 4
    assert all(words(one.text) <= known | closed_set(made.lang) for one in best)
    assert sum(one.confidence for one in best) <= 1.001


@pytest.mark.parametrize("asked", CONVERSATIONS, ids=lambda asked: asked.turns[0].text[:12])
def test_the_best_rewrites_are_those_of_the_most_probable_edits(asked: Conversation) -> None:
    best = gated().n_best(asked, 5)
    shares = [one.confidence for one in best]
    assert shares == sorted(shares, reverse=True)
    assert gated().n_best(asked, 1)[0].text == best[0].text


def test_what_stands_alone_has_no_other_rewrites() -> None:
    (only,) = gated().n_best(conversation("Who was Ada Lovelace?"), 3)
    assert (only.text, only.confidence) == ("Who was Ada Lovelace?", 1.0)


def test_a_rewrite_that_is_nearly_as_probable_is_searched_beside() -> None:
    asked = conversation(
        "What is an index?", "A folder that Anaphora searches.", "How large does it get?"
    )
    first, second = gated().n_best(asked, 2)
    assert second.confidence > 0.25 * first.confidence
    made = gated().rewrite([asked])[0]
    assert (made.text, made.variants) == (first.text, (asked.question.text, second.text))


@pytest.mark.parametrize(
    ("said", "rewrite"),
    [
        ("What was Ada Lovelace's idea?|A loop.|Where did she live?",
         "Where did Ada Lovelace live?"),
        ("Who were the Mothers of Invention?|Frank Zappa's band.|When did they disband?",
         "When did the Mothers of Invention disband?"),
        ("Le Louvre est-il ouvert ?|Oui.|Quelle est sa superficie ?",
         "Quelle est la superficie du Louvre ?"),
        ("Qui est Molière ?|Un dramaturge.|Qui était sa femme ?",
         "Qui était la femme de Molière ?"),
        ("El Prado, ¿está abierto?|Sí.|¿Cuál es su horario?", "¿Cuál es el horario del Prado?"),
        ("Où est la tour Eiffel ?|À Paris.|Quelle est sa hauteur ?",
         "Quelle est la hauteur de la tour Eiffel ?"),
        ("Parle-moi de l’Italie.|Un pays.|Quelle est sa capitale ?",
         "Quelle est la capitale de l’Italie ?"),
        ("Dov'è il Colosseo?|A Roma.|Qual è la sua superficie?",
         "Qual è la superficie del Colosseo?"),
        ("¿Quién mató a Kennedy?|Oswald.|¿Cuál era su cargo?", "¿Cuál era el cargo de Kennedy?"),
        ("สุนทรภู่คือใคร|กวีเอกของไทย|บ้านเกิดของเขาอยู่ที่ไหน", "บ้านเกิดของสุนทรภู่อยู่ที่ไหน"),
    ],
)  # fmt: skip
def test_names_fit_the_place_they_come_to(said: str, rewrite: str) -> None:
    linked = linker().candidate(conversation(*said.split("|")))
    assert linked is not None
    assert linked.text == rewrite


def test_a_question_that_is_too_long_is_left_and_the_reason_says_so() -> None:
    long = "When I asked about it, nobody knew, and so I ask again: " * 8 + "when was it built?"
    (made,) = linker().rewrite([conversation("Was ist der Kölner Dom?", "Eine Kirche.", long)])
    assert made.text == long
    assert "too long" in made.reason


def test_weights_without_a_gate_are_named_in_one_sentence(tmp_path: Path) -> None:
    folder = shutil.copytree(SHIPPED, tmp_path / "weights")
    card = json.loads((folder / CARD).read_text("utf-8"))
    del card["gate"]
    (folder / CARD).write_text(json.dumps(card), "utf-8")
    with pytest.raises(ModelUnavailable, match="have no gate: train them again"):
        read_gate(folder)
