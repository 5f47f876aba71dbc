import json
import re
from dataclasses import replace
from itertools import pairwise
from urllib.parse import parse_qs

import pytest
from selectolax.lexbor import LexborHTMLParser

from anaphora.datasets.example import Example
from anaphora.evaluate.report import html_report
from anaphora.evaluate.results import Outcome, PhrasingResult, Run
from anaphora.records import Conversation, Passage, Rewrite, Turn

NASTY = "</script><script>alert('x')</script><!-- <b>&amp;\u2028\x00\x1b[31m\ud800"


def parsed(*runs):
    return LexborHTMLParser(html_report(runs))


def data(page, name):
    node = page.css_first(f"#data-{name}")
    assert node.attributes["type"] == "application/json"
    return json.loads(node.text())


def one_turn(question="Who?", **changes):
    example = Example(Conversation((Turn("user", question),), id="1"))
    tried = PhrasingResult(Rewrite(question, "en"))
    return replace(
        Run(
            "plain", "tiny", {}, ("F1",), ("F1", ">=0.5"), (Outcome(example, {"rewritten": tried}),)
        ),
        **changes,
    )


def test_the_page_needs_nothing_else(run):
    html = html_report([run])
    page = LexborHTMLParser(html)
    for node in page.css("[src], [href]"):
        assert "src" not in node.attributes
        assert node.attributes["href"].startswith("#")
    assert not page.css("link, iframe, object, embed, img, base")
    style = page.css_first("style").text()
    assert "url(" not in style
    assert "@import" not in style
    assert not re.search(r"\bfetch\(|XMLHttpRequest|\bimport\(", html)


def test_every_turn_is_in_the_list_and_in_the_details(run):
    page = parsed(run)
    index = data(page, "index")
    (listed,) = index["runs"]
    assert listed["id"] == [one.example.id for one in run.outcomes]
    assert listed["question"] == [one.example.question for one in run.outcomes]
    part = data(page, "turns-0-0")
    assert len(part["turns"]) == len(run.outcomes)
    for outcome, turn in zip(run.outcomes, part["turns"], strict=True):
        said = [tuple(part["texts"][number]) for number in turn["said"]]
        assert said == [(t.role, t.text, t.lang) for t in outcome.example.conversation.turns]
        assert set(turn["tried"]) == set(outcome.results)


def test_passages_are_stored_once_and_found_by_number(run):
    page = parsed(run, replace(run, name="other"))
    passages = data(page, "passages-0")
    assert sorted(id for id, *_ in passages) == sorted(run.passages)
    turn = data(page, "turns-1-0")["turns"][0]
    ((number, grade),) = turn["gold"]
    assert (passages[number][0], grade) == ("en-gold", 1)
    hits = turn["tried"]["rewritten"]["reranked"]
    assert [(rank, passages[n][0], score, was) for rank, n, score, was in hits] == [
        (1, "en-gold", 2.25, 2),
        (2, "en-other", 2.5, 1),
    ]


def test_a_passage_id_is_its_own_only_within_a_data_set(run):
    other = {
        id: replace(passage, text=f"other {passage.text}") for id, passage in run.passages.items()
    }
    page = parsed(run, replace(run, dataset="elsewhere", passages=other))
    assert len(data(page, "passages-0")) == 2 * len(run.passages)


def test_hits_without_a_kept_text_go_by_their_ids(run):
    page = parsed(replace(run, passages={}))
    hits = data(page, "turns-0-0")["turns"][0]["tried"]["rewritten"]["hits"]
    assert [id for _, id, *_ in hits] == ["en-other", "en-gold"]


def test_only_the_best_hits_are_kept_and_gold_ones_wherever_they_stand():
    run = one_turn()
    (outcome,) = run.outcomes
    hits = tuple((f"p{number}", 1 / number) for number in range(1, 101))
    example = replace(outcome.example, relevant={"p50": 1, "p60": 0})
    tried = {"rewritten": replace(outcome.results["rewritten"], hits=hits)}
    page = parsed(replace(run, outcomes=(Outcome(example, tried),)))
    shown = data(page, "turns-0-0")["turns"][0]["tried"]["rewritten"]
    assert [rank for rank, *_ in shown["hits"]] == [*range(1, 11), 50]
    assert shown["found"] == 100


