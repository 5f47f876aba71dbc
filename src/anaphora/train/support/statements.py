"""Reads the statements that were written for training, one file for each language.

A block is about one passage, whose title is its first line; the passage itself is in the files that
`anaphora.train.crossencoder.passages` reads. Each further line is a statement:

    # Title
    + a statement that the passage supports
    => vi: the same statement in Vietnamese
    =! vi KIND: the same, with {words that the passage does not support}
    & a statement that joins facts of several sentences of the passage
    ? a question => an answer that the passage supports
    - KIND: a statement with {words that the passage does not support}
    ~ a question => an answer with {words that the passage does not support}

`python -m anaphora.train.support.statements FOLDER` checks the files of the folder `training`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from anaphora.errors import MalformedData
from anaphora.language import language_code
from anaphora.records import Passage
from anaphora.train.corpora import Part, bucket
from anaphora.train.crossencoder.passages import Block, written_passages
from anaphora.train.text import TrainingText

KINDS: Final = (
    "number", "date", "name", "unit", "negation", "role", "added", "cause", "strength",
)  # fmt: skip
"""What is altered in an unsupported statement."""
_ANSWER: Final = "answer"
_ASKED, _SUPPORTED = "?~", "+&"
_SEPARATOR: Final = " => "
_BRACED: Final = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True)
class Statement:
    """A statement about a passage.

    Attributes:
        lang: its language, which may be another one than the passage's.
        kind: what was altered, one of `KINDS` or "answer"; empty if the passage supports it.
        unsupported: the character ranges that the passage does not support.
        question: what the statement answers; may be empty.
        joins: whether it joins facts of several sentences.
        original: the statement in the passage's language that it translates; may be empty.
    """

    text: str
    lang: str
    passage: Passage
    kind: str = ""
    unsupported: tuple[tuple[int, int], ...] = ()
    question: str = ""
    joins: bool = False
    original: str = ""

    @property
    def supported(self) -> bool:
        return not self.unsupported

    @property
    def part(self) -> Part:
        """Whether it is trained on, tuned on or reported on."""
        return title_part(self.passage)


def title_part(passage: Passage) -> Part:
    """The part of a passage by the hash of its title, for a page that of its manual: 80 % are
    trained on."""
    title = passage.title.split(" › ")[0]
    number = bucket(f"{passage.lang} {title}", 10)
    return "report" if number == 0 else "tune" if number == 1 else "train"


def written_statements(text: TrainingText) -> list[Statement]:
    """All statements in the files of the folder `statements`, by language.

    Raises:
        MalformedData: a line is not as the format says, or a title is not that of a passage.
    """
    blocks = [*written_passages(text.passages), *written_passages(text.manuals)]
    passages = {(block.passage.lang, block.passage.title): block for block in blocks}
    return [
        statement
        for path in sorted(text.statements.glob("*.txt"))
        for statement in _file(path, passages)
    ]


def _file(path: Path, passages: Mapping[tuple[str, str], Block]) -> Iterator[Statement]:
    passage: Passage | None = None
    last: Statement | None = None
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        line = line.strip()
        if not line:
            continue
        try:
            mark, _, rest = line.partition(" ")
            if mark == "#":
                passage, last = passages[path.stem, rest].passage, None
            elif passage is None:
                raise ValueError("no title precedes this line")
            elif mark in ("=>", "=!"):
                yield _translation(mark, rest, last)
            else:
                last = _statement(mark, rest, passage)
                yield last
        except KeyError as error:
            raise MalformedData(f"{path}, line {number}: no passage has this title") from error
        except ValueError as error:
            raise MalformedData(f"{path}, line {number}: {error}") from error


def _statement(mark: str, rest: str, passage: Passage) -> Statement:
    kind = question = ""
    if mark == "-":
        kind, colon, rest = rest.partition(":")
        if not colon or kind not in KINDS:
            raise ValueError(f"the kind of an unsupported statement is one of {', '.join(KINDS)}")
    elif mark in tuple(_ASKED):
        question, separator, rest = rest.partition(_SEPARATOR)
        if not separator:
            raise ValueError(f"the question is not followed by {_SEPARATOR.strip()!r}")
        kind = _ANSWER if mark == "~" else ""
    elif mark not in tuple(_SUPPORTED):
        raise ValueError(f"a line begins with one of # + & ? - ~ => =!, not {mark!r}")
    text, unsupported = _unbraced(rest.strip())
    if bool(unsupported) != bool(kind):
        raise ValueError("braces enclose what is not supported, in lines with - and ~ alone")
    if not text:
        raise ValueError("the statement is empty")
    return Statement(
        text, passage.lang, passage, kind, unsupported, question.strip(), joins=mark == "&"
    )


def _translation(mark: str, rest: str, last: Statement | None) -> Statement:
    first, colon, text = rest.partition(": ")
    code, _, kind = first.partition(" ")
    if last is None or last.unsupported or last.question or not colon:
        raise ValueError("a translation follows a line with + or &, as in '=> vi: …'")
    plain, unsupported = _unbraced(text.strip())
    if (mark == "=!") != bool(unsupported) or (kind in KINDS) != bool(unsupported):
        raise ValueError("of translations, those with =! have a kind and braces, and no others")
    lang = language_code(code)
    return Statement(
        plain, lang, last.passage, kind, unsupported, joins=last.joins, original=last.text
    )


def _unbraced(text: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """A text without its braces, and the character ranges that they enclosed.

    >>> _unbraced("In {1998} it won.")
    ('In 1998 it won.', ((3, 7),))
    """
    ranges = []
    plain = ""
    end = 0
    for match in _BRACED.finditer(text):
        plain += text[end : match.start()]
        if match[1].strip():
            ranges.append((len(plain), len(plain) + len(match[1])))
        plain += match[1]
        end = match.end()
    plain += text[end:]
    if "{" in plain or "}" in plain:
        raise ValueError("a brace is not closed, or not opened")
    return plain, tuple(ranges)


if __name__ == "__main__":
    found = written_statements(TrainingText(Path(sys.argv[1])))
    print(f"{len(found)} statements, {sum(one.supported for one in found)} of them supported")
