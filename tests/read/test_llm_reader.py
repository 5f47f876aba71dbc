"""The reader that writes, with a server in a process of its own."""

from __future__ import annotations

import pytest
from support.lighthouse import ANSWERS, QUESTIONS, TEXTS

from anaphora.models.endpoint import ChatModel
from anaphora.read.llm import LLMReader
from anaphora.read.settings import ExtractiveSettings, LLMSettings
from anaphora.records import Cited, Conversation, Hit, Passage, Query, Text, Turn
from anaphora.registry import build, find


class Resources:
    index = None
    encoder = None
    translator = None

    @property
    def checker(self):
        return build(find("checker", "support")(), self)


@pytest.fixture(scope="module")
def extractive():
    return ExtractiveSettings().build(Resources())


@pytest.fixture
def written(endpoint, extractive):
    """What a reader gives whose endpoint takes these steps, with the requests that it received."""

    def answer(*steps, query=None, hits=None, **settings):
        server = endpoint(*steps)
        model = ChatModel(server.url, "small", settings.pop("timeout", 5.0), retries=0)
        reader = LLMReader(
            model, Resources().checker, extractive.cross_encoder, extractive, **settings
        )
        query = query or Query(QUESTIONS["en"], "en")
        hits = [hit("en")] if hits is None else hits
        parts = []
        stream = reader.stream(query, hits)
        while True:
            try:
                parts.append(next(stream))
            except StopIteration as end:
                check_is_whole(end.value, parts, hits)
                return end.value, server.requests

    return answer


def hit(lang, rank=1, text=None):
    text = text or TEXTS[lang]
    return Hit(Passage(f"{lang}{rank}", lang, "Island", text, lang, end=len(text)), 1 / rank, rank)


def check_is_whole(answer, parts, hits):
    """The parts are the answer, and every citation is exactly in its passage."""
    assert "".join(one.text for one in parts if isinstance(one, Text)) == answer.text
    cited = [(one.number, one.citation) for one in parts if isinstance(one, Cited)]
    assert cited == list(enumerate(answer.citations, 1))
    texts = {one.passage.passage_id: one.passage.text for one in hits}
    for number, one in cited:
        assert texts[one.passage_id][one.start : one.end] == one.quote
        assert f"[{number}]" in answer.text
    assert f"[{len(cited) + 1}]" not in answer.text


def stream(*parts, **more):
    return {"do": "stream", "parts": list(parts), **more}


def fates(answer):
    return [(one.fate, one.fault) for one in answer.writing.statements]


@pytest.mark.parametrize("lang", TEXTS)
def test_sentences_are_shown_with_the_sentences_they_cite(written, lang):
    answer, requests = written(
        stream(ANSWERS[lang][:6], ANSWERS[lang][6:], " [1", "]."),
        query=Query(QUESTIONS[lang], lang),
        hits=[hit(lang)],
    )
    assert answer.text.startswith(ANSWERS[lang])
    assert answer.lang == lang
    assert answer.citations[0].quote in TEXTS[lang]
    assert "1887" in answer.citations[0].quote
    assert (answer.writing.fallback, fates(answer)) == ("", [("shown", None)])
    assert len(requests) == 1


def test_json_by_the_schema_is_shown_in_the_same_way(written):
    said = '{"sentences": [{"numbers": [1], "text": "The lighthouse was built in 1887."}, '
    answer, _ = written(stream(said, '{"numbers": [2], "text": "It is painted red."}]}'))
    assert answer.text == "The lighthouse was built in 1887. [1] It is painted red. [2]"


def test_an_unsupported_sentence_is_restated_once(written):
    answer, requests = written(
        stream("It was built in 1887 [1]. The ferry leaves at 5 [3]. It was built in 1888 [1]."),
        stream("The ferry leaves at noon [1]."),
    )
    assert answer.text == "It was built in 1887. [1] The ferry leaves at noon. [2]"
    assert fates(answer) == [
        ("shown", None),
        ("struck", "unsupported"),
        ("struck", "unsupported"),
        ("repaired", None),
    ]
    assert answer.writing.requests == len(requests) == 2


def test_what_is_unsupported_again_is_struck(written):
    answer, requests = written(stream("It was built in 1888 [1]."))
    assert "1888" not in answer.text
    assert answer.writing.fallback == "the model small wrote nothing that its sources support"
    assert len(requests) == 2


