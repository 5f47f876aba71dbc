"""Topics carried over to questions that depend on context."""

import pytest
from support.conversations import conversation

from anaphora.rewrite.context import ContextRewriter


def relative_idf(words):
    """Longer words are rarer."""
    return [min(len(word) / 10, 1.0) for word in words]


def rewritten(*texts):
    return ContextRewriter(relative_idf).rewrite([conversation(*texts)])[0]


@pytest.mark.parametrize(
    ("first", "follow_up", "carried"),
    [
        ("Who founded the Mothers of Invention?", "When did they disband?", "Invention"),
        ("Wer hat die Frauenkirche entworfen?", "Und wann wurde sie zerstört?", "Frauenkirche"),
        ("Quelle est la hauteur de la cathédrale ?", "Et sa longueur ?", "cathédrale"),
        ("¿Quién pintó el Guernica?", "¿Y cuándo?", "Guernica"),
        ("Кто построил Исаакиевский собор?", "А когда?", "Исаакиевский"),
        ("Ayasofya'yı kim yaptırdı?", "Peki ne zaman?", "Ayasofya'yı"),
        ("Ai đã xây dựng Hoàng thành Thăng Long?", "Còn năm nào?", "Thăng"),
        ("من بنى مسجد السلطان أحمد؟", "وماذا عن تاريخه؟", "السلطان"),
        ("谁建造了故宫博物院？", "它在哪里？", "故宫"),
        ("金閣寺を建てたのは誰ですか？", "それはいつですか？", "金閣"),
        ("ใครสร้างวัดพระแก้ว", "แล้วสร้างเมื่อไหร่ล่ะ", "แก้ว"),
    ],
)
def test_the_topic_is_carried_over(first, follow_up, carried):
    rewriter = ContextRewriter(lambda words: [1.0] * len(words))
    found = rewriter.rewrite([conversation(first, "…", follow_up)])[0]
    assert found.text.startswith(follow_up)
    assert carried in found.text
    assert {edit.source_turn for edit in found.edits} == {0}
    assert found.variants == (follow_up,)


def test_a_question_that_stands_alone_is_left_alone():
    found = rewritten(
        "Who founded the Mothers?", "Zappa.", "Which formats does Anaphora understand?"
    )
    assert found.text == "Which formats does Anaphora understand?"
    assert (found.edits, found.variants) == ((), ())


def test_words_come_from_no_further_back_than_the_last_whole_question():
    found = rewritten(
        "Who founded the Mothers of Invention?",
        "Zappa.",
        "Which settings does hybrid retrieval understand?",
        "Many.",
        "And their defaults?",
    )
    assert "retrieval" in found.text
    assert "Invention" not in found.text


def test_a_chain_of_follow_ups_goes_back_to_its_beginning():
    found = rewritten(
        "Which settings does hybrid retrieval understand?", "Many.", "And in TOML?", "Yes.", "Why?"
    )
    assert {"TOML", "retrieval"} <= set(found.text.split())


def test_earlier_turns_are_read_in_their_own_language():
    found = rewritten("What is the default of BM25?", "0.9", "Et en français ?")
    assert "What" not in found.text
    assert "the" not in found.text.split()


def test_answers_lend_no_words():
    assert "elephants" not in rewritten("Who wrote that?", "elephants elephants", "When?").text


def test_nothing_to_carry_over():
    assert rewritten("And then?").text == "And then?"
    assert rewritten("When did they disband?").variants == ()


def test_the_first_questions_get_the_words_of_the_title():
    first = conversation("When did they disband?", title="Mothers of Invention")
    found = ContextRewriter(relative_idf).rewrite([first])[0]
    assert "Invention" in found.text
    assert {edit.source_turn for edit in found.edits} == {None}
    whole = ("Who founded the Mothers of Invention?", "Zappa.", "When did they disband?")
    found = ContextRewriter(relative_idf).rewrite([conversation(*whole, title="Encyclopedia")])[0]
    assert "Encyclopedia" not in found.text


def test_greetings_lend_nothing():
    found = rewritten("Who founded the Mothers of Invention?", "Zappa.", "Ok.", "Yes?", "And when?")
    assert "Invention" in found.text
    assert "Ok" not in found.text


@pytest.mark.parametrize(
    "asked", ["What is the lighthouse keeper's log? " * 4000, "谁建造了故宫" * 9000]
)
def test_of_a_long_turn_the_beginning_is_carried(asked):
    found = rewritten(asked, "…", "它呢？" if asked[0] == "谁" else "And that?")
    assert len(found.text) < 400
    assert found.edits
