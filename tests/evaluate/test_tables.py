"""Tables in four forms, with names in several scripts and with every form's special characters."""

from __future__ import annotations

import csv
import io
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from anaphora.evaluate.compare import Comparison, Difference, Result, compare
from anaphora.evaluate.tables import (
    RENDERERS,
    Cell,
    Table,
    as_csv,
    as_html,
    as_latex,
    as_text,
    details,
    summary,
)

NAMES = ("原始问题", "نظام & أساسي", "a_b 100% <x>", "ค้นหา ~^\\", "viết lại", "[k=5] #{1} $")


def result(mean: float, corrected: float | None = None) -> Result:
    if corrected is None:
        return Result(mean, mean - 0.1, mean + 0.1)
    return Result(mean, mean - 0.1, mean + 0.1, Difference(-0.25, -1.5, 0.001, corrected, 1, 2, 3))


COMPARISON = Comparison(
    systems=NAMES,
    turns={"nDCG@5": 60, "MRR": 1200},
    results={
        "nDCG@5": dict(
            zip(
                NAMES,
                [
                    result(0.5),
                    *(result(0.25, p) for p in (0.05, 0.0499, 0.01, 0.0099)),
                    result(1, 1),
                ],
                strict=True,
            )
        ),
        "MRR": dict(zip(NAMES, [result(0.75), *(result(0.75, 1) for _ in range(5))], strict=True)),
    },
    test="randomisation",
    correction="holm",
)
# By name: the value, whether it is the best, and its mark, in the column nDCG@5.
EXPECTED = {
    "原始问题": ("0.5000", False, ""),
    "نظام & أساسي": ("0.2500", False, ""),
    "a_b 100% <x>": ("0.2500", False, "†"),
    "ค้นหา ~^\\": ("0.2500", False, "†"),
    "viết lại": ("0.2500", False, "‡"),
    "[k=5] #{1} $": ("1", True, ""),
}


