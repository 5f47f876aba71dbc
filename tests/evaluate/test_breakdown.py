"""The tables of the paper, and what a file of scores may hold."""

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora.errors import AnaphoraError, MalformedData, UsageError
from anaphora.evaluate.breakdown import (
    Threshold,
    TurnScores,
    breakdown,
    breakdown_to_dict,
    read_scores,
)

ROWS = ["000", "100", "010", "110", "001", "101", "011", "111"]
"""Original, rewritten, human: 1 where the turn was right. In the order of the paper's tables."""

COLUMNS = {
    # Table 1, TREC CAsT: counts, and those in parentheses, row by row.
    "P@1 = 1": ([49, 0, 2, 0, 19, 0, 48, 55], [14, 0, 0, 0, 0, 0, 0, 37]),
    "NDCG@3 > 0": ([10, 0, 0, 1, 10, 1, 63, 88], [1, 0, 0, 0, 0, 0, 0, 52]),
    "NDCG@3 >= 0.5": ([55, 0, 1, 1, 25, 0, 47, 44], [20, 0, 0, 0, 0, 0, 0, 33]),
    "NDCG@3 = 1": ([154, 0, 0, 0, 4, 0, 11, 4], [49, 0, 0, 0, 0, 0, 0, 4]),
    # Table 2, CANARD.
    "F1 > 0": ([847, 174, 19, 135, 141, 65, 226, 3964], [136, 0, 0, 0, 0, 1, 0, 529]),
    "F1 >= 0.5": ([1855, 193, 35, 153, 288, 57, 324, 2666], [235, 0, 2, 0, 0, 1, 0, 428]),
    "F1 = 1": ([2701, 181, 40, 120, 232, 40, 269, 1988], [332, 0, 1, 0, 0, 0, 0, 333]),
}
WITHOUT_REWRITING = {
    # Tables 3 and 4: all questions, and those that people changed.
    "P@1 = 1": ("0.45", "0.21"),
    "NDCG@3 > 0": ("0.55", "0.34"),
    "NDCG@3 >= 0.5": ("0.38", "0.13"),
    "NDCG@3 = 1": ("0.21", "0.00"),
    "F1 > 0": ("0.92", "0.91"),
    "F1 >= 0.5": ("0.82", "0.79"),
    "F1 = 1": ("0.80", "0.77"),
}

# How many turns may show which row at "> 0", at ">= 0.5" and at "= 1", so that each column of the
# tables comes out: the turns that need no rewriting, then the others. Worked out by us; many other
# ways to share them out give the same columns.
NDCG = [
    {
        "000 000 000": 1, "111 000 000": 19, "111 111 000": 29, "111 111 111": 4,
    },
    {
        "000 000 000": 9, "110 110 000": 1, "001 001 000": 6, "001 001 001": 4, "101 000 000": 1,
        "011 010 000": 1, "011 001 000": 15, "011 011 000": 47, "111 000 000": 25,
        "111 111 011": 11,
    },
]  # fmt: skip
F1 = [
    {
        "000 000 000": 136, "101 101 000": 1, "111 000 000": 99, "111 010 000": 1,
        "111 010 010": 1, "111 111 000": 95, "111 111 111": 333,
    },
    {
        "000 000 000": 711, "100 100 100": 174, "010 010 000": 19, "110 100 100": 7,
        "110 110 000": 8, "110 110 110": 120, "001 001 000": 141, "101 001 001": 64,
        "011 010 010": 14, "011 011 000": 212, "111 000 000": 909, "111 100 000": 12,
        "111 110 010": 25, "111 001 000": 83, "111 101 001": 56, "111 011 001": 112,
        "111 111 000": 274, "111 111 101": 40, "111 111 011": 269, "111 111 111": 1655,
    },
]  # fmt: skip


def of_column(name):
    """Turns that fall into the rows of one column."""
    turns = []
    for row, count, unchanged in zip(ROWS, *COLUMNS[name], strict=True):
        original, rewritten, human = map(float, row)
        turns += [
            TurnScores(f"{row}-{n}", original, rewritten, human, unchanged=n < unchanged)
            for n in range(count)
        ]
    return turns


def of_metric(shared):
    """Turns whose scores fall into the rows of all three columns of a metric."""
    turns = []
    for unchanged, kinds in zip((True, False), shared, strict=True):
        for rows, count in kinds.items():
            met = [sum(map(int, marks)) for marks in zip(*rows.split(), strict=True)]
            scores = [(0.0, 0.25, 0.75, 1.0)[reached] for reached in met]
            turns += [TurnScores(f"{unchanged}{rows}{n}", *scores, unchanged) for n in range(count)]
    return turns