def test_turns_come_in_chunks():
    (outcome,) = one_turn().outcomes

    def numbered(number):
        talk = replace(outcome.example.conversation, id=str(number))
        return replace(outcome, example=replace(outcome.example, conversation=talk))

    page = parsed(one_turn(outcomes=tuple(numbered(number) for number in range(250))))
    assert [len(data(page, f"turns-0-{part}")["turns"]) for part in range(3)] == [100, 100, 50]


@pytest.mark.parametrize("several", [False, True])
def test_text_from_the_data_stays_text(several):
    run = one_turn(NASTY)
    (outcome,) = run.outcomes
    tags = {"question_type": NASTY, "topic_switch": NASTY}
    example = replace(outcome.example, rewrites=(NASTY,), answers=(NASTY,), tags=tags)
    nasty = replace(
        run,
        name=NASTY,
        dataset=NASTY,
        about={"config": NASTY},
        outcomes=(replace(outcome, example=example), *one_turn("Where?").outcomes),
        passages={NASTY: Passage(NASTY, NASTY, NASTY, NASTY, "en")},
        warnings=(NASTY,),
    )
    runs = [nasty, replace(nasty, dataset="x")] if several else [nasty]
    html = html_report(runs)
    html.encode("utf-8")
    page = LexborHTMLParser(html)
    scripts = page.css("script")
    assert [node for node in scripts if node.attributes.get("type") != "application/json"] == [
        scripts[-1]
    ]
    assert "alert(" not in scripts[-1].text()
    question = data(page, "index")["runs"][0]["question"][0]
    assert question == NASTY.replace("\ud800", "\ufffd")
    assert not page.css("main b")


def test_text_from_the_data_finds_its_own_direction(run):
    page = parsed(replace(run, name="الميناء", dataset="港口"), replace(run, name="second"))
    for text in ("الميناء", "港口", "2 gold answers are empty and were left out.", "ar", "yes"):
        nodes = [node for node in page.css("h1, span, li") if node.text(deep=False) == text]
        assert nodes, text
        assert all(node.attributes.get("dir") == "auto" for node in nodes)
    assert page.css_first("html").attributes["lang"] == "en"
    assert page.css_first("input[name=q]").attributes["dir"] == "auto"


def test_the_headline_table_has_a_row_for_each_phrasing(run):
    table = parsed(run).css_first("table.results")
    heads = [node.text() for node in table.css("thead th")]
    assert heads == ["Question", *run.metrics]
    assert all(node.attributes["scope"] == "col" for node in table.css("thead th"))
    rows = {row.css_first("th").text(): row for row in table.css("tbody tr")}
    assert list(rows) == ["Original", "Rewritten", "Human"]
    mean, interval = rows["Rewritten"].css("td")[0].css(".mean, .ci")
    # Ten turns of eighty score 0.9, the others 0.2.
    assert mean.text() == "0.287"
    low, high = map(float, interval.text().split("–"))
    assert 0.2 < low < 0.2875 < high < 0.4


def test_several_systems_stand_in_one_table(run):
    page = parsed(run, replace(run, name="second", metrics=("F1", "EM")))
    table = page.css_first("table.results")
    assert [node.text() for node in table.css("th[scope=rowgroup]")] == ["context", "second"]
    assert [node.text() for node in table.css("thead th")][1:] == [*run.metrics, "EM"]
    assert [node.text() for node in page.css("#system option")] == ["context", "second"]
    parts = page.css("#blame [data-run-section]")
    assert [node.attributes["data-run-section"] for node in parts] == ["0", "1"]


def test_bars_are_whole_and_lead_to_the_turns_they_count(run):
    page = parsed(run)
    listed = data(page, "index")["runs"][0]
    bars = page.css("#blame svg.bar")
    groups = [2, 10, 2]
    assert len(bars) >= 1 + sum(groups)
    for bar in bars:
        shares = [float(node.attributes["data-share"]) for node in bar.css("rect.share")]
        assert sum(shares) == pytest.approx(1, abs=1e-5)
        widths = [float(node.attributes["width"].rstrip("%")) for node in bar.css("rect.share")]
        assert sum(widths) == pytest.approx(100, abs=1e-3)
    for link in page.css("#blame svg.bar a, #blame td a"):
        name, _, query = link.attributes["href"].partition("?")
        assert name == "#turns"
        wanted = {field: values[0] for field, values in parse_qs(query).items()}
        count = sum(
            all(listed[field][at] == value for field, value in wanted.items())
            for at in range(len(run.outcomes))
        )
        title = link.css_first("title")
        told = title.text().split(": ")[-1].split(" ")[0] if title else link.text()
        assert int(told) == count