def test_another_language_is_asked_for_once_more_with_more_stress(written):
    answer, requests = written(
        stream("Der Leuchtturm wurde im Jahr 1887 gebaut [1]."),
        stream("The lighthouse was built in 1887 [1]."),
    )
    assert answer.text == "The lighthouse was built in 1887. [1]"
    first, second = (one["body"]["messages"][0]["content"] for one in requests)
    assert second.startswith(first)
    assert "wrong language" in second
    answer, _ = written(stream("Der Leuchtturm wurde im Jahr 1887 gebaut [1]."))
    assert answer.writing.fallback == "the model small answered in another language"


def test_a_question_in_another_language_is_answered_in_it_and_cites_the_original(written):
    answer, requests = written(
        stream("Der Leuchtturm wurde 1887 gebaut [1]."), query=Query(QUESTIONS["de"], "de")
    )
    assert (answer.text, answer.lang) == ("Der Leuchtturm wurde 1887 gebaut. [1]", "de")
    assert answer.citations[0].quote == "The lighthouse was built in 1887."
    assert "Antworte auf Deutsch." in requests[0]["body"]["messages"][0]["content"]


def test_the_quoted_answer_says_that_it_is_in_another_language(written):
    answer, _ = written(stream(""), query=Query(QUESTIONS["de"], "de"))
    if not answer.abstained:
        assert answer.text.startswith("Die Dokumente antworten darauf in einer anderen Sprache:")
    assert answer.writing.fallback


NO_ANSWER = {
    "empty": (stream(""), "gave an empty answer"),
    "thinking": (stream("<think>It was built in 1887 [1]."), "gave an empty answer"),
    "tools": (stream({"tool_calls": [{"id": "1"}]}), "asked for tools"),
    "NONE": (stream("NO", "NE"), "found no answer"),
    "refusal": (stream("I'm sorry, but I can't help with that."), "cited none"),
    "no citations": (stream("The lighthouse was built in 1887."), "cited none"),
    "citations out of range": (stream("It was built in 1887 [99][0]."), "cited none"),
    "html": (stream("<html><body><script>alert(1)</script>"), "cited none"),
    "stalls": (stream("The light", stall=20), "gave no whole answer within"),
    "half UTF-8": (stream(raw=["data: \xe6\n\n"]), "not UTF-8"),
    "wrong JSON": (stream(raw=["data: {\n\n"]), "not JSON"),
    "wrong schema": (stream('{"answer": "It was built in 1887"}'), "gave an empty answer"),
    "refused key": ({"do": "status", "code": 401}, "ANAPHORA_API_KEY"),
    "down": ({"do": "hang_up"}, "cannot be reached"),
}


@pytest.mark.parametrize("trouble", NO_ANSWER)
def test_without_a_written_answer_the_quoted_one_is_given(written, extractive, trouble):
    step, reason = NO_ANSWER[trouble]
    answer, _ = written(step, timeout=1.0)
    (quoted,) = extractive.read([Query(QUESTIONS["en"], "en")], [[hit("en")]])
    assert (answer.text, answer.citations) == (quoted.text, quoted.citations)
    assert reason in answer.writing.fallback
    assert "\n" not in answer.writing.fallback


@pytest.mark.parametrize(
    ("parts", "shown"),
    [
        (["<think>1888", " [1].</thi", "nk>Built in 1887 [1]."], "Built in 1887. [1]"),
        (["1888 [1]. So</think>Built in 1887 [1]."], "Built in 1887. [1]"),
        (["Built in 1887 [1]. ", "Built in 1887 [1]. " * 50], "Built in 1887. [1]"),
        (["Built in 1887 " + "[1]" * 1000 + "."], "Built in 1887. [1]"),
        (["Built in 1887 [" + ", ".join(map(str, range(1, 1001))) + "]."], "Built in 1887. [1]"),
        (["Built <b>in</b> **1887** [1]."], "Built in 1887. [1]"),
        (["Built in 1887, see http://a.example/x [1]."], "Built in 1887, see. [1]"),
        (["![x](http://a.example?q=1) [Built](http://b.x) in 1887 [1]."], "Built in 1887. [1]"),
        (["Built in 1887 【1】. "], "Built in 1887. [1]"),
        (["Built in 1887. [1]"], "Built in 1887. [1]"),
        (["- Built in 1887 [1]\n- The ferry leaves at noon [3]\n"],
         "Built in 1887 [1]\nThe ferry leaves at noon [2]"),
        (["```json\n", '{"a":[{"numbers":[1],"text":"Built in 1887."}]}'], "Built in 1887. [1]"),
    ],
)  # fmt: skip
def test_what_is_around_a_sentence_is_not_shown(written, parts, shown):
    answer, _ = written(stream(*parts))
    assert answer.text == shown


