"""The edited question as text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.language import stop_words
from anaphora.rewrite.linking.detokenization import apply_edits
from anaphora.rewrite.tokenization import word_ranges


@pytest.mark.parametrize(
    ("question", "lang", "deleted", "inserted", "expected"),
    [
        ("When did they end?", "en", [2], {2: ["the Mothers"]}, "When did the Mothers end?"),
        ("Did he win?", "en", [1], {0: ["besides", "gold", ","], 1: ["Zappa"]},
         "Besides gold, did Zappa win?"),
        ("His album?", "en", [0], {0: ["Zappa", "'s"]}, "Zappa's album?"),
        ("他是谁？", "zh", [0], {0: ["鲁迅"]}, "鲁迅是谁？"),
        ("代表作は？", "ja", [], {0: ["黒澤明", "の"]}, "黒澤明の代表作は？"),
        ("เขาคือใคร", "th", [0, 1, 2], {0: ["สุนทรภู่"]}, "สุนทรภู่คือใคร"),
        ("متى ولد؟", "ar", [], {2: ["نجيب محفوظ"]}, "متى ولد نجيب محفوظ؟"),
        ("¿Cuándo nació?", "es", [], {3: ["Frida Kahlo"]}, "¿Cuándo nació Frida Kahlo?"),
        ("Ông ấy mất ở đâu?", "vi", [0, 1], {0: ["Trần Hưng Đạo"]}, "Trần Hưng Đạo mất ở đâu?"),
        ("А он?", "ru", [1], {1: ["Гагарин"]}, "А Гагарин?"),
        ("O nerede?", "tr", [0], {0: ["Ankara"]}, "Ankara nerede?"),
        ("그는 어디에?", "ko", [0], {0: ["김연아"]}, "김연아 어디에?"),
        ("वह कहाँ है?", "hi", [0], {0: ["जयपुर"]}, "जयपुर कहाँ है?"),
        ("Où est-il ?", "fr", [2, 3], {2: ["Zola"]}, "Où est Zola ?"),
        ("Quand est-il mort ?", "fr", [], {5: ["Zola"]}, "Quand est-il mort Zola ?"),
        ("When was he born?", "en", [2], {2: ["鲁迅"]}, "When was 鲁迅 born?"),
        ("متى ولد؟", "ar", [], {2: ["鲁迅"]}, "متى ولد 鲁迅؟"),
        ("他是谁？", "zh", [0], {0: ["Zappa"]}, "Zappa是谁？"),
        ("what  about  it", "en", [2], {2: ["the film"]}, "what  about the film"),
    ],
)  # fmt: skip
def test_edits_are_applied(
    question: str, lang: str, deleted: list[int], inserted: dict[int, list[str]], expected: str
) -> None:
    function_words = stop_words(lang)
    ranges = word_ranges(question)
    found = apply_edits(
        question, ranges, deleted, inserted, lambda word: word.lower() in function_words
    )
    assert found == expected


@given(st.text(max_size=60))
def test_no_edit_changes_nothing_but_outer_spaces(text: str) -> None:
    found = apply_edits(text, word_ranges(text), (), {}, lambda word: False)
    assert "".join(found.split()) == "".join(text.split())
