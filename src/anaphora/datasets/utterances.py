"""Incomplete utterances and their restoration: REWRITE, and MULTI (Restoration-200K)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from anaphora.datasets.building import alternating, conversation, solid
from anaphora.datasets.example import Example, Format
from anaphora.datasets.json_stream import lines, malformed
from anaphora.datasets.sniffing import head

_SPLIT = "<split>"
_BORDER = "||"
_KEPT = 0.4
"""A rewrite keeps more than this fraction of the utterance's pairs of characters."""
_BESIDE_WIDE = re.compile(r"(?<=[^\x00-\x7f]) +| +(?=[^\x00-\x7f])")


def recognises_rewrite(path: Path) -> bool:
    start = [row.rstrip() for row in head(path).split("\n")[:10] if row.strip()]
    rows = [row.split(_parting(start[0])) for row in start]
    if path.suffix != ".txt" or not rows or not all(len(row) > 2 for row in rows):
        return False
    pairs = [(row[-2][at : at + 2], row[-1]) for row in rows for at in range(len(row[-2]) - 1)]
    return sum(pair in rewrite for pair, rewrite in pairs) > _KEPT * len(pairs)


def rewrite_examples(path: Path) -> Iterator[Example]:
    """Columns separated by one tab or by two: the utterances of alternating speakers, the last of
    them the user, and then the rewrite of the last utterance. The id is the line's number."""
    parting = ""
    for number, line in lines(path):
        parting = parting or _parting(line)
        said = [text.strip() for text in line.split(parting)]
        if len(said) < 2 or not said[-1] or not said[-2]:
            what = "needs the utterances and, after the last one, its rewrite, separated by tabs"
            raise malformed(path, f"line {number}", what)
        yield _example(path, number, said[:-1], said[-1])


def recognises_multi(path: Path) -> bool:
    start = head(path).split("\n")[0]
    return path.suffix == ".sr" and _BORDER in start and path.with_suffix(".tr").is_file()


def multi_examples(path: Path) -> Iterator[Example]:
    """`train.sr` has a line `utterance <split> utterance || last utterance | words to restore`,
    and `train.tr` the rewrite in the same line. Both put spaces between the characters
    of Chinese, which are left out here. The example's id is the line's number."""
    rewritten = path.with_suffix(".tr")
    rewrites = dict(lines(rewritten))
    for number, line in lines(path):
        before, border, last = line.rpartition("|")[0].rpartition(_BORDER)
        said = [_joined(text) for text in (*before.split(_SPLIT), last)]
        if not border or not said[-1]:
            what = f'needs utterances, "{_BORDER}", the last one, "|" and the words to restore'
            raise malformed(path, f"line {number}", what)
        rewrite = _joined(rewrites.pop(number, ""))
        if not rewrite:
            raise malformed(rewritten, f"line {number}", f"the rewrite is missing; {path} has more")
        yield _example(path, number, said, rewrite)
    if rewrites:
        raise malformed(rewritten, f"line {min(rewrites)}", f"has no counterpart in {path}")


def _example(path: Path, number: int, said: list[str], rewrite: str) -> Example:
    *history, question = said
    spoken = alternating(history, "assistant" if len(history) % 2 else "user")
    identity = solid(f"{path.stem}#{number}")
    return Example(conversation(identity, spoken, question), rewrites=(rewrite,))


def _parting(line: str) -> str:
    return "\t\t" if "\t\t" in line else "\t"


def _joined(text: str) -> str:
    """Without the spaces next to a character that is not ASCII.

    >>> _joined(" i p h o n e  很 好 用 ")
    'i p h o n e很好用'
    """
    return _BESIDE_WIDE.sub("", text.strip())


REWRITE = Format(
    name="rewrite",
    title="REWRITE: Chinese utterances with what they leave out restored",
    licence="not stated",
    home="https://github.com/chin-gyou/dialogue-utterance-rewriter",
    recognises=recognises_rewrite,
    examples=rewrite_examples,
)
MULTI = Format(
    name="multi",
    title="MULTI (Restoration-200K): Chinese multi-turn utterances, restored",
    licence="not stated",
    home="https://ai.tencent.com/ailab/nlp/dialogue/",
    recognises=recognises_multi,
    examples=multi_examples,
)
