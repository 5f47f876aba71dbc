"""Passages per second of one core: analysis, language identification, sentence segmentation.

    python -m bench.language_speed FILE... --lang en

Each FILE has JSON lines with a `text`. Passages are 100 words, or 100 characters in languages whose
texts are counted in characters. Each is analysed once, so that new words occur as in indexing.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path

from anaphora.language import analyzer, counts_characters, identify, sentences


def passages(files: list[Path], lang: str) -> list[str]:
    found: list[str] = []
    for path in files:
        for line in path.open(encoding="utf-8"):
            text = json.loads(line)["text"]
            if counts_characters(lang):
                found += [text[start : start + 100] for start in range(0, len(text) - 99, 100)]
            else:
                words = text.split()
                found += [
                    " ".join(words[start : start + 100]) for start in range(0, len(words) - 99, 100)
                ]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--lang", default="en")
    arguments = parser.parse_args()
    lang = arguments.lang
    texts = passages(arguments.files, lang)
    if not texts:
        parser.error("the files hold no whole passage")
    steps: dict[str, Callable[[str], object]] = {
        "terms": analyzer(lang).terms,
        "identify": identify,
        "sentences": lambda text: sentences(text, lang),
    }
    for name, step in steps.items():
        step("load")
        start = time.process_time()
        for text in texts:
            step(text)
        seconds = time.process_time() - start
        print(f"{name:10} {len(texts):7} passages {len(texts) / seconds:9.0f} a second")


if __name__ == "__main__":
    main()