def test_failures_of_the_search_stand_beside_the_culprits(run):
    page = parsed(run)
    table = page.css_first("table.culprits")
    heads = [node.text() for node in table.css("thead th")]
    at = heads.index("No relevant passage in the first 5") - 1
    rows = {row.css_first("th").text().strip(): row.css("td") for row in table.css("tbody tr")}
    shown = {name: cells[at].text() for name, cells in rows.items()}
    assert (shown["retrieval"], shown["reading"], shown["the data"]) == ("10", "3", "–")
    index = data(page, "index")
    assert index["near"] == 5
    assert index["runs"][0]["search_failed"] == [one.search_failed for one in run.outcomes]


def test_counts_of_the_table_of_phrasings_lead_to_their_turns(run):
    page = parsed(run)
    listed = data(page, "index")["runs"][0]
    tables = page.css("table.phrasings")
    assert [len(table.css("tbody tr")) for table in tables] == [8, 8]
    links = tables[0].css("tbody a")
    assert sum(int(link.text()) for link in links) == len(run.outcomes)
    for link in links:
        signs = parse_qs(link.attributes["href"].partition("?")[2])["phrasings"][0]
        assert listed["phrasings"].count(signs) == int(link.text())


def test_the_layers_of_a_sweep_sum_to_one(run):
    plots = parsed(run).css("#phrasings svg.plot")
    assert len(plots) == 2
    for plot in plots:
        layers = [
            [float(share) for share in node.attributes["data-shares"].split()]
            for node in plot.css("g.region")
        ]
        assert len(layers) == 4
        assert len(layers[0]) == 51
        assert all(sum(at) == pytest.approx(1, abs=1e-5) for at in zip(*layers, strict=True))


def test_lines_by_depth_have_a_point_for_each_phrasing_and_depth(run):
    plot = parsed(run).css_first("#depth svg.plot")
    series = plot.css("g.series")
    assert [len(node.css("svg.point")) for node in series] == [2, 2, 2]
    assert "n = 40" in series[0].css_first("title").text()


def test_every_verdict_is_explained(run):
    index = data(parsed(run), "index")
    found = set(index["runs"][0]["verdict"])
    assert found == set(index["verdicts"]) - {"unjudged", "generation", "checking"}
    for said in index["verdicts"].values():
        assert said["label"]
        assert said["why"].endswith(".")


def test_a_turn_without_a_score_is_not_judged():
    index = data(parsed(one_turn()), "index")
    assert index["runs"][0]["verdict"] == ["unjudged"]
    assert index["runs"][0]["score"] == [None]


def test_data_that_hold_little_still_give_a_report():
    page = parsed(one_turn())
    text = page.css_first("main").text()
    assert "cannot tell: whether rewriting is to blame" in text
    assert "No stage was timed" in text
    assert "No turn has a score" in text


def test_headings_and_ids_are_in_order(run):
    page = parsed(run, replace(run, name="second"))
    levels = [int(node.tag[1]) for node in page.css("h1, h2, h3, h4")]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    ids = [node.attributes["id"] for node in page.css("[id]")]
    assert len(ids) == len(set(ids))
    for link in page.css("header nav a"):
        assert link.attributes["href"][1:] in ids
    for node in page.css("section"):
        assert node.attributes["aria-labelledby"] in ids


def test_references_within_the_drawings_resolve(run):
    html = html_report([run, replace(run, name="second")])
    ids = {node.attributes["id"] for node in LexborHTMLParser(html).css("[id]")}
    assert set(re.findall(r"url\(#([^)]+)\)", html)) <= ids


def test_decomposed_letters_come_through(decomposed):
    index = data(parsed(decomposed), "index")
    assert index["runs"][0]["question"] == [one.example.question for one in decomposed.outcomes]


def test_the_same_runs_give_the_same_page(run):
    assert html_report([run]) == html_report([run])


def test_a_report_needs_a_run():
    with pytest.raises(ValueError, match="at least one run"):
        html_report([])
