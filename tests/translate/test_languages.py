from __future__ import annotations

import pytest
from support.corpus import TARGETS

from anaphora.translate.languages import english_name, language_token

FAMILIES = {
    "nllb": ("arb_Arab", "zho_Hans", "jpn_Jpan"),
    "m2m": ("__ar__", "__zh__", "__ja__"),
    "mbart": ("ar_AR", "zh_CN", "ja_XX"),
    "marian": (">>ara<<", ">>cmn_Hans<<", ">>jpn<<"),
    "old marian": (">>ar<<", ">>zh<<", ">>ja<<"),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_a_language_by_its_token_in_the_vocabulary(family):
    tokens = FAMILIES[family]
    found = [language_token(lang, tokens.__contains__) for lang in ("ar", "zh", "ja", "de")]
    assert found == [*tokens, None]


def test_every_language_has_names_of_its_own():
    tokens = [language_token(lang, lambda token: True) for lang in TARGETS]
    assert len(set(tokens)) == len(TARGETS)
    assert all(token and "_" in token for token in tokens)
    assert len({english_name(lang) for lang in TARGETS}) == len(TARGETS)


def test_a_language_outside_the_table_goes_by_its_code():
    assert language_token("nl", {"__nl__"}.__contains__) == "__nl__"
    assert language_token("nl", {"deu_Latn"}.__contains__) is None
    assert english_name("nl") == "nl"
