"""The parts of a Markdown page: sections, code blocks, commands and tables."""

from __future__ import annotations

import hashlib
import itertools
import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
GUIDE = ROOT / "docs" / "en"
TRANSLATIONS = ("es", "fr", "vi", "zh")
_HEADING = re.compile(r"(#+) +(.*)")
_SOURCE = re.compile(r"<!-- source: (\w+) -->")


@dataclass(frozen=True)
class Block:
    """A fenced code block: the word after the fence, and the lines between the fences."""

    kind: str
    text: str


@dataclass(frozen=True)
class Section:
    """A heading and the lines up to the next heading of any level."""

    level: int
    title: str
    lines: tuple[str, ...]

    @property
    def source(self) -> str | None:
        """The revision of the English section that this translated section was made from."""
        comments = filter(None, map(_SOURCE.fullmatch, self.prose.split("\n")))
        return next((comment[1] for comment in comments), None)

    @property
    def prose(self) -> str:
        """The text without the code blocks."""
        return "\n".join(part for part in self.parts if isinstance(part, str))

    @property
    def blocks(self) -> list[Block]:
        return [part for part in self.parts if isinstance(part, Block)]

    @property
    def parts(self) -> list[str | Block]:
        """The lines of the text and the code blocks between them, in order."""
        found: list[str | Block] = []
        lines = iter(self.lines)
        for line in lines:
            if line.startswith("```"):
                code = "\n".join(itertools.takewhile(lambda one: one != "```", lines))
                found.append(Block(line[3:].strip(), code))
            else:
                found.append(line)
        return found

    @property
    def revision(self) -> str:
        """A hash of the heading and the text; line breaks and code blocks do not change it."""
        text = " ".join(f"{self.title} {self.prose}".split())
        return hashlib.sha256(text.encode()).hexdigest()[:8]


def sections(text: str) -> list[Section]:
    """The sections of a page, which begins with a heading.

    Raises:
        ValueError: the page does not begin with a heading, or a code block does not end.
    """
    found: list[tuple[int, str, list[str]]] = []
    fenced = False
    for line in text.rstrip("\n").split("\n"):
        fenced ^= line.startswith("```")
        heading = None if fenced else _HEADING.fullmatch(line)
        if heading:
            found.append((len(heading[1]), heading[2], []))
        elif found:
            found[-1][2].append(line)
        else:
            raise ValueError(f"no heading before {line!r}")
    if fenced:
        raise ValueError("the last code block does not end")
    return [Section(level, title, tuple(lines)) for level, title, lines in found]


def blocks(page: Path) -> list[Block]:
    return [block for section in sections(page.read_text("utf-8")) for block in section.blocks]


def commands(page: Path) -> list[str]:
    """The command lines on a page that begin with `anaphora`."""
    return [
        line.removeprefix("$ ")
        for block in blocks(page)
        if block.kind in ("sh", "console")
        for line in block.text.split("\n")
        if line.removeprefix("$ ").startswith("anaphora ")
    ]


def table(page: Path, heading: str) -> dict[str, list[str]]:
    """The rows of the table in a section: the first cell without backticks -> the other cells."""
    (prose,) = [
        section.prose for section in sections(page.read_text("utf-8")) if section.title == heading
    ]
    found = {}
    for line in prose.split("\n"):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| `"):
            found[cells[0].strip("`")] = cells[1:]
    return found


def marked(mark: str) -> list[str]:
    """The lines of the README's code block after `<!-- mark -->`."""
    _, found, rest = README.read_text("utf-8").partition(f"\n<!-- {mark} -->\n```")
    if not found:
        raise ValueError(f"README.md has no code block after <!-- {mark} -->")
    return rest.partition("\n```")[0].split("\n")[1:]
