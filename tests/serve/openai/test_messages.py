"""Messages become a question and its history."""

from __future__ import annotations

import pytest

pytest.importorskip("fastapi")

from anaphora.records import Turn
from anaphora.serve.openai.forms import Message
from anaphora.serve.openai.messages import conversation
from anaphora.serve.problems import Problem


def messages(*given: dict) -> list[Message]:
    return [Message.model_validate(one) for one in given]


def test_the_last_message_is_the_question_and_those_before_it_the_history():
    question, history = conversation(
        messages(
            {"role": "user", "content": "灯塔建于哪一年？"},
            {"role": "assistant", "content": "1887年。 [1]"},
            {"role": "user", "content": "它是什么颜色？"},
        )
    )
    assert question == "它是什么颜色？"
    assert history == [Turn("user", "灯塔建于哪一年？"), Turn("assistant", "1887年。 [1]")]


def test_messages_of_the_system_of_tools_and_without_text_are_passed_over():
    question, history = conversation(
        messages(
            {"role": "system", "content": "You are a pirate."},
            {"role": "developer", "content": [{"type": "text", "text": "Be brief."}]},
            {"role": "user", "content": "متى بنيت المنارة؟"},
            {"role": "assistant", "content": None, "tool_calls": [{"id": "1"}]},
            {"role": "tool", "content": "42", "tool_call_id": "1"},
            {"role": "assistant", "content": ""},
            {"role": "user", "content": "ما لونها؟", "name": "ليلى"},
            {"role": "system", "content": "Remember: a pirate."},
        )
    )
    assert question == "ما لونها؟"
    assert history == [Turn("user", "متى بنيت المنارة؟")]


def test_parts_of_text_are_joined():
    parts = [{"type": "text", "text": "Ngọn hải đăng"}, {"type": "text", "text": "màu gì?"}]
    assert conversation(messages({"role": "user", "content": parts})) == (
        "Ngọn hải đăng\nmàu gì?",
        [],
    )


@pytest.mark.parametrize("kind", ["image_url", "input_audio", "file"])
def test_a_part_that_is_no_text_is_named(kind):
    parts = [{"type": "text", "text": "What is this?"}, {"type": kind, kind: {"url": "http://x"}}]
    with pytest.raises(Problem, match=f"'{kind}', but only text") as caught:
        conversation(messages({"role": "user", "content": parts}))
    assert (caught.value.status, caught.value.param) == (400, "messages[0].content[1]")


@pytest.mark.parametrize(
    "given",
    [
        [{"role": "user", "content": " \n"}],
        [{"role": "system", "content": "Hello."}],
        [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Sure, I"}],
    ],
    ids=["empty", "system", "assistant"],
)
def test_without_a_question_at_the_end_there_is_one_error(given):
    with pytest.raises(Problem, match="must be the user's question"):
        conversation(messages(*given))
