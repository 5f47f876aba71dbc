import pytest

from anaphora.datasets.utterances import MULTI, REWRITE
from anaphora.errors import MalformedData
from anaphora.records import Turn


def test_the_last_column_is_the_rewrite(write):
    path = write("dev.txt", "你喝茶吗\t喝\u2028呀\t喜欢吗\t喜欢喝茶吗\n茶\t\t好喝吗\t茶好喝吗\n")
    first, second = REWRITE.examples(path)
    assert REWRITE.recognises(path)
    assert first.id == "dev#1"
    assert first.conversation.turns == (
        Turn("user", "你喝茶吗"),
        Turn("assistant", "喝\u2028呀"),
        Turn("user", "喜欢吗"),
    )
    assert first.rewrites == ("喜欢喝茶吗",)
    assert second.conversation.turns == (Turn("user", "茶"), Turn("user", "好喝吗"))


def test_columns_may_be_parted_by_two_tabs(write):
    path = write("corpus.txt", "茶\t\t哪种\t\t绿\t\t好的\t\t要绿的\t\t要绿的茶\n")
    [example] = REWRITE.examples(path)
    assert REWRITE.recognises(path)
    roles = [turn.role for turn in example.conversation.turns]
    assert roles == ["user", "assistant", "user", "assistant", "user"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("dev.tsv", "你喝茶吗\t喝\t喜欢吗\t喜欢喝茶吗\n"),
        ("a.txt", "q1\t0\td1\t1\n"),
        ("a.txt", "recipe\thow to boil one egg\n\nis oil a vegetable\n"),
        ("a.txt", "one\ttwo\tthree\tquite other words\n"),
        ("a.txt", ""),
    ],
)
def test_other_files_are_not_taken_for_rewrite(write, name, text):
    assert not REWRITE.recognises(write(name, text))


def test_folders_are_not_taken_for_either(tmp_path):
    assert not REWRITE.recognises(tmp_path)
    assert not MULTI.recognises(tmp_path)


@pytest.mark.parametrize("line", ["喜欢吗", "茶\t喜欢吗\t", "茶\t \t喜欢茶吗"])
def test_a_bad_line_is_named_when_it_is_reached(write, line):
    path = write("dev.txt", f"茶\t好\t喜欢吗\t喜欢茶吗\n{line}\n")
    found = REWRITE.examples(path)
    assert next(found).id == "dev#1"
    with pytest.raises(MalformedData, match=r"dev\.txt, line 2: needs the utterances"):
        next(found)


SOURCE = "你 好 <split> 在 哪 <split> tea house 里 || 好 喝 吗 | tea 茶\n"


def test_restoration_has_source_and_target_apart(write):
    path = write("train.sr", SOURCE)
    write("train.tr", "tea house 的 茶 好 喝 吗\n")
    [example] = MULTI.examples(path)
    assert MULTI.recognises(path)
    assert not REWRITE.recognises(path)
    assert example.id == "train#1"
    assert example.conversation.turns == (
        Turn("assistant", "你好"),
        Turn("user", "在哪"),
        Turn("assistant", "tea house里"),
        Turn("user", "好喝吗"),
    )
    assert example.rewrites == ("tea house的茶好喝吗",)


def test_source_and_target_must_match(write):
    path = write("train.sr", SOURCE * 2)
    assert not MULTI.recognises(path)
    write("train.tr", "好 喝 吗\n")
    found = MULTI.examples(path)
    assert next(found).rewrites == ("好喝吗",)
    with pytest.raises(MalformedData, match=r"train\.tr, line 2: the rewrite is missing"):
        next(found)
    write("train.tr", "好 喝 吗\n" * 3)
    with pytest.raises(MalformedData, match=r"train\.tr, line 3: has no counterpart"):
        list(MULTI.examples(path))
    write("train.sr", "你 好 <split> 在 哪\n")
    with pytest.raises(MalformedData, match=r"train\.sr, line 1: needs utterances"):
        list(MULTI.examples(path))
