"""What people do on the page, with a real browser and a real server."""

from __future__ import annotations

import json
import re

import pytest
from support.serving import QUESTIONS

pytest.importorskip("playwright")

from playwright.sync_api import expect

from anaphora.language import message

TICKET = QUESTIONS["en"]


def text(locator):
    return locator.inner_text()


def test_an_answer_quotes_its_source(visit):
    turn = visit().ask(TICKET)
    assert "12 euros" in text(turn.locator(".extract").first)
    mark = turn.locator("a.mark").first
    assert text(mark) == "1"
    address = mark.get_attribute("href")
    assert re.fullmatch(r"/source\?index=harbour&passage=[^&]+&start=\d+&end=\d+", address)
    assert "Harbour guide" in text(turn.locator(".source").first)
    assert text(turn.locator(".certainty"))


def test_lists_and_tables_keep_their_structure(visit):
    here = visit()
    steps = here.ask("How do I buy a ticket for the ferry?").locator(".items > li")
    assert [step.get_attribute("data-marker") for step in steps.all()] == ["1.", "2.", "3."]
    assert text(steps.nth(1)) == "Pay at the machine on pier 3."
    row = here.ask("Which destination does pier 2 have?").locator(".row").last
    assert row.locator("dt").all_inner_texts() == ["Pier", "Destination"]


@pytest.mark.parametrize("locale", ["en-GB", "ar"])
def test_other_extracts_stand_below_their_headings_apart_from_the_answer(visit, locale):
    turn = visit(locale=locale).ask("How do I buy a ticket for the ferry?")
    extracts = turn.locator(".answer-body > .extract")
    others = turn.locator(".answer-body > .extract.other")
    assert others.count() == extracts.count() - 1 >= 1
    assert turn.locator(".between").all_inner_texts() == [message("also", "en")]
    sources = turn.locator(".source-title").all_inner_texts()
    headings = turn.get_by_role("heading", level=3)
    assert headings.count() >= 1
    for heading in headings.all():
        number = text(heading.locator("xpath=following-sibling::blockquote[1]//a[@class='mark']"))
        assert sources[int(number) - 1].endswith(text(heading))
    marks = turn.locator(".extract a.mark")
    assert marks.all_inner_texts() == [str(at + 1) for at in range(len(sources))]
    step = extracts.first.locator(".items > li").last
    assert text(step.locator("a.mark")) == "1"
    line = extracts.first.evaluate("one => getComputedStyle(one).borderInlineStartColor")
    assert others.first.evaluate("one => getComputedStyle(one).borderInlineStartColor") != line
    marks.last.click()
    expect(turn.page.locator("#panel mark, #panel .viewer-box").first).to_be_visible()


def test_a_follow_up_is_understood_from_the_conversation(visit):
    here = visit()
    here.ask("When does the last ferry leave in winter?")
    turn = here.ask("And in summer?")
    assert "ferry" in text(turn.locator(".rewrite"))
    assert "21:15" in text(turn.locator(".answered"))


def test_without_an_answer_the_nearest_sections_are_shown(visit):
    turn = visit().ask("Which opera by Puccini is about the ferry?")
    assert text(turn.locator(".certainty")) == "No clear answer"
    first, second = (text(line) for line in turn.locator(".abstained").all())
    assert first.startswith("Mentioned nowhere in the documents:")
    assert "Puccini" in first
    assert second.startswith("No passage clearly answers")
    nearest = turn.locator(".nearest a")
    assert nearest.count() >= 1
    assert nearest.first.get_attribute("href").startswith("/source?")


def test_a_courtesy_is_answered_without_sources(visit):
    turn = visit().ask("hello")
    assert "documents" in text(turn.locator(".answered"))
    assert turn.locator("a.mark, .sources, .certainty").count() == 0


