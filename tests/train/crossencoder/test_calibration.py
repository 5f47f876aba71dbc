import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from anaphora.crossencoder.model import CARD
from anaphora.records import Evidence, Passage, Span
from anaphora.train.judge.calibrate import (
    CLAPNQ,
    PEOPLE,
    Case,
    answers,
    calibrated,
    clapnq,
    fit,
    recalibrate,
)
from anaphora.train.judge.questions import Asked, Pool


def case(group, *statements):
    scores = np.array([(*statement[:2], 0.0) for statement in statements])
    return Case(group, scores, tuple(statement[2] for statement in statements))


def drawn(rng, right, group="en", count=40, by=(1.0, 1.0)):
    """Questions of one good or poor span each."""
    shift = 2.0 if right else -2.0
    return [
        case(group, (rng.normal(shift * by[0], 2), rng.normal(shift * by[1], 2), right))
        for _ in range(count)
    ]


def support(found, relevance, span):
    return found[0] + found[1] * relevance + found[2] * span


def test_both_scores_speak_for_an_answer():
    rng = np.random.default_rng(1)
    found = fit([*drawn(rng, True), *drawn(rng, False)])
    assert found[1] > 0
    assert found[2] > 0
    assert support(found, 2, 2) > 0 > support(found, -2, -2)


def test_a_score_that_says_nothing_counts_little():
    rng = np.random.default_rng(2)
    by = (1.0, 0.0)
    found = fit([*drawn(rng, True, by=by, count=200), *drawn(rng, False, by=by, count=200)])
    assert found[1] > 5 * found[2] >= 0


def test_how_many_questions_have_no_answer_changes_nothing():
    rng = np.random.default_rng(3)
    yes, no = drawn(rng, True), drawn(rng, False)
    assert fit([*yes, *no, *no, *no]) == pytest.approx(fit([*yes, *no]), abs=1e-2)


def test_a_large_group_does_not_drown_a_small_one():
    rng = np.random.default_rng(4)
    zh = [*drawn(rng, True, "zh"), *drawn(rng, False, "zh")]
    ar = [*drawn(rng, True, "ar", by=(3, 1)), *drawn(rng, False, "ar", by=(3, 1))]
    assert fit([*zh, *zh, *zh, *ar]) == pytest.approx(fit([*zh, *ar]), abs=1e-2)


def test_what_people_asked_counts_for_half_however_many_other_groups_there_are():
    rng = np.random.default_rng(8)
    asked = [case for yes in (True, False) for case in drawn(rng, yes, PEOPLE, by=(3, 0.2))]
    en = [case for yes in (True, False) for case in drawn(rng, yes, by=(0.5, 2))]
    zh = [replace(one, group="zh") for one in en]
    ar = [replace(one, group="ar") for one in en]
    assert fit([*asked, *en, *zh, *ar]) == pytest.approx(fit([*asked, *en]), abs=1e-2)


def test_another_language_counts_against_spans_that_score_the_same():
    rng = np.random.default_rng(7)
    same = [*drawn(rng, True), *drawn(rng, False)]
    higher = np.array([1.5, 1.5, 1.0])
    foreign = [Case("across", one.scores + higher, one.right) for one in same]
    assert fit([*same, *foreign])[3] < -0.5
    assert fit(same)[3] == 0


def test_the_best_span_is_what_is_learnt_from():
    rng = np.random.default_rng(5)
    cases = [*drawn(rng, True), *drawn(rng, False)]
    poor = (-30.0, -30.0, False)
    more = [
        Case(one.group, np.vstack([one.scores, (*poor[:2], 0.0)]), (*one.right, False))
        for one in cases
    ]
    assert fit(more) == pytest.approx(fit(cases), abs=1e-6)


def test_questions_without_a_span_are_left_out():
    rng = np.random.default_rng(6)
    cases = [*drawn(rng, True), *drawn(rng, False)]
    empty = Case("en", np.array([]), ())
    assert fit([empty, *cases]) == fit(cases)


