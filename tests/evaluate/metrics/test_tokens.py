from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.evaluate.metrics.tokens import paper_tokens, runs, tokenized, tokens, words


@pytest.mark.parametrize(
    ("text", "lang", "expected"),
    [
        ("It's 3.5 °C!", "en", ["it", "'", "s", "3", ".", "5", "°", "c", "!"]),
        ("iPhone 的价格", "zh", ["iphone", "的", "价", "格"]),
        ("東京タワーへ", "ja", ["東", "京", "タ", "ワ", "ー", "へ"]),
        ("서울은 2024년", "ko", ["서", "울", "은", "2024", "년"]),
        ("กี่ปี", "th", ["กี่", "ปี"]),
        ("ភ្នំពេញ", "km", ["ភ្នំ", "ពេ", "ញ"]),
        ("ສະບາຍດີ", "lo", ["ສ", "ະ", "ບ", "າ", "ຍ", "ດີ"]),
        ("မြန်မာ", "my", ["မြ", "န်", "မာ"]),
        ("हिन्दी क्या है?", "hi", ["हिन्दी", "क्या", "है", "?"]),
        ("قَالَ الكِتَاب", "ar", ["قال", "الكتاب"]),
        ("Что такое ёлка?", "ru", ["что", "такое", "елка", "?"]),
        ("Straße", "de", ["strasse"]),
        ("Người Việt", "vi", ["người", "việt"]),
        ("👍🏽 ok", "en", ["👍", "🏽", "ok"]),
        ("snake_case", "en", ["snake", "_", "case"]),
        ("", "en", []),
        (" \u2028\t", "zh", []),
    ],
)
def test_tokens_by_script(text: str, lang: str, expected: list[str]) -> None:
    assert tokens(text, lang) == expected


def test_the_turkish_i_keeps_its_dot_or_lack_of_it() -> None:
    assert tokens("IĞDIR İZMİR", "tr") == ["ığdır", "izmir"]
    assert tokens("IĞDIR İZMİR", "en") == ["iğdir", "izmir"]


@pytest.mark.parametrize(
    ("one", "other", "lang"),
    [
        ("２０１９年", "2019年", "zh"),
        ("٢٠١٩", "2019", "ar"),
        ("ﬁle", "file", "en"),
        ("مدرسة", "مَدْرَسَة", "ar"),
        ("co\u00adoperate", "cooperate", "en"),
        ("ｶﾅ", "カナ", "ja"),
        ("©À", "©A\u0300", "fr"),
    ],
)
def test_spellings_of_one_thing_are_one(one: str, other: str, lang: str) -> None:
    assert tokens(one, lang) == tokens(other, lang)


@given(st.text(), st.sampled_from(["en", "zh", "th", "ar", "tr", "vi", "hi", "ko", "unknown"]))
def test_tokens_of_any_text(text: str, lang: str) -> None:
    found = tokens(text, lang)
    assert not any(char.isspace() for token in found for char in token)
    assert all(
        unicodedata.category(token[0])[0] != "M" for token in found if token[0] < "\U00010000"
    )
    for form in ("NFC", "NFD"):
        assert tokens(unicodedata.normalize(form, text), lang) == found


def test_words_leave_punctuation_out_unless_there_is_nothing_else() -> None:
    assert words("¿Qué es «apt»?", "es") == ["qué", "es", "apt"]
    assert words("。。", "zh") == ["。", "。"]
    assert words("😀", "en") == ["😀"]
    assert words("  ", "en") == []


def test_runs_keep_unspaced_writing_together() -> None:
    assert runs("日本的首都是东京。", "zh") == ["日本的首都是东京"]
    assert runs("iPhone15の価格、安い", "ja") == ["iphone15", "の価格", "安い"]
    assert runs("São Paulo", "pt") == ["são", "paulo"]
    assert runs("!?", "en") == ["!", "?"]


def test_the_protocol_of_the_paper() -> None:
    assert paper_tokens("Zappa's 1st, big_band?", "en") == [
        "zappa", "'", "s", "1st", ",", "big_band", "?",
    ]  # fmt: skip
    assert paper_tokens("她是歌手吗", "zh") == ["她", "是", "歌", "手", "吗"]
    # \w+ alone would break this one word into five.
    assert paper_tokens("हिन्दी", "hi") == ["हिन्दी"]


def test_one_string_is_no_list_of_references() -> None:
    with pytest.raises(TypeError, match="sequence of strings"):
        tokenized("Paris", "en", words)
    assert tokenized(["Paris", "", " "], "en", words) == [["paris"]]
