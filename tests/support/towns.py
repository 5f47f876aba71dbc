"""Questions and passages about invented towns in eight scripts, for the training of retrievers."""

from __future__ import annotations

import json
import random
from pathlib import Path

FORMS = {
    "fr": ("Où se trouve {} ?", "{} est une ville au bord de la mer.", "aeiou", "lmnrstvb"),
    "vi": ("{} nằm ở đâu?", "Thành phố {} nằm bên bờ biển.", "ăâêôơư", "bchklmnt"),
    "ru": ("Где находится {}?", "Город {} стоит на берегу моря.", "аеиоу", "бвгдклмн"),
    "tr": ("{} nerede?", "{} şehri deniz kıyısındadır.", "aeıioö", "bçdğklmş"),
    "zh": ("{}在哪里？", "{}是一座海边的城市。", "山水木火土", "金玉石云雨"),
    "ja": ("{}はどこですか。", "{}は海のそばの町です。", "あいうえお", "かきくさしす"),
    "th": ("{}อยู่ที่ไหน", "เมือง{}อยู่ริมทะเล", "กขคงจ", "ชดตถท"),
    "ar": ("أين تقع {}؟", "{} مدينة على شاطئ البحر.", "اويه", "بتثجحدرس"),
}
"""For each language a question, its passage, and letters that names alternate between."""


def pairs(seed: int, count: int) -> list[tuple[str, str, str]]:
    """`count` triples of question, passage and language."""
    rng = random.Random(seed)
    found = []
    for number in range(count):
        lang = list(FORMS)[number % len(FORMS)]
        question, passage, one, other = FORMS[lang]
        name = "".join(rng.choice(letters) for _ in range(3) for letters in (other, one))
        found.append((question.format(name), passage.format(name), lang))
    return found


def letters() -> str:
    """Every character that `pairs` can give."""
    return "".join("".join(form) for form in FORMS.values())


def write(path: Path, triples: list[tuple[str, str, str]], negatives: bool = True) -> Path:
    """Writes pairs as JSON lines, each with the passage before as a negative."""
    lines = [
        {
            "query": question,
            "positives": [passage],
            "negatives": [triples[row - 1][1]] if negatives else [],
            "lang": lang,
        }
        for row, (question, passage, lang) in enumerate(triples)
    ]
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    path.write_text(text, "utf-8")
    return path
