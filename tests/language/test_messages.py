from __future__ import annotations

from typing import get_args

import pytest
from support.corpus import TARGETS

from anaphora.language import identify, message
from anaphora.language.intent import classify_intent
from anaphora.language.messages import Message

NAMES: tuple[Message, ...] = get_args(Message)


def messages(lang: str) -> list[str]:
    return [message(name, lang) for name in NAMES]


@pytest.mark.parametrize("lang", TARGETS)
def test_messages_are_in_their_language(lang: str) -> None:
    for text in messages(lang):
        assert identify(text) == lang, text
        assert classify_intent(text) == "question", text
    assert len(set(messages(lang))) == len(NAMES)


def test_english_for_others() -> None:
    assert messages("unknown") == messages("sv") == messages("en")
    assert len({tuple(messages(lang)) for lang in TARGETS}) == len(TARGETS)
