"""Edits found between a question and its rewrite."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.rewrite.edits import ContextText, aligned_edits


def applied(question, edits):
    """The text that the edits make of the question, without white space, in NFC."""
    text, at = "", 0
    for edit in edits:
        gone = edit.text if edit.kind == "delete" else edit.replaced
        assert question[edit.position : edit.position + len(gone)] == gone
        assert edit.position >= at
        text += question[at : edit.position] + (edit.text if edit.kind != "delete" else "")
        at = edit.position + len(gone)
    return bare(text + question[at:])


def bare(text):
    return unicodedata.normalize("NFC", "".join(text.split()))


CASES = [
    ("en", "Who were The Mothers?", "When did they end?", "When did The Mothers end?", 1),
    ("en", "Who is Frank Zappa?", "Where is his son?", "Where is Frank Zappa's son?", 1),
    ("zh", "故宫在北京", "它有多大", "故宫有多大", 1),
    ("ja", "東京タワーは港区です", "高さは？", "東京タワーの高さは？", 1),
    ("th", "วัดพระแก้วอยู่กรุงเทพ", "สร้างเมื่อไร", "วัดพระแก้วสร้างเมื่อไร", 1),
    ("ar", "تأسست جامعة القاهرة", "كم عدد الطلاب؟", "كم عدد طلاب جامعة القاهرة؟", 1),
    ("vi", "Nguyễn Du là ai?", "Ông ấy sinh ở đâu?", "Nguyễn Du sinh ở đâu?", 1),
    ("ru", "Кто такой Лев Толстой?", "Где он родился?", "Где Лев Толстой родился?", 1),
    ("tr", "Ayasofya nerede?", "Onu kim yaptırdı?", "Ayasofya'yı kim yaptırdı?", 1),
    ("hi", "ताजमहल किसने बनवाया?", "वह कहाँ है?", "ताजमहल कहाँ है?", 1),
    ("ko", "경복궁은 어디에 있나요?", "그것은 누가 지었나요?", "경복궁은 누가 지었나요?", 1),
    ("en", "Tell me of bees.", "So, what else?", "what else?", None),
]


@pytest.mark.parametrize(("lang", "before", "question", "rewrite", "count"), CASES)
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_edits_lead_to_the_rewrite_and_name_their_turn(
    lang, before, question, rewrite, count, form
):
    question = unicodedata.normalize(form, question)
    context = [ContextText("Bees and honey", None), ContextText(before, 4)]
    edits = aligned_edits(question, rewrite, lang, context)
    assert applied(question, edits) == bare(rewrite)
    if count is None:
        assert [(edit.kind, edit.source_turn) for edit in edits] == [("delete", None)]
    elif lang not in ("ar", "tr"):
        assert [edit.source_turn for edit in edits if edit.kind != "delete"] == [4]
    else:
        assert 4 in [edit.source_turn for edit in edits] or lang == "tr"


def test_of_several_texts_the_one_with_most_of_the_words_lends_them():
    context = [
        ContextText("Mothers", 2),
        ContextText("The Mothers of Invention", 0),
        ContextText("Zappa", None),
    ]
    (edit,) = aligned_edits("Did they?", "Did The Mothers of Invention?", "en", context)
    assert edit.source_turn == 0
    (edit,) = aligned_edits("Did he?", "Did Zappa?", "en", context)
    assert edit.source_turn is None
    (edit,) = aligned_edits("Did they?", "Did the mothers?", "en", context)
    assert edit.source_turn == 2


TEXTS = st.lists(
    st.sampled_from(
        ["it", "Zappa", "'s", " ", "?", "它", "故宫", "هو", "مصر", "e\u0301", "é", "มัน"]
    )
).map("".join)


@given(TEXTS | st.text(max_size=40), TEXTS | st.text(max_size=40))
def test_edits_always_lead_to_the_rewrite(question, rewrite):
    edits = aligned_edits(question, rewrite, "en", [ContextText("Zappa", 0)])
    assert applied(question, edits) == bare(rewrite)


@given(TEXTS)
def test_a_question_left_alone_has_no_edits(question):
    assert aligned_edits(question, question, "en") == ()
