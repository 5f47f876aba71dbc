from __future__ import annotations

from typing import get_args

import pytest
from anaphora.language.phrases import SmallTalk

from anaphora.language import identify, is_small_talk, not_in_documents, small_talk_reply
from tests.language.corpus import TARGETS

KINDS: tuple[SmallTalk, ...] = get_args(SmallTalk)


def phrases(lang: str) -> list[str]:
    return [not_in_documents(lang), *(small_talk_reply(kind, lang) for kind in KINDS)]


@pytest.mark.parametrize("lang", TARGETS)
def test_phrases_are_in_their_language(lang: str) -> None:
    for phrase in phrases(lang):
        assert identify(phrase) == lang, phrase
        assert not is_small_talk(phrase)
    assert len(set(phrases(lang))) == len(KINDS) + 1


def test_english_for_others() -> None:
    assert phrases("unknown") == phrases("sv") == phrases("en")
    assert len({tuple(phrases(lang)) for lang in TARGETS}) == len(TARGETS)
