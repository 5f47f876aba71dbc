"""The stages composed: what runs, in which order, and that nothing is remembered."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from anaphora.assistant import Assistant
from anaphora.config import Config
from anaphora.index import open_index
from anaphora.ingest.update import update
from anaphora.models.backbone import processors
from anaphora.pipeline import TRIED, Pipeline, choose, query_of
from anaphora.records import (
    Answer,
    Citation,
    Cited,
    Conversation,
    Edit,
    Evidence,
    Hit,
    Overrides,
    Passage,
    Reranked,
    Rewrite,
    Span,
    Text,
    Turn,
    Understanding,
)
from anaphora.retrieve.encoders import load_encoder

STAGES = ["understand", "rewrite", "retrieve", "rerank", "read"]


class Backwards:
    """A reranker that turns the order round."""

    def rerank(self, queries, hits, k):
        return [
            [Hit(hit.passage, -hit.rank, rank, hit.sources) for rank, hit in enumerate(found, 1)]
            for found in (list(reversed(one)) for one in hits)
        ]


@pytest.fixture(scope="module")
def assistant(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pipeline")
    (folder / "docs").mkdir()
    for name, text in {
        "a.md": "The lighthouse was built in 1887. It is painted red.",
        "b.md": "The ferry leaves at noon. A lighthouse can be seen from the ferry.",
        "c.md": "灯塔建于1887年，漆成红色。渡船中午开航。",
    }.items():
        (folder / "docs" / name).write_text(text, "utf-8")
    update(folder / "index", [folder / "docs"], None)
    opened = Assistant(open_index(folder / "index"))
    yield opened
    opened.index.close()


def turns(*texts):
    return [Turn("assistant" if at % 2 else "user", text) for at, text in enumerate(texts)]


def ask(pipeline, *texts):
    return pipeline.answer(Conversation(tuple(turns(*texts))))


def names(events):
    return [type(event).__name__ for event in events]


def test_every_stage_leaves_its_output_and_its_seconds(assistant):
    answer = ask(assistant.pipeline, "When was the lighthouse built?")
    trace = answer.trace
    assert [stage.name for stage in trace.stages] == STAGES
    assert all(seconds >= 0 for seconds in trace.timings.values())
    assert trace.understanding.lang == "en"
    assert isinstance(trace.rewrite, Rewrite)
    assert trace.output("read") == answer
    assert isinstance(answer, Answer)
    assert "1887" in answer.text
    assert trace.output("rerank") == trace.hits
    assert trace.cut is None
    assert [hit.rank for hit in trace.hits] == list(range(1, len(trace.hits) + 1))


def test_the_evidence_of_the_reranker_is_on_the_hits(assistant):
    trace = ask(assistant.pipeline, "When was the lighthouse built?").trace
    assert all(hit.evidence is None for hit in trace.output("retrieve"))
    assert all(hit.evidence and hit.evidence.spans for hit in trace.hits)


@pytest.mark.parametrize(
    ("asked", "typed", "read"),
    [
        (["how do i save"], "and undo", "how do i save | and undo"),
        (["怎么保存", "在哪里"], "撤销呢", "怎么保存 | 在哪里 | 撤销呢"),
        (["วิธีบันทึก"], "แล้วยกเลิกล่ะ", "วิธีบันทึก | แล้วยกเลิกล่ะ"),
        (["nasıl kaydederim"], "peki geri almak", "nasıl kaydederim | peki geri almak"),
        (["a", "b", "c", "d"], "e", "b | c | d | e"),
        (["x" * 200], "why", "x" * 120 + " | why"),
        (["two\n lines", " "], "لماذا", "two lines | لماذا"),
        ([], "how do i save", ""),
    ],
)
def test_a_follow_up_is_read_behind_the_questions_before_it(asked, typed, read):
    turns = [turn for one in asked for turn in (Turn("user", one), Turn("assistant", "Yes."))]
    conversation = Conversation((*turns, Turn("user", typed)))
    rewrite = Rewrite("a rewrite", "en", decision="rewrite")
    query = query_of(Understanding(conversation), rewrite)
    assert query.in_context == read


def test_a_complete_question_is_read_alone():
    turns = Turn("user", "how do i save"), Turn("assistant", "Yes."), Turn("user", "what is a tab")
    left = Rewrite("what is a tab", "en", decision="leave")
    assert query_of(Understanding(Conversation(turns)), left).in_context == ""


def test_a_question_asked_again_in_another_language_is_read_as_it_was_asked_first():
    turns = Turn("user", "how do i save"), Turn("assistant", "Yes."), Turn("user", "auf deutsch")
    edit = Edit("replace", "how do i save", 0, 0, "auf deutsch")
    again = Rewrite("how do i save", "de", (edit,), decision="rewrite")
    assert query_of(Understanding(Conversation(turns)), again).in_context == ""
    before = Turn("user", "what is it"), Turn("assistant", "A tool.")
    moved = replace(again.edits[0], source_turn=2)
    asked = query_of(Understanding(Conversation((*before, *turns))), replace(again, edits=(moved,)))
    assert asked.in_context == "what is it | how do i save"


@pytest.mark.parametrize(
    ("lang", "asked", "rewrite", "read"),
    [
        ("en", "to another pc", "how do I save. to another pc", "to another pc"),
        ("ru", "а отменить?", "как сохранить? а отменить?", "а отменить?"),
        ("tr", "peki geri almak", "nasıl kaydederim. peki geri almak", "peki geri almak"),
        ("vi", "còn hoàn tác?", "lưu thế nào? còn hoàn tác?", "còn hoàn tác?"),
        ("zh", "撤销呢", "怎么保存。撤销呢", "撤销呢"),
        ("ja", "取り消すには？", "保存するには？取り消すには？", "取り消すには？"),
        ("ar", "والتراجع؟", "كيف أحفظ؟ والتراجع؟", "والتراجع؟"),
        ("en", "can I undo it", "can I undo the change", "can I undo it"),
        ("de", "ein kreis", "wie zeichne ich einen kreis", "ein kreis"),
        ("en", "what does the second one do", "what does Hard do", ""),
        ("en", "how do I save", "how do I save", ""),
        ("en", "Why?", "How do I save? Why?", ""),
        ("en", "how do I save, in German", "how do I save", ""),
        ("de", "auf Englisch: wie öffne ich es", "wie öffne ich die datei", "wie öffne ich es"),
        ("fr", "en français : pourquoi ?", "comment enregistrer ? pourquoi ?", ""),
        ("ja", "なぜ？", "どう保存するの？なぜ？", ""),
    ],
)
def test_of_a_follow_up_only_the_question_as_asked_is_read(lang, asked, rewrite, read):
    turns = Turn("user", "how do I save"), Turn("assistant", "Press F2."), Turn("user", asked, lang)
    made = Rewrite(rewrite, lang, decision="rewrite")
    query = query_of(Understanding(Conversation(turns)), made)
    assert (query.text, query.read) == (rewrite, read)
    assert query.question == (read or rewrite)


def test_the_query_knows_its_conversation(assistant):
    class Keeping:
        def read(self, queries, hits):
            self.queries = queries
            return [Answer("", "en", 0.0)]

    reader = Keeping()
    ask(replace(assistant.pipeline, reader=reader), "Is there a ferry?", "Yes.", "When?")
    (query,) = reader.queries
    assert [turn.text for turn in query.conversation.turns] == [
        "Is there a ferry?",
        "Yes.",
        "When?",
    ]
    assert query.conversation.lang == "en"


@pytest.mark.parametrize("question", ["When was the lighthouse built?", "灯塔建于哪一年？"])
def test_a_stream_folds_into_the_answer(assistant, question):
    events = list(assistant.stream(question))
    assert names(events[:5]) == ["Understood", "Rewritten", "Retrieved", "Reranked", "Text"]
    assert names(events[-1:]) == ["Done"]
    answer = events[-1].answer
    assert "".join(one.text for one in events if isinstance(one, Text)) == answer.text
    cited = [(one.number, one.citation) for one in events if isinstance(one, Cited)]
    assert cited == list(enumerate(answer.citations, 1))
    assert answer == ask(assistant.pipeline, question)
    assert events[3].hits == answer.trace.hits


class Candidates:
    """A rewriter that proposes these texts, the first one itself."""

    def __init__(self, *texts):
        self.texts = texts

    def rewrite(self, conversations):
        first, *others = (Rewrite(text, "en") for text in self.texts)
        return [replace(first, alternatives=tuple(others)) for _ in conversations]


@pytest.mark.parametrize("place", [0, 1, 2])
def test_the_candidate_that_the_passages_answer_best_is_chosen(assistant, place):
    texts = ["What do unicorns eat in Peru?", "Which opera did the penguin sing?"]
    texts.insert(place, "When was the lighthouse built?")
    pipeline = replace(assistant.pipeline, rewriter=Candidates(*texts))
    events = list(pipeline.stream(Conversation(tuple(turns("And when?")))))
    assert names(events[:5]) == ["Understood", "Rewritten", "Retrieved", "Reranked", "Text"]
    trace = events[-1].answer.trace
    assert events[1].rewrite == trace.rewrite
    assert trace.rewrite.text == "When was the lighthouse built?"
    assert {one.text for one in trace.rewrite.alternatives} == {*texts} - {trace.rewrite.text}
    assert "1887" in events[-1].answer.text


def test_without_evidence_the_rewriters_own_choice_stands(assistant):
    texts = "What do unicorns eat in Peru?", "When was the lighthouse built?"
    for reranker in (None, Backwards()):
        pipeline = replace(assistant.pipeline, rewriter=Candidates(*texts), reranker=reranker)
        assert ask(pipeline, "And when?").trace.rewrite.text == texts[0]


def chat_turns(assistant, *questions):
    chat = assistant.chat()
    for question in questions:
        chat.ask(question)
    return chat.turns


def chosen(assistant, history, question, *texts):
    """What the pipeline makes of the candidates for a question after a history."""
    pipeline = replace(assistant.pipeline, rewriter=Candidates(*texts))
    return pipeline.answer(Conversation((*history, Turn("user", question))))


def test_what_was_shown_already_counts_less(assistant):
    texts = "When was the lighthouse built? and the ferry?", "When does the ferry leave?"
    history = chat_turns(assistant, "When was the lighthouse built?")
    assert history[-1].citations
    assert chosen(assistant, history, "and the ferry?", *texts).trace.rewrite.text == texts[1]


def test_evidence_decides_on_a_question_that_the_rewriter_would_change(assistant):
    asked = "what can be seen from the boat"
    texts = "When does the ferry leave?", asked

    def text(decision, confidence=1.0):
        class Two:
            def rewrite(self, conversations):
                first, second = (
                    Rewrite(text, "en", confidence=confidence, decision=decision) for text in texts
                )
                return [replace(first, alternatives=(second,))]

        pipeline = replace(assistant.pipeline, rewriter=Two())
        conversation = Conversation((Turn("user", asked),))
        evidence = choose(
            pipeline.understander.understand([conversation])[0],
            Two().rewrite([conversation])[0],
            pipeline.retriever,
            pipeline.reranker,
        )
        return evidence.rewrite.text

    assert text("leave") == asked
    assert text("rewrite") == texts[0]
    assert text("rewrite", 0.5) == asked


@pytest.mark.parametrize(
    ("asked", "left"),
    [("ferry departure", True), ("and the ferry", False), ("for the ferry", False)],
)
def test_a_fragment_is_left_alone_if_it_finds_its_answer(assistant, asked, left):
    other = f"Where is the harbour. {asked}"
    assert (chosen(assistant, (), asked, other, asked).trace.rewrite.text == asked) == left


def test_what_goes_on_with_and_is_not_asked_behind_an_earlier_question_if_it_says_enough(assistant):
    asked = "and rent a red bicycle for tourists"
    two = f"When does the ferry leave the harbour. {asked}"
    assert chosen(assistant, (), asked, asked, two).trace.rewrite.text == asked
    short = "and for tourists"
    two = f"When does the ferry leave the harbour. {short}"
    assert chosen(assistant, (), short, short, two).trace.rewrite.text == two


def test_a_single_question_precedes_two_with_the_same_passages(assistant):
    single = "When does the ferry leave the harbour?"
    two = "When does the ferry leave the harbour? and the ferry"
    assert chosen(assistant, (), "and the ferry", two, single).trace.rewrite.text == single


def test_a_japanese_predicate_alone_is_not_searched(assistant):
    single = "フェリーはなぜ必要なの"
    trace = chosen(assistant, (), "なぜ必要なの", single, "なぜ必要なの").trace
    assert trace.rewrite.text == single


QUESTION = "how do I paint the lighthouse"


@pytest.mark.parametrize(
    ("question", "rewrite", "moved"),
    [
        ("how do I undo it", Rewrite("how do I undo the paint", "en", decision="rewrite"), True),
        ("how do I undo it", Rewrite("how do I undo it", "en", decision="leave"), False),
        ("auf Deutsch", Rewrite(QUESTION, "de", (Edit("replace", QUESTION, 0, 0, "auf Deutsch"),),
                                decision="rewrite"), False),
    ],
)  # fmt: skip
def test_a_follow_up_is_answered_by_what_was_not_shown(assistant, question, rewrite, moved):
    texts = "Paint it red.", "Wash the paint off.", "塔は赤い。"

    def hit(at, relevance):
        passage = Passage(f"p{at}", f"d{at}", "", texts[at], "en")
        evidence = Evidence(relevance, (Span(0, 5, relevance),), "judge")
        return Hit(passage, 1.0 - at / 10, at + 1, evidence=evidence)

    class Fixed:
        def __init__(self, *relevances):
            self.hits = [hit(at, one) for at, one in enumerate(relevances)]

        def rerank(self, queries, hits, k):
            return [self.hits for _ in queries]

        def rewrite(self, conversations):
            return [rewrite]

    shown = Citation("p0", "d0", "", texts[0], 0, len(texts[0]))
    history = Turn("user", QUESTION), Turn("assistant", texts[0], citations=(shown,))
    conversation = Conversation((*history, Turn("user", question)))

    def order(*relevances):
        fixed = Fixed(*relevances)
        trace = (
            replace(assistant.pipeline, rewriter=fixed, reranker=fixed).answer(conversation).trace
        )
        assert [one.rank for one in trace.hits] == [1, 2, 3]
        return [one.passage.passage_id for one in trace.hits]

    same = ["p0", "p1", "p2"]
    assert order(5.0, 1.0, -1.0) == (["p1", "p0", "p2"] if moved else same)
    assert order(5.0, -1.0, 1.0) == (["p2", "p0", "p1"] if moved else same)
    assert order(5.0, -1.0, -1.0) == same


@pytest.mark.parametrize(
    ("question", "other"),
    [
        ("When does the ferry leave?", "When was the lighthouse built. When does the ferry leave?"),
        ("渡船什么时候开航？", "灯塔建于哪一年？渡船什么时候开航？"),
    ],
)
def test_a_complete_question_is_left_alone(assistant, question, other):
    history = chat_turns(assistant, "When was the lighthouse built?")
    for texts in ((question, other), (f"{question} lighthouse", question, other)):
        trace = chosen(assistant, history, question, *texts).trace
        assert trace.rewrite.text == question


def test_another_reading_is_offered(assistant):
    texts = "When does the ferry leave?", "When was the lighthouse built?"
    answer = chosen(assistant, (), "and when?", *texts)
    found = {answer.trace.rewrite.text, answer.second_reading}
    assert found in ({*texts}, {answer.trace.rewrite.text, ""})
    same = chosen(assistant, (), "and when?", texts[0], "When does the ferry depart?")
    assert same.second_reading == ""
    bad = chosen(assistant, (), "and when?", texts[0], "What do unicorns eat in Peru?")
    assert bad.second_reading == ""


def test_the_passages_of_the_last_answer_are_candidates(assistant):
    class Nothing:
        """Finds the passage on the ferry, whatever is asked."""

        def retrieve(self, queries, k):
            return assistant.retriever.retrieve(
                [replace(queries[0], text="ferry noon")] * len(queries), 1
            )

    history = chat_turns(assistant, "When was the lighthouse built?")
    cited = history[-1].citations[0].passage_id

    def found(text, decision, **limits):
        class One:
            def rewrite(self, conversations):
                return [Rewrite(text, "en", decision=decision) for _ in conversations]

        pipeline = replace(assistant.pipeline, retriever=Nothing(), rewriter=One(), **limits)
        answer = pipeline.answer(Conversation((*history, Turn("user", "what colour is it"))))
        return [hit.passage.passage_id for hit in answer.trace.output("retrieve")]

    assert cited in found("what colour is the lighthouse", "rewrite")
    assert cited not in found("what colour is it", "leave")
    assert len(found("what colour is the lighthouse", "rewrite", k=1, top=2)) == 2
    assert cited not in found("what colour is the lighthouse", "rewrite", k=1, top=1)


def test_the_choice_reads_few_passages(assistant):
    class Counting:
        read = 0

        def rerank(self, queries, hits, k):
            self.read += sum(map(len, hits))
            return assistant.reranker.rerank(queries, hits, k)

    counting = Counting()
    texts = "When was the ferry built?", "When was the lighthouse built?"
    ask(replace(assistant.pipeline, rewriter=Candidates(*texts), reranker=counting), "And when?")
    assert counting.read <= len(texts) * TRIED + assistant.pipeline.top


def test_a_reader_that_streams(assistant):
    class Words:
        def read(self, queries, hits):
            raise AssertionError("it streams")

        def stream(self, query, hits):
            for word in ("one", " two"):
                yield Text(word)
            return Answer("one two", "en", 1.0)

    events = list(
        replace(assistant.pipeline, reader=Words()).stream(Conversation(tuple(turns("ferry?"))))
    )
    assert names(events[-3:]) == ["Text", "Text", "Done"]
    assert events[-1].answer.text == "one two"
    assert events[-1].answer.trace.timings["read"] >= 0


@pytest.mark.parametrize("after", range(1, 6))
def test_a_stream_can_be_cancelled_between_any_two_events(assistant, after):
    calls = []

    class Noting:
        def __init__(self, stage, method):
            self.stage, self.method = stage, method

        def __getattr__(self, name):
            if name != self.method:
                raise AttributeError(name)
            calls.append(name)
            return getattr(self.stage, name)

    plain = assistant.pipeline
    noting = Pipeline(
        Noting(plain.understander, "understand"),
        Noting(plain.rewriter, "rewrite"),
        Noting(plain.retriever, "retrieve"),
        Noting(plain.reader, "read"),
        Noting(plain.reranker, "rerank"),
    )
    stream = noting.stream(Conversation(tuple(turns("When was the lighthouse built?"))))
    for _ in range(after):
        next(stream)
    stream.close()
    assert calls == STAGES[:after]
    assert list(stream) == []


def test_a_reranker_runs_between_search_and_reading(assistant):
    plain = assistant.pipeline
    before = ask(replace(plain, reranker=None), "lighthouse ferry").trace
    assert [stage.name for stage in before.stages] == [one for one in STAGES if one != "rerank"]
    after = ask(replace(plain, reranker=Backwards()), "lighthouse ferry").trace
    assert [stage.name for stage in after.stages] == STAGES
    ids = [hit.passage.passage_id for hit in before.hits]
    assert [hit.passage.passage_id for hit in after.hits] == ids[::-1]


def test_a_reranker_chooses_from_more_hits_than_are_read(assistant):
    class Counting(Backwards):
        given: tuple[int, ...] = ()

        def rerank(self, queries, hits, k):
            self.given = (len(hits[0]), k)
            return [one[:k] for one in super().rerank(queries, hits, k)]

    plain, counting = assistant.pipeline, Counting()
    for k, top, found in ((1, 20, 3), (1, 2, 2), (2, 1, 2)):
        chosen = replace(plain, reranker=counting, k=k, top=top)
        trace = ask(chosen, "lighthouse ferry 灯塔").trace
        assert counting.given == (found, k)
        assert len(trace.hits) == k
    trace = ask(replace(plain, reranker=None, k=1), "lighthouse").trace
    assert len(trace.output("retrieve")) == 1


@pytest.mark.parametrize(
    ("text", "intent", "lang"),
    [
        ("Hello!", "greeting", "en"),
        ("你好", "greeting", "zh"),
        ("Danke!", "thanks", "de"),
        ("ขอบคุณค่ะ ลาก่อน", "farewell", "th"),
        ("مرحبا", "greeting", "ar"),
    ],
)
def test_a_courtesy_is_answered_without_a_search(assistant, text, intent, lang):
    answer = ask(assistant.pipeline, text)
    assert [stage.name for stage in answer.trace.stages] == ["understand"]
    assert (answer.trace.understanding.intent, answer.lang) == (intent, lang)
    assert answer.text == answer.trace.understanding.reply != ""
    assert not answer.abstained
    assert answer.trace.hits == ()
    assert answer.trace.rewrite is None


def test_a_joke_is_searched_like_any_question(assistant):
    assert ask(assistant.pipeline, "قل لي نكتة").trace.rewrite


def test_history_is_an_argument_and_never_kept(assistant):
    first = ask(assistant.pipeline, "And when was it built?").trace.rewrite
    ask(assistant.pipeline, "Where is the lighthouse?", "There.", "And when was it built?")
    again = ask(assistant.pipeline, "And when was it built?").trace.rewrite
    assert first == again
    assert "lighthouse" not in again.text


def test_a_follow_up_is_answered_from_its_history(assistant):
    answer = ask(
        assistant.pipeline, "Is there a lighthouse on the island?", "Yes.", "When was it built?"
    )
    assert "lighthouse" in answer.trace.rewrite.text
    assert "1887" in answer.text


@pytest.mark.parametrize("method", ["none", "history", "expansion", "context"])
@pytest.mark.parametrize("model", ["bm25", "lmd", "lmjm", "hybrid"])
def test_every_configured_rewriter_and_model(assistant, method, model):
    config = Config.of({"rewrite": {"method": method}, "retrieve": {"model": model}})
    assistant = Assistant(assistant.index, config)
    answer = ask(assistant.pipeline, "灯塔建于哪一年？")
    assert "1887" in answer.text


@contextmanager
def busy_machine() -> Iterator[None]:
    """Several endless loops for each processor."""
    loops = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"])
        for _ in range(3 * processors())
    ]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


GUIDE = Path(__file__).parent.parent / "docs" / "en"
TALK = ("How do I check an index?", "Run anaphora index verify.", "And how do I repair it?")


@pytest.fixture(scope="module")
def guide(tmp_path_factory):
    """An index with vectors of three pages of the guide."""
    folder = tmp_path_factory.mktemp("guide")
    pages = [GUIDE / name for name in ("documents.md", "search.md", "settings.md")]
    update(folder, pages, load_encoder())
    return folder


def test_the_answer_of_a_busy_machine_is_that_of_a_quiet_one(guide):
    def everything():
        with Assistant(open_index(guide)) as assistant:
            answer = ask(assistant.pipeline, *TALK)
        return answer, [replace(stage, seconds=0.0) for stage in answer.trace.stages]

    assert Config() == Config().without_time_limits()
    quiet = everything()
    assert everything() == quiet
    with busy_machine():
        assert everything() == quiet


def test_a_time_limit_that_cuts_is_in_the_trace(guide):
    with Assistant(open_index(guide), Config.of({"rerank": {"rerank_ms": 1}})) as assistant:
        conversation = Conversation((Turn("user", "How do I check an index?"),))
        events = list(assistant.pipeline.stream(conversation))
    (cut,) = [event.cut for event in events if isinstance(event, Reranked)]
    assert (cut.hits, cut.limit) == (14, 0.001)
    assert 1 <= cut.scored < 14
    assert events[-1].answer.trace.cut == cut


def test_the_checks_of_a_written_answer_are_a_stage(assistant, endpoint):
    server = endpoint({"do": "stream", "parts": ["The lighthouse was ", "built in 1887 [1]."]})
    settings = {"read": {"method": "llm", "endpoint": server.url, "model": "m"}}
    writing = Assistant(assistant.index, Config.of(settings))
    events = list(writing.stream("When was the lighthouse built?"))
    assert names(events[4:]) == ["Checked", "Text", "Cited", "Done"]
    answer = events[-1].answer
    assert answer.text == "The lighthouse was built in 1887. [1]"
    assert [stage.name for stage in answer.trace.stages] == [*STAGES, "check"]
    assert answer.trace.output("check") == answer.writing
    assert "1887" in answer.citations[0].quote


FERRY, LIGHTHOUSE = "b.md", "a.md"


def documents(hits):
    return [hit.passage.doc_id.rpartition("/")[2] for hit in hits]


def passage_of(assistant, document):
    hits = assistant.search("lighthouse ferry 灯塔 渡船")
    return next(hit.passage for hit in hits if hit.passage.doc_id.endswith(document))


def test_a_question_is_searched_as_asked_where_the_user_wants_it(assistant):
    history = turns("Is there a lighthouse?", "A lighthouse was built in 1887.")
    rewritten = assistant.ask("When was it painted?", history).trace.rewrite
    assert rewritten.text != "When was it painted?"
    left = assistant.ask("When was it painted?", history, overrides=Overrides(as_asked=True))
    assert left.trace.rewrite.text == "When was it painted?"
    assert left.trace.rewrite.decision == "leave"
    assert left.trace.rewrite.alternatives == ()


@pytest.mark.parametrize("question", ["When does the ferry leave?", "灯塔是什么颜色的？"])
def test_a_pinned_passage_is_read_first(assistant, question):
    for document in (FERRY, LIGHTHOUSE, "c.md"):
        pinned = passage_of(assistant, document).passage_id
        trace = assistant.ask(question, overrides=Overrides(pinned=(pinned, "unknown"))).trace
        for stage in ("retrieve", "rerank"):
            hits = trace.output(stage)
            assert hits[0].passage.passage_id == pinned
            assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
            assert len({hit.passage.passage_id for hit in hits}) == len(hits)


def test_an_excluded_document_is_not_used(assistant):
    best = assistant.ask("When was the lighthouse built?").citations[0]
    overrides = Overrides(excluded=(best.doc_id,))
    history = turns("Is there a lighthouse?", "A lighthouse was built in 1887.")
    history[1] = replace(history[1], citations=(best,))
    narrow = replace(assistant.pipeline, k=1, top=1)
    for pipeline in (assistant.pipeline, narrow):
        for conversation in (
            turns("When was the lighthouse built?"),
            [*history, Turn("user", "When?")],
        ):
            trace = pipeline.answer(Conversation(tuple(conversation)), overrides).trace
            assert trace.hits
            assert best.doc_id not in {hit.passage.doc_id for hit in trace.output("retrieve")}
            assert best.doc_id not in {hit.passage.doc_id for hit in trace.hits}
