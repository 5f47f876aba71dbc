"""Rewriting by an LLM, against an endpoint in a process of its own."""

from __future__ import annotations

import unicodedata

import pytest
from support.conversations import conversation, understood

from anaphora.models.endpoint import ChatModel
from anaphora.records import Conversation, Rewrite, Turn
from anaphora.rewrite.history import NoRewriter
from anaphora.rewrite.llm import LLMRewriter
from anaphora.rewrite.prompts import prompt, prompt_languages


class Fallback:
    """Marks what it rewrote."""

    def __init__(self):
        self.batches = []

    def rewrite(self, conversations):
        self.batches.append([one.question.text for one in conversations])
        return [Rewrite(f"{one.question.text} (fallback)", one.lang) for one in conversations]


def rewriter(server, fallback=None, **settings):
    model = ChatModel(server.url, "m", timeout=settings.pop("timeout", 5.0), retries=0)
    return LLMRewriter(model, fallback or NoRewriter(), **settings)


ZAPPA = conversation(
    "Who were The Mothers of Invention?",
    "An American rock band led by Frank Zappa.",
    "When did they disband?",
)


def test_a_rewrite_with_its_edits(endpoint):
    server = endpoint({"do": "answer", "text": "When did The Mothers of Invention disband?"})
    (found,) = rewriter(server).rewrite([ZAPPA])
    assert found.text == "When did The Mothers of Invention disband?"
    assert found.lang == "en"
    assert found.variants == ("When did they disband?",)
    (edit,) = found.edits
    assert (edit.kind, edit.text, edit.replaced) == ("replace", "The Mothers of Invention", "they")
    assert (edit.source_turn, edit.position) == (0, 9)


@pytest.mark.parametrize("order", ["newest", "oldest"])
def test_the_prompt_has_the_title_then_the_turns_in_order_then_the_question(endpoint, order):
    server = endpoint({"do": "answer", "text": "When did they disband?"})
    titled = Conversation(ZAPPA.turns, "Frank Zappa")
    (found,) = rewriter(server, order=order).rewrite([titled])
    assert (found.text, found.edits, found.variants) == ("When did they disband?", (), ())
    (request,) = server.requests
    (message,) = request["body"]["messages"]
    turns = ["User: Who were The Mothers of Invention?"]
    turns.append("Assistant: An American rock band led by Frank Zappa.")
    if order == "newest":
        turns.reverse()
    instruction, _, rest = message["content"].partition("\n\n")
    assert instruction == prompt("en").instruction
    assert rest.split("\n") == [
        "Context:",
        "Title: Frank Zappa",
        *turns,
        "",
        "Question: When did they disband?",
        "Rewritten question:",
    ]


