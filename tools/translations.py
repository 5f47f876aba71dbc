"""Keeps the translated pages of the guide in step with the English ones.

    python -m tools.translations               update code blocks and list the stale sections
    python -m tools.translations accept PAGE…  mark these pages as translated from today's English

English is the source. Below each heading, a translated page names the revision of the English
section that it was made from, as `<!-- source: 1a2b3c4d -->`. When the English text changes, the
translated section is stale: it is listed, the page gets a line that says that the English page is
newer, and nothing fails until somebody translates it. Code blocks are never translated beyond their
quoted texts: where another part of the English block has changed, it replaces the translated one.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tools.pages import GUIDE, ROOT, TRANSLATIONS, Block, Section, sections

NEWER = {
    "es": "[La versión inglesa de esta página]({}) es más reciente.",
    "fr": "[La version anglaise de cette page]({}) est plus récente.",
    "vi": "[Bản tiếng Anh của trang này]({}) mới hơn.",
    "zh": "[本页的英文版]({})更新。",
}


def pages() -> Iterator[tuple[Path, Path]]:
    """Each English page with each translation that it should have."""
    for original in sorted(GUIDE.glob("*.md")):
        for lang in TRANSLATIONS:
            yield original, GUIDE.parent / lang / original.name


def skeleton(block: Block) -> Any:
    """What a code block and its translation have in common: everything but the quoted texts."""
    if block.kind in ("sh", "console"):
        return re.sub(r"(?<=--lang )\w+", "", re.sub(r'"[^"]*"', '""', block.text))
    if block.kind == "python":
        tree = ast.parse(block.text)
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                node.value = ""
        return ast.dump(tree)
    if block.kind == "json":
        return [_without_strings(json.loads(line)) for line in block.text.split("\n")]
    return block.text


def _without_strings(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_strings(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_without_strings(inner) for inner in value]
    return "" if isinstance(value, str) else value


def differences(original: str, translated: str) -> list[str]:
    """How the structure of a translated page differs from the English page."""
    ours, theirs = sections(original), sections(translated)
    for one, other in zip(ours, theirs, strict=False):
        if one.level != other.level:
            return [f"the section {other.title!r} is not where {one.title!r} is in English"]
    if len(ours) != len(theirs):
        return [f"{len(theirs)} sections, but {len(ours)} in English"]
    found = []
    for one, other in zip(ours, theirs, strict=True):
        if other.source is None:
            found.append(f"{other.title!r} names no English revision")
        if [block.kind for block in one.blocks] != [block.kind for block in other.blocks]:
            found.append(f"{other.title!r} has other code blocks than {one.title!r} in English")
            continue
        found += [
            f"{other.title!r} has an old code block:\n{block.text}"
            for source, block in zip(one.blocks, other.blocks, strict=True)
            if skeleton(source) != skeleton(block)
        ]
    return found


def stale(original: str, translated: str) -> list[tuple[Section, Section]]:
    """The English and the translated section wherever the English prose has changed since."""
    return [
        (one, other)
        for one, other in zip(sections(original), sections(translated), strict=True)
        if one.revision != other.source
    ]


def updated(original: str, translated: str, note: str, accept: bool = False) -> str:
    """The translated page with today's code blocks, and with `note` if a section is stale.

    With `accept`, every section is marked as made from today's English text. The two pages must
    have the same sections.
    """
    text = ""
    behind = False
    for one, other in zip(sections(original), sections(translated), strict=True):
        source = one.revision if accept else other.source
        behind |= source != one.revision
        text += f"{'#' * other.level} {other.title}\n"
        text += f"<!-- source: {source} -->\n" if source else ""
        replace = len(one.blocks) == len(other.blocks)
        blocks = iter(one.blocks)
        for part in other.parts:
            if isinstance(part, Block):
                block = next(blocks) if replace else part
                if skeleton(block) == skeleton(part):
                    block = part
                text += f"```{block.kind}\n{block.text}\n```\n"
            elif not part.startswith("<!-- source: "):
                text += f"{part}\n"
    text = text.replace(f"> {note}\n\n", "")
    return text.replace("\n\n", f"\n\n> {note}\n\n", 1) if behind else text


def main(arguments: Sequence[str]) -> int:
    """Updates the translated pages; returns 1 if one of them has other sections than in English."""
    accepted = {Path(name).resolve() for name in arguments[1:]}
    if arguments and (arguments[0] != "accept" or not accepted):
        print(__doc__)
        return 2
    code = 0
    for original, page in pages():
        name = page.relative_to(ROOT)
        english, text = original.read_text("utf-8"), page.read_text("utf-8")
        note = NEWER[page.parent.name].format(f"../en/{page.name}")
        if [one.level for one in sections(english)] == [one.level for one in sections(text)]:
            text = updated(english, text, note, page in accepted)
            page.write_text(text, "utf-8")
            for one, other in stale(english, text):
                print(f"{name}: {other.title!r} is older than {one.title!r} in English")
        for difference in differences(english, text):
            print(f"{name}: {difference}")
            code = 1
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
