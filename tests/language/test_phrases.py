from __future__ import annotations

import pytest

from anaphora.language import identify, is_small_talk, not_in_documents, small_talk_reply
from tests.language.corpus import TARGETS


@pytest.mark.parametrize("lang", TARGETS)
@pytest.mark.parametrize("phrase", [not_in_documents, small_talk_reply])
def test_phrases_are_in_their_language(lang: str, phrase: type[str]) -> None:
    assert identify(phrase(lang)) == lang
    assert not is_small_talk(phrase(lang))


@pytest.mark.parametrize("phrase", [not_in_documents, small_talk_reply])
def test_english_for_others(phrase: type[str]) -> None:
    assert phrase("unknown") == phrase("sv") == phrase("en")
    assert len({phrase(lang) for lang in TARGETS}) == len(TARGETS)