@pytest.mark.parametrize(
    ("text", "span", "known", "right"),
    [
        ("日本的首都是东京。", "东京", ["东京"], True),
        ("日本的首都是东京。", "首都是东", ["东京"], True),
        ("日本的首都是东京。", "首都是", ["东京"], False),
        ("เมืองหลวงคือกรุงเทพ", "กรุงเทพ", ["กรุงเทพมหานคร", "กรุงเทพ"], True),
        ("عاصمة مصر هي القاهرة", "مصر", ["القاهرة"], False),
        ("Paris, then Rome, then Paris", "Rome", ["Paris"], False),
        ("whatever is said", "is", [], True),
    ],
)
def test_a_span_answers_where_it_shares_a_character_with_an_answer(text, span, known, right):
    start = text.index(span)
    assert answers(text, Span(start, start + len(span), 0.0), known) is right


class WordJudge:
    """Finds relevant what has a word of the question; its span is the passage's last word."""

    def judge(self, pairs):
        found = []
        for question, passage in pairs:
            shared = len(set(question.split()) & set(passage.text.split()))
            start = passage.text.rindex(" ") + 1
            score = float(4 * shared - 2)
            spans = (Span(start, len(passage.text), score),)
            found.append(Evidence(score + len(passage.text) % 3, spans))
        return found


def clapnq_file(path: Path, count: int, answerable: bool) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = []
    for number in range(count):
        text = f"topic{number} is known as thing" if answerable else "nothing of the kind here"
        record = {
            "id": f"{answerable}-{number}",
            "input": f"what about topic{number} ?",
            "passages": [{"title": f"{answerable} {number}", "text": text, "sentences": [text]}],
            "output": [{"answer": text if answerable else "", "selected_sentences": []}],
        }
        lines.append(json.dumps(record))
    path.write_text("\n".join(lines) + "\n", "utf-8")


@pytest.fixture
def data(tmp_path):
    for path, answerable in zip(CLAPNQ, (True, False), strict=True):
        clapnq_file(tmp_path / path, 5, answerable)
    return tmp_path


def test_every_clapnq_question_is_on_one_side(data):
    even, odd = clapnq(data, "even"), clapnq(data, "odd")
    assert [len(even), len(odd)] == [6, 4]
    assert not {(q, can) for q, _, can in even} & {(q, can) for q, _, can in odd}
    assert sum(can for _, _, can in even) == 3
    assert all(can == ("topic" in passage.text) for _, passage, can in even + odd)


def test_calibration_tells_answered_from_not(data):
    pool = Pool()
    texts = [f"name{number} dwelt in city{number}" for number in range(8)]
    numbers = [pool.number(Passage("", "", "", text, "en")) for text in texts]
    tuned = [
        Asked(
            f"whose home name{number}",
            "en",
            (number,),
            (f"city{number}",),
            tuple(other for other in numbers if other != number),
        )
        for number in numbers
    ]
    judge = WordJudge()
    found = calibrated(judge, pool, tuned, data)
    right = judge.score([(tuned[0].question, pool.passages[0])])[0]
    wrong = judge.score([(tuned[0].question, pool.passages[1])])[0]
    assert support(found, right.relevance, right.spans[0].score) > 0
    assert support(found, wrong.relevance, wrong.spans[0].score) < 0


def test_questions_without_other_passages_are_left_out(data):
    pool = Pool()
    number = pool.number(Passage("", "", "", "name dwelt in city", "en"))
    alone = Asked("whose home name", "en", (number,), ("city",))
    judge = WordJudge()
    assert calibrated(judge, pool, [alone], data) == calibrated(judge, pool, [], data)


def test_the_card_keeps_what_else_it_says(tmp_path):
    (tmp_path / CARD).write_text(json.dumps({"frozen": 3, "support": [0, 0, 0, 0]}), "utf-8")
    recalibrate(tmp_path, (-1.23456, 0.5, 0.25, -0.75))
    assert json.loads((tmp_path / CARD).read_text("utf-8")) == {
        "frozen": 3,
        "support": [-1.2346, 0.5, 0.25, -0.75],
    }