def test_an_edited_question_is_a_branch_beside_the_old_one(visit):
    here = visit()
    here.ask("When does the last ferry leave in winter?")
    here.ask("What about dogs?")
    first = here.page.locator(".turn").first
    first.hover()
    first.get_by_role("button", name="Edit the question").click()
    area = first.locator("textarea")
    area.fill("When does the last ferry leave in summer?")
    area.press("Enter")
    assert "21:15" in text(here.answered())
    assert here.page.locator(".turn").count() == 1
    assert text(here.page.locator(".branches .count")) == "2/2"
    here.page.get_by_role("button", name="Previous version").click()
    assert here.page.locator(".question").all_inner_texts() == [
        "When does the last ferry leave in winter?",
        "What about dogs?",
    ]
    assert text(here.page.locator(".branches .count")) == "1/2"


def test_stopping_leaves_the_question_to_ask_again(visit):
    here = visit()
    here.page.route("**/api/v1/ask", lambda route: None)  # the answer does not come
    here.page.fill("#question", TICKET)
    here.page.press("#question", "Enter")
    here.page.get_by_role("button", name="Stop").click()
    turn = here.page.locator(".turn")
    expect(turn.locator(".status")).to_contain_text("Stopped.")
    here.page.unroute("**/api/v1/ask")
    turn.get_by_role("button", name="Try again").click()
    assert "12 euros" in text(here.answered())


def test_a_problem_is_shown_as_the_servers_sentence(visit):
    here = visit(allowed=("404",))
    here.page.route(
        "**/api/v1/ask",
        lambda route: route.continue_(post_data='{"question": "?", "index": "nowhere"}'),
    )
    here.page.fill("#question", TICKET)
    here.page.press("#question", "Enter")
    alert = here.page.get_by_role("alert")
    expect(alert).to_contain_text("nowhere")
    here.page.unroute("**/api/v1/ask")
    alert.get_by_role("button", name="Try again").click()
    assert "12 euros" in text(here.answered())


def test_without_the_server_the_page_says_so_and_recovers(visit):
    here = visit(allowed=("ERR_INTERNET_DISCONNECTED",))
    here.context.set_offline(True)
    here.page.fill("#question", TICKET)
    here.page.press("#question", "Enter")
    expect(here.page.locator(".banner")).to_contain_text("cannot be reached")
    here.context.set_offline(False)
    expect(here.page.locator(".banner")).to_be_hidden(timeout=15_000)
    here.page.get_by_role("button", name="Try again").click()
    assert "12 euros" in text(here.answered())


def test_a_busy_server_is_asked_again_by_itself(visit):
    here = visit(allowed=("429",))
    refused = []

    def refuse_once(route):
        if refused:
            route.continue_()
            return
        refused.append(route)
        route.fulfill(
            status=429,
            headers={"Retry-After": "1", "Content-Type": "application/problem+json"},
            body='{"title": "Too Many Requests", "status": 429, "detail": "too many wait"}',
        )

    here.page.route("**/api/v1/ask", refuse_once)
    here.page.fill("#question", TICKET)
    here.page.press("#question", "Enter")
    expect(here.page.locator(".extract").first).to_contain_text("12 euros")
    assert len(refused) == 1


def test_copying_takes_the_sources_along(visit):
    here = visit(permissions=["clipboard-read", "clipboard-write"])
    turn = here.ask(TICKET)
    turn.get_by_role("button", name="Copy with sources").click()
    expect(here.page.locator("#announcements")).to_have_text("Copied.")
    copied = here.page.evaluate("navigator.clipboard.readText()")
    assert "12 euros" in copied
    assert re.search(r"(?m)^\[1\] Harbour guide .*harbour\.md", copied)
    assert f"{here.server.address}/source?" in copied


def test_a_second_reading_is_offered_as_a_button(visit):
    here = visit()

    def ambiguous(route):
        response = route.fetch()
        body = response.text().replace('"second_reading": ""', '"second_reading": "Dogs?"')
        body = body.replace('"second_reading":""', '"second_reading":"Dogs?"')
        route.fulfill(response=response, body=body)

    here.page.route("**/api/v1/ask", ambiguous)
    turn = here.ask(TICKET)
    here.page.unroute("**/api/v1/ask")
    turn.get_by_role("button", name="Did you mean").click()
    here.answered()
    assert here.page.locator(".question").all_inner_texts() == ["Dogs?"]
    assert text(here.page.locator(".branches .count")) == "2/2"