def test_a_hundred_thousand_tokens_are_not_read_to_their_end(written):
    answer, _ = written({"do": "flood", "text": "built ", "times": 100_000})
    assert answer.writing.fallback == "the model small wrote no sentence, without an end"


def test_what_was_checked_stays_when_the_rest_does_not_come(written):
    answer, _ = written(stream("It was built in 1887 [1]. It is", cut=True))
    assert answer.text == "It was built in 1887. [1]"
    assert answer.writing.fallback == ""
    assert "ended its answer in the middle" in answer.writing.notes[0]


def test_the_prompt_has_the_conversation_and_the_question_as_searched(written):
    turns = (
        Turn("user", "Is there a lighthouse?", "en"),
        Turn("assistant", "Yes. [1]", "en"),
        Turn("user", "When was it built?", "en"),
    )
    query = Query(QUESTIONS["en"], "en", conversation=Conversation(turns))
    _, requests = written(stream("Built in 1887 [1]."), query=query)
    said = requests[0]["body"]["messages"][1]["content"]
    for line in (
        "User: Is there a lighthouse?",
        "Assistant: Yes.",
        "User: When was it built?",
        "# Island",
        "[1] The lighthouse was built in 1887.",
        "[3] The ferry leaves at noon.",
        f"Question: {QUESTIONS['en']}",
    ):
        assert line in said.split("\n")


LONG = " ".join(f"Sentence {number} is about the lighthouse." for number in range(40))


def test_what_does_not_fit_is_left_out_from_the_worst_passage_on(written):
    hits = [hit("en"), hit("en", 2, LONG), hit("en", 3, f"{LONG} Last.")]
    answer, requests = written(stream("Built in 1887 [1]."), hits=hits, window=1600)
    said = requests[0]["body"]["messages"][1]["content"]
    assert "[1] The lighthouse" in said
    assert "Last" not in said
    assert answer.writing.notes == (
        "the worst 1 passage of 3 did not fit into the window of 1600 tokens",
    )


def test_a_smaller_window_than_was_stated_is_respected(written):
    hits = [hit("en"), hit("en", 2, LONG)]
    refusal = {"do": "status", "code": 400, "message": "context size (1000 tokens)"}
    answer, requests = written(refusal, stream("Built in 1887 [1]."), hits=hits)
    assert len(requests) == 2
    assert LONG[:30] not in requests[1]["body"]["messages"][1]["content"]
    assert "window of 1000 tokens" in answer.writing.notes[0]


def test_a_server_that_cuts_the_prompt_is_found_by_its_count(written):
    answer, _ = written(stream("Built in 1887 [1].", prompt_tokens=20))
    assert "the model read 20 tokens of a prompt of at least" in answer.writing.notes[0]


def test_a_window_without_room_gives_the_quoted_answer(written):
    answer, requests = written(stream("a"), window=600)
    assert "no passage fits into the window of 600 tokens" in answer.writing.fallback
    assert requests == []


def test_the_same_turn_gives_the_same_prompt(written):
    first, second = (written(stream("Built in 1887 [1]."))[1] for _ in range(2))
    assert first[0]["body"] == second[0]["body"]


def test_nothing_is_asked_where_no_passage_answers(written):
    answer, requests = written(stream("a [1]."), hits=[])
    assert answer.abstained
    assert answer.writing.fallback == "the passages hold no answer"
    assert requests == []


def test_the_settings_name_an_endpoint_or_a_file(tmp_path):
    reader = LLMSettings("http://localhost:1/v1", "m", tokens=128).build(Resources())
    assert (reader.model.name, reader.model.tokens) == ("m", 128)
    reader = LLMSettings(model=str(tmp_path / "a.gguf")).build(Resources())
    assert reader.model.name == "a.gguf"
