"""Small manuals in eleven scripts, and an encoder whose vectors hide what their texts are about."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from zlib import crc32

import numpy as np

SENTENCES = {
    "en": ("The valve {} opens after {} turns of the small red wheel.", "aeiou", "bdklmnrt"),
    "vi": ("Chiếc van {} mở ra sau {} vòng quay của bánh xe nhỏ.", "ăâêôơư", "bchklmnt"),
    "ru": ("Клапан {} откроется после {} оборотов маленького красного колеса.", "аеиоу", "бвгдкл"),
    "el": ("Η βαλβίδα {} ανοίγει μετά από {} στροφές του μικρού τροχού.", "αεηιο", "βγδκλμν"),
    "he": ("השסתום {} נפתח אחרי {} סיבובים של הגלגל האדום הקטן.", "אוי", "בגדכלמנ"),
    "ar": ("يفتح الصمام {} بعد {} دورات من العجلة الحمراء الصغيرة.", "اوي", "بتثجحدرس"),
    "hi": ("वाल्व {} छोटे लाल पहिये के {} चक्कर के बाद खुलता है।", "कगचज", "तदनपबम"),
    "th": ("วาล์ว {} จะเปิดหลังจากหมุนวงล้อสีแดงเล็ก {} รอบแล้วเท่านั้น\n", "กขคงจ", "ชดตถท"),
    "zh": ("阀门{}在小红轮转动{}圈之后打开。", "山水木火土", "金玉石云雨"),
    "ja": ("弁{}は小さな赤い車輪を{}回まわすと開きます。", "あいうえお", "かきくさしす"),
    "ko": ("밸브 {} 은 작은 빨간 바퀴를 {} 번 돌린 뒤에 열립니다.", "가나다라", "마바사아자"),
}
"""For each language a sentence about a thing and a number, and letters that names alternate of."""
WIDTH = 64


def write(folder: Path, documents: int = 11, sentences: int = 24) -> Path:
    """Writes manuals whose sections repeat the name of a thing in every sentence."""
    rng = random.Random(0)
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(documents):
        lang = list(SENTENCES)[number % len(SENTENCES)]
        sentence, one, other = SENTENCES[lang]
        parts = [f"# {number}"]
        for _ in range(2):
            name = "".join(rng.choice(letters) for _ in range(3) for letters in (other, one))
            lines = [sentence.format(name, number * 100 + count) for count in range(sentences)]
            parts += [f"## {name}", " ".join(lines)]
        (folder / f"{number:02}-{lang}.md").write_text("\n\n".join(parts), "utf-8")
    return folder


class Encoder:
    """Vectors of the letters of a text, to each of which one direction is added: by as much for
    every query, and by another amount for each passage."""

    dimensions = WIDTH

    def __init__(self, name: str, added: float) -> None:
        self.name = name
        self._added = added

    def encode_queries(self, texts: Sequence[str]) -> np.ndarray:
        return self._encoded(texts, lambda text: 1.0)

    def encode_passages(
        self, texts: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> np.ndarray:
        if progress:
            progress(len(texts))
        return self._encoded(texts, lambda text: crc32(text.encode()) / 2**31)

    def _encoded(self, texts: Sequence[str], amount: Callable[[str], float]) -> np.ndarray:
        vectors = np.zeros((len(texts), WIDTH), dtype=np.float32)
        for vector, text in zip(vectors, texts, strict=True):
            for at in range(len(text) - 2):
                vector[1 + crc32(text[at : at + 3].encode()) % (WIDTH - 1)] += 1
            vector /= np.linalg.norm(vector) or 1
            vector[0] = self._added * amount(text)
            vector /= np.linalg.norm(vector) or 1
        return vectors


def hidden() -> Encoder:
    """A shift of its queries finds more."""
    return Encoder("support.manuals:hidden", 1.0)


def plain() -> Encoder:
    """A shift of its queries finds no more."""
    return Encoder("support.manuals:plain", 0.0)


class _Stopped(Encoder):
    def encode_queries(self, texts: Sequence[str]) -> np.ndarray:
        raise KeyboardInterrupt


def stopped() -> Encoder:
    """Whoever encodes questions presses Ctrl-C."""
    return _Stopped("support.manuals:stopped", 1.0)