def test_other_sections_are_links_to_the_source(visit):
    here = visit()

    def unsure(route):
        response = route.fetch()
        done = re.search(r'(?m)^data: (.*"other_sections".*)$', response.text())
        form = json.loads(done[1])
        form["other_sections"] = [form["citations"][0] | {"title": "Boats <b>and</b> 船"}]
        whole = response.text().replace(done[1], json.dumps(form))
        route.fulfill(response=response, body=whole)

    here.page.route("**/api/v1/ask", unsure)
    turn = here.ask(TICKET)
    others = turn.locator(".other-sections")
    expect(others).to_contain_text("Other sections that were found:")
    others.get_by_role("link", name="Boats <b>and</b> 船").click()
    expect(here.page.locator("mark.viewer-quote").first).to_contain_text("12 euros")


def test_the_settings_of_answers_are_chosen_in_the_head(visit):
    here = visit()
    here.page.get_by_label("Answer settings").select_option("quick")
    with here.page.expect_request("**/api/v1/ask") as asked:
        here.ask(TICKET)
    assert asked.value.post_data_json["configuration"] == "quick"


def test_at_phone_width_the_list_is_a_drawer(visit):
    here = visit(viewport={"width": 360, "height": 700}, has_touch=True)
    turn = here.ask(TICKET)
    assert "12 euros" in text(turn)
    wide = here.page.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert not wide
    sidebar = here.page.locator("#sidebar")
    expect(sidebar).to_be_hidden()
    here.page.get_by_role("button", name="Conversations").click()
    expect(sidebar).to_be_visible()
    expect(here.page.get_by_label("Search conversations")).to_be_focused()
    here.page.keyboard.press("Escape")
    expect(sidebar).to_be_hidden()
    expect(here.page.get_by_role("button", name="Conversations")).to_be_focused()


def title(here):
    return text(here.page.locator("h1"))


def entries(here):
    return here.page.locator(".entry a").all_inner_texts()


def choose(here, action):
    """Chooses an action from the menu of the open conversation in the list."""
    entry = here.page.locator(".entry.open")
    entry.hover()
    entry.get_by_role("button").click()
    here.page.get_by_role("menuitem", name=action).click()


def test_reloading_keeps_the_conversation(visit):
    here = visit()
    here.ask("When does the last ferry leave in winter?")
    here.ask("And in summer?")
    assert re.fullmatch(r"/c/[\w-]+", here.page.evaluate("location.pathname"))
    questions = here.page.locator(".question").all_inner_texts()
    here.page.reload()
    expect(here.page.locator(".turn")).to_have_count(2)
    assert here.page.locator(".question").all_inner_texts() == questions
    assert "21:15" in text(here.page.locator(".turn").last)
    turn = here.ask("And on Sundays?")
    assert text(turn.locator(".certainty"))
    here.page.reload()
    expect(here.page.locator(".turn")).to_have_count(3)


def test_branches_are_kept_after_reloading(visit):
    here = visit()
    here.ask("When does the last ferry leave in winter?")
    here.page.keyboard.press("Escape")
    here.page.keyboard.press("e")
    here.page.locator(".editor textarea").fill("Where do dogs travel?")
    here.page.keyboard.press("Enter")
    here.answered()
    here.page.reload()
    expect(here.page.locator(".branches .count")).to_have_text("2/2")
    assert text(here.page.locator(".question")) == "Where do dogs travel?"


