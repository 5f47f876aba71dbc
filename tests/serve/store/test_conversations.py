"""Conversations as trees of turns: stored, found, exported, shared and deleted."""

from __future__ import annotations

import itertools
import json
from collections import Counter

import pytest
from markdown_it import MarkdownIt
from support.stored_answers import answer

from anaphora.records import Citation, Turn
from anaphora.serve.store import exporting
from anaphora.serve.store.conversations import HISTORY, Conversations, NotFound, title_of

QUESTIONS = [
    "How do I change the filter of the pump?",
    "水泵的过滤器怎么更换？",
    "ポンプのフィルターを交換するには?",
    "เปลี่ยนไส้กรองปั๊มอย่างไร",
    "كيف أغيّر مُرشِّح المضخة؟",
    "Thay bộ lọc của máy bơm thế nào?",
    "Как заменить фильтр насоса?",
    "Pompanın FİLTRESİ nasıl değiştirilir, ışık yanarken?",
    "펌프 필터를 어떻게 교체하나요?",
    "पंप का फ़िल्टर कैसे बदलें?",
]
FOUND = [
    "FILTER pump",
    "过滤",
    "交換",
    "กรอง",
    "مرشح",
    "may bom",
    "НАСОСА",
    "filtresi isik",
    "펌프",
    "पंप",
]


def ask(conversations, owner, question, conversation=None, parent=None, newest=True, **fields):
    """Stores a turn as the service does; returns the ids of the conversation and of the turn."""
    place = conversation and conversations.place(owner, conversation, parent, newest)
    return conversations.keep(owner, place or None, "docs", answer(question, **fields))


def titles(conversations, owner="a", **options):
    return [one["title"] for one in conversations.listed(owner, **options)[0]]


def test_a_turn_comes_back_as_it_was_stored(conversations):
    for question in QUESTIONS:
        form = answer(question, f"→ {question}", quote=question)
        conversation, turn = conversations.keep("a", None, "docs", form, {"stages": [question]})
        found, following = conversations.get("a", conversation)
        (stored,) = found["turns"]
        assert stored["answer"] == {**form, "conversation": conversation, "turn": turn}
        assert (stored["id"], stored["parent"], stored["feedback"]) == (turn, None, None)
        assert (found["title"], found["index"], found["turns"][1:]) == (question, "docs", [])
        assert following is None
        assert conversations.trace("a", conversation, turn) == {"stages": [question]}


def test_the_history_has_languages_and_citations(conversations):
    first, _ = ask(
        conversations, "a", "水泵在哪里？", text="在地下室[1]。", quote="地下室", lang="zh"
    )
    ask(conversations, "a", "And its filter?", first)
    place = conversations.place("a", first, None, newest=True)
    assert place.history == (
        Turn("user", "水泵在哪里？", "zh"),
        Turn(
            "assistant",
            "在地下室[1]。",
            "zh",
            (Citation("pump.md#0", "pump.md", "Pump", "地下室", 7, 10),),
        ),
        Turn("user", "And its filter?", "en"),
        Turn("assistant", "An answer [1].", "en"),
    )
    assert place.index == "docs"


def test_a_question_after_an_earlier_turn_is_a_branch(conversations):
    conversation, one = ask(conversations, "a", "1")
    _, two = ask(conversations, "a", "2", conversation)
    _, other = ask(conversations, "a", "2b", conversation, one, newest=False)
    _, root = ask(conversations, "a", "1b", conversation, None, newest=False)
    parents = {
        turn["id"]: turn["parent"] for turn in conversations.get("a", conversation)[0]["turns"]
    }
    assert parents == {one: None, two: one, other: one, root: None}

    def path(turn):
        place = conversations.place("a", conversation, turn, newest=False)
        return [said.text for said in place.history if said.role == "user"]

    assert path(two) == ["1", "2"]
    assert path(other) == ["1", "2b"]
    assert path(root) == ["1b"]
    assert path(None) == []
    # Without a turn, a question stands after the newest, whichever branch it is on.
    assert conversations.place("a", conversation, None, newest=True).parent == root


