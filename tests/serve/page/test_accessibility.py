"""The page by keyboard alone, by a screen reader, and checked by axe-core."""

from __future__ import annotations

import pytest
from support.browsing import violations
from support.serving import QUESTIONS

pytest.importorskip("playwright")
pytest.importorskip("axe_playwright_python")

from playwright.sync_api import expect

FOCUSED = "document.activeElement"


@pytest.mark.parametrize("locale", ["en-GB", "ar-EG"])
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_axe_finds_nothing_serious(visit, locale, colours):
    here = visit(locale=locale, color_scheme=colours, reduced_motion="reduce")
    assert violations(here.page) == []
    here.ask(QUESTIONS["ar" if locale == "ar-EG" else "en"])
    here.ask("Who composed the opera Turandot?")
    assert violations(here.page) == []
    here.page.keyboard.press("Escape")
    for key in ("?", ",", "d"):
        here.page.keyboard.press(key)
        expect(here.page.get_by_role("dialog")).to_be_visible()
        assert violations(here.page) == [], key
        here.page.keyboard.press("Escape")
        expect(here.page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.parametrize("locale", ["en-GB", "ar-EG"])
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_axe_finds_nothing_serious_beside_a_conversation(visit, locale, colours):
    here = visit(locale=locale, color_scheme=colours, reduced_motion="reduce")
    here.ask("When does the last ferry leave in winter?")
    turn = here.ask("And in summer?")
    turn.locator("a.mark").first.click()
    expect(here.page.locator("#panel mark").first).to_be_visible()
    assert violations(here.page) == []
    here.page.keyboard.press("Escape")
    here.page.keyboard.press("i")
    expect(here.page.locator("#panel.inspector section").last).to_be_visible()
    assert violations(here.page) == []


def test_axe_finds_nothing_serious_at_phone_width(visit):
    here = visit(viewport={"width": 360, "height": 700}, has_touch=True)
    here.ask(QUESTIONS["en"])
    assert violations(here.page) == []
    here.page.get_by_role("button", name="Conversations").click()
    expect(here.page.locator("#sidebar")).to_be_visible()
    assert violations(here.page) == []


def test_axe_finds_nothing_serious_where_one_signs_in(visit):
    here = visit(signed=False, allowed=("401",))
    expect(here.page.get_by_label("Key", exact=True)).to_be_focused()
    assert violations(here.page) == []


def test_the_page_works_by_keyboard_alone(visit):
    here = visit()
    keys = here.page.keyboard
    expect(here.page.locator("#question")).to_be_focused()
    keys.type("When does the last ferry leave in winter?")
    keys.press("Enter")
    here.answered()
    keys.type("And in summer?")
    keys.press("Enter")
    expect(here.page.locator(".turn")).to_have_count(2)
    here.answered()
    keys.press("Escape")
    keys.press("k")
    expect(here.page.locator(".turn").last).to_be_focused()
    keys.press("k")
    expect(here.page.locator(".turn").first).to_be_focused()
    keys.press("j")
    expect(here.page.locator(".turn").last).to_be_focused()
    keys.press("e")
    expect(here.page.locator(".editor textarea")).to_be_focused()
    keys.press("Escape")
    expect(here.page.locator(".turn").last).to_be_focused()
    keys.press("?")
    expect(here.page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    keys.press("Escape")
    expect(here.page.locator(".turn").last).to_be_focused()
    keys.press("s")
    expect(here.page.get_by_label("Search conversations")).to_be_focused()
    keys.press("Escape")
    keys.press("n")
    expect(here.page.locator(".turn")).to_have_count(0)
    expect(here.page.locator("#question")).to_be_focused()


def test_single_keys_can_be_turned_off(visit):
    here = visit()
    here.page.get_by_role("button", name="Settings").click()
    here.page.get_by_label("Single keys").uncheck()
    here.page.keyboard.press("Escape")
    here.page.locator("h1").click()
    here.page.keyboard.press("?")
    expect(here.page.get_by_role("dialog")).to_have_count(0)


def test_the_end_of_an_answer_is_announced(visit):
    here = visit()
    here.ask(QUESTIONS["en"])
    region = here.page.locator("#announcements")
    expect(region).to_contain_text("Answer complete.")
    assert region.get_attribute("aria-live") == "polite"


def test_the_parts_of_the_page_have_names(visit):
    here = visit()
    turn = here.ask(QUESTIONS["en"])
    for role, name in [("navigation", "Conversations"), ("main", None), ("textbox", "question")]:
        expect(here.page.get_by_role(role, name=name).first).to_be_visible()
    expect(turn).to_have_role("article")
    expect(turn.get_by_role("heading", name=QUESTIONS["en"])).to_be_visible()
    controls = here.page.locator("button, a[href], input, select, textarea")
    unnamed = controls.evaluate_all(
        """all => all.filter(one => !one.ariaLabel && !one.textContent.trim() &&
            !one.labels?.length && !one.ariaHidden).map(one => one.outerHTML)"""
    )
    assert unnamed == []


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_colours_follow_the_system_and_the_switch(visit, colours):
    here = visit(color_scheme=colours)
    background = "getComputedStyle(document.documentElement).backgroundColor"
    before = here.page.evaluate(background)
    here.page.get_by_role("button", name="Settings").click()
    here.page.get_by_label("Colours").select_option("dark" if colours == "light" else "light")
    switched = here.page.evaluate(background)
    assert before != switched
    here.page.reload()
    here.page.wait_for_selector("#question")
    assert here.page.evaluate(background) == switched
