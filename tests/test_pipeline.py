"""The stages composed: what runs, in which order, and that nothing is remembered."""

from dataclasses import replace

import pytest

from anaphora.assistant import Assistant
from anaphora.config import of
from anaphora.ingest.update import update
from anaphora.language import small_talk_reply
from anaphora.pipeline import Pipeline
from anaphora.records import Answer, Conversation, Hit, Rewrite, Turn


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
    opened = Assistant(folder / "index")
    yield opened
    opened.index.close()


def ask(assistant, *texts):
    turns = [Turn("assistant" if at % 2 else "user", text) for at, text in enumerate(texts)]
    return assistant.answer(Conversation(tuple(turns)))


def test_every_stage_leaves_its_output_and_its_seconds(assistant):
    answer, trace = ask(assistant.pipeline, "When was the lighthouse built?")
    assert [stage.name for stage in trace.stages] == ["rewrite", "retrieve", "rerank", "read"]
    assert all(seconds >= 0 for seconds in trace.timings.values())
    assert isinstance(trace.output("rewrite"), Rewrite)
    assert trace.output("read") is answer
    assert isinstance(answer, Answer)
    assert "1887" in answer.text
    assert trace.output("rerank") == trace.hits
    assert [hit.rank for hit in trace.hits] == list(range(1, len(trace.hits) + 1))


def test_a_reranker_stands_between_search_and_reading(assistant):
    plain = assistant.pipeline
    turned = Pipeline(plain.rewriter, plain.retriever, plain.reader, Backwards())
    _, before = ask(replace(plain, reranker=None), "lighthouse ferry")
    assert [stage.name for stage in before.stages] == ["rewrite", "retrieve", "read"]
    _, after = ask(turned, "lighthouse ferry")
    assert [stage.name for stage in after.stages] == ["rewrite", "retrieve", "rerank", "read"]
    names = [hit.passage.passage_id for hit in before.hits]
    assert [hit.passage.passage_id for hit in after.hits] == names[::-1]


def test_a_reranker_chooses_from_more_hits_than_are_read(assistant):
    class Counting(Backwards):
        given: tuple[int, ...] = ()

        def rerank(self, queries, hits, k):
            self.given = (len(hits[0]), k)
            return [one[:k] for one in super().rerank(queries, hits, k)]

    plain, counting = assistant.pipeline, Counting()
    for k, top, found in ((1, 20, 3), (1, 2, 2), (2, 1, 2)):
        chosen = Pipeline(plain.rewriter, plain.retriever, plain.reader, counting, k, top)
        _, trace = ask(chosen, "lighthouse ferry 灯塔")
        assert counting.given == (found, k)
        assert len(trace.hits) == k
    _, trace = ask(Pipeline(plain.rewriter, plain.retriever, plain.reader, k=1), "lighthouse")
    assert len(trace.output("retrieve")) == 1


@pytest.mark.parametrize(
    ("said", "kind", "lang"),
    [
        ("Hello!", "greeting", "en"),
        ("你好", "greeting", "zh"),
        ("Danke!", "thanks", "de"),
        ("Кто ты?", "about", "ru"),
        ("ขอบคุณค่ะ ลาก่อน", "farewell", "th"),
        ("قل لي نكتة", "chat", "ar"),
    ],
)
def test_small_talk_is_answered_without_a_search(assistant, said, kind, lang):
    answer, trace = ask(assistant.pipeline, said)
    assert [stage.name for stage in trace.stages] == ["rewrite"]
    assert answer.text == small_talk_reply(kind, lang)
    assert answer.abstained == (kind == "chat")
    assert trace.hits == ()


def test_history_is_an_argument_and_never_kept(assistant):
    first = ask(assistant.pipeline, "And when was it built?")[1].output("rewrite")
    ask(assistant.pipeline, "Where is the lighthouse?", "There.", "And when was it built?")
    again = ask(assistant.pipeline, "And when was it built?")[1].output("rewrite")
    assert first == again
    assert "lighthouse" not in again.text


def test_a_follow_up_is_answered_from_its_history(assistant):
    answer, trace = ask(
        assistant.pipeline, "Is there a lighthouse on the island?", "Yes.", "When was it built?"
    )
    assert "lighthouse" in trace.output("rewrite").text
    assert "1887" in answer.text


@pytest.mark.parametrize("method", ["none", "history", "expansion", "context"])
@pytest.mark.parametrize("model", ["bm25", "lmd", "lmjm", "hybrid"])
def test_every_configured_rewriter_and_model(assistant, method, model):
    config = of({"rewrite": {"method": method}, "retrieve": {"model": model}})
    assistant = Assistant(assistant.index.folder, config).pipeline
    answer, _ = ask(assistant, "灯塔建于哪一年？")
    assert "1887" in answer.text
