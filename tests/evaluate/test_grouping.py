"""Turns in groups."""

import pytest

from anaphora.datasets.example import Example
from anaphora.evaluate.grouping import GROUPINGS, group
from anaphora.evaluate.results import Outcome, PhrasingResult
from anaphora.records import Conversation, Rewrite, Turn


def outcome(question="Who?", lang="en", depth=1, rewrites=(), tags=None, identified="en"):
    turns = [Turn("user", "…")] * (depth - 1) + [Turn("user", question, lang)]
    example = Example(Conversation(tuple(turns), id=question), rewrites, tags=tags or {})
    return Outcome(example, {"rewritten": PhrasingResult(Rewrite(question, identified))})


def names(key, outcomes):
    return {name: len(each) for name, each in group(outcomes, GROUPINGS[key]).items()}


def test_depths_in_their_order():
    outcomes = [outcome(depth=depth) for depth in (12, 2, 10, 1, 9, 2)]
    assert list(names("depth", outcomes).items()) == [("1", 1), ("2", 2), ("9", 1), ("10+", 2)]


def test_languages():
    outcomes = [
        outcome("Где?", lang="ru"),
        outcome(lang=None, identified="vi"),
        outcome(lang=None, identified="unknown"),
        outcome("どこ？", lang="ja"),
    ]
    assert list(names("language", outcomes)) == ["ja", "ru", "vi", "unknown"]


def test_types_of_question():
    outcomes = [
        outcome("そこはどこですか？", lang="ja"),
        outcome("人口は？", lang="ja", rewrites=("東京の人口は何人ですか？",)),
        outcome("متى؟", lang="ar"),
        outcome("Кто?", lang="ru"),
        outcome("And 2013?"),
        outcome("Who?", tags={"question_type": "factoid"}),
        outcome("ใคร", lang=None, identified="th"),
    ]
    assert list(names("question_type", outcomes).items()) == [
        ("who", 2),
        ("when", 1),
        ("where", 1),
        ("how many", 1),
        ("other", 1),
        ("factoid", 1),
    ]


def test_change_of_topic():
    outcomes = [outcome(), *(outcome(tags={"topic_switch": tag}) for tag in ("yes", "no", "yes"))]
    assert list(names("topic_switch", outcomes).items()) == [("no", 1), ("yes", 2), ("unknown", 1)]


@pytest.mark.parametrize("key", GROUPINGS)
def test_every_turn_is_in_one_group(key):
    outcomes = [outcome(depth=depth, lang=lang) for depth in (1, 20) for lang in ("en", None)]
    groups = group(outcomes, GROUPINGS[key])
    assert sum(map(len, groups.values())) == 4
    assert group([], GROUPINGS[key]) == {}