class Cells(HTMLParser):
    """The text of each cell with * for bold, and what is wrong with the nesting."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.open: list[str] = []
        self.directions: list[str | None] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self.directions.append(dict(attrs).get("dir"))
        if tag == "strong":
            self.rows[-1][-1] += "*"

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if {"td", "th"} & set(self.open):
            self.rows[-1][-1] += data


def test_text_is_aligned_and_marked():
    lines = as_text(summary(COMPARISON)).splitlines()
    rows = lines[2:8]
    for line, (name, (value, best, mark)) in zip(rows, EXPECTED.items(), strict=True):
        assert line.startswith(name)
        assert value + "*" * best + mark in line
        # The dots of the last column stand below each other, whatever the widths of the scripts.
        assert cell_len(line[: line.rindex(".")]) == cell_len(rows[0][: rows[0].rindex(".")])
    assert set(lines[1]) == {"─", " "}
    assert lines[9] == "* Best."
    assert lines[10] == (
        "Means over 60 to 1,200 turns. † and ‡: differs from “原始问题” at p < 0.05 and p < 0.01 "
        "(paired randomisation test, Holm's correction for 10 tests)."
    )


def test_csv_has_the_marks_in_a_column_of_their_own():
    text = as_csv(summary(COMPARISON))
    assert text.count("\r\n") == text.count("\n") == 7
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert list(rows[0]) == ["system", "nDCG@5", "nDCG@5 mark", "MRR", "MRR mark"]
    for row, (name, (value, best, mark)) in zip(rows, EXPECTED.items(), strict=True):
        assert row["system"] == name
        assert float(row["nDCG@5"]) == float(value)
        assert row["nDCG@5 mark"] == "*" * best + mark
        assert row["MRR mark"] == "*"


def test_latex_is_escaped_and_marked():
    text = as_latex(summary(COMPARISON))
    rows = text.split("\\midrule\n")[1].split("\\bottomrule")[0].splitlines()
    assert rows == [
        r"原始问题 & 0.5000 & \textbf{0.7500} \\",
        r"نظام \& أساسي & 0.2500 & \textbf{0.7500} \\",
        r"a\_b 100\% \textless{}x\textgreater{} & 0.2500$^{\dagger}$ & \textbf{0.7500} \\",
        r"ค้นหา \textasciitilde{}\textasciicircum{}\textbackslash{} & 0.2500$^{\dagger}$"
        r" & \textbf{0.7500} \\",
        r"viết lại & 0.2500$^{\ddagger}$ & \textbf{0.7500} \\",
        r"{[}k=5{]} \#\{1\} \$ & \textbf{1} & \textbf{0.7500} \\",
    ]
    assert r"\begin{tabular}{lrr}" in text
    assert "$^{\\dagger}$ and $^{\\ddagger}$: differs from “原始问题”" in text
    assert "Bold: best." in text
    assert text.count(r"\begin") == text.count(r"\end") == 2


def test_html_is_escaped_marked_and_lets_names_run_their_way():
    text = as_html(summary(COMPARISON))
    cells = Cells(text)
    assert cells.open == []
    assert cells.rows[0] == ["system", "nDCG@5", "MRR"]
    for row, (name, (value, best, mark)) in zip(cells.rows[1:], EXPECTED.items(), strict=True):
        assert row == [name, "*" * best + value + mark, "*0.7500"]
    assert cells.directions == ["auto"] * 3 + ["auto", None, None] * 6
    assert "<x>" not in text
    assert "Bold: best." in text


def test_details_hold_everything():
    rows = list(csv.DictReader(io.StringIO(as_csv(details(COMPARISON)), newline="")))
    assert [(row["metric"], row["system"]) for row in rows] == [
        (metric, name) for metric in ("nDCG@5", "MRR") for name in NAMES
    ]
    assert rows[2] == {
        "metric": "nDCG@5",
        "system": "a_b 100% <x>",
        "turns": "60",
        "mean": "0.25",
        "mean mark": "†",
        "low": "0.15",
        "high": "0.35",
        "difference": "-0.25",
        "effect": "-1.5",
        "p": "0.001",
        "corrected p": "0.0499",
        "wins": "1",
        "ties": "2",
        "losses": "3",
    }
    assert [rows[0][name] for name in ("difference", "p", "wins")] == ["", "", ""]
    assert "$-$0.2500" in as_latex(details(COMPARISON))
    assert " – " in as_text(details(COMPARISON))


@pytest.mark.parametrize("form", RENDERERS)
def test_a_real_comparison_goes_into_every_form(form):
    turns = [str(number) for number in range(20)]
    found = compare(
        {
            "基线": {"MRR": dict.fromkeys(turns, 0.25)},
            "أفضل": {"MRR": {turn: 0.5 + int(turn) / 100 for turn in turns}},
        },
        test="bootstrap",
        correction="none",
    )
    for table in (summary(found), details(found)):
        text = RENDERERS[form](table)
        assert "基线" in text
        assert "أفضل" in text
        assert ("dagger" if form == "latex" else "‡") in text
    if form != "csv":
        assert "over 20 turns" in RENDERERS[form](summary(found))
        assert "paired bootstrap test, no correction for 1 test)" in RENDERERS[form](summary(found))


names = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12)
tables = st.lists(st.tuples(names, st.floats(0, 1) | st.none()), min_size=1, max_size=5).map(
    lambda rows: Table(("name", "值"), tuple((Cell(name), Cell(value)) for name, value in rows))
)


@given(tables)
def test_names_come_back_from_csv_and_html(table):
    wanted = [row[0].value for row in table.rows]
    rows = list(csv.reader(io.StringIO(as_csv(table), newline="")))
    assert [row[0] for row in rows[1:]] == wanted
    assert [row[0] for row in Cells(as_html(table)).rows[1:]] == wanted


@given(tables)
def test_nothing_special_is_left_in_latex(table):
    for line in as_latex(table).split("\\midrule\n")[1].split("\\bottomrule")[0].splitlines():
        name = re.split(r"(?<!\\) & ", line)[0]
        bare = re.sub(r"\\[&%$#_{}]|\\text\w+\{\}|\{[][]\}", "", name)
        assert not set(bare) & set("\\&%$#_{}~^<>[]|")


def test_a_name_of_several_lines_keeps_to_its_row():
    table = Table(("name",), ((Cell("two\nlines"),),))
    assert as_text(table).splitlines()[2] == "two lines"
    assert r"two lines \\" in as_latex(table)


def test_a_table_without_rows_or_marks_has_no_notes():
    assert as_text(Table(("name", "MRR"), ())) == "name  MRR\n────  ───\n"
    assert "Bold" not in as_html(Table(("name",), ((Cell("文"),),)))
    assert "caption" not in as_latex(Table(("name",), ((Cell("文"),),)))
