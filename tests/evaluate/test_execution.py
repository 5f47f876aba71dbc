"""What a turn comes to, as the pipeline is and with parts of it made right."""

from contextlib import closing
from dataclasses import replace

import pytest

from anaphora.assistant import Assistant
from anaphora.config import Config
from anaphora.datasets.example import Example
from anaphora.datasets.registry import open_dataset
from anaphora.evaluate.attribution import Counterfactual
from anaphora.evaluate.cache import Cache
from anaphora.evaluate.collection import index_documents
from anaphora.evaluate.execution import gold_first, run_turns, with_gold
from anaphora.evaluate.metrics.retrieval import score_run
from anaphora.evaluate.stages import Stages
from anaphora.index import open_index
from anaphora.records import Conversation, Document, Evidence, Hit, Passage, Span, Turn


@pytest.fixture(scope="module")
def examples(conversations):
    return {one.id: one for one in open_dataset(conversations).examples()}


@pytest.fixture(scope="module")
def stages(conversations, tmp_path_factory):
    folder = tmp_path_factory.mktemp("lexical")
    documents = open_dataset(conversations).documents()
    index = index_documents(folder / "collections", documents, None)
    config = Config.of({"retrieve": {"k": 3}})
    cache = Cache(folder / "stages.sqlite")
    assistant = Assistant(open_index(index), config)
    yield Stages(config, assistant, cache, depth=5)
    cache.close()
    assistant.index.close()


def tried(stages, example, **how):
    [one] = run_turns(stages, [example], Counterfactual(**how))
    return one


@pytest.mark.parametrize("id", ["en-2", "zh-2", "vi-2"])
def test_each_phrasing_is_searched_as_it_is(stages, examples, id):
    example = examples[id]
    original = tried(stages, example, question="original")
    human = tried(stages, example, question="human")
    assert original.rewrite.text == example.question
    assert human.rewrite.text == example.rewrites[0]
    assert human.rewrite.lang == id[:2]
    assert human.hits[0][0] in example.relevant
    assert set(human.seconds) == {"retrieve", "rerank", "read"}
    assert set(tried(stages, example).seconds) == {"rewrite", "retrieve", "rerank", "read"}


@pytest.mark.parametrize("text", ["海边的城市", "Thành phố bên bờ biển", "مدينة على البحر"])
def test_of_equal_hits_the_first_that_is_shown_counts_first(tmp_path, text):
    """Whatever their ids are: trec_eval would put the last id first."""
    passages = [Document(name, "", text, whole=True) for name in "abc"]
    index = index_documents(tmp_path / "collections", passages, None)
    config = Config.of({"rerank": {"method": "none"}})
    cache = Cache(tmp_path / "stages.sqlite")
    with closing(open_index(index)) as opened:
        stages = Stages(config, Assistant(opened, config), cache, depth=5)
        example = Example(Conversation((Turn("user", text),), id="q"), relevant={"a": 1})
        found = tried(stages, example)
    cache.close()
    assert [id for id, _ in found.hits] == ["a", "b", "c"]
    assert score_run({"q": found.hits}, {"q": {"a": 1}}, ["R@1"]).values["R@1"] == {"q": 1.0}


def test_the_pipeline_is_not_told_the_language_unless_it_is_made_right(stages, examples):
    example = examples["tr-1"]
    turn = type(example.conversation.question)("user", "OK", "tr")
    unclear = type(example)(type(example.conversation)((turn,), id="x"))
    assert tried(stages, unclear).rewrite.lang == "unknown"
    assert tried(stages, unclear, language=True).rewrite.lang == "tr"


def test_a_greeting_is_not_searched(stages, examples):
    one = tried(stages, examples["hi-1"])
    assert not one.rewrite.search
    assert one.hits == ()
    assert one.answer is None


@pytest.mark.parametrize("id", ["en-2", "ja-1", "zh-2", "ar-1", "ru-1", "vi-2", "th-1", "tr-1"])
def test_gold_passages_are_put_first_or_alone(stages, examples, id):
    example = examples[id]
    first, alone = (tried(stages, example, gold=gold) for gold in ("first", "alone"))
    assert first.ranking[0][0] in example.relevant
    assert [name for name, _ in alone.ranking] == [
        name for name, grade in example.relevant.items() if grade > 0
    ]
    scores = [score for _, score in first.ranking]
    assert scores == sorted(scores, reverse=True)
    assert len({name for name, _ in first.ranking}) == len(first.ranking)


def hits_of(*names):
    """Hits of these passages, whose scores fall by 1 to 1."""
    return [
        Hit(passage(name), float(len(names) - place), place + 1) for place, name in enumerate(names)
    ]


def passage(name):
    return Passage(name, name, "", f"Text of {name}.", "en")


def gold_of(*names):
    return {name: passage(name) for name in names}


def names_of(hits):
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    return [hit.passage.passage_id for hit in hits]


def test_added_passages_are_last_among_those_that_go_on():
    hits = hits_of(*"abcdef")
    assert names_of(with_gold(hits, gold_of("x", "e"), 4)) == list("abxecdf")
    assert with_gold(hits, gold_of("b"), 4) == hits
    (only,) = with_gold([], gold_of("x"), 4)
    assert (only.passage.passage_id, only.score) == ("x", 0.0)
    assert names_of(with_gold(hits, gold_of(*"uvwxyz"), 2)) == list("uvabcdef")


def test_an_added_passage_has_the_score_of_the_hit_before_it():
    hits = with_gold(hits_of("a", "b", "c"), gold_of("g"), 2)
    found = [(hit.passage.passage_id, hit.score) for hit in hits]
    assert found == [("a", 3.0), ("g", 3.0), ("b", 2.0), ("c", 1.0)]


def test_several_gold_passages_keep_their_order_and_evidence():
    hits = hits_of("a", "g")
    evidence = Evidence(1.0, (Span(0, 4, 2.0),), "judge")
    hits[1] = replace(hits[1], evidence=evidence, cosine=0.5)
    found = gold_first(hits, gold_of("h", "g"), alone=False)
    assert names_of(found) == ["h", "g", "a"]
    assert [hit.score for hit in found] == [4.0, 3.0, 2.0]
    assert (found[1].evidence, found[1].cosine) == (evidence, 0.5)
    (only,) = gold_first([], gold_of("h"), alone=True)
    assert (only.passage.passage_id, only.score) == ("h", 1.0)


def test_without_passages_only_the_rewrite_is_tried(examples, tmp_path):
    cache = Cache(tmp_path / "c.sqlite")
    one = tried(Stages(Config.of({}), None, cache, depth=5), examples["en-2"])
    assert one.rewrite.text != examples["en-2"].question
    assert (one.hits, one.answer) == ((), None)
    cache.close()
