"""Bad rewrites by the kind of their error."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.datasets.example import Example
from anaphora.evaluate.results import Outcome, PhrasingResult
from anaphora.evaluate.rewrite_errors import (
    count_rewrite_errors,
    rewrite_error,
    rewrite_errors_text,
)
from anaphora.records import Conversation, Rewrite, Turn

ZAPPA = ["Who led the Mothers of Invention?", "Frank Zappa led the band from 1965."]
LUXUN = ["鲁迅的母亲是谁？", "她叫周瑞，住在绍兴。"]
KUROSAWA = ["黒澤明の師匠は誰ですか？", "山本嘉次郎です。"]
MAHFOUZ = ["من هو صديق نجيب محفوظ؟", "توفيق الحكيم من الإسكندرية."]
GAGARIN = ["Кто сменил Гагарина?", "Герман Титов на «Востоке»."]
SUNTHORN = ["ใครสอนสุนทรภู่", "พระยาตรังในกรุงเทพ"]
TRAN = ["Trần Hưng Đạo đánh ai?", "Thoát Hoan ở Vạn Kiếp."]
YUNUS = ["Yunus Emre kimdir?", "Tapduk'un öğrencisi."]


@pytest.mark.parametrize(
    ("question", "rewrite", "gold", "history", "lang", "kind"),
    [
        ("When did they end?", "When did the Mothers of Invention end?",
         "When did the Mothers of Invention end?", ZAPPA, "en", None),
        ("When did they end?", "when did The Mothers of Invention end",
         "When did the Mothers of Invention end?", ZAPPA, "en", None),
        ("When did they end?", "When did Frank Zappa end?",
         "When did the Mothers of Invention end?", ZAPPA, "en", "wrong referent"),
        ("When did they end?", "When did the Mothers of Invention end in 1965?",
         "When did the Mothers of Invention end?", ZAPPA, "en", "irrelevant context"),
        ("When did they end?", "When did the Beatles end?",
         "When did the Mothers of Invention end?", ZAPPA, "en", "invented"),
        ("What is the capital of Peru?", "What is the capital of Peru with Frank Zappa?",
         "What is the capital of Peru?", ZAPPA, "en", "needless"),
        ("When did they end?", "When did they end?",
         "When did the Mothers of Invention end?", ZAPPA, "en", "lost"),
        ("When did they end in Peru?", "When did the Mothers of Invention end?",
         "When did the Mothers of Invention end in Peru?", ZAPPA, "en", "lost"),
        ("他的代表作是什么？", "鲁迅的代表作是什么？", "鲁迅的代表作是什么？", LUXUN, "zh", None),
        ("他的代表作是什么？", "周瑞的代表作是什么？", "鲁迅的代表作是什么？", LUXUN, "zh",
         "wrong referent"),
        ("他的代表作是什么？", "茅盾的代表作是什么？", "鲁迅的代表作是什么？", LUXUN, "zh",
         "invented"),
        ("他的代表作是什么？", "他的代表作是什么？", "鲁迅的代表作是什么？", LUXUN, "zh", "lost"),
        ("代表作は？", "山本嘉次郎の代表作は？", "黒澤明の代表作は？", KUROSAWA, "ja",
         "wrong referent"),
        ("代表作は？", "黒澤明の師匠の代表作は？", "黒澤明の代表作は？", KUROSAWA, "ja",
         "irrelevant context"),
        ("متى ولد؟", "متى ولد نجيب محفوظ؟", "متى ولد نجيب محفوظ؟", MAHFOUZ, "ar", None),
        ("متى ولد؟", "متى ولد توفيق الحكيم؟", "متى ولد نجيب محفوظ؟", MAHFOUZ, "ar",
         "wrong referent"),
        ("Когда он родился?", "Когда родился Гагарин?", "Когда Гагарин родился?", GAGARIN, "ru",
         None),
        ("Когда он родился?", "Когда родился Герман Титов?", "Когда родился Гагарин?", GAGARIN,
         "ru", "wrong referent"),
        ("Какая столица Перу?", "Какая столица Перу Гагарина?", "Какая столица Перу?", GAGARIN,
         "ru", "needless"),
        ("เกิดที่ไหน", "พระยาตรังเกิดที่ไหน", "สุนทรภู่เกิดที่ไหน", SUNTHORN, "th",
         "wrong referent"),
        ("Ông mất ở đâu?", "Thoát Hoan mất ở đâu?", "Trần Hưng Đạo mất ở đâu?", TRAN, "vi",
         "wrong referent"),
        ("Nerede doğdu?", "Yunus Emre nerede doğdu?", "Yunus Emre nerede doğdu?", YUNUS, "tr",
         None),
        ("Nerede doğdu?", "Nerede doğdu?", "Yunus Emre nerede doğdu?", YUNUS, "tr", "lost"),
    ],
)  # fmt: skip
def test_kinds(question, rewrite, gold, history, lang, kind):
    assert rewrite_error(question, rewrite, gold, history, lang) == kind


texts = st.text(st.sampled_from("abc 鲁迅的 ёж ไทย"), max_size=20)


@given(texts, texts, st.lists(texts, max_size=3), st.sampled_from(["en", "zh", "ru", "th"]))
def test_the_persons_own_rewrite_has_no_error(question, gold, history, lang):
    assert rewrite_error(question, gold, gold, history, lang) is None


@given(texts, texts, texts, st.lists(texts, max_size=3), st.sampled_from(["en", "zh", "ru", "th"]))
def test_nothing_is_invented_that_was_said(question, rewrite, gold, history, lang):
    said = [*history, rewrite]
    assert rewrite_error(question, rewrite, gold, said, lang) != "invented"


def outcome(rewrite, gold):
    question = "When did they end?"
    turns = Turn("user", ZAPPA[0]), Turn("assistant", ZAPPA[1]), Turn("user", question, "en")
    example = Example(Conversation(turns, None, "a"), rewrites=(gold,) if gold else ())
    results = {
        "original": PhrasingResult(Rewrite(question, "en")),
        "rewritten": PhrasingResult(Rewrite(rewrite, "en")),
    }
    return Outcome(example, results)


def test_counts_and_their_table():
    gold = "When did the Mothers of Invention end?"
    made = [gold, gold, "When did Zappa end?", "When did they end?"]
    found = count_rewrite_errors([outcome(one, gold) for one in made] + [outcome("x", "")])
    assert found == {"right": 2, "wrong referent": 1, "lost": 1}
    table = rewrite_errors_text(found)
    assert "wrong referent" in table
    assert "25%" in table
    assert "invented" not in table
