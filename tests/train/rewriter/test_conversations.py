"""The talks that we wrote for the rewriter."""

from collections import Counter

import pytest

from anaphora.train.talks import FOLDER, Part, talks

PARTS: tuple[Part, ...] = ("train", "tune", "report")
ONE = """# Котёл
U: Где стоит котёл?
A: В подвале.
U: а кто его поставил
R: а кто поставил котёл
A: Мастер Иванов.
U: 谢谢
R: =
"""


def test_a_talk_gives_each_turn_with_what_was_said_before(tmp_path):
    (tmp_path / "ru.txt").write_text(ONE, "utf-8")
    first, second = (one for part in PARTS for one in talks(part, tmp_path))
    assert [turn.text for turn in first.conversation.turns] == [
        "Где стоит котёл?",
        "В подвале.",
        "а кто его поставил",
    ]
    assert (first.rewrites, first.conversation.question.lang) == (("а кто поставил котёл",), "ru")
    assert [turn.role for turn in second.conversation.turns][-2:] == ["assistant", "user"]
    assert second.rewrites == ("谢谢",) == (second.question,)
    assert first.id != second.id


def test_no_talk_is_in_both_parts():
    parts = [list(talks(part)) for part in PARTS]
    every = [one for part in parts for one in part]
    dialogues = [{one.tags["dialogue"] for one in part} for part in parts]
    assert sum(map(len, dialogues)) == len(set().union(*dialogues))
    assert len({one.id for one in every}) == len(every)
    assert all(0.05 < len(part) / len(every) < 0.1 for part in parts[1:])


@pytest.mark.parametrize("lang", ["ar", "de", "en", "es", "fr", "hi", "ja", "ko", "ru", "tr", "zh"])
def test_every_language_has_follow_ups_and_complete_questions(lang):
    found = [one for one in talks("train") if one.conversation.question.lang == lang]
    kinds = Counter(one.rewrites[0] == one.question for one in found)
    assert kinds[False] > 100
    assert kinds[True] > 30


def test_the_files_hold_nothing_but_talks():
    for path in FOLDER.glob("*.txt"):
        for block in path.read_text("utf-8").strip().split("\n\n"):
            title, *lines = block.splitlines()
            assert title.startswith("# ")
            assert {line[:3] for line in lines} <= {"U: ", "A: ", "R: "}