EXCHANGES = {
    "ar": (
        "متى تأسست جامعة القاهرة؟",
        "عام 1908.",
        "وكم عدد طلابها؟",
        "كم عدد طلاب جامعة القاهرة؟",
    ),
    "de": (
        "Wer baute den Eiffelturm?",
        "Eiffel.",
        "Wie hoch ist er?",
        "Wie hoch ist der Eiffelturm?",
    ),
    "en": ("Who led The Mothers?", "Zappa.", "When was he born?", "When was Zappa born?"),
    "es": (
        "¿Quién pintó Las meninas?",
        "Velázquez.",
        "¿Dónde nació él?",
        "¿Dónde nació Velázquez?",
    ),
    "fi": (
        "Kuka sävelsi Finlandian?",
        "Jean Sibelius.",
        "Missä hän syntyi?",
        "Missä Jean Sibelius syntyi?",
    ),
    "fr": (
        "Qui a écrit Germinal ?",
        "Émile Zola.",
        "Quand est-il mort ?",
        "Quand Émile Zola est-il mort ?",
    ),
    "hi": ("ताजमहल किसने बनवाया?", "शाहजहाँ ने।", "वह कहाँ है?", "ताजमहल कहाँ है?"),
    "it": ("Chi ha scritto il Decameron?", "Boccaccio.", "Dove è nato?", "Dove è nato Boccaccio?"),
    "ja": (
        "東京タワーはどこですか？",
        "港区です。",
        "高さは？",
        "東京タワーの高さは何メートルですか？",
    ),
    "ko": (
        "경복궁은 누가 지었나요?",
        "태조입니다.",
        "그것은 어디에 있나요?",
        "경복궁은 어디에 있나요?",
    ),
    "pt": ("Quem escreveu Os Lusíadas?", "Camões.", "Onde ele nasceu?", "Onde Camões nasceu?"),
    "ru": ("Кто написал «Анну Каренину»?", "Толстой.", "Где он родился?", "Где родился Толстой?"),
    "th": ("วัดพระแก้วอยู่ที่ไหน", "กรุงเทพฯ", "มันสร้างเมื่อไร", "วัดพระแก้วสร้างเมื่อไร"),
    "tr": (
        "Ayasofya'yı kim yaptırdı?",
        "Justinianus.",
        "O nerede doğdu?",
        "Justinianus nerede doğdu?",
    ),
    "vi": ("Ai viết Truyện Kiều?", "Nguyễn Du.", "Ông ấy sinh ở đâu?", "Nguyễn Du sinh ở đâu?"),
    "zh": ("故宫是谁建的？", "明成祖朱棣。", "它在哪里？", "故宫在哪里？"),
}


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("shots", [0, 3])
def test_every_language_is_asked_and_answered_in_itself(endpoint, form, shots, caplog):
    texts = {
        lang: [unicodedata.normalize(form, text) for text in texts]
        for lang, texts in EXCHANGES.items()
    }
    server = endpoint({"do": "repeat", "texts": [[f": {t[2]}\n", t[3]] for t in texts.values()]})
    conversations = [conversation(*turns[:3]) for turns in texts.values()]
    fallback = Fallback()
    found = rewriter(server, fallback, shots=shots).rewrite(conversations)
    assert (caplog.messages, fallback.batches) == ([], [])
    for (lang, turns), rewrite in zip(texts.items(), found, strict=True):
        assert rewrite.text == unicodedata.normalize("NFC", turns[3]), lang
        assert rewrite.lang == lang
        assert rewrite.edits
    sent = {request["body"]["messages"][-1]["content"]: request for request in server.requests}
    for lang in prompt_languages():
        words = prompt(lang)
        (asked,) = (text for text in sent if text.startswith(words.instruction))
        chat = sent[asked]["body"]["messages"]
        assert [message["role"] for message in chat] == ["user", "assistant"] * shots + ["user"]
        for worked, question, reply in zip(words.examples, chat[::2], chat[1::2], strict=False):
            assert worked.question in question["content"]
            assert reply["content"] == worked.rewrite


@pytest.mark.parametrize(
    ("answer", "kept"),
    [
        ('"When did The Mothers of Invention disband?"', True),
        ("<think>They are a band.\nSo…</think>\n\nWhen did The Mothers disband?", True),
        ("Sure! Here is the rewritten question:\n\n**When did The Mothers disband?**", True),
        ("Rewritten question: When did The Mothers disband?\n\nThey = the band.", True),
        ("<think>They are a band, and the user wants to know when", False),
        ("", False),
        ("???", False),
        ("They disbanded after a tour of Europe.", False),
        ("Did The Mothers of Invention disband in 1969?", False),
        ("Quand The Mothers of Invention se sont-ils séparés ?", False),
        ("什么时候解散的？", False),
        ("When did The Mothers disband? " * 30, False),
        ("I cannot help with requests about unknown ensembles, sorry?", False),
    ],
)
def test_what_is_no_rewrite_is_not_taken(endpoint, answer, kept, caplog):
    server = endpoint({"do": "answer", "text": answer})
    (found,) = rewriter(server, Fallback()).rewrite([ZAPPA])
    if kept:
        assert found.text in (
            "When did The Mothers of Invention disband?",
            "When did The Mothers disband?",
        )
        assert found.confidence > 0.5
        assert caplog.messages == []
    else:
        assert found.text == "When did they disband? (fallback)"
        assert found.confidence == 0.5
        (line,) = caplog.messages
        assert line.startswith("the model m gave no usable rewrite: ")
        assert line.endswith("; 1 of 1 questions were rewritten without the model")


@pytest.mark.parametrize(
    "step",
    [
        {"do": "status", "code": 500},
        {"do": "status", "code": 429},
        {"do": "status", "code": 401},
        {"do": "garbage", "text": "\u0000"},
        {"do": "close"},
        {"do": "hang_up"},
        {"do": "answer", "text": "late", "after": 20},
    ],
    ids=lambda step: step["do"] + str(step.get("code", "")),
)
def test_a_failing_or_slow_endpoint_never_fails_the_turn(endpoint, step, caplog):
    server = endpoint(step)
    (found,) = rewriter(server, Fallback(), timeout=0.5).rewrite([ZAPPA])
    assert found.text == "When did they disband? (fallback)"
    assert found.confidence <= 0.5
    (line,) = caplog.messages
    assert server.url in line


