import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.evaluate.report.edits import marked
from anaphora.records import Edit, Rewrite


def told(pieces):
    return [(piece.kind, piece.text, piece.source_turn) for piece in pieces]


def question_of(pieces):
    return "".join(piece.text for piece in pieces if piece.kind != "insert")


def rewrite_of(pieces):
    return "".join(piece.text for piece in pieces if piece.kind != "delete")


@pytest.mark.parametrize(
    ("question", "rewrite", "edits", "pieces"),
    [
        (
            "When did they end?",
            "When did The Mothers end?",
            [Edit("replace", "The Mothers", 2, 9, "they")],
            [
                ("keep", "When did ", None),
                ("delete", "they", None),
                ("insert", "The Mothers", 2),
                ("keep", " end?", None),
            ],
        ),
        (
            "And 2023?",
            "And 2023? revenue sales",
            [Edit("insert", "revenue", 0, 9), Edit("insert", "sales", 2, 9)],
            [
                ("keep", "And 2023?", None),
                ("insert", " ", None),
                ("insert", "revenue", 0),
                ("insert", " ", None),
                ("insert", "sales", 2),
            ],
        ),
        (
            "Well, who was he?",
            "who was he?",
            [Edit("delete", "Well,", None, 0)],
            [("delete", "Well, ", None), ("keep", "who was he?", None)],
        ),
        ("它多高？", "塔多高？", [Edit("replace", "塔", 0, 0, "它")],
         [("delete", "它", None), ("insert", "塔", 0), ("keep", "多高？", None)]),
        ("ومتى بُني؟", "ومتى بُني البرج؟", [Edit("insert", " البرج", 0, 9)],
         [("keep", "ومتى بُني", None), ("insert", " البرج", 0), ("keep", "؟", None)]),
    ],
)  # fmt: skip
def test_edits_are_marked_where_they_were_made(question, rewrite, edits, pieces):
    assert told(marked(question, Rewrite(rewrite, "en", tuple(edits)))) == pieces


@pytest.mark.parametrize(
    ("question", "rewrite", "changed"),
    [
        ("How old is it?", "How old is the tower?", [("delete", "it"), ("insert", "the tower")]),
        ("它多高？", "台北塔多高？", [("delete", "它"), ("insert", "台北塔")]),
        ("それはいつ？", "塔はいつ？", [("delete", "それ"), ("insert", "塔")]),
        ("แล้วสูงเท่าไร", "แล้วหอคอยสูงเท่าไร", [("insert", "หอคอย")]),
        ("और कब?", "मीनार कब?", [("delete", "और"), ("insert", "मीनार")]),
        ("그건 언제?", "탑은 언제?", [("delete", "그건"), ("insert", "탑은")]),
        ("Сколько ему лет?", "Сколько башне лет?", [("delete", "ему"), ("insert", "башне")]),
        ("Nó cao bao nhiêu?", "Tháp cao bao nhiêu?", [("delete", "Nó"), ("insert", "Tháp")]),
        ("O kaç metre?", "Kule kaç metre?", [("delete", "O"), ("insert", "Kule")]),
    ],
)
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_without_edits_whole_words_differ(question, rewrite, changed, form):
    def shaped(text):
        return unicodedata.normalize(form, text)

    pieces = marked(shaped(question), Rewrite(shaped(rewrite), "en"))
    expected = [(kind, shaped(text)) for kind, text in changed]
    assert [(one.kind, one.text) for one in pieces if one.kind != "keep"] == expected


@pytest.mark.parametrize(
    "edit",
    [
        Edit("replace", "The Mothers", 3, 4, "they"),
        Edit("insert", "The Mothers", 3, 400),
        Edit("delete", "nowhere", 3, -2),
    ],
)
def test_edits_that_do_not_fit_give_way_to_the_difference(edit):
    pieces = marked("When did they end?", Rewrite("When did The Mothers end?", "en", (edit,)))
    source = None if edit.kind == "delete" else 3
    assert told(pieces)[1:3] == [("delete", "they", None), ("insert", "The Mothers", source)]


EDITS = st.builds(
    Edit,
    st.sampled_from(["insert", "replace", "delete"]),
    st.text("ab กำ中 ", max_size=4),
    st.none() | st.integers(0, 3),
    st.integers(-1, 9),
    st.text("ab ก中", max_size=2),
)


@given(
    st.text("ab กำ中 é", max_size=12),
    st.text("ab กำ中 é", max_size=12),
    st.lists(EDITS, max_size=3),
)
def test_pieces_make_up_both_texts(question, rewrite, edits):
    pieces = marked(question, Rewrite(rewrite, "en", tuple(edits)))
    assert question_of(pieces) == question
    assert rewrite_of(pieces) == rewrite
    assert all(piece.text for piece in pieces)


@given(st.text(max_size=30), st.text(max_size=30))
def test_any_two_texts_have_a_difference(question, rewrite):
    pieces = marked(question, Rewrite(rewrite, "en"))
    assert (question_of(pieces), rewrite_of(pieces)) == (question, rewrite)
