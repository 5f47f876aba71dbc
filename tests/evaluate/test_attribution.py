"""A pipeline whose every stage can be broken, and who gets the blame."""

from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.datasets.example import Example
from anaphora.evaluate.attribution import (
    CAUSES,
    Conditions,
    Counterfactual,
    attribute_failures,
    limits,
)
from anaphora.evaluate.breakdown import Threshold
from anaphora.evaluate.results import Outcome, PhrasingResult
from anaphora.records import Answer, Conversation, Rewrite, Statement, Turn, Writing


def example(
    id="t",
    lang="vi",
    rewrites=("Thủ đô của Pháp là gì?",),
    relevant=None,
    answerable=True,
):
    talk = Conversation((Turn("user", "Còn của Pháp?", lang),), id=id)
    grades = {"p": 1, "q": 0} if relevant is None else relevant
    return Example(talk, rewrites, answers=("Paris",), relevant=grades, answerable=answerable)


def ranking(place, length=30):
    """Hits of which the one at this place, from 1, is relevant."""
    return tuple(("p" if rank == place else f"other-{rank}", 1 / rank) for rank in
                 range(1, length + 1))  # fmt: skip


def failed(asked=None, identified="vi", answered="vi", hits=1, reranked=None, writing=None):
    answer = Answer("?", answered, 0.5, writing=writing) if answered else None
    tried = PhrasingResult(
        Rewrite("Còn của Pháp?", identified),
        ranking(hits),
        None if reranked is None else ranking(reranked),
        answer,
        {"F1": 0.0},
    )
    return Outcome(asked or example(), {"rewritten": tried})


@dataclass
class Broken:
    """A pipeline in which these things are broken; each repair mends one.

    It notes what it was asked to run.
    """

    broken: frozenset[str]
    asked: list[tuple[tuple[str, ...], Counterfactual]] = field(default_factory=list)

    def __call__(self, examples, repair):
        self.asked.append((tuple(one.id for one in examples), repair))
        return [float(not self.still_broken(repair)) for _ in examples]

    def still_broken(self, repair):
        mended = {
            "language": repair.language,
            "spoilt rewrite": repair.question != "rewritten",
            "bad rewrite": repair.question == "human",
            "retrieval": repair.gold != "",
            "reranking": repair.gold in ("first", "alone"),
            "distraction": repair.gold == "alone",
            "check": not repair.checked,
            "answer's language": repair.translated,
        }
        return {fault for fault in self.broken if not mended.get(fault)}

    @property
    def repairs(self):
        return [repair for _, repair in self.asked]


def conditions(judges="answer", reranks=True, reachable=None, gold_lang=None, translates=False):
    return Conditions(
        Threshold.parse(">=0.5"),
        judges,
        reranks,
        20,
        lambda _: reachable,
        lambda _: gold_lang,
        translates,
    )


FAULTS = {
    "spoilt rewrite": "rewriting",
    "bad rewrite": "rewriting",
    "retrieval": "retrieval",
    "reranking": "reranking",
    "distraction": "reading",
}
ORDER = list(FAULTS)


@pytest.mark.parametrize(("fault", "cause"), FAULTS.items())
def test_one_fault(fault, cause):
    assert attribute_failures([failed()], conditions(), Broken({fault})) == {"t": cause}


def written(*fates):
    return Writing("model", tuple(Statement("Paris.", (), fate) for fate in fates))


def test_a_reader_that_writes_fails_to_generate():
    for faults in ({"distraction"}, {"reading"}):
        turn = failed(writing=written("shown"))
        found = attribute_failures([turn], conditions(), Broken(faults))
        assert found == {"t": "generation"}


def test_the_check_struck_a_right_sentence():
    turn = failed(writing=written("shown", "struck"))
    assert attribute_failures([turn], conditions(), Broken({"check"})) == {"t": "checking"}
    # Nothing was struck: there is nothing to repair.
    pipeline = Broken({"check"})
    found = attribute_failures([failed(writing=written("shown"))], conditions(), pipeline)
    assert found == {"t": "generation"}
    assert all(repair.checked for repair in pipeline.repairs)
    # It is not the only fault: the search is repaired first.
    both = attribute_failures([turn], conditions(), Broken({"retrieval", "check"}))
    assert both == {"t": "checking"}


