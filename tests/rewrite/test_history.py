"""The rewriters that repeat what was said."""

import pytest
from support.conversations import conversation

from anaphora.records import Conversation, Turn
from anaphora.rewrite.history import HistoryRewriter, NoRewriter

COMPANY = conversation("Who founded the company?", "Two brothers.", "When?")


def test_none_leaves_the_question():
    rewrite = NoRewriter().rewrite([COMPANY])[0]
    assert (rewrite.text, rewrite.edits, rewrite.lang) == ("When?", (), "en")


@pytest.mark.parametrize(
    ("order", "text", "sources"),
    [
        ("newest", "When? Two brothers. Who founded the company?", [1, 0]),
        ("oldest", "When? Who founded the company? Two brothers.", [0, 1]),
    ],
)
def test_both_orders(order, text, sources):
    rewrite = HistoryRewriter(order).rewrite([COMPANY])[0]
    assert rewrite.text == text
    assert [edit.source_turn for edit in rewrite.edits] == sources
    assert all(edit.position == len("When?") for edit in rewrite.edits)


def test_only_the_latest_turns():
    assert HistoryRewriter("oldest", 1).rewrite([COMPANY])[0].text == "When? Two brothers."
    assert HistoryRewriter("newest", 9).rewrite([COMPANY])[0].text.startswith("When? Two")


def test_a_first_question_is_left_alone():
    first = conversation("東京はどこ?")
    assert HistoryRewriter().rewrite([first])[0].text == "東京はどこ?"


def test_a_conversation_must_end_with_a_question():
    with pytest.raises(ValueError, match="user"):
        Conversation((Turn("assistant", "Hello"),))
    with pytest.raises(ValueError, match="at least one"):
        Conversation(())