def test_ten_thousand_turns(conversations, database):
    """Each on the path of the last: what a question needs is read, and no more."""
    conversation, _ = ask(conversations, "a", "0")
    with database.writing() as connection:
        connection.executemany(
            "INSERT INTO turns (id, conversation, parent, created, searched, question, answer)"
            " VALUES (?, 1, (SELECT max(number) FROM turns), 0, ?, ?, ?)",
            ((f"t{n}", str(n), str(n), json.dumps(answer(str(n)))) for n in range(1, 10_000)),
        )
    steps = Counter()
    with database.reading() as connection:
        connection.set_progress_handler(lambda: steps.update(["steps"]) or 0, 1)
    place = conversations.place("a", conversation, None, newest=True)
    assert [turn.text for turn in place.history[::2]] == [
        str(n) for n in range(10_000 - HISTORY, 10_000)
    ]
    assert 0 < steps["steps"] < 10_000
    pages = []
    after = 0
    while after is not None:
        form, after = conversations.get("a", conversation, after, 500)
        pages.append([turn["question"] for turn in form["turns"]])
    assert [len(page) for page in pages] == [500] * 20
    assert list(itertools.chain(*pages)) == [str(n) for n in range(10_000)]
    assert conversations.listed("a")[0][0]["turns"] == 10_000


@pytest.mark.parametrize(("question", "query"), list(zip(QUESTIONS, FOUND, strict=True)))
def test_search_in_every_script(conversations, question, query):
    for other in QUESTIONS:
        ask(conversations, "a", other)
    assert titles(conversations, query=query) == [question]
    asked, _ = ask(conversations, "a", "?", text=question.upper())
    assert conversations.listed("a", query)[0][0]["id"] == asked
    conversations.rename("a", asked, "renamed")
    assert len(titles(conversations, query=query)) == 2
    assert titles(conversations, query=f"{query} renamed") == ["renamed"]
    assert titles(conversations, "b", query=query) == []


def test_the_list_is_in_pages_the_last_changed_first(conversations):
    ids = [ask(conversations, "a", str(n))[0] for n in range(7)]
    ask(conversations, "b", "another owner's")
    ask(conversations, "a", "again", ids[2])
    pages, after = [], None
    for _ in range(3):
        found, after = conversations.listed("a", after=after, limit=3)
        pages.append([one["title"] for one in found])
    assert pages == [["2", "6", "5"], ["4", "3", "1"], ["0"]]
    assert after is None


def test_a_clock_that_jumps_back_changes_no_order(database):
    times = iter(range(1_000_000, 0, -1000))
    conversations = Conversations(database, clock=lambda: next(times))
    ids = [ask(conversations, "a", str(n))[0] for n in range(4)]
    ask(conversations, "a", "newer", ids[0])
    assert titles(conversations) == ["0", "3", "2", "1"]
    place = conversations.place("a", ids[0], None, newest=True)
    assert [turn.text for turn in place.history[::2]] == ["0", "newer"]


def test_the_title_is_of_the_first_question_or_given(conversations):
    empty = conversations.create("a", "docs")
    assert (empty["title"], empty["turns"]) == ("", 0)
    ask(conversations, "a", "First?", empty["id"])
    ask(conversations, "a", "Second?", empty["id"])
    assert titles(conversations) == ["First?"]
    assert conversations.rename("a", empty["id"], "Máy bơm")["title"] == "Máy bơm"
    ask(conversations, "a", "Third?", empty["id"])
    assert titles(conversations) == ["Máy bơm"]
    assert title_of("word " * 40) == "word " * 15 + "word…"


def test_half_characters_are_replaced(conversations):
    conversation, _ = ask(conversations, "a", "broken \ud83d here", text="\udc00")
    assert conversations.get("a", conversation)[0]["title"] == "broken ? here"
    assert titles(conversations, query="\ud83d") == ["broken ? here"]


def test_another_owner_finds_nothing(conversations):
    conversation, turn = ask(conversations, "a", "secret")
    mine, _ = ask(conversations, "b", "mine")
    attempts = [
        lambda: conversations.place("b", conversation, None, newest=True),
        lambda: conversations.place("b", mine, turn, newest=False),
        lambda: conversations.get("b", conversation),
        lambda: list(conversations.turns("b", conversation)),
        lambda: conversations.rename("b", conversation, "x"),
        lambda: conversations.delete("b", conversation),
        lambda: conversations.share("b", conversation),
        lambda: conversations.unshare("b", conversation),
        lambda: conversations.trace("b", conversation, turn),
        lambda: conversations.trace("b", mine, turn),
        lambda: conversations.shared(conversation),
        lambda: ask(conversations, "b", "x", conversation),
    ]
    for attempt in attempts:
        with pytest.raises(NotFound):
            attempt()
    assert titles(conversations, "b") == ["mine"]
    conversations.delete_all("b")
    assert titles(conversations) == ["secret"]


