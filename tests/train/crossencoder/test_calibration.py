import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from anaphora.crossencoder.model import CARD
from anaphora.records import Evidence, Passage, Span
from anaphora.train.crossencoder.calibration import (
    CLAPNQ,
    PEOPLE,
    Case,
    answers,
    calibrate,
    clapnq,
    fit,
    update,
)
from anaphora.train.crossencoder.questions import Pool, Question


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


def test_both_scores_raise_the_confidence():
    rng = np.random.default_rng(1)
    found = fit([*drawn(rng, True), *drawn(rng, False)])
    assert found[1] > 0
    assert found[2] > 0
    assert support(found, 2, 2) > 0 > support(found, -2, -2)


def test_an_uninformative_score_has_a_small_coefficient():
    rng = np.random.default_rng(2)
    by = (1.0, 0.0)
    found = fit([*drawn(rng, True, by=by, count=200), *drawn(rng, False, by=by, count=200)])
    assert found[1] > 5 * found[2] >= 0


def test_the_number_of_unanswerable_questions_does_not_matter():
    rng = np.random.default_rng(3)
    yes, no = drawn(rng, True), drawn(rng, False)
    assert fit([*yes, *no, *no, *no]) == pytest.approx(fit([*yes, *no]), abs=1e-2)


def test_groups_have_equal_weight():
    rng = np.random.default_rng(4)
    zh = [*drawn(rng, True, "zh"), *drawn(rng, False, "zh")]
    ar = [*drawn(rng, True, "ar", by=(3, 1)), *drawn(rng, False, "ar", by=(3, 1))]
    assert fit([*zh, *zh, *zh, *ar]) == pytest.approx(fit([*zh, *ar]), abs=1e-2)


def test_questions_of_people_have_half_of_the_weight():
    rng = np.random.default_rng(8)
    asked = [case for yes in (True, False) for case in drawn(rng, yes, PEOPLE, by=(3, 0.2))]
    en = [case for yes in (True, False) for case in drawn(rng, yes, by=(0.5, 2))]
    zh = [replace(one, group="zh") for one in en]
    ar = [replace(one, group="ar") for one in en]
    assert fit([*asked, *en, *zh, *ar]) == pytest.approx(fit([*asked, *en]), abs=1e-2)


def test_another_language_lowers_the_confidence():
    rng = np.random.default_rng(7)
    same = [*drawn(rng, True), *drawn(rng, False)]
    higher = np.array([1.5, 1.5, 1.0])
    foreign = [Case("cross-lingual", one.scores + higher, one.right) for one in same]
    assert fit([*same, *foreign])[3] < -0.5
    assert fit(same)[3] == 0


def test_the_fit_uses_the_best_span():
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


class WordOverlap:
    """Relevance by the words that question and passage share; the span is the last word."""

    def score(self, pairs):
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
def clapnq_data(tmp_path):
    for path, answerable in zip(CLAPNQ, (True, False), strict=True):
        clapnq_file(tmp_path / path, 5, answerable)
    return tmp_path


def test_every_clapnq_question_is_on_one_side(clapnq_data):
    even, odd = clapnq(clapnq_data, "even"), clapnq(clapnq_data, "odd")
    assert [len(even), len(odd)] == [6, 4]
    assert not {(q, can) for q, _, can in even} & {(q, can) for q, _, can in odd}
    assert sum(can for _, _, can in even) == 3
    assert all(can == ("topic" in passage.text) for _, passage, can in even + odd)


def test_calibration_separates_answerable_questions(clapnq_data, text):
    pool = Pool()
    texts = [f"name{number} dwelt in city{number}" for number in range(8)]
    numbers = [pool.number(Passage("", "", "", text, "en")) for text in texts]
    tuned = [
        Question(
            f"whose home name{number}",
            "en",
            (number,),
            (f"city{number}",),
            tuple(other for other in numbers if other != number),
        )
        for number in numbers
    ]
    model = WordOverlap()
    found = calibrate(model, pool, tuned, clapnq_data, text)
    right = model.score([(tuned[0].text, pool.passages[0])])[0]
    wrong = model.score([(tuned[0].text, pool.passages[1])])[0]
    assert support(found, right.relevance, right.spans[0].score) > 0
    assert support(found, wrong.relevance, wrong.spans[0].score) < 0


def test_questions_without_other_passages_are_left_out(clapnq_data, text):
    pool = Pool()
    number = pool.number(Passage("", "", "", "name dwelt in city", "en"))
    alone = Question("whose home name", "en", (number,), ("city",))
    model = WordOverlap()
    assert calibrate(model, pool, [alone], clapnq_data, text) == calibrate(
        model, pool, [], clapnq_data, text
    )


def test_other_values_of_the_card_are_kept(tmp_path):
    (tmp_path / CARD).write_text(json.dumps({"frozen": 3, "support": [0, 0, 0, 0]}), "utf-8")
    update(tmp_path, (-1.23456, 0.5, 0.25, -0.75))
    assert json.loads((tmp_path / CARD).read_text("utf-8")) == {
        "frozen": 3,
        "support": [-1.2346, 0.5, 0.25, -0.75],
    }