def test_an_answer_that_is_right_in_translation():
    turn = failed(answered="fr")
    pipeline = Broken({"answer's language"})
    assert attribute_failures([turn], conditions(translates=True), pipeline) == {"t": "language"}
    assert pipeline.repairs == [Counterfactual(translated=True)]
    untranslated = attribute_failures([turn], conditions(), Broken({"answer's language"}))
    assert untranslated == {"t": "reading"}


def test_a_language_identified_wrongly():
    pipeline = Broken({"language"})
    assert attribute_failures([failed(identified="fr")], conditions(), pipeline) == {
        "t": "language"
    }
    assert pipeline.repairs == [Counterfactual(language=True)]


@given(st.sets(st.sampled_from(ORDER), min_size=1))
def test_the_last_repair_that_is_needed_names_the_culprit(faults):
    # Repairs add up: what was mended on the way stays mended.
    last = max(faults, key=ORDER.index)
    assert attribute_failures([failed()], conditions(), Broken(faults)) == {"t": FAULTS[last]}


def test_the_whole_ladder():
    pipeline = Broken({"retrieval", "reading"})
    found = attribute_failures([failed(identified="fr")], conditions(reachable=True), pipeline)
    assert found == {"t": "reading"}
    assert pipeline.repairs == [
        Counterfactual("rewritten", language=True),
        Counterfactual("original", language=True),
        Counterfactual("human", language=True),
        Counterfactual("human", language=True, gold="added"),
        Counterfactual("human", language=True, gold="first"),
        Counterfactual("human", language=True, gold="alone"),
    ]


def test_only_turns_that_still_fail_are_run_again():
    turns = [failed(example(id)) for id in "abc"]
    asked = []

    def rerun(examples, repair):
        ids = [one.id for one in examples]
        asked.append(ids)
        mends = {"a": repair.question == "human", "b": repair.gold == "first"}
        return [float(mends.get(id, False)) for id in ids]

    found = attribute_failures(turns, conditions(reachable=False), rerun)
    assert found == {"a": "rewriting", "b": "reranking", "c": "data"}
    assert list(found) == ["a", "b", "c"]
    assert asked == [["a", "b", "c"], ["a", "b", "c"], ["b", "c"], ["b", "c"], ["c"]]


def test_turns_with_different_repairs_are_run_apart():
    turns = [failed(example("a")), failed(example("b"), identified="en")]
    pipeline = Broken({"bad rewrite"})
    assert set(attribute_failures(turns, conditions(), pipeline).values()) == {"rewriting"}
    assert pipeline.asked[-2:] == [
        (("a",), Counterfactual("human")),
        (("b",), Counterfactual("human", language=True)),
    ]


@pytest.mark.parametrize(
    ("hits", "reranked", "cause"),
    [
        (1, 5, "reading"),
        (30, 5, "reading"),
        (20, 6, "reranking"),
        (1, 6, "reranking"),
        (21, 21, "retrieval"),
        (0, 0, "retrieval"),
    ],
)
def test_a_reader_is_blamed_only_for_what_it_received(hits, reranked, cause):
    turn = failed(hits=hits, reranked=reranked)
    assert attribute_failures([turn], conditions(), Broken({"distraction"})) == {"t": cause}


def test_one_phrasing_that_finds_a_relevant_passage_is_enough():
    turn = failed(hits=0, reranked=0)
    human = failed(hits=9, reranked=2).results["rewritten"]
    turn = replace(turn, results={**turn.results, "human": human})
    found = attribute_failures([turn], conditions(), Broken({"distraction"}))
    assert found == {"t": "reading"}


@pytest.mark.parametrize(("place", "cause"), [(5, "reading"), (6, "retrieval"), (0, "retrieval")])
def test_without_a_reranker_the_reader_receives_the_first_stages_hits(place, cause):
    found = attribute_failures(
        [failed(hits=place)], conditions(reranks=False), Broken({"distraction"})
    )
    assert found == {"t": cause}


def test_a_reader_that_fails_with_the_relevant_passages_alone_is_blamed():
    turn = failed(hits=0, reranked=0)
    found = attribute_failures([turn], conditions(reachable=True), Broken({"reading"}))
    assert found == {"t": "reading"}


@pytest.mark.parametrize("fault", ["retrieval", "reranking"])
def test_without_a_reranker_the_first_stage_has_the_last_word(fault):
    pipeline = Broken({fault})
    assert attribute_failures([failed()], conditions(reranks=False), pipeline) == {"t": "retrieval"}
    assert "added" not in [repair.gold for repair in pipeline.repairs]