def test_only_what_failed_is_rewritten_by_the_fallback_and_in_one_batch(endpoint):
    conversations = [
        conversation("Who led The Mothers?", "Zappa.", f"Did he play number {n}?") for n in range(6)
    ]
    texts = [[f"number {n}?", f"Did Zappa play number {n}?"] for n in range(0, 6, 2)]
    texts.append(["?", "나는 모릅니다"])
    server = endpoint({"do": "repeat", "texts": texts})
    fallback = Fallback()
    found = rewriter(server, fallback).rewrite(conversations)
    assert fallback.batches == [[f"Did he play number {n}?" for n in (1, 3, 5)]]
    for n, rewrite in enumerate(found):
        expected = f"Did he play number {n}? (fallback)" if n % 2 else f"Did Zappa play number {n}?"
        assert rewrite.text == expected


def test_requests_go_side_by_side_but_not_too_many(endpoint):
    server = endpoint({"do": "answer", "text": "When did The Mothers disband?", "after": 0.2})
    found = rewriter(server, parallel=3).rewrite([ZAPPA] * 9)
    assert {rewrite.text for rewrite in found} == {"When did The Mothers disband?"}
    assert max(request["under way"] for request in server.requests) == 3


def test_a_batch_does_not_wait_for_an_endpoint_that_is_down(endpoint):
    server = endpoint({"do": "answer", "text": "late", "after": 20})
    found = rewriter(server, Fallback(), timeout=0.5, parallel=2).rewrite([ZAPPA] * 100)
    assert {rewrite.text for rewrite in found} == {"When did they disband? (fallback)"}
    assert 4 <= len(server.requests) <= 6


@pytest.mark.parametrize(
    "asked",
    [
        conversation("When did they disband?"),
        conversation("", "", "When did they disband?"),
        conversation("Who led The Mothers?", "Zappa.", ""),
        conversation("Who led The Mothers?", "Zappa.", " \u2028 "),
        conversation("Who led The Mothers?", "Zappa.", "Is this a long question? " * 2000),
    ],
    ids=["first", "nothing said", "empty", "blank", "long"],
)
def test_where_there_is_nothing_to_rewrite_nobody_is_asked(endpoint, asked):
    server = endpoint({"do": "status", "code": 500})
    (found,) = rewriter(server, Fallback()).rewrite([asked])
    assert (found.text, found.edits, found.confidence) == (asked.question.text, (), 1.0)
    assert server.requests == []
    assert rewriter(server).rewrite([]) == []


def test_of_a_long_talk_the_title_and_the_newest_turns_are_sent(endpoint):
    server = endpoint({"do": "answer", "text": "When did they disband?"})
    turns = [f"turn {n} " + "word " * 30 for n in range(500)]
    long = conversation(*turns, "When did they disband?", title="Zappa " * 500)
    rewriter(server, budget=3000).rewrite([long])
    content = server.requests[0]["body"]["messages"][0]["content"]
    assert len(content) < 3000 + 800
    assert content.index("Title: Zappa") < content.index("turn 499") < content.index("turn 490")
    assert "turn 0 " not in content


def test_of_a_very_long_turn_the_beginning_is_sent_and_older_turns_still_are(endpoint):
    server = endpoint({"do": "answer", "text": "When did they disband?"})
    long = conversation(
        "Who led The Mothers?", "begins " + "word " * 50_000, "When did they disband?"
    )
    rewriter(server).rewrite([long])
    content = server.requests[0]["body"]["messages"][0]["content"]
    assert len(content) < 6800
    assert "Assistant: begins word" in content
    assert "User: Who led The Mothers?" in content


def test_only_the_assistant_spoke_in_two_scripts(endpoint):
    server = endpoint({"do": "answer", "text": "متى تأسست شركة IBM؟"})
    turns = (
        Turn("assistant", "مرحبا"),
        Turn("assistant", "IBM شركة أمريكية \u202b(تقنية)\u202c"),
        Turn("user", "متى تأسست؟"),
    )
    (found,) = rewriter(server).rewrite([understood(Conversation(turns))])
    assert found.text == "متى تأسست شركة IBM؟"
    (edit,) = found.edits
    assert (edit.kind, edit.text, edit.source_turn) == ("insert", "شركة IBM", 1)
