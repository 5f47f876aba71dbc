"""A small multilingual corpus for the tests of the service, and clients of a server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from support import ingest_files
from support.lighthouse import TEXTS

HARBOUR = """# Harbour guide

## Opening hours

The harbour office is open from nine to five. On Sundays it is closed.

## Tickets

A day ticket for the ferry costs 12 euros. Children under six travel free of charge.

1. Choose the day of your journey.
2. Pay at the machine on pier 3.
3. Keep the receipt until you leave the ferry.

## Dogs

Dogs travel on the upper deck and must be kept on a lead.
"""
FERRY = """<!doctype html><html lang="en"><head><title>Ferry timetable</title></head><body>
<h1>Ferry timetable</h1>
<h2 id="winter">Winter</h2>
<p>From November to March the last ferry leaves at 16:30.</p>
<h2 id="summer">Summer</h2>
<p>From April to October the last ferry leaves at 21:15.</p>
<table><tr><th>Pier</th><th>Destination</th></tr>
<tr><td>1</td><td>Old town</td></tr><tr><td>2</td><td>Seal island</td></tr></table>
</body></html>
"""
RULES = [
    ["Rules of the marina", "Every boat must show its number on both sides.", "", "Speed",
     "The speed limit inside the marina is five knots."],
    ["Waste", "Oil and paint are taken at the blue container behind the workshop.",
     "Bến du thuyền cấm xả rác xuống biển."],
]  # fmt: skip
QUESTIONS = {
    "en": "How much does a day ticket for the ferry cost?",
    "zh": "灯塔建于哪一年？",
    "ar": "متى بنيت المنارة؟",
    "vi": "Ngọn hải đăng được xây năm nào?",
    "ja": "灯台はいつ建てられましたか。",
    "th": "ประภาคารสร้างขึ้นเมื่อไร",
}
"""In English about Markdown; in other languages about the lighthouse's page in that language."""
ANSWERS = {"en": "12"} | dict.fromkeys(("zh", "ar", "vi", "ja", "th"), "1887")
"""What the answer of each question must say."""
NAMES = {
    "ar": "المنارة.md",
    "de": "Leuchtturm.md",
    "ja": "灯台.md",
    "ru": "маяк.md",
    "th": "ประภาคาร.md",
    "tr": "deniz feneri.md",
    "vi": "hải đăng.md",
    "zh": "灯塔.md",
}


def write_corpus(folder: Path) -> Path:
    """Writes the documents into a new folder."""
    folder.mkdir(parents=True)
    (folder / "harbour.md").write_text(HARBOUR, "utf-8")
    (folder / "ferry.html").write_text(FERRY, "utf-8")
    ingest_files.pdf(folder / "rules.pdf", RULES, title="Rules of the marina")
    for lang, name in NAMES.items():
        title = name.removesuffix(".md")
        (folder / name).write_text(f"# {title}\n\n{TEXTS[lang]}\n", "utf-8")
    return folder


def events(text: str) -> list[tuple[str, Any]]:
    """The names and data of the server-sent events in a response."""
    import json

    found = []
    for block in text.split("\n\n"):
        fields = dict(
            line.split(": ", 1) for line in block.splitlines() if not line.startswith(":")
        )
        if fields:
            found.append((fields["event"], json.loads(fields["data"])))
    return found