def test_a_turn_is_not_stored_in_a_deleted_conversation(conversations):
    conversation, _ = ask(conversations, "a", "1")
    place = conversations.place("a", conversation, None, newest=True)
    conversations.delete("a", conversation)
    with pytest.raises(NotFound):
        conversations.keep("a", place, "docs", answer("2"))
    assert titles(conversations) == []


@pytest.mark.parametrize("all_of_them", [False, True])
def test_deleted_text_is_in_no_file(conversations, database, all_of_them):
    """Short and long texts, grown and renamed: SQLite moves such rows between pages."""
    secrets = []
    for n in range(120):
        owner, word = ("a", "SECRET秘密") if n % 3 == 0 else ("b", "public")
        text = f"{word}{n:04d} " * (1, 7, 60, 700)[n % 4]
        conversation, _ = ask(conversations, owner, text, text=text, quote=text)
        if owner == "a":
            conversations.rename("a", conversation, f"SECRET title {n}")
            secrets.append(conversation)
        else:
            ask(conversations, owner, f"again {n}", conversation)
    files = list(database.path.parent.iterdir())
    assert len(files) == 3
    assert any(b"SECRET" in file.read_bytes() for file in files)
    if all_of_them:
        assert conversations.delete_all("a") == len(secrets)
    else:
        for conversation in secrets:
            conversations.delete("a", conversation)
    for file in files:
        content = file.read_bytes().lower()
        assert b"secret" not in content
        assert "秘密".encode() not in content
    assert len(titles(conversations, "b", limit=200)) == 80


def test_a_shared_conversation_is_read_by_its_name_until_that_ends(conversations):
    conversation, _ = ask(conversations, "a", "What?")
    share = conversations.share("a", conversation)
    assert conversations.share("a", conversation) == share
    assert conversations.get("a", conversation)[0]["shared"] == share
    form, _ = conversations.shared(share)
    assert [turn["question"] for turn in form["turns"]] == ["What?"]
    assert "shared" not in form
    conversations.unshare("a", conversation)
    with pytest.raises(NotFound):
        conversations.shared(share)
    assert conversations.share("a", conversation) != share


def exported(conversations, conversation, write):
    form, _ = conversations.get("a", conversation, limit=1)
    return "".join(write(form, conversations.turns("a", conversation)))


def test_export_as_json_holds_everything(conversations, monkeypatch):
    monkeypatch.setattr("anaphora.serve.store.conversations.BATCH", 3)
    conversation, one = ask(conversations, "a", "1 水泵")
    for n in range(2, 9):
        ask(conversations, "a", str(n), conversation, one, newest=n % 2 == 0, quote="q")
    form = json.loads(exported(conversations, conversation, exporting.as_json))
    assert {**form, "shared": None} == conversations.get("a", conversation)[0]
    assert len(form["turns"]) == 8


def test_export_as_markdown_shows_everything_and_is_inert(conversations):
    hostile = (
        "![pixel](http://tracker.example/a.png) <img src=x onerror=alert(1)> "
        "\\[link](javascript:x) "
        "<https://a.example> https://b.example www.c.example a@d.example &lt;b&gt;\n"
        "```\n[ref]: http://e.example\n~~~\n# heading"
        "\n\n_http://f.example_ *www.g.example*\nno title\n===\nnor this\n---"
    )
    conversation, one = ask(
        conversations, "a", "水泵 C# <script>", text="[1] " + hostile, quote=hostile
    )
    ask(conversations, "a", "كيف؟", conversation)
    ask(conversations, "a", "другое", conversation, one, newest=False)
    text = exported(conversations, conversation, exporting.as_markdown)
    tokens = (
        MarkdownIt("gfm-like").parse(text)
        if False
        else MarkdownIt("commonmark", {"html": True}).parse(text)
    )
    kinds = {child.type for token in tokens for child in (token, *(token.children or ()))}
    assert "http://" not in text
    assert "www.g" not in text
    assert kinds & {"image", "link_open", "html_inline", "html_block", "fence"} == set()
    headings = [
        tokens[at + 1].content for at, token in enumerate(tokens) if token.type == "heading_open"
    ]
    assert headings == [
        "水泵 C\\# \\<script\\>", "1. 水泵 C\\# \\<script\\>", "2. كيف؟", "3. (after 1) другое",
    ]  # fmt: skip
    rendered = MarkdownIt("commonmark").render(text)
    for shown in ("![pixel](http://tracker.example/a.png)", "www.c.example", "Pump (L3)"):
        assert rendered.count(shown) >= 1
