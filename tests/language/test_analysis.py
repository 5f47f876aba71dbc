from __future__ import annotations

import subprocess
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.corpus import FIRST_QUESTIONS, PARAGRAPHS, TARGETS, joined

from anaphora.language import Analyzer, analysis_version, analyzer, normalize, stop_words, tokenize
from anaphora.language.analysis import MAX_TERM

ANY_TEXT = st.text(
    st.one_of(
        st.sampled_from("aIİıé'’.,-_+#1٣ 　क्षิก้한東カー\u0301\u200d\u00ad\u0640\u064eＡﬁ™😀"),
        st.characters(),
    ),
    max_size=60,
)


@pytest.mark.parametrize("lang", TARGETS)
def test_a_question_shares_terms_with_its_passage(lang: str) -> None:
    question = set(analyzer(lang).terms(FIRST_QUESTIONS[lang]))
    assert len(question & set(analyzer(lang).terms(PARAGRAPHS[lang][0]))) >= 2


@pytest.mark.parametrize("lang", TARGETS)
def test_case_composition_and_width_do_not_matter(lang: str) -> None:
    terms = analyzer(lang).terms
    text = joined(lang)
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        assert terms(unicodedata.normalize(form, text)) == terms(text)
    wide = "".join(chr(ord(char) + 0xFEE0) if "0" <= char <= "9" else char for char in text)
    assert terms(wide) == terms(text)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Hello, world!", ["Hello", "world"]),
        ("l'homme qu’il", ["l'homme", "qu’il"]),
        ("C++, C# and F#.", ["C++", "C#", "and", "F#"]),
        ("v2.0 3.14 1,000 a,b", ["v2.0", "3.14", "1,000", "a", "b"]),
        ("me@example.com", ["me", "example.com"]),
        ("__init__ my_var a__b _", ["init", "my_var", "a", "b"]),
        ("state-of-the-art e-mail U-Bahn vitamin-C-rich",
         ["state", "of", "the", "art", "e-mail", "U-Bahn", "vitamin", "C", "rich"]),
        ("a-t-il", ["a", "t", "il"]),
        ("नमस्ते दुनिया", ["नमस्ते", "दुनिया"]),
        ("शक्ति", ["शक्ति"]),
        ("שָׁלוֹם", ["שלום"]),
        ("Ti\u00ea\u0301ng Vi\u1ec7t", ["Tiếng", "Việt"]),
        ("co\u00adoperate zero\u200bwidth", ["cooperate", "zerowidth"]),
        ("Ａｎａｐｈｏｒａ ﬁle", ["Anaphora", "file"]),
        ("Anaphora™ 👍🏽 ❤️ 5€", ["Anaphora", "5"]),
        ("中文", ["中", "中文", "文"]),
        ("我用Python3。", ["我", "我用", "用", "Python3"]),
        ("한국어 말", ["한", "한국", "국", "국어", "어", "말"]),
        ("ｶﾞ", ["ガ"]),
        ("น้ำ", ["น้ํา"]),
        ("ภาษา", ["ภา", "ภาษ", "าษ", "าษา", "ษา"]),
        ("ខ្មែរ", ["ខ្មែ", "ខ្មែរ", "រ"]),
        ("", []),
        ("?! 😀 —", []),
    ],
)  # fmt: skip
def test_tokens(text: str, tokens: list[str]) -> None:
    assert tokenize(text) == tokens


