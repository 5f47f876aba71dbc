"""The inspector of a turn, in a real browser."""

from __future__ import annotations

import json

import pytest
from support.browsing import LONGEST, violations
from support.serving import QUESTIONS

pytest.importorskip("playwright")

from playwright.sync_api import expect

from anaphora.datasets.answer_turns import load_answer_turns

WINTER, SUMMER = "When does the last ferry leave in winter?", "And in summer?"


def inspected(here):
    """Opens the inspector on the last turn, by its key."""
    here.page.locator("#question").blur()
    here.page.keyboard.press("i")
    panel = here.page.locator("#panel.inspector")
    expect(panel.locator(".inspector-section").first).to_be_visible()
    return panel


def follow_up(here):
    here.ask(WINTER)
    here.ask(SUMMER)
    return inspected(here)


def test_an_inserted_span_names_the_turn_it_came_from(visit):
    here = visit()
    panel = follow_up(here)
    diff = panel.locator(".inspector-diff")
    rewrite = here.page.locator(".turn .rewrite bdi, .turn .rewrite em").last.inner_text()
    assert diff.inner_text().split() != SUMMER.split()
    assert "ferry" in rewrite
    source = diff.locator("button.inspector-source").first
    assert "from turn 1" in source.get_attribute("title")
    source.click()
    expect(panel.locator(".inspector-turns li.lit")).to_contain_text(WINTER)


def test_hits_show_their_scores_and_which_were_cited(visit):
    panel = follow_up(visit())
    rows = panel.locator("tbody").first.locator("tr")
    assert rows.first.locator("td").first.inner_text().startswith("1")
    assert panel.locator("tr.cited").count() >= 1
    scores = rows.first.locator("td").all_inner_texts()
    assert all(any(char.isdigit() for char in score) for score in scores[:5])
    stages = panel.locator(".inspector-times li > span:first-child").all_inner_texts()
    assert stages == ["Understanding", "Rewriting", "Search", "Reranking", "Reading"]


def test_the_rewrite_can_be_undone(visit):
    here = visit()
    panel = follow_up(here)
    panel.get_by_role("button", name="Ask it as it was typed").click()
    turn = here.answered()
    assert turn.locator(".question").inner_text() == SUMMER
    assert turn.locator(".rewrite").count() == 0
    assert "2/2" in turn.locator(".branches .count").inner_text()


def test_a_document_is_excluded_and_a_passage_pinned(visit):
    here = visit()
    here.ask(QUESTIONS["en"])
    panel = inspected(here)
    rows = panel.locator("tbody").first.locator("tr")
    first, second = rows.nth(0), rows.nth(1)
    title = first.locator(".inspector-passage").inner_text()
    pinned = second.locator(".inspector-passage").inner_text()
    first.get_by_role("button", name="Exclude").click()
    second.get_by_role("button", name="Pin").click()
    panel.get_by_role("button", name="Ask again (1 pinned, 1 excluded)").click()
    here.answered()
    after = inspected(here).locator("tbody").first.locator(".inspector-passage").all_inner_texts()
    assert after[0] == pinned
    assert title.split(" › ")[0] not in [one.split(" › ")[0] for one in after]


def test_two_settings_are_compared_side_by_side(visit):
    panel = follow_up(visit())
    panel.get_by_label("Answer the same question with").select_option("quick")
    panel.get_by_role("button", name="Compare", exact=True).click()
    pair = panel.locator(".inspector-pair article")
    expect(pair).to_have_count(2, timeout=LONGEST)
    assert pair.nth(1).locator("h4").inner_text() == "quick"


def test_the_cause_of_a_wrong_answer_is_found_and_stored(visit, tmp_path):
    pytest.importorskip("pytrec_eval")
    here = visit()
    panel = follow_up(here)
    panel.get_by_label("The right answer").fill("six in the morning")
    panel.get_by_role("button", name="Find the cause").click()
    expect(panel.locator(".inspector-cause")).to_be_visible(timeout=LONGEST)
    assert panel.locator(".inspector-cause ~ div tbody tr").count() == 2
    panel.get_by_label("Rewriting", exact=True).check()
    panel.get_by_role("button", name="Mark as wrong").click()
    expect(panel.get_by_text("Stored as feedback.")).to_be_visible()
    exported = here.context.request.get(f"{here.server.address}/api/v1/feedback/export").text()
    (tmp_path / "feedback.jsonl").write_text(exported, "utf-8")
    *_, last = exported.splitlines()
    judged = json.loads(last)
    assert (judged["kind"], judged["stage"]) == ("wrong", "rewriting")
    assert judged["nuggets"] == [["six in the morning"]]
    *_, turn = load_answer_turns([tmp_path / "feedback.jsonl"])
    assert (turn.id, turn.kind) == (judged["id"], "wrong")


@pytest.mark.parametrize(("locale", "lang"), [("ar-EG", "ar"), ("zh-CN", "zh"), ("vi-VN", "vi")])
def test_axe_finds_nothing_serious_in_the_inspector(visit, locale, lang):
    here = visit(locale=locale, reduced_motion="reduce")
    here.ask(QUESTIONS[lang])
    panel = inspected(here)
    assert violations(here.page) == []
    assert "inspector." not in panel.inner_text()


def test_the_inspector_fits_a_phone(visit):
    here = visit(viewport={"width": 360, "height": 700}, has_touch=True)
    here.ask(QUESTIONS["en"])
    panel = inspected(here)
    assert panel.evaluate("e => e.scrollWidth <= e.clientWidth")
    assert violations(here.page) == []
