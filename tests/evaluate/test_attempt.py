"""What a turn comes to, as the pipeline is and with parts of it made right."""

import pytest

from anaphora.assistant import Assistant
from anaphora.config import Config
from anaphora.datasets.registry import open_dataset
from anaphora.evaluate.attempt import added, ahead, attempt
from anaphora.evaluate.cache import Cache
from anaphora.evaluate.collection import index_documents
from anaphora.evaluate.culprit import Counterfactual
from anaphora.evaluate.stages import Stages
from anaphora.index import open_index


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
    [one] = attempt(stages, [example], Counterfactual(**how))
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


def test_added_passages_stand_last_among_those_that_go_on():
    hits = tuple((name, 9.0 - place) for place, name in enumerate("abcdef"))
    assert [name for name, _ in added(hits, ["x", "e"], 4)] == list("abxecdf")
    assert added(hits, ["b"], 4) == hits
    assert added((), ["x"], 4) == (("x", 0.0),)
    assert [name for name, _ in added(hits, list("uvwxyz"), 2)] == list("uvabcdef")


def test_several_gold_passages_keep_their_order():
    hits = (("a", 3.0), ("g", 2.0))
    assert [name for name, _ in ahead(hits, ["h", "g"], alone=False)] == ["h", "g", "a"]
    assert ahead((), ["h"], alone=True) == (("h", 1.0),)


def test_without_passages_only_the_rewrite_is_tried(examples, tmp_path):
    cache = Cache(tmp_path / "c.sqlite")
    one = tried(Stages(Config.of({}), None, cache, depth=5), examples["en-2"])
    assert one.rewrite.text != examples["en-2"].question
    assert (one.hits, one.answer) == ((), None)
    cache.close()
