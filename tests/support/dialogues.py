"""DialDoc's format with a few dialogues written for these tests, and what readers get of them."""

from __future__ import annotations

import json
from pathlib import Path

from anaphora.records import Hit, Passage

FACTS = [
    ("La chaudière est à la cave.", "Où est la chaudière ?", "à la cave"),
    ("锅炉在地下室。", "锅炉在哪里？", "在地下室"),
    ("ボイラーは地下にある。", "ボイラーはどこ？", "地下にある"),
    ("หม้อไอน้ำอยู่ชั้นล่าง", "หม้อไอน้ำอยู่ไหน", "อยู่ชั้นล่าง"),
    ("الغلاية في القبو.", "أين الغلاية؟", "في القبو"),
    ("Nồi hơi ở tầng hầm.", "Nồi hơi ở đâu?", "ở tầng hầm"),
    ("Котёл стоит в подвале.", "Где котёл?", "в подвале"),
    ("Kazan bodrumda.", "Kazan nerede?", "bodrumda"),
]
LETTERS = "".join(
    ["".join(fact) for fact in FACTS]
    + ["question: title: context: history: | 0123456789 merci oui ? // fr-Health Guide"]
)
"""Every character that is read or written."""


def hits(*texts: str, title: str = "Guide") -> list[Hit]:
    """Passages, the best first."""
    return [
        Hit(Passage(f"p{rank}", "d", title, text, "fr", end=len(text)), 1 / rank, rank)
        for rank, text in enumerate(texts, 1)
    ]


def write(folder: Path) -> Path:
    """Writes a retrieval file with responses, and its passages; returns the file."""
    folder.mkdir(parents=True, exist_ok=True)
    passages = [f"{text} // Guide // fr-Health" for text, _, _ in FACTS]
    (folder / "passages.fr.json").write_text(json.dumps(passages, ensure_ascii=False), "utf-8")
    lines = [
        {
            "query": f"<last_turn> {question} <agent> merci <user> oui ?",
            "positive": passage,
            "negative": passages[row - 1],
            "response": f"<response> {answer}",
        }
        for row, (passage, (_, question, answer)) in enumerate(zip(passages, FACTS, strict=True))
    ]
    file = folder / "FrDoc2BotRetrieval_train.json"
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    file.write_text(text, "utf-8")
    return file
