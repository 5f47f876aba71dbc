"""The files of the page: what they may hold, the languages, and how they are served."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

pytest.importorskip("fastapi")

from anaphora.serve import pages

PAGE = Path(pages.__file__).with_name("page")
SCRIPTS = {path.name: path.read_text("utf-8") for path in PAGE.glob("*.js")}
STYLES = {path.name: path.read_text("utf-8") for path in PAGE.glob("*.css")}
LOCALES = {
    path.stem: json.loads(path.read_text("utf-8")) for path in (PAGE / "locales").glob("*.json")
}
_COUNTED = re.compile(r"\.(zero|one|two|few|many|other)$")


def without_form(key: str) -> str:
    return _COUNTED.sub("", key)


@pytest.mark.parametrize("lang", LOCALES)
def test_a_language_has_all_texts_with_all_their_values(lang):
    english, texts = LOCALES["en"], LOCALES[lang]
    assert {without_form(key) for key in texts} == {without_form(key) for key in english}
    for key in texts:
        reference = english.get(key) or english[f"{without_form(key)}.other"]
        named = set(re.findall(r"\{(\w+)\}", texts[key]))
        assert named <= set(re.findall(r"\{(\w+)\}", reference)), key
        if not _COUNTED.search(key):
            assert named == set(re.findall(r"\{(\w+)\}", reference)), key
        assert texts[key].strip(), key


@pytest.mark.parametrize("lang", LOCALES)
def test_counted_texts_have_a_form_for_every_number(lang):
    counted = {without_form(key) for key in LOCALES["en"] if _COUNTED.search(key)}
    assert counted
    assert {f"{key}.other" for key in counted} <= set(LOCALES[lang])


def test_every_text_that_a_script_names_is_there():
    keys = {without_form(key) for key in LOCALES["en"]}
    named = {
        (name, key) for name, text in SCRIPTS.items() for key in re.findall(r'\bt\("([^"]+)"', text)
    }
    assert len(named) > 100
    assert not {(name, key) for name, key in named if key not in keys}


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_makes_no_markup_of_text_and_names_no_other_server(name):
    text = SCRIPTS[name].replace("http://www.w3.org/2000/svg", "")
    forbidden = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\("
    assert not re.search(forbidden, text)
    assert not re.search(r"https?://|[\"'`]//\w", text)


@pytest.mark.parametrize("name", STYLES)
def test_styles_fetch_nothing(name):
    assert not re.search(r"url\(|@import", STYLES[name])


def test_the_document_has_no_inline_script_or_style():
    text = (PAGE / "index.html").read_text("utf-8")
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon\w+=|https?://", text)


def test_the_service_worker_keeps_files_that_exist_and_nothing_of_the_interface():
    text = SCRIPTS["service-worker.js"]
    names = re.search(r"\[((?:\"\w[\w-]*\",?\s*)+)\]\.map\(\(name\)", text)
    assert names
    listed = set(re.findall(r'"([\w-]+)"', names[1]))
    assert {f"{name}.js" for name in listed} <= set(SCRIPTS)
    assert "/api/" not in text


def test_the_page_is_served_to_everybody_and_checked_for_changes(stranger):
    for path in ("/", "/c/1", "/s/1", "/source", "/page/app.js", "/page/locales/ar.json"):
        response = stranger.get(path)
        assert response.status_code == 200, path
        assert response.headers["cache-control"] == "no-cache", path
    assert stranger.get("/page/%2e%2e/pages.py").status_code in (401, 404)


def test_the_page_can_be_installed(stranger):
    response = stranger.get("/manifest.webmanifest")
    assert response.headers["content-type"] == "application/manifest+json"
    icons = response.json()["icons"]
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in icons}
    for icon in icons:
        assert stranger.get(icon["src"]).headers["content-type"] == icon["type"]
    worker = stranger.get("/service-worker.js")
    assert worker.headers["content-type"].startswith("text/javascript")
