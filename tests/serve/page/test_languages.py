"""Languages and scripts on the page, and input methods."""

from __future__ import annotations

import pytest
from support.serving import ANSWERS, QUESTIONS

pytest.importorskip("playwright")

from playwright.sync_api import expect

LOCALES = {"en": "en-GB", "fr": "fr-FR", "es": "es-MX", "vi": "vi-VN", "zh": "zh-CN", "ar": "ar-EG"}
NEW = {
    "en": "New conversation",
    "fr": "Nouvelle conversation",
    "es": "Nueva conversación",
    "vi": "Cuộc trò chuyện mới",
    "zh": "新对话",
    "ar": "محادثة جديدة",
}


@pytest.mark.parametrize("lang", LOCALES)
def test_the_interface_is_in_the_language_of_the_browser(visit, lang):
    here = visit(locale=LOCALES[lang])
    expect(here.page.locator("h1")).to_have_text(NEW[lang])
    root = here.page.locator("html")
    assert root.get_attribute("lang").split("-")[0] == lang
    assert root.get_attribute("dir") == ("rtl" if lang == "ar" else "ltr")


def test_another_language_can_be_chosen(visit):
    here = visit()
    here.page.get_by_role("button", name="Settings").click()
    here.page.get_by_label("Language").select_option("vi")
    expect(here.page.locator("h1")).to_have_text(NEW["vi"])
    here.page.reload()
    expect(here.page.locator("h1")).to_have_text(NEW["vi"])


@pytest.mark.parametrize("lang", sorted(ANSWERS))
def test_questions_are_asked_and_answered_in_every_script(visit, lang):
    turn = visit(locale=LOCALES.get(lang, "en-GB")).ask(QUESTIONS[lang])
    assert ANSWERS[lang] in turn.locator(".answered").inner_text()


def direction(locator):
    return locator.evaluate("element => getComputedStyle(element).direction")


def test_each_text_has_its_own_direction(visit):
    here = visit(locale="ar-EG")
    turn = here.ask(QUESTIONS["ar"])
    assert direction(turn.locator(".question")) == "rtl"
    assert direction(turn.locator(".extract").first) == "rtl"
    turn = here.ask(QUESTIONS["en"])
    assert direction(turn.locator(".question")) == "ltr"
    assert direction(turn.locator(".extract").first) == "ltr"
    assert direction(here.page.locator("#sidebar")) == "rtl"


def test_arabic_is_read_from_right_to_left_in_an_english_interface(visit):
    turn = visit().ask(QUESTIONS["ar"])
    assert direction(turn.locator(".question")) == "rtl"
    assert direction(turn.locator(".extract").first) == "rtl"


def test_enter_in_an_input_method_chooses_a_word_and_sends_nothing(visit):
    here = visit(locale="zh-CN")
    field = here.page.locator("#question")
    field.focus()
    typing = here.context.new_cdp_session(here.page)
    composed = {"text": "灯塔建于哪一年", "selectionStart": 7, "selectionEnd": 7}
    typing.send("Input.imeSetComposition", composed)
    # A browser reports keys that an input method takes with the code 229.
    pressed = {"key": "Process", "code": "Enter", "windowsVirtualKeyCode": 229}
    typing.send("Input.dispatchKeyEvent", {"type": "rawKeyDown", **pressed})
    typing.send("Input.dispatchKeyEvent", {"type": "keyUp", **pressed})
    # While the composition is open, Enter itself sends nothing either.
    field.press("Enter")
    assert here.page.locator(".turn").count() == 0
    typing.send("Input.insertText", {"text": "灯塔建于哪一年？"})
    assert "灯塔建于哪一年" in field.input_value()
    field.press("Enter")
    assert ANSWERS["zh"] in here.answered().inner_text()


def test_shift_and_enter_begin_a_new_line(visit):
    here = visit()
    field = here.page.locator("#question")
    field.press_sequentially("dogs")
    field.press("Shift+Enter")
    field.press_sequentially("on deck")
    assert field.input_value() == "dogs\non deck"
    assert here.page.locator(".turn").count() == 0
