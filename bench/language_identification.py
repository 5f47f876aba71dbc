"""Accuracy and speed of language identification.

    python -m bench.language_identification DATA [--json OUT]

DATA is a folder with `xquad`, `cmrc2018_zh`, `drcd_zh_tw`, `jsquad_ja`, `arcd_ar`, `persianqa_fa`,
`poquad_pl` (SQuAD format), `mkqa_dev/mkqa-{lang}.jsonl` and `xorqa_dev/*.jsonl` (`question`, and
`lang` in the second); missing files are left out, and so are py3langid and eldc where they are
not installed. Accuracy is the mean over the languages of a kind of text; times are microseconds per
text, all in the same run. Follow-ups are the first one, two or three words of one question after
another question of the same language.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from anaphora.language import counts_characters, identify, identify_question
from anaphora.records import Conversation, Turn

Identifier = Callable[[str], str]
Texts = dict[str, list[str]]

SQUADS = [
    *((lang, f"xquad/xquad.{lang}.json") for lang in ("ar", "de", "en", "es", "ru", "vi", "zh")),
    ("ja", "jsquad_ja/valid-v1.3.json"),
    ("zh", "cmrc2018_zh/cmrc2018_dev.json"),
    ("zh", "drcd_zh_tw/DRCD_dev.json"),
    ("ar", "arcd_ar/arcd-test.json"),
    ("fa", "persianqa_fa/pqa_test.json"),
    ("pl", "poquad_pl/data.json"),
]


@dataclass(frozen=True)
class Row:
    texts: str
    identifier: str
    accuracy: float
    microseconds: float
    languages: dict[str, float]


def load(data: Path) -> tuple[Texts, Texts, Texts]:
    passages: Texts = {}
    questions: Texts = {}
    mixed: Texts = {}
    for lang, name in SQUADS:
        if (data / name).is_file():
            for article in json.loads((data / name).read_text(encoding="utf-8"))["data"]:
                for paragraph in article["paragraphs"]:
                    passages.setdefault(lang, []).append(paragraph["context"].strip("\ufeff \n"))
                    questions.setdefault(lang, []).extend(
                        item["question"] for item in paragraph["qas"]
                    )
    for path in sorted((data / "xorqa_dev").glob("*.jsonl")):
        for line in path.open(encoding="utf-8"):
            item = json.loads(line)
            questions.setdefault(item["lang"], []).append(item["question"])
    for path in sorted((data / "mkqa_dev").glob("mkqa-*.jsonl")):
        lang = path.stem.removeprefix("mkqa-")[:2]
        mixed[lang] = [json.loads(line)["question"] for line in path.open(encoding="utf-8")]
    return passages, questions, mixed


def sampled(texts: Texts, most: int, shortest: int = 0) -> Texts:
    chance = random.Random(1)
    kept = {lang: [text for text in group if len(text) > shortest] for lang, group in texts.items()}
    return {
        lang: chance.sample(group, min(most, len(group))) for lang, group in kept.items() if group
    }


def beginning(text: str, lang: str, words: int) -> str:
    return text[: 2 * words] if counts_characters(lang) else " ".join(text.split()[:words])


def identifiers() -> dict[str, Identifier]:
    found: dict[str, Identifier] = {"anaphora": identify}
    try:
        import eldc

        eldc.init()
        found["eldc"] = eldc.detect
    except ImportError:
        print("eldc is not installed: left out", file=sys.stderr)
    try:
        import py3langid

        found["py3langid"] = lambda text: py3langid.classify(text)[0]
    except ImportError:
        print("py3langid is not installed: left out", file=sys.stderr)
    return found


def measure(label: str, name: str, identifier: Callable[[str, str], str], texts: Texts) -> Row:
    right: dict[str, float] = {}
    seconds, count = 0.0, 0
    for lang, group in sorted(texts.items()):
        start = time.process_time()
        answers = [identifier(text, lang) for text in group]
        seconds += time.process_time() - start
        count += len(group)
        right[lang] = round(sum(answer == lang for answer in answers) / len(group), 4)
    row = Row(
        label,
        name,
        round(sum(right.values()) / len(right), 4),
        round(seconds / count * 1e6, 1),
        right,
    )
    shown = " ".join(f"{lang}:{100 * share:.0f}" for lang, share in right.items())
    print(f"{row.texts:22} {row.identifier:24} {row.accuracy:.4f} {row.microseconds:7.1f}  {shown}")
    return row


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path, help="the folder with the question sets")
    parser.add_argument("--json", type=Path, help="where to write the rows")
    arguments = parser.parse_args()
    passages, questions, mixed = load(arguments.data)
    if not (questions or mixed):
        parser.error(f"{arguments.data} holds none of the sets; --help lists them")
    kinds = {
        "passages": sampled(passages, 300, 60),
        "passages, 200 chars": {
            lang: [text[:200] for text in group]
            for lang, group in sampled(passages, 300, 60).items()
        },
        "questions": sampled(questions, 400),
        "questions naming titles": sampled(mixed, 400),
    }
    rows: list[Row] = []
    print(f"{'texts':22} {'identifier':24} {'acc.':6} {'us/text':>7}  by language, per cent")
    for label, texts in kinds.items():
        for name, identifier in identifiers().items():
            identifier("warm up")
            rows.append(
                measure(label, name, lambda text, _, identifier=identifier: identifier(text), texts)
            )
    both = {
        lang: questions.get(lang, []) + mixed.get(lang, []) for lang in sorted({*questions, *mixed})
    }
    for words in (1, 2, 3):
        pairs = {
            lang: [
                (first, start)
                for first, second in zip(group[::2], group[1::2], strict=False)
                if (start := beginning(second, lang, words))
            ]
            for lang, group in sampled(both, 400).items()
        }
        before = {lang: {start: first for first, start in group} for lang, group in pairs.items()}
        starts = {lang: list(group) for lang, group in before.items()}

        def in_conversation(
            text: str, lang: str, before: dict[str, dict[str, str]] = before
        ) -> str:
            turns = (Turn("user", before[lang][text]), Turn("user", text))
            return identify_question(Conversation(turns))

        label = f"follow-ups, {words} word{'s' * (words > 1)}"
        rows.append(measure(label, "anaphora, conversation", in_conversation, starts))
        for name, identifier in identifiers().items():
            rows.append(
                measure(
                    label, name, lambda text, _, identifier=identifier: identifier(text), starts
                )
            )
    if arguments.json:
        arguments.json.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n")


if __name__ == "__main__":
    main()
