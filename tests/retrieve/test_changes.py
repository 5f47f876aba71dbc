"""Hits in lists of changes."""

import pytest

from anaphora.records import Hit, Passage, Query
from anaphora.retrieve.changes import lowering_changes
from anaphora.retrieve.fusion import Fusion


def hit(heading, score, rank):
    return Hit(Passage(heading, heading, "", f"About {heading}.", "en", (heading,)), score, rank)


FOUND = [hit("Release Notes", 3.0, 1), hit("Backups", 2.5, 2), hit("Files", 1.0, 3)]


def order(hits):
    return [(one.passage.passage_id, one.score, one.rank) for one in hits]


def test_a_list_of_changes_loses_half_of_its_score():
    assert order(lowering_changes(Query("how do I back up", "en"), FOUND)) == [
        ("Backups", 2.5, 1), ("Release Notes", 1.5, 2), ("Files", 1.0, 3)
    ]  # fmt: skip


def test_a_question_about_the_changes_finds_them():
    assert lowering_changes(Query("what do the release notes say", "en"), FOUND) == FOUND


class Fixed:
    def __init__(self, name, hits):
        self.name, self.hits = name, hits

    def retrieve(self, queries, k):
        return [self.hits for _ in queries]


@pytest.mark.parametrize("method", ["weighted", "rrf"])
def test_fused_rankings_have_lists_of_changes_lower(method):
    fusion = Fusion([Fixed("a", FOUND), Fixed("b", FOUND)], method=method)
    (found,) = fusion.retrieve([Query("how do I back up", "en")], 3)
    assert found[0].passage.passage_id == "Backups"
    (found,) = fusion.retrieve([Query("release notes", "en")], 3)
    assert found[0].passage.passage_id == "Release Notes"


def test_a_single_ranking_keeps_its_scores():
    (found,) = Fusion([Fixed("a", FOUND)]).retrieve([Query("how do I back up", "en")], 3)
    assert order(found) == order(FOUND)