def test_a_ranking_is_judged_without_the_reader():
    pipeline = Broken({"distraction"})
    found = attribute_failures([failed(answered=None)], conditions("ranking"), pipeline)
    assert found == {"t": "data"}
    assert pipeline.repairs[-1].gold == "first"


@pytest.mark.parametrize(
    ("reachable", "answered", "gold_lang", "cause"),
    [
        (True, "fr", "fr", "reading"),
        (None, "fr", "fr", "reading"),
        (False, "fr", "fr", "language"),
        (False, "vi", "fr", "data"),
        (False, "fr", "vi", "data"),
        (False, "fr", None, "data"),
        (False, "unknown", "fr", "data"),
        (False, None, "fr", "data"),
    ],
)
def test_beyond_repair(reachable, answered, gold_lang, cause):
    turn = failed(answered=answered)
    found = attribute_failures(
        [turn], conditions(reachable=reachable, gold_lang=gold_lang), Broken({"all"})
    )
    assert found == {"t": cause}


def test_a_question_whose_language_the_data_leave_open():
    turn = failed(example(lang=None), identified="vi", answered="fr")
    pipeline = Broken({"all"})
    found = attribute_failures([turn], conditions(reachable=False, gold_lang="fr"), pipeline)
    assert found == {"t": "language"}
    assert not any(repair.language for repair in pipeline.repairs)


def test_without_human_rewrites():
    for fault, cause in (("spoilt rewrite", "rewriting"), ("retrieval", "retrieval")):
        pipeline = Broken({fault})
        found = attribute_failures([failed(example(rewrites=()))], conditions(), pipeline)
        assert found == {"t": cause}
        assert "human" not in [repair.question for repair in pipeline.repairs]


@pytest.mark.parametrize("relevant", [{}, {"p": 0}])
def test_without_right_passages_nothing_beyond_rewriting_is_blamed(relevant):
    turn = failed(example(relevant=relevant))
    assert attribute_failures([turn], conditions(), Broken({"bad rewrite"})) == {"t": "rewriting"}
    assert attribute_failures([turn], conditions(), Broken({"retrieval"})) == {}


@pytest.mark.parametrize(
    ("fault", "cause"), [("bad rewrite", "rewriting"), ("retrieval", "reading")]
)
def test_a_question_without_an_answer(fault, cause):
    turn = failed(example(answerable=False))
    pipeline = Broken({fault})
    assert attribute_failures([turn], conditions(), pipeline) == {"t": cause}
    assert {repair.gold for repair in pipeline.repairs} == {""}
    assert attribute_failures([turn], conditions("ranking"), Broken({"all"})) == {}


def test_a_turn_that_could_not_be_run_again_has_no_culprit():
    def rerun(examples, repair):
        return [None if repair.gold else 0.0 for _ in examples]

    assert attribute_failures([failed()], conditions(), rerun) == {}


def test_one_value_a_turn():
    with pytest.raises(ValueError, match="1 turns were run again and gave 0 values"):
        attribute_failures([failed()], conditions(), lambda *_: [])
    assert attribute_failures([], conditions(), lambda *_: []) == {}


def test_limits():
    assert limits([failed()], conditions(reachable=True)) == ()
    assert limits([], conditions("ranking", reranks=False)) == ()
    turns = [failed(example("a", lang=None, rewrites=(), relevant={})), failed()]
    rewrites, passages, language, bound, reranker = limits(turns, conditions(reranks=False))
    assert rewrites.startswith("1 of 2 failed turns have no human rewrite")
    assert passages.startswith("1 of 2 failed turns have no passages judged relevant")
    assert language.startswith(
        "In 1 of 2 failed turns the data do not name the question's language"
    )
    assert bound.startswith("For 1 of 2 failed turns")
    assert reranker.startswith("No reranker runs")
    assert any(
        "no failure is attributed to reading" in each
        for each in limits(turns, conditions("ranking"))
    )
    unanswerable = [failed(example(relevant={}, answerable=False))]
    assert limits(unanswerable, conditions()) == ()


def test_culprits_in_the_pipelines_order():
    stages = ("rewriting", "retrieval", "reranking", "reading", "generation", "checking")
    assert (*stages, "language", "data") == CAUSES
