"""What is called by its number in a list of an answer is named."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.conversations import conversation

from anaphora.records import Block, Citation, Conversation, Edit, Turn
from anaphora.rewrite.follow_ups import FollowUpRewriter
from anaphora.rewrite.history import NoRewriter
from anaphora.rewrite.list_items import with_items


def cited(*items: str, kind="item", markers=()) -> Citation:
    quote, blocks = "", []
    for at, item in enumerate(items):
        marker = markers[at] if markers else "•"
        blocks.append(Block(kind, len(quote), len(quote) + len(item), 1, marker))
        quote += item + "\n"
    return Citation("p", "d", "T", quote, 0, len(quote), None, tuple(blocks))


def asked(answer: str | Citation, *texts: str, lang: str | None = None) -> Conversation:
    text = answer if isinstance(answer, str) else "…"
    found = conversation("Which are there?", text, *texts, lang=lang)
    if isinstance(answer, Citation):
        first, second, *others = found.turns
        found = replace(found, turns=(first, replace(second, citations=(answer,)), *others))
    return found


LISTS = [
    cited("Rectangle Select: boxes.", "Ellipse Select (round)", "Free Select – by hand"),
    "There are:\n• Rectangle Select: boxes.\n• Ellipse Select (round)\n• Free Select – by hand [1]",
    "1. Rectangle Select: boxes.\n2. Ellipse Select (round)\n3. Free Select – by hand",
    cited("Rectangle Select", "Ellipse Select", "Free Select", kind="term"),
]


@pytest.mark.parametrize("answer", LISTS)
@pytest.mark.parametrize(
    ("question", "lang", "named"),
    [
        ("what does the third do", "en", "what does Free Select do"),
        ("and the last one?", "en", "and Free Select?"),
        ("option 2?", "en", "Ellipse Select?"),
        ("was macht das zweite", "de", "was macht Ellipse Select"),
        ("第二个是什么", "zh", "Ellipse Select是什么"),
        ("что делает последний", "ru", "что делает Free Select"),
        ("cái đầu tiên làm gì", "vi", "Rectangle Select làm gì"),
        ("二番目は何ですか", "ja", "Ellipse Selectは何ですか"),
        ("อันที่สองคืออะไร", "th", "Ellipse Selectคืออะไร"),
        ("والأخير؟", "ar", "وFree Select؟"),
        ("ikincisi ne işe yarar", "tr", "Ellipse Select ne işe yarar"),
    ],
)
def test_the_item_is_named(answer, question, lang, named):
    found, edits = with_items(asked(answer, question, lang=lang))
    assert found.question.text == named
    (edit,) = edits
    before = question[: edit.position]
    after = question[edit.position + len(edit.replaced) :]
    assert (edit.kind, edit.source_turn) == ("replace", 1)
    assert before + edit.text + after == named


@pytest.mark.parametrize(
    ("asked_before", "question", "lang", "named"),
    [
        ("stable or testing?", "is the second one safe", "en", "is testing safe"),
        ("debdiff oder diffoscope?", "wozu ist ersteres gut", "de", "wozu ist debdiff gut"),
        ("apt ou dpkg ?", "que fait le deuxième", "fr", "que fait dpkg"),
        ("apt или dpkg", "а вторая для чего", "ru", "а dpkg для чего"),
        ("脚注和尾注有什么区别", "第二个怎么插入", "zh", "尾注怎么插入"),
        ("apt와 dpkg의 차이", "두 번째는 뭐예요", "ko", "dpkg는 뭐예요"),
    ],
)
def test_one_of_two_things_that_were_asked_about(asked_before, question, lang, named):
    long_items = "• They install what is in the archive now\n• They configure what is there already"
    for answer in ("The first one.", long_items):
        found, (edit,) = with_items(conversation(asked_before, answer, question, lang=lang))
        assert found.question.text == named
        assert edit.source_turn == 0
    short = "• Rectangle\n• Ellipse"
    assert "Rect" in with_items(conversation("A or B?", short, "the first one?"))[0].question.text


def test_items_are_counted_as_they_are_shown():
    answer = cited("Open it.", "Save it.", markers=("4.", "5."))
    assert with_items(asked(answer, "what is step 5"))[0].question.text == "what is Save it"
    assert with_items(asked(answer, "what is step 1"))[1] == ()


def test_inner_items_do_not_count():
    text = "• One:\n  • inner a\n  • inner b\n• Two"
    assert with_items(asked(text, "the second one?"))[0].question.text == "Two?"


def test_earlier_questions_are_named_too():
    found, edits = with_items(asked(LISTS[0], "what does the third do", "It selects.", "why?"))
    assert [turn.text for turn in found.turns][2:] == [
        "what does Free Select do", "It selects.", "why?"
    ]  # fmt: skip
    assert edits == ()


def test_the_next_number_goes_on_with_the_same_list():
    other = "You can:\n• click it\n• press F"
    found, _ = with_items(asked(LISTS[0], "what does the first do", other, "and the last one?"))
    assert found.question.text == "and Free Select?"
    found, _ = with_items(asked(LISTS[0], "how?", other, "and the last one?"))
    assert found.question.text == "and press F?"


@pytest.mark.parametrize(
    "answer", ["It is a tool.", "• only one", cited("only one"), cited("=", "/"), cited("1", "2")]
)
def test_without_a_list_nothing_changes(answer):
    before = asked(answer, "what does the second one do")
    assert with_items(before) == (before, ())


def test_a_list_far_back_is_forgotten():
    texts = ["more?", "No."] * 3
    assert with_items(asked(LISTS[0], *texts, "the second one?"))[1] == ()


def test_the_rewrite_has_the_edit_of_the_item():
    (found,) = FollowUpRewriter(NoRewriter()).rewrite([asked(LISTS[0], "and the last one?")])
    assert found.text == "and Free Select?"
    assert found.decision == "rewrite"
    assert found.edits == (Edit("replace", "Free Select", 1, 4, "the last one"),)
    (together,) = found.alternatives
    assert together.text == "Which are there? and Free Select?"


@given(st.lists(st.text(max_size=30), min_size=2, max_size=4), st.integers(0, 3))
def test_whatever_the_items_are_the_question_is_a_question(items, number):
    turns = (Turn("user", "Which?", "en"), Turn("assistant", "…", "en", (cited(*items),)))
    question = Turn("user", f"what is option {number}", "en")
    found, edits = with_items(Conversation((*turns, question)))
    assert found.question.text
    assert bool(edits) == (found.question.text != question.text) or items[number - 1] == "option"