def test_conversations_are_found_renamed_shared_exported_and_deleted(visit):
    here = visit()
    here.ask(QUESTIONS["zh"])
    expect(here.page.locator(".entry.open")).to_have_count(1)
    search = here.page.get_by_label("Search conversations")
    search.fill("灯塔")
    expect(here.page.locator(".entry.open")).to_have_count(1)
    search.fill("zeppelin")
    expect(here.page.locator(".conversations")).to_have_text("No conversation holds these words.")
    search.fill("")
    choose(here, "Rename")
    dialog = here.page.get_by_role("dialog")
    dialog.get_by_label("Title").fill("Über das Leuchtfeuer")
    dialog.get_by_role("button", name="Rename").click()
    expect(here.page.locator(".entry.open a")).to_have_text("Über das Leuchtfeuer")
    assert title(here) == "Über das Leuchtfeuer"
    with here.page.expect_download() as markdown:
        choose(here, "Export as Markdown")
    assert "1887" in markdown.value.path().read_text("utf-8")
    choose(here, "Share")
    address = dialog.get_by_label("Address", exact=True).input_value()
    here.page.keyboard.press("Escape")
    reader = visit(address.removeprefix(here.server.address))
    expect(reader.page.locator(".answered")).to_contain_text("1887")
    expect(reader.page.locator("#question")).to_be_hidden()
    choose(here, "Delete")
    dialog.get_by_role("button", name="Delete").click()
    expect(here.page.locator(".entry", has_text="Über das Leuchtfeuer")).to_have_count(0)
    assert title(here) == "New conversation"


