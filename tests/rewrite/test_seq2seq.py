"""The input of equation 1, and what becomes of a model's output. Training a model to rewrite
is in tests/train."""

from __future__ import annotations

import pytest
from support import tiny_seq2seq
from support.conversations import understood

from anaphora.records import Conversation, Turn
from anaphora.rewrite.edits import ContextText
from anaphora.rewrite.seq2seq import Seq2SeqRewriter, model_input


def count(text):
    return len(text.split())


def conversation(*texts, title=None):
    """Turns given as "u: …" and "a: …"."""
    roles = {"u": "user", "a": "assistant"}
    turns = tuple(Turn(roles[text[0]], text[3:]) for text in texts)
    return understood(Conversation(turns, title))


def read(*texts, title=None, limit=512):
    return model_input(conversation(*texts, title=title), count, limit)


def test_the_format_of_equation_1():
    text, said = read("u: q 1", "a: p 1", "u: q 2", "a: p 2", "u: q 3 ?")
    assert text == "q 3 ? [CTX] q 1 p 1 [TURN] q 2 p 2"
    assert said == [
        ContextText("p 2", 3),
        ContextText("q 2", 2),
        ContextText("p 1", 1),
        ContextText("q 1", 0),
    ]


def test_the_title_stands_for_a_turn_before_the_first():
    text, said = read(
        "u: Why did he return?",
        "a: An agreement with a promoter.",
        "u: What was it?",
        title="Billy Graham. Return",
    )
    assert text == (
        "What was it? [CTX] Billy Graham. Return [TURN] "
        "Why did he return? An agreement with a promoter."
    )
    assert said[-1] == ContextText("Billy Graham. Return", None)


def test_questions_alone_as_in_cast():
    text, _ = read("u: What is throat cancer?", "u: Is it treatable?", "u: And symptoms?")
    assert text == "And symptoms? [CTX] What is throat cancer? [TURN] Is it treatable?"


def test_only_the_assistant_spoke_and_some_said_nothing():
    text, _ = read("a: مرحبا", "a: IBM 公司", "u:  ", "a: \n", "u: متى تأسست؟")
    assert text == "متى تأسست؟ [CTX] مرحبا IBM 公司"


def test_of_a_long_talk_the_title_and_the_newest_turns_stay():
    turns = [f"{'au'[n % 2]}: turn {n} " + "word " * 20 for n in range(500)]
    text, said = read(*turns, "u: And?", title="Zappa", limit=100)
    assert text.startswith("And? [CTX] Zappa [TURN] ")
    assert "turn 499 " in text
    assert "turn 3 " not in text
    assert 60 < count(text) <= 100
    numbers = [one.turn for one in said[:-1]]
    assert numbers == list(range(499, 499 - len(numbers), -1))


def test_of_a_very_long_turn_the_beginning_stays():
    text, _ = read("u: q", "a: begins " + "word " * 50_000, "u: And?")
    assert text.startswith("And? [CTX] q begins word")
    assert 500 < count(text) <= 512


def test_a_question_too_long_to_be_written_again_has_no_input():
    assert read("u: q", "u: " + "word " * 62) is not None
    assert read("u: q", "u: " + "word " * 64) is None


def test_a_model_is_loaded_only_when_it_is_needed():
    # No checkpoint has this name: loading it would fail.
    rewriter = Seq2SeqRewriter("no/where")
    first = rewriter.rewrite(
        [conversation("u: When did they end?"), conversation("a: ", "u: 它在哪里？")]
    )
    assert [rewrite.text for rewrite in first] == ["When did they end?", "它在哪里？"]
    assert [rewrite.confidence for rewrite in first] == [1.0, 1.0]
    assert rewriter.rewrite([]) == []


@pytest.mark.parametrize("seed", range(3))
def test_what_a_random_model_writes_is_not_taken(tmp_path, seed):
    conversations = [
        conversation("u: who led them", f"a: {name}", "u: when was he born") for name in "xyz"
    ]
    texts = [turn.text for one in conversations for turn in one.turns]
    folder = tiny_seq2seq.make(tmp_path / "tiny", [*texts, "[CTX] [TURN]"], seed=seed)
    for found in Seq2SeqRewriter(str(folder)).rewrite(conversations):
        assert (found.text, found.confidence) == ("when was he born", 0.0)
        assert (found.edits, found.variants) == ((), ())
