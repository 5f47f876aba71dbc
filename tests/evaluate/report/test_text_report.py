import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from anaphora.evaluate.report import text_report
from anaphora.evaluate.report.text import apportion, plain


def printed(*runs, width=80):
    console = Console(width=width, highlight=False)
    with console.capture() as capture:
        console.print(text_report(runs))
    return capture.get()


@pytest.mark.parametrize("width", [80, 120, 200])
def test_no_line_is_wider_than_the_terminal(run, decomposed, width):
    for line in printed(run, replace(decomposed, name="decomposed"), width=width).splitlines():
        assert cell_len(line) <= width


def test_the_scores_are_those_of_the_runs(run):
    lines = printed(run).splitlines()
    row = next(line for line in lines if line.startswith("F1 "))
    original, rewritten, human = re.findall(r"(0\.\d{3}) 0\.\d{3}–0\.\d{3}", row)
    assert float(original) == pytest.approx(0.14375, abs=0.001)
    assert float(rewritten) == pytest.approx(0.2875, abs=0.001)
    assert float(human) == pytest.approx(0.64375, abs=0.001)


@pytest.mark.parametrize("lang", ["ar", "zh", "ja", "th", "vi", "ru", "tr", "hi", "ko"])
def test_every_script_is_shown_as_it_is_written(run, lang):
    mine = [one for one in run.outcomes if one.example.id.startswith(lang)]
    text = printed(replace(run, outcomes=tuple(mine)), width=200)
    assert f"{lang}-1  {mine[1].example.question}" in text
    assert f"→ {mine[1].results['rewritten'].rewrite.text}" in text


def test_culprits_are_counted(run):
    text = printed(run)
    counts = dict(re.findall(r"^[·WSKRLD?] (\D+?) +(\d+) +\d", text, re.MULTILINE))
    assert counts == {
        "right": "10",
        "rewriting": "10",
        "retrieval": "10",
        "reranking": "10",
        "reading": "10",
        "language": "10",
        "the data": "10",
        "cause unknown": "10",
    }


def test_failures_of_the_search_are_counted_beside_the_culprits(run):
    text = printed(run)
    assert "No relevant passage" in text
    assert "in the first 5" in text
    counts = dict(re.findall(r"^[·WSKRLD?] (\D+?) +\d+ +[\d.]+% +(\d+|–)", text, re.MULTILINE))
    assert counts == {
        "right": "0",
        "rewriting": "0",
        "retrieval": "10",
        "reranking": "0",
        "reading": "3",
        "language": "0",
        "the data": "–",
        "cause unknown": "0",
    }


def test_the_data_cannot_steer_the_terminal(run):
    nasty = "x\x1b[2Jy\x07\r[bold red]z[/]"
    text = printed(replace(run, name=nasty, dataset=nasty, warnings=(nasty,)), run)
    assert "\x1b[2J" not in text
    assert "\x07" not in text
    assert "! x [2Jy [bold red]z[/]" in text


def test_lines_of_the_data_become_one():
    assert plain("a\n b\tc\x00d") == "a b c d"


@given(st.lists(st.integers(0, 50), min_size=1, max_size=9), st.integers(0, 120))
def test_shares_fill_the_width(weights, width):
    parts = apportion(weights, width)
    total = sum(weights)
    assert sum(parts) == (width if total else 0)
    for part, weight in zip(parts, weights, strict=True):
        assert abs(part - (width * weight / total if total else 0)) < 1


def test_a_report_needs_a_run():
    with pytest.raises(ValueError, match="at least one run"):
        text_report([])
