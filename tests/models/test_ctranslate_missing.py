"""Without CTranslate2, one sentence says what to install."""

from __future__ import annotations

import sys

import pytest

from anaphora.errors import ModelUnavailable
from anaphora.models.ctranslate import ConvertedSeq2Seq


def test_one_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "ctranslate2", None)
    with pytest.raises(ModelUnavailable, match=r'needs CTranslate2: `pip install "anaphora\[ctra'):
        ConvertedSeq2Seq("some/name")
