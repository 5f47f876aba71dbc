from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.train.rewriter.alignment import Aligner, apply, closed_set

FUNCTION_WORDS = frozenset(
    [
        "the",
        "a",
        "of",
        "in",
        "did",
        "what",
        "he",
        "his",
        "they",
        "besides",
        ",",
        "?",
        "'s",
        "的",
        "は",
    ]
)


def align(context: list[str], question: str, rewrite: str, known: set[str] | None = None):
    utterances = [text.split() for text in context]
    labels = Aligner(utterances, FUNCTION_WORDS).align(question.split(), rewrite.split(), known)
    words = [word for utterance in utterances for word in utterance]
    return labels, " ".join(apply(question.split(), words, labels))


@pytest.mark.parametrize(
    ("context", "question", "rewrite"),
    [
        (["who were the mothers"], "when did they disband ?", "when did the mothers disband ?"),
        (["frank zappa"], "what was his album ?", "what was frank zappa 's album ?"),
        (
            ["johnny unitas", "he won a ring"],
            "what else did he win ?",
            "besides a ring , what else did johnny unitas win ?",
        ),
        (["the mothers", "frank zappa"], "and they ?", "and frank zappa 's the mothers ?"),
        (["鲁 迅 是 谁"], "他 的 书 ?", "鲁 迅 的 书 ?"),
        (["黒 澤 明"], "代 表 作 は ?", "黒 澤 明 の 代 表 作 は ?"),
        (["من هو نجيب محفوظ"], "متى ولد ؟", "متى ولد نجيب محفوظ ؟"),
        (["ai là trần hưng đạo"], "ông ấy mất ?", "trần hưng đạo mất ?"),
        (["кто такой юрий гагарин"], "он жив ?", "юрий гагарин жив ?"),
        (["a b"], "what", "what"),
    ],
)
def test_labels_give_the_rewrite(context: list[str], question: str, rewrite: str) -> None:
    known = {"'s", ",", "besides", "の", "?"}
    labels, made = align(context, question, rewrite, known)
    assert made == rewrite
    assert labels.missed == 0


def test_a_span_stays_within_one_utterance() -> None:
    labels, _ = align(["frank", "zappa"], "and he ?", "and frank zappa ?", set())
    assert [len(one.spans) for one in labels.insertions] == [2]


def test_every_place_of_a_span_is_known() -> None:
    labels, _ = align(["frank zappa", "i like frank zappa"], "and he ?", "and frank zappa ?")
    assert labels.insertions[0].spans == (((0, 1), (4, 5)),)


def test_what_nobody_said_is_missed_and_nothing_to_learn() -> None:
    labels, made = align(["who is she"], "and he ?", "and frank zappa ?", set())
    assert labels.missed == labels.inserted == 2
    assert labels.insertions[0].lacking
    assert made == "and ?"


def test_function_words_alone_are_no_span() -> None:
    labels, _ = align(["the end of it"], "what ?", "what of ?", {"of"})
    assert labels.insertions[0].spans == ()
    assert labels.insertions[0].phrases[0] == "of"


def test_closed_set_is_of_what_occurs_in_many_talks() -> None:
    often = align(["x y"], "a ?", "a of x y ?")[0]
    once = align(["x y"], "a ?", "a beyond x y ?")[0]
    assert closed_set([[often], [often, once, once, once]], at_least=2, at_most=10) == ("of",)
    assert closed_set([[often], [often, once]], at_least=1, at_most=1) == ("of",)


def test_phrases_are_written_as_the_rewrite_writes_them() -> None:
    context, question, rewrite = [["iran"]], ["leader", "?"], ["leader", "d", "'", "iran", "?"]

    def spelling(first: int, end: int) -> str:
        return "".join(rewrite[first:end]).upper()

    labels = Aligner(context, FUNCTION_WORDS).align(question, rewrite, None, spelling)
    assert [one.phrases for one in labels.insertions] == [("D'", "", "")]
    known = Aligner(context, FUNCTION_WORDS).align(question, rewrite, {"d"}, spelling)
    assert (known.missed, known.insertions[0].phrases) == (2, ("", "", ""))


texts = st.lists(st.sampled_from(["the", "of", "did", "he", "b", "c", "d", "e", "?"]), max_size=12)


@given(st.lists(texts, max_size=3), texts, texts)
def test_labels_lose_no_more_than_they_say(
    context: list[list[str]], question: list[str], rewrite: list[str]
) -> None:
    labels = Aligner(context, FUNCTION_WORDS).align(question, rewrite, {"of", "the"})
    words = [word for utterance in context for word in utterance]
    made = apply(question, words, labels)
    assert len(made) == len(rewrite) - labels.missed