def test_feedback_is_stored_with_the_turn(visit):
    here = visit()
    turn = here.ask(TICKET)
    turn.get_by_role("button", name="Right", exact=True).click()
    expect(turn.get_by_role("button", name="Right", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    turn.get_by_role("button", name="Not right").click()
    dialog = here.page.get_by_role("dialog")
    dialog.get_by_label("The source is the wrong one").check()
    dialog.get_by_label("The right answer").fill("12 euros")
    dialog.get_by_role("button", name="Send").click()
    expect(dialog).to_have_count(0)
    here.page.reload()
    wrong = here.page.get_by_role("button", name="The source is the wrong one")
    expect(wrong).to_have_attribute("aria-pressed", "true")


def test_somebody_else_sees_nothing_of_it(visit, key):
    mine = visit()
    mine.ask(TICKET)
    address = mine.page.evaluate("location.pathname")
    other = visit(signed=False, allowed=("401", "404"))
    other.page.get_by_label("Key", exact=True).fill("wrong")
    other.page.get_by_role("button", name="Sign in").click()
    expect(other.page.get_by_role("alert")).not_to_be_empty()
    other.page.get_by_label("Key", exact=True).fill(key)
    other.page.get_by_role("button", name="Sign in").click()
    expect(other.page.locator("#question")).to_be_visible()
    assert entries(other) == []
    other.open(address)
    expect(other.page.get_by_role("dialog")).to_be_visible()
    assert other.page.locator(".turn").count() == 0
    other.page.keyboard.press("Escape")
    other.page.get_by_role("button", name="Settings").click()
    other.page.get_by_role("button", name="Sign out").click()
    expect(other.page.get_by_label("Key", exact=True)).to_be_visible()


def test_a_citation_opens_its_source_at_the_quote(visit):
    here = visit()
    turn = here.ask(TICKET)
    turn.locator("a.mark").first.click()
    panel = here.page.locator("#panel")
    expect(panel).to_be_visible()
    expect(panel.locator("#panel-title")).to_be_focused()
    expect(panel.locator("mark").first).to_be_visible()
    assert "12 euros" in "".join(panel.locator("mark").all_inner_texts())
    here.page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(turn.locator("a.mark").first).to_be_focused()


def test_the_address_of_a_citation_opens_its_source(visit):
    here = visit()
    turn = here.ask("What is the speed limit inside the marina?")
    assert "five knots" in text(turn.locator(".answered"))
    address = turn.locator("a.mark").first.get_attribute("href")
    other = visit(address)
    expect(other.page.locator("#panel")).to_be_visible()
    expect(other.page.locator("#panel-title")).to_have_text("Rules of the marina")


def test_the_inspector_opens_with_one_key(visit):
    here = visit()
    here.ask("When does the last ferry leave in winter?")
    here.ask("And in summer?")
    here.page.keyboard.press("Escape")
    here.page.keyboard.press("i")
    panel = here.page.locator("#panel.inspector")
    expect(panel).to_be_visible()
    expect(panel).to_contain_text("summer")
    here.page.keyboard.press("i")
    expect(here.page.locator("#panel")).to_be_hidden()


def uploaded(here):
    return here.page.locator(".uploads li")


def test_uploaded_files_can_be_asked_and_the_others_say_why_not(visit, tmp_path):
    here = visit()
    (tmp_path / "kiosk.md").write_text("# Kiosk\n\nThe kiosk sells 41 kinds of tea.\n", "utf-8")
    (tmp_path / "tune.mp3").write_bytes(b"ID3\x04\x00\x00\x00\x00")
    here.page.get_by_role("button", name="Documents").click()
    with here.page.expect_file_chooser() as chooser:
        here.page.get_by_role("button", name="Choose files").click()
    chooser.value.set_files([tmp_path / "kiosk.md", tmp_path / "tune.mp3"])
    expect(uploaded(here).filter(has_text="kiosk.md")).to_contain_text("Added", timeout=60_000)
    skipped = uploaded(here).filter(has_text="tune.mp3")
    expect(skipped).to_contain_text(re.compile("Skipped: .+"), timeout=60_000)
    expect(here.page.locator(".document-list")).to_contain_text("Kiosk")
    here.page.keyboard.press("Escape")
    assert "41" in text(here.ask("How many kinds of tea does the kiosk sell?").locator(".answered"))
    here.page.get_by_role("button", name="Documents").click()
    here.page.get_by_role("button", name="Delete “Kiosk”").click()
    here.page.get_by_role("dialog").last.get_by_role("button", name="Delete").click()
    expect(here.page.locator(".document-list")).not_to_contain_text("Kiosk")


def test_a_file_can_replace_the_one_of_its_name(visit, tmp_path):
    here = visit()
    path = tmp_path / "水泵.md"
    here.page.get_by_role("button", name="Documents").click()
    for title in ("第一版", "第二版"):
        path.write_text(f"# {title}\n\n水泵把水抽到水箱里。\n", "utf-8")
        here.page.get_by_label("Replace files of the same name").check()
        here.page.locator(".documents input[type=file]").set_input_files(path)
        expect(here.page.locator(".document-list")).to_contain_text(title, timeout=60_000)
    expect(here.page.locator(".document-list")).not_to_contain_text("第一版")


def test_files_can_be_dropped_on_the_page(visit):
    here = visit()
    data = here.page.evaluate_handle(
        """() => {
            const data = new DataTransfer();
            data.items.add(new File(["# Crane\\n\\nThe crane lifts 90 tonnes.\\n"], "crane.md"));
            return data;
        }"""
    )
    here.page.dispatch_event("body", "dragenter", {"dataTransfer": data})
    expect(here.page.locator(".drop")).to_be_visible()
    here.page.dispatch_event("body", "drop", {"dataTransfer": data})
    expect(here.page.locator(".drop")).to_be_hidden()
    expect(uploaded(here)).to_contain_text("Added", timeout=60_000)


def test_a_document_of_the_list_is_shown(visit):
    here = visit()
    here.page.get_by_role("button", name="Documents").click()
    here.page.get_by_role("button", name="Ferry timetable", exact=True).click()
    expect(here.page.locator("#panel")).to_contain_text("From November to March")


def test_nothing_of_an_answer_is_kept_in_the_browser(visit):
    here = visit()
    here.ask(TICKET)
    here.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    kept = here.page.evaluate(
        """async () => {
            const names = await caches.keys();
            const requests = await Promise.all(
                names.map(async (name) => (await caches.open(name)).keys()));
            return requests.flat().map((request) => new URL(request.url).pathname);
        }"""
    )
    assert "/page/app.js" in kept
    assert not [path for path in kept if path.startswith(("/api", "/c/", "/s/"))]
    stored = here.page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
    assert "euros" not in stored


def test_the_page_opens_without_the_server_and_says_that_it_is_away(visit):
    here = visit(allowed=("ERR_INTERNET_DISCONNECTED",))
    here.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    here.page.reload()
    here.page.wait_for_selector("#question")
    here.context.set_offline(True)
    here.page.reload()
    expect(here.page.get_by_role("alert")).to_contain_text("cannot be reached")
    here.context.set_offline(False)
    here.page.get_by_role("button", name="Try again").click()
    expect(here.page.locator("#question")).to_be_visible()
