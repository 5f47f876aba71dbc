"""What `bench.equal_answers` takes for a difference, and how it goes on after an interruption."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.equal_answers import compare, differences, line
from bench.equal_checkout import FAILED, WHOLE, _read_results

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)

ANSWER = {
    "answer": "In 1969. [1]",
    "abstained": False,
    "hits": [{"score": 0.5, "sources": {"lexical": 7.25}}],
    "timings": {"rewrite": 0.1, "retrieve": 0.2},
}
JOKE = {"answer": "No.", "abstained": True, "hits": [], "timings": {"rewrite": 0.1}}


def fields(before, after):
    return [one.field for one in differences(before, after)]


@given(values)
def test_a_value_does_not_differ_from_itself(value):
    assert not fields(value, json.loads(json.dumps(value)))


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"answer": "In 1970. [1]"}, ["answer"]),
        ({"abstained": 0}, ["abstained"]),
        ({"hits": []}, ["hits"]),
        ({"hits": [{"score": 0.500002, "sources": {"lexical": 7.25}}]}, ["hits[0].score"]),
        ({"hits": [{"score": 0.5000009, "sources": {"lexical": 7.250007}}]}, []),
        (
            {"hits": [{"score": 0.5, "sources": {"lexical": 7.25, "dense": 1.0}}]},
            ["hits[0].sources.dense"],
        ),
        ({"hits": [{"score": 0.5, "sources": {}}]}, ["hits[0].sources.lexical"]),
        ({"timings": {}}, []),
        ({"sections": []}, []),
    ],
)
def test_what_differs(change, found):
    assert fields(ANSWER, ANSWER | change) == found


def test_a_field_that_is_missing_differs():
    assert fields(ANSWER, {"answer": ANSWER["answer"]}) == ["abstained", "hits"]


def test_new_fields_are_counted():
    after = {"ask, guide": {"1": ANSWER | {"hits": [ANSWER["hits"][0] | {"relevance": 0.7}]}}}
    rows, findings, added = compare({"ask, guide": {"1": ANSWER}}, after)
    assert rows == [["ask, guide", 1, 1, 0, 0]]
    assert not findings
    assert added == {"ask, guide: hits[].relevance": 1}


def test_a_joke_that_is_searched_now_is_documented():
    rows, [finding], _ = compare({"ask, guide": {"1": JOKE}}, {"ask, guide": {"1": ANSWER}})
    assert rows == [["ask, guide", 1, 0, 0, 1]]
    assert finding.documented


def test_a_greeting_that_is_searched_now_is_not():
    greeting = JOKE | {"answer": "Hello.", "abstained": False}
    rows, _, _ = compare({"ask, guide": {"1": greeting}}, {"ask, guide": {"1": ANSWER}})
    assert rows == [["ask, guide", 1, 0, 1, 0]]


def test_named_fields_are_documented():
    before = {"rewrite, CANARD": {"1": {"reason": "a", "rewrite": "b"}}}
    reason = {"rewrite, CANARD": {"1": {"reason": "c", "rewrite": "b"}}}
    both = {"rewrite, CANARD": {"1": {"reason": "c", "rewrite": "d"}}}
    assert compare(before, reason, ["rewrite:reason"])[0] == [["rewrite, CANARD", 1, 0, 0, 1]]
    assert compare(before, both, ["rewrite:reason"])[0] == [["rewrite, CANARD", 1, 0, 1, 0]]


def test_what_failed_or_is_missing_differs():
    before = {"search": {"1": ANSWER, "2": ANSWER}, "ask, guide": {"1": ANSWER, "2": ANSWER}}
    after = {"search": {WHOLE: {FAILED: "exit code 1"}}, "ask, guide": {"1": {FAILED: "no"}}}
    rows, findings, _ = compare(before, after)
    assert rows == [["search", 2, 0, 2, 0], ["ask, guide", 2, 0, 2, 0]]
    assert [one.id for one in findings] == [WHOLE, "1", "2"]


def test_a_line_shows_where_long_texts_begin_to_differ():
    before = {"ask, guide": {"1": {"answer": 200 * "a" + "b" + 200 * "c"}}}
    after = {"ask, guide": {"1": {"answer": 200 * "a" + "x" + 200 * "c"}}}
    _, [finding], _ = compare(before, after)
    text = line(finding, finding.differences[0])
    assert text.startswith("ask, guide, 1, answer: …aaa")
    assert "ab" in text
    assert "ax" in text
    assert len(text) < 200


def test_results_are_read_up_to_an_interrupted_line(tmp_path):
    path = tmp_path / "results.jsonl"
    whole = json.dumps({"part": "ask", "id": "1", "value": "a\u2028b"}, ensure_ascii=False) + "\n"
    path.write_text(whole + whole[:20], "utf-8")
    assert _read_results(path) == {"ask": {"1": "a\u2028b"}}
    assert path.read_text("utf-8") == whole