def checked(turns, column):
    """The breakdown of the turns, which must be the paper's column."""
    found = breakdown(turns, Threshold.parse(column.split(" ", 1)[1]))
    assert [
        "".join(str(int(v)) for v in (r.original, r.rewritten, r.human)) for r in found.rows
    ] == (ROWS)
    assert ([row.count for row in found.rows], [row.unchanged for row in found.rows]) == (
        COLUMNS[column]
    )
    shares = found.answerable_without_rewriting, found.answerable_without_rewriting_changed_only
    assert tuple(f"{share:.2f}" for share in shares) == WITHOUT_REWRITING[column]
    assert found.limits == ()
    return found


@pytest.mark.parametrize("column", COLUMNS)
def test_every_column_of_the_papers_tables(column):
    found = checked(of_column(column), column)
    assert found.turns == (5571 if column.startswith("F1") else 173)


@pytest.mark.parametrize(("metric", "shared"), [("NDCG@3", NDCG), ("F1", F1)])
def test_the_columns_of_a_metric_come_from_one_file(tmp_path, metric, shared):
    # P@1 is another metric, and its column counts two turns fewer that need no rewriting.
    path = tmp_path / "scores.jsonl"
    lines = (
        {"id": t.id, "original": t.original, "rewritten": t.rewritten, "human": t.human}
        | {"unchanged": t.unchanged}
        for t in of_metric(shared)
    )
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    turns = read_scores(path)
    assert sum(turn.unchanged for turn in turns) == (53 if metric == "NDCG@3" else 666)
    for threshold in (">0", ">= 0.5", "≥ 0.5", "= 1"):
        column = f"{metric} {threshold}".replace("≥", ">=").replace(">0", "> 0")
        checked(turns, column)


def test_the_rates_that_the_paper_names():
    ranking, reading = (checked(of_column(name), name) for name in ("P@1 = 1", "F1 = 1"))
    assert f"{ranking.qa_error_rate:.0%} {ranking.rewriting_error_rate:.0%}" == "29% 11%"
    assert f"{reading.qa_error_rate:.0%} {reading.rewriting_error_rate:.0%}" == "55% 5%"
    assert reading.answerable_without_rewriting_changed_only == (40 + 1988 - 333) / (
        232 + 40 + 269 + 1988 - 333
    )


def test_the_json_form():
    turns = [TurnScores("a", 0, 0, 1), TurnScores("b", 1, 1, 1, unchanged=True)]
    form = breakdown_to_dict(breakdown(turns, Threshold.parse("=1")))
    assert list(form) == [
        "table",
        "qa_error_rate",
        "rewriting_error_rate",
        "answerable_without_rewriting",
        "answerable_without_rewriting_changed_only",
    ]
    assert form["table"][4] == {
        "original": False, "rewritten": False, "human": True, "count": 1, "unchanged": 0,
    }  # fmt: skip
    assert [row["count"] for row in form["table"]] == [0, 0, 0, 0, 1, 0, 0, 1]
    assert list(form.values())[1:] == [0.0, 0.5, 0.5, 0.0]
    assert json.loads(json.dumps(form)) == form


def test_a_share_of_nothing_is_null():
    found = breakdown([TurnScores("a", 0, 0, 0)], Threshold.parse(">0"))
    assert breakdown_to_dict(found)["answerable_without_rewriting"] is None
    unchanged = breakdown([TurnScores("a", 1, 1, 1, unchanged=True)], Threshold.parse(">0"))
    assert unchanged.answerable_without_rewriting == 1
    assert unchanged.answerable_without_rewriting_changed_only is None


def test_without_human_rewrites_the_effect_of_rewriting_is_told():
    scores = [(0, 0), (0, 1), (0, 1), (1, 0), (1, 1)]
    turns = [TurnScores(str(n), a, b, None) for n, (a, b) in enumerate(scores)]
    found = breakdown(turns, Threshold.parse("=1"))
    form = breakdown_to_dict(found)
    assert form["table"] == [
        {"original": a, "rewritten": b, "human": None, "count": n, "unchanged": 0}
        for a, b, n in [(False, False, 1), (True, False, 1), (False, True, 2), (True, True, 1)]
    ]
    assert set(list(form.values())[1:5]) == {None}
    (limit,) = form["limits"]
    assert "of 5 turns 2 fail, rewriting repaired 2 and broke 1" in limit


def test_rewrites_alone_say_how_many_fail():
    found = breakdown([TurnScores("a", None, 0, None)], Threshold.parse("=1"))
    assert [(row.original, row.rewritten, row.count) for row in found.rows] == [
        (None, False, 1),
        (None, True, 0),
    ]
    assert "1 of 1 turns fail" in found.limits[0]


def test_without_the_original_question_the_errors_are_told():
    turns = [TurnScores("a", None, 0, 1), TurnScores("b", None, 0, 0), TurnScores("c", None, 1, 1)]
    found = breakdown(turns, Threshold.parse("=1"))
    assert found.qa_error_rate == found.rewriting_error_rate == pytest.approx(1 / 3)
    assert found.answerable_without_rewriting is None
    assert "original question" in found.limits[0]


