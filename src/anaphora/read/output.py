"""The sentences of a model's output, as it arrives.

The output is JSON by the schema of `anaphora.read.prompts`, or text with citation marks: "Zappa
died in 1993 [2]." Reasoning and tool calls are not a part of the answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from anaphora.language import sentences

NOTHING = "NONE"
"""What a model writes that finds no answer in the documents."""

MOST_CHARACTERS = 60_000
"""Of one completion, with its reasoning."""
MOST_SENTENCES = 12
_MOST_CITED = 8
_LONGEST = 1200
"""Letters of a sentence; text that has none so long is not prose."""
_LONGEST_LINE = 8000
"""Characters of an unfinished sentence with its citation marks."""
_MOST_REPEATED = 3
"""Sentences that may repeat others before the rest counts as a loop."""

_REASONING = r"(?:think|thinking|thought|reasoning|reflection|analysis)"
_OPENED = re.compile(rf"(?i)<{_REASONING}>|<\|channel\|>(?:analysis|commentary)")
_CLOSED = re.compile(rf"(?i)</{_REASONING}>|<\|channel\|>final<\|message\|>")
_PARTIAL = re.compile(r"<[^<>\s]{0,40}$")
_NUMBERS = r"(?:[^\W\d]{1,12}\s?)?\d{1,6}(?:\s*[,，、;–-]\s*\d{1,6})*"
_MARK = re.compile(rf"\s*[\[［【]\s*({_NUMBERS})\s*(?:†[^\]】]*)?[\]］】]")
_MARKS = re.compile(rf"(?:{_MARK.pattern.replace('(' + _NUMBERS, '(?:' + _NUMBERS, 1)})+")
_ITEM = re.compile(r"\s*(?:[-*•‣◦–—]|\d{1,2}[.)])\s+")
_UNSPACED = frozenset({"th", "lo", "km", "my"})
"""Languages whose sentences have no stop, so that a citation ends one."""
_ENDS = ("]", "】", ".", "!", "?", "。", "！", "？", "।", "؟", "۔")
_FENCE = re.compile(r"^\s*```\w*\s*")


@dataclass(frozen=True, slots=True)
class Written:
    """A sentence of the output.

    Attributes:
        text: without its citation marks, otherwise as it was written.
        numbers: those that it cites, each once.
        begins_line: whether it begins a line, as the item of a list does.
    """

    text: str
    numbers: tuple[int, ...]
    begins_line: bool = False


class Output:
    """Reads the parts of an output and gives its sentences as soon as they are complete.

    >>> output = Output("en")
    >>> [one.text for part in ("Zappa di", "ed [2]. He", " sang [3].") for one in output.add(part)]
    ['Zappa died.']
    >>> output.end()
    [Written(text='He sang.', numbers=(3,), begins_line=False)]
    """

    def __init__(self, lang: str) -> None:
        self._lang = lang
        self._size = 0
        self._raw = ""
        self._thinking = False
        self._text = ""
        self._json: bool | None = None
        self._line = False
        self._seen: dict[str, int] = {}
        self._count = 0
        self.full = False
        """Whether the rest is not worth reading: the output is too long, or repeats itself."""
        self.nothing = False
        """Whether the model wrote that it found no answer."""

    def add(self, part: str) -> list[Written]:
        """The sentences that are complete with the next part."""
        if self.full:
            return []
        self._size += len(part)
        self.full = self.full or self._size > MOST_CHARACTERS
        self._raw += part
        self._text += self._said(last=False)
        return self._kept(self._complete())

    def end(self, complete: bool = True) -> list[Written]:
        """The other sentences; without the last one if the limit on tokens cut it."""
        self._text += self._said(last=True)
        if self._text.strip().strip(".。'\"`*") == NOTHING:
            self.nothing = True
            return []
        found = list(self._complete())
        if not self._json and (complete or self._text.rstrip().endswith(_ENDS)):
            found += self._sentences(self._text)
        return self._kept(iter(found))

    def _said(self, last: bool) -> str:
        """What came since the last call, without reasoning."""
        said: list[str] = []
        while self._raw:
            if self._thinking:
                closed = _CLOSED.search(self._raw)
                if closed is None:
                    # The end of the tag may still come.
                    self._raw = self._raw[-40:]
                    break
                self._raw, self._thinking = self._raw[closed.end() :], False
                continue
            opened = _OPENED.search(self._raw)
            if opened:
                said.append(self._raw[: opened.start()])
                self._raw, self._thinking = self._raw[opened.end() :], True
                continue
            partial = None if last else _PARTIAL.search(self._raw)
            at = partial.start() if partial else len(self._raw)
            said.append(self._raw[:at])
            self._raw = self._raw[at:]
            break
        text = "".join(said)
        # Some chat templates open the reasoning in the prompt, so that only its end is seen.
        closed = _CLOSED.search(text)
        if closed and not self._count:
            self._text = ""
            return text[closed.end() :]
        return text

    def _complete(self) -> Iterator[Written]:
        if self._json is None:
            begun = _FENCE.sub("", self._text).lstrip()
            if not begun or begun.startswith("`"):
                return
            self._json = bool(re.match(r"\{|\[\s*\{", begun))
        yield from self._objects() if self._json else self._prose()

    def _objects(self) -> Iterator[Written]:
        """The sentences of the JSON so far."""
        decoder = json.JSONDecoder()
        while True:
            start = self._text.find("{", 1 if self._text.lstrip().startswith("{") else 0)
            if start < 0 or "}" not in self._text[start:]:
                self.full = self.full or len(self._text) > 2 * _LONGEST
                return
            try:
                value, end = decoder.raw_decode(self._text, start)
            except (ValueError, RecursionError):
                self.full = self.full or len(self._text) - start > 2 * _LONGEST
                return
            self._text = "," + self._text[end:]
            for one in _from_json(value):
                # An object may hold several sentences, and each is checked by itself.
                for begin, stop in sentences(one.text, self._lang):
                    yield Written(one.text[begin:stop], one.numbers)

    def _prose(self) -> Iterator[Written]:
        while True:
            line, newline, rest = self._text.partition("\n")
            if newline:
                # Marks may stand in a line of their own below their sentence.
                yield from self._sentences(line)
                self._text, self._line = rest, True
                continue
            found = self._first(line)
            if found is None:
                self.full = self.full or len(line) > _LONGEST_LINE or _letters(line) > _LONGEST
                return
            yield from self._sentences(line[:found])
            self._text = line[found:]

    def _first(self, line: str) -> int | None:
        """Where the first sentence of an unfinished line ends, with its marks, if it has ended."""
        ends = [end for _, end in sentences(line, self._lang)][:-1]
        if self._lang in _UNSPACED:
            ends += [marks.end() for marks in _MARKS.finditer(line)]
        for end in sorted(ends):
            marks = _MARKS.match(line, end)
            end = marks.end() if marks else end
            rest = line[end:].strip()
            if rest and rest[0] not in "[［【":
                return end
        return None

    def _sentences(self, text: str) -> Iterator[Written]:
        """The sentences of a whole line or part of it."""
        while text.strip():
            end = self._first(text) or len(text)
            yield self._written(text[:end])
            text = text[end:]

    def _written(self, text: str) -> Written:
        numbers = tuple(number for mark in _MARK.finditer(text) for number in _numbers(mark[1]))
        item = _ITEM.match(text)
        begins, self._line = self._line, False
        bare = _MARK.sub("", text[item.end() if item else 0 :])
        return Written(bare.strip(), tuple(dict.fromkeys(numbers))[:_MOST_CITED], begins)

    def _kept(self, found: Iterator[Written]) -> list[Written]:
        """The sentences that say something, up to the most of one answer."""
        kept: list[Written] = []
        for one in found:
            if self.full:
                break
            key = "".join(filter(str.isalnum, one.text.casefold()))
            if not key or one.text.strip(".*`") == NOTHING:
                self.nothing = self.nothing or bool(key)
                continue
            self._seen[key] = self._seen.get(key, 0) + 1
            self._count += 1
            self.full = self._count >= MOST_SENTENCES or self._seen[key] > _MOST_REPEATED
            kept.append(one)
        return kept


def _letters(text: str) -> int:
    return sum(map(str.isalpha, text)) if len(text) > _LONGEST else 0


def _numbers(mark: str) -> list[int]:
    """The numbers of a citation mark; a range counts as its ends and what is between them.

    >>> _numbers("2, 5"), _numbers("3-5"), _numbers("1-99999")
    ([2, 5], [3, 4, 5], [1, 99999])
    """
    found: list[int] = []
    for first, second in re.findall(r"(\d+)(?:\s*[–-]\s*(\d+))?", mark):
        start, stop = int(first), int(second or first)
        close = start <= stop < start + _MOST_CITED
        found += range(start, stop + 1) if close else dict.fromkeys((start, stop))
    return found


def _from_json(value: Any) -> Iterator[Written]:
    """The sentence of an object, or those of all objects in it."""
    if not isinstance(value, dict):
        return
    text, numbers = value.get("text"), value.get("numbers")
    if not isinstance(text, str):
        for inner in value.values():
            for one in inner if isinstance(inner, list) else ():
                yield from _from_json(one)
        return
    listed = numbers if isinstance(numbers, list) else []
    found = [one for one in listed if isinstance(one, int) and not isinstance(one, bool)]
    found += [number for mark in _MARK.finditer(text) for number in _numbers(mark[1])]
    bare = _MARK.sub("", text)
    yield Written(" ".join(bare.split()), tuple(dict.fromkeys(found))[:_MOST_CITED])
