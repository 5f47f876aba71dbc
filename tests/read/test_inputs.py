"""What a generator gets to read, and what is dropped where it does not fit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.dialogues import FACTS, hits

from anaphora.read.inputs import Input, alone, together
from anaphora.records import Conversation, Query, Turn

ASKED = Query("Who led the band?", "en")
TOLD = Query(
    "Who led the Mothers?",
    "en",
    conversation=Conversation(
        (
            Turn("user", "Who were the  Mothers?"),
            Turn("assistant", "A band."),
            Turn("user", " \n"),
            Turn("user", "Who led\nthem?"),
        )
    ),
)


def words(text):
    return len(text.split())


def test_the_question_and_all_passages_in_one_text():
    found = hits("Zappa led  the\nband.", "It ended.")
    made = together(ASKED, found, "question", 100, words)
    assert made.texts == (
        "question: Who led the band? title: Guide context: Zappa led the band. "
        "title: Guide context: It ended.",
    )
    assert (made.hits, made.dropped, made.shortened, made.note) == (tuple(found), 0, False, "")


def test_a_passage_without_a_title_has_none():
    (text,) = together(ASKED, hits("It ended.", title=""), "question", 100, words).texts
    assert text == "question: Who led the band? context: It ended."


def test_passages_alone_are_equation_4():
    made = together(ASKED, hits("One.", "Two.", "Three."), "passages", 100, words)
    assert made.texts == ("One. Two. Three.",)


def test_the_turns_before_follow_the_question_as_asked_the_newest_first():
    (text,) = together(TOLD, hits("He did."), "history", 100, words).texts
    assert text == (
        "question: Who led them? history: A band. | Who were the Mothers? "
        "title: Guide context: He did."
    )
    assert together(ASKED, hits("He did."), "history", 100, words) == together(
        ASKED, hits("He did."), "question", 100, words
    )


def test_old_turns_leave_half_of_the_window_to_passages():
    (text,) = together(TOLD, hits("He did."), "history", 15, words).texts
    assert "history: A band. title:" in text
    assert words(text) <= 15


def test_one_text_for_each_passage():
    found = hits("One.", "Two.")
    made = alone(ASKED, found, "question", 100, words)
    assert made.texts == tuple(
        together(ASKED, [hit], "question", 100, words).texts[0] for hit in found
    )
    assert made.hits == tuple(found)


def test_the_worst_passages_are_dropped():
    made = together(ASKED, hits("One two.", "Three four.", "Five six."), "question", 15, words)
    assert made.texts[0].endswith("One two. title: Guide context: Three four.")
    assert [hit.passage.passage_id for hit in made.hits] == ["p1", "p2"]
    assert made.note == "1 passage did not fit into the model's window"


def test_of_a_passage_that_is_too_long_the_first_sentences_are_read():
    long = "The first is here. The second is there. The third is nowhere."
    made = together(ASKED, hits(long, "More."), "question", 17, words)
    assert made.texts[0].endswith("context: The first is here. The second is there.")
    assert (made.dropped, made.shortened) == (1, True)
    assert made.note == "1 passage and the end of another did not fit into the model's window"
    each = alone(ASKED, hits(long, "More."), "question", 17, words)
    assert [text.rsplit("context: ", 1)[1] for text in each.texts] == [
        "The first is here. The second is there.",
        "More.",
    ]
    assert each.note == "the end of a passage did not fit into the model's window"


def test_where_nothing_fits_nothing_is_read():
    asked = Query("why " * 50)
    assert together(asked, hits("One."), "question", 40, words) == Input((), (), dropped=1)
    assert alone(asked, hits("One.", "Two."), "question", 40, words) == Input((), (), dropped=2)
    assert together(asked, [], "question", 40, words) == Input((), ())


@given(
    st.lists(st.sampled_from([text for text, _, _ in FACTS]), max_size=6),
    st.sampled_from(["question", "history", "passages"]),
    st.integers(1, 200),
)
def test_every_input_fits_and_every_passage_is_accounted_for(texts, form, room):
    found = hits(*texts)
    for build in (together, alone):
        made = build(Query(FACTS[0][1]), found, form, room, len)
        assert all(len(text) <= room for text in made.texts)
        assert len(made.hits) + made.dropped == len(found)
        assert all(hit in found for hit in made.hits)
        assert bool(made.note) == (made.dropped > 0 or made.shortened)


@pytest.mark.parametrize(("text", "question", "_"), FACTS)
def test_every_script_is_kept(text, question, _):
    (made,) = together(Query(question), hits(text), "question", 100, len).texts
    assert question in made
    assert text in made
