"""The conversations that were written for training the rewriter."""

from collections import Counter

import pytest

from anaphora.train.rewriter.conversations import Part, conversations
from anaphora.train.rewriter.examples import dialogues
from anaphora.train.rewriter.features import folded
from anaphora.train.text import TrainingText

TEXT = TrainingText()
FOLDER = TEXT.conversations
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


def test_each_turn_has_the_turns_before_it(tmp_path):
    (tmp_path / "ru.txt").write_text(ONE, "utf-8")
    first, second = (one for part in PARTS for one in conversations(part, tmp_path))
    assert [turn.text for turn in first.conversation.turns] == [
        "Где стоит котёл?",
        "В подвале.",
        "а кто его поставил",
    ]
    assert (first.rewrites, first.conversation.question.lang) == (("а кто поставил котёл",), "ru")
    assert [turn.role for turn in second.conversation.turns][-2:] == ["assistant", "user"]
    assert second.rewrites == ("谢谢",) == (second.question,)
    assert first.id != second.id


def test_no_conversation_is_in_two_parts():
    parts = [list(conversations(part, FOLDER)) for part in PARTS]
    every = [one for part in parts for one in part]
    dialogues = [{one.tags["dialogue"] for one in part} for part in parts]
    assert sum(map(len, dialogues)) == len(set().union(*dialogues))
    assert len({one.id for one in every}) == len(every)
    assert all(0.05 < len(part) / len(every) < 0.1 for part in parts[1:])


@pytest.mark.parametrize("lang", ["ar", "de", "en", "es", "fr", "hi", "ja", "ko", "ru", "tr", "zh"])
def test_every_language_has_follow_ups_and_complete_questions(lang):
    found = [
        one for one in conversations("train", FOLDER) if one.conversation.question.lang == lang
    ]
    kinds = Counter(one.rewrites[0] == one.question for one in found)
    assert kinds[False] > 100
    assert kinds[True] > 30


@pytest.mark.parametrize("folder", [TEXT.conversations, TEXT.follow_ups])
def test_the_files_contain_only_conversations(folder):
    for path in folder.glob("*.txt"):
        for block in path.read_text("utf-8").strip().split("\n\n"):
            title, *lines = block.splitlines()
            assert title.startswith("# ")
            assert {line[:3] for line in lines} <= {"U: ", "A: ", "R: "}


def test_follow_ups_about_real_manuals_are_rewritten_with_the_words_of_the_questions():
    every = {part: list(dialogues(TEXT, part)) for part in PARTS}
    assert len(every["train"]) > 12_000
    assert len({one.conversation.question.lang for one in every["train"]}) == 16
    assert len({one.id for part in every.values() for one in part}) == sum(map(len, every.values()))
    for part in every.values():
        changed = [one for one in part if one.rewrites[0] != one.question]
        assert 0.5 < len(changed) / len(part) < 0.9
        known = kept = 0
        for one in changed:
            assert one.rewrites[0] == " ".join(one.rewrites[0].split()) != ""
            assert not any(turn.text for turn in one.conversation.turns if turn.role != "user")
            said = set(folded(" ".join(turn.text for turn in one.conversation.turns)))
            words = folded(one.rewrites[0])
            known, kept = known + len(words), kept + sum(word in said for word in words)
        assert kept > 0.9 * known