@pytest.mark.parametrize(
    ("lang", "text", "terms"),
    [
        ("en", "The servers' restarting isn't what's new", ["server", "restart", "new"]),
        ("en", "Obama's U.S. policy", ["obama", "us", "polici"]),
        ("en", "the WHO and the US: who asks us?", ["who", "us", "ask"]),
        ("en", "max_connections", ["max_connections", "max", "connect"]),
        ("en", "1,000,000 3.14 12.03.2020", ["1000000", "3.14", "12", "03", "2020"]),
        ("de", "4.500.000 3,14", ["4500000", "3.14"]),
        ("de", "GROẞE Straße", ["gross", "strass"]),
        ("de", "Krankenversicherungen", ["krankenversicher", "kranke*"]),
        ("fr", "L’homme qu'on a vu aujourd'hui", ["homm", "vu", "aujourdhui"]),
        ("it", "Dell'arte c'è l'uomo", ["arte", "uom"]),
        ("tr", "İSTANBUL'da KIRMIZI", ["istanbul", "kırmız"]),
        ("en", "İstanbul", ["istanbul"]),
        ("ar", "الكِتَابُ الجـديد ١٢٣", ["كتاب", "جديد", "123"]),
        ("hi", "क़लम और कलम", ["कलम", "कलम"]),
        ("ru", "Ёлка и ёлки", ["елк", "елк"]),
        ("zh", "什么是编程？", ["么是", "是编", "编", "编程", "程"]),
        ("ja", "猫とは何ですか", ["猫", "猫と"]),
        ("ko", "서울은", ["서", "서울", "울", "울은"]),
        ("unknown", "The Servers", ["the", "servers"]),
        ("xx", "", []),
    ],
)
def test_terms(lang: str, text: str, terms: list[str]) -> None:
    assert analyzer(lang).terms(text) == terms


def test_single_han_character_is_found() -> None:
    assert set(analyzer("zh").terms("茶是什么？")) & set(analyzer("zh").terms("绿茶的产地"))


@pytest.mark.parametrize("lang", TARGETS)
def test_stop_words_are_dropped(lang: str) -> None:
    words = stop_words(lang)
    assert len(words) > 40
    for word in words:
        if " ".join(tokenize(word)) == word:
            assert analyzer(lang).term(word) == (), word


def test_analysers_are_shared() -> None:
    assert analyzer("fi") is analyzer("fi")


def test_version_names_the_stemmer() -> None:
    assert "snowball" in analysis_version()


def test_import_loads_nothing_heavy() -> None:
    code = (
        "import sys, anaphora.language; "
        "print([name for name in ('eldc', 'Stemmer', 'numpy', 'torch') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_memory_of_an_analyser_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("anaphora.language.analysis._MAX_CACHED", 8)
    small = Analyzer("en")
    for number in range(100):
        small.terms(f"word{number} other{number}")
    assert len(small._cache) <= 8
    assert len(small._chunks) <= 8


@pytest.mark.parametrize(
    "text",
    [
        "a" * 300_000, "." * 300_000, "a." * 100_000, "a'" * 100_000, "_" * 300_000,
        "_a" * 100_000, "1," * 100_000, "-" * 300_000, "a-" * 100_000, "中" * 100_000,
        "\u0301" * 100_000, "a" + "\u0301" * 100_000, "l'" * 100_000 + "x",
    ],
)  # fmt: skip
@pytest.mark.parametrize("lang", ["fr", "zh"])
def test_hostile_input(lang: str, text: str) -> None:
    for term in analyzer(lang).terms(text):
        assert len(term) <= MAX_TERM


@given(ANY_TEXT, st.sampled_from([*TARGETS, "unknown"]))
def test_terms_are_those_of_the_tokens(text: str, lang: str) -> None:
    analyse = analyzer(lang)
    expected = [term for token in tokenize(text) for term in analyse.term(token)]
    assert analyse.terms(text) == expected
    assert Analyzer(lang).terms(text) == expected
    assert all(expected)
    assert not any(char.isspace() for term in expected for char in term)


@given(ANY_TEXT)
def test_tokens_never_begin_with_a_mark(text: str) -> None:
    for token in tokenize(text):
        assert token
        assert unicodedata.category(token[0])[0] != "M"


@given(ANY_TEXT, st.sampled_from([*TARGETS, "unknown"]))
def test_composed_and_decomposed_text_analyse_alike(text: str, lang: str) -> None:
    composed = unicodedata.normalize("NFC", text)
    decomposed = unicodedata.normalize("NFD", text)
    assert tokenize(composed) == tokenize(decomposed) == tokenize(text)
    assert analyzer(lang).terms(composed) == analyzer(lang).terms(decomposed)


@given(ANY_TEXT)
def test_normalize_is_idempotent(text: str) -> None:
    assert normalize(normalize(text)) == normalize(text)