def test_turns_that_lack_a_score_are_counted_and_left_out():
    turns = [TurnScores("a", 0, 0, 1), TurnScores("b", 0, 0, None)]
    found = breakdown(turns, Threshold.parse("=1"))
    assert (found.turns, found.left_out) == (1, 1)
    assert found.limits == (
        "1 of 2 turns lack a score that others have and are left out of the table.",
    )


@pytest.mark.parametrize(
    ("text", "met", "missed"),
    [
        ("=1", [1.0, 1 - 1e-16, 0.1 * 3 / 0.3, 1 + 1e-12], [0.999, 0.0]),
        (">0", [0.01, 1.0], [0.0, 1e-17]),
        (">=0.5", [0.5, 0.1 * 5, 0.49999999999999994, 0.6], [0.499]),
        ("≥ 0.5", [0.5], [0.4]),
        (" > .5 ", [0.51], [0.5]),
        ("==0.25", [0.25], [0.3]),
    ],
)
def test_thresholds(text, met, missed):
    threshold = Threshold.parse(text)
    assert all(map(threshold.met, met))
    assert not any(map(threshold.met, missed))
    assert Threshold.parse(str(threshold)) == threshold


@pytest.mark.parametrize(
    "text", ["", "1", "=", "<0.5", "=>1", ">1", ">=1.5", "=-1", "= nan", ">=0,5", "=1=", ">=½"]
)
def test_what_is_no_threshold(text):
    with pytest.raises(UsageError, match=r'^the threshold ".*" is not one of "=1", ">0", ">=0.5"'):
        Threshold.parse(text)


@given(
    st.lists(st.tuples(*[st.floats(0, 1)] * 3, st.booleans()), min_size=1),
    st.sampled_from(["=1", ">0", ">=0.5"]),
)
def test_every_turn_is_in_one_row(scores, threshold):
    turns = [TurnScores(str(n), *values) for n, values in enumerate(scores)]
    found = breakdown(turns, Threshold.parse(threshold))
    met = Threshold.parse(threshold).met
    expected = Counter((met(t.original), met(t.rewritten), met(t.human)) for t in turns)
    assert {(r.original, r.rewritten, r.human): r.count for r in found.rows if r.count} == expected
    assert sum(row.unchanged for row in found.rows) == sum(turn.unchanged for turn in turns)
    assert 0 <= found.qa_error_rate + found.rewriting_error_rate <= 1


GOOD = {"id": "a", "original": 0, "rewritten": 0.5, "human": 1, "unchanged": False}


def write(path, *records):
    text = "\n".join(r if isinstance(r, str) else json.dumps(r) for r in records)
    path.write_text(text + "\n", encoding="utf-8")
    return path


def test_scores_are_read(tmp_path):
    path = write(
        tmp_path / "scores.jsonl",
        GOOD,
        "",
        {"id": 7, "rewritten": 1.0000000001},
        {"id": "東京\u2028", "original": None, "rewritten": 0, "human": None, "unchanged": None},
    )
    assert read_scores(path) == [
        TurnScores("a", 0.0, 0.5, 1.0),
        TurnScores("7", None, 1.0, None),
        TurnScores("東京\u2028", None, 0.0, None),
    ]


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"rewritten": None}, '"rewritten" must be a number from 0 to 1'),
        ({"rewritten": "0.5"}, '"rewritten" must be a number from 0 to 1'),
        ({"original": True}, '"original" must be a number from 0 to 1'),
        ({"human": 1.5}, '"human" must be a number from 0 to 1'),
        ({"human": float("nan")}, '"human" must be a number from 0 to 1'),
        ({"unchanged": None}, '"unchanged" must be true or false'),
        ({"unchanged": 1}, '"unchanged" must be true or false'),
        ({"id": ""}, '"id" must be a string or a whole number'),
        ({"id": "b"}, '"id" is "b", which line 1 has already'),
    ],
)
def test_a_wrong_line_is_named(tmp_path, change, what):
    path = write(tmp_path / "scores.jsonl", GOOD | {"id": "b"}, GOOD | change)
    with pytest.raises(MalformedData) as error:
        read_scores(path)
    assert str(error.value).startswith(f"{path}, line 2: {what}")


@pytest.mark.parametrize("text", ['{"id": "a", "rewr', "[1]", "0.5"])
def test_a_line_that_is_no_object_is_named(tmp_path, text):
    with pytest.raises(MalformedData, match="line 2: is not"):
        read_scores(write(tmp_path / "scores.jsonl", GOOD, text))


def test_a_file_without_turns_is_an_error(tmp_path):
    with pytest.raises(MalformedData, match=r"scores\.jsonl holds no turns"):
        read_scores(write(tmp_path / "scores.jsonl", ""))
    with pytest.raises(AnaphoraError, match="cannot be read"):
        read_scores(tmp_path / "absent.jsonl")
