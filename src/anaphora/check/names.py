"""Names, quotations and code of a statement, and whether its evidence holds them.

Names are compared by words, with the endings that inflection gives them. A name that is written in
another script or translated cannot be compared: between languages only code, quotations and Latin
words inside other writing count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from anaphora.check.lexicon import words
from anaphora.language import analyzer, ascii_digits, normalize, scripts, stop_words

Kind: TypeAlias = Literal["name", "code", "quotation", "foreign"]
"""A capitalised word; code or a mixed word such as "IPv6"; a quotation; a word in another script
than the one around it."""


@dataclass(frozen=True, slots=True)
class Name:
    """A name at a place of a statement."""

    start: int
    end: int
    kind: Kind


_CASED: Final = frozenset({"Latin", "Cyrillic", "Greek", "Armenian"})
_EVERY_NOUN: Final = frozenset({"de", "lb"})
"""Languages that capitalise every noun: there the last one of several in a row is a name, as in
"der Erfinder Zuse"."""
_CODE: Final = re.compile(
    r"`[^`\n]+`|https?://[^\s<>\"'）」]+|[\w.+-]+@[\w-]+\.[\w.-]+"
    r"|(?<![\w/])(?:[~.]{0,2}/[\w.-]+){2,}/?|(?<![\w-])--?[A-Za-z][\w-]*"
    r"|[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+|\b[A-Za-z]\w*(?:\.[a-z]\w*)+\b(?:\(\))?",
    re.ASCII,
)
_MIXED: Final = re.compile(
    r"[A-Za-z]+[0-9][A-Za-z0-9]*|[0-9]+[A-Z][A-Za-z0-9]*|[A-Za-z]?[a-z]+[A-Z][A-Za-z0-9]*"
    r"|[A-Z]{2,}[0-9]*"
)
_QUOTED: Final = re.compile(
    "“([^”\n]{2,80})”|„([^“”\n]{2,80})[“”]|«([^»\n]{2,80})»|「([^」\n]{2,80})」|『([^』\n]{2,80})』"
    '|《([^》\n]{2,80})》|"([^"\n]{2,80})"|‹([^›\n]{2,80})›'
)
_ENDS: Final = {"ru": 3, "fi": 3, "pl": 3, "tr": 2, "hi": 2, "ar": 2}
"""Letters that inflection may change at the end of a word; 1 in other languages."""
_ENDING: Final = 5
_SHORTEST: Final = 3
_PARTLY: Final = 0.75
"""The share of a quotation's character pairs that must be in the evidence."""
_KATAKANA: Final = re.compile("[\u30a1-\u30faー]{3,}")
_ELIDED: Final = re.compile(r"^[^\W\d_]{1,4}['’](?=[^\W\d_])")


def names(text: str, lang: str, others: Sequence[tuple[int, int]] = ()) -> list[Name]:
    """The names of a statement, in their order; they do not overlap.

    Args:
        others: character ranges whose words are no names, such as dates.

    >>> text = "In 1964 Frank Zappa bought “Freak Out!” with `apt install`."
    >>> [(text[one.start : one.end], one.kind) for one in names(text, "en")]
    [('Frank', 'name'), ('Zappa', 'name'), ('Freak Out!', 'quotation'), ('apt install', 'code')]
    """
    found: list[Name] = []
    taken = [False] * (len(text) + 1)
    for name in _marked(text):
        _add(found, taken, name)
    for start, end in others:
        taken[start:end] = [True] * (end - start)
    for name in _words(text, lang):
        _add(found, taken, name)
    return sorted(found, key=lambda name: name.start)


def _add(found: list[Name], taken: list[bool], name: Name) -> None:
    if not any(taken[name.start : name.end]):
        taken[name.start : name.end] = [True] * (name.end - name.start)
        found.append(name)


def _marked(text: str) -> Iterator[Name]:
    for match in _CODE.finditer(text):
        quotes = match[0].startswith("`")
        yield Name(match.start() + quotes, match.end() - quotes, "code")
    for match in _QUOTED.finditer(text):
        yield Name(*match.span(match.lastindex or 0), "quotation")
    for match in _KATAKANA.finditer(text):
        yield Name(*match.span(), "foreign")


def _words(text: str, lang: str) -> Iterator[Name]:
    around = scripts.dominant_script(_LATIN.sub("", text)) or "Latin"
    found = words(text)
    capitalised = [text[start].isupper() or text[start].istitle() for start, _ in found]
    runs = [
        one and text[start:end].lower() not in stop_words(lang)
        for one, (start, end) in zip(capitalised, found, strict=True)
    ]
    for at, (start, end) in enumerate(found):
        word = text[start:end]
        script = scripts.script_of(word[0])
        if script == "Latin" and around != "Latin":
            if len(word) > 1 and not _is_roman(word):
                yield Name(start, end, "foreign")
        elif script not in _CASED or not capitalised[at]:
            if _MIXED.fullmatch(word):
                yield Name(start, end, "code")
        elif _MIXED.fullmatch(word) and len(word) > 1 and not _is_roman(word):
            yield Name(start, end, "code")
        elif len(word) > 1 and not _is_roman(word):
            if _begins_sentence(text, start):
                continue
            if lang in _EVERY_NOUN and not (runs[at] and _ends_run(found, runs, at)):
                continue
            yield Name(start, end, "name")


def _ends_run(found: Sequence[tuple[int, int]], runs: Sequence[bool], at: int) -> bool:
    """Whether a capitalised word follows another one, and none follows it."""
    follows = at > 0 and runs[at - 1] and found[at][0] - found[at - 1][1] == 1
    last = at + 1 == len(found) or not runs[at + 1] or found[at + 1][0] - found[at][1] > 1
    return follows and last


_LATIN: Final = re.compile(r"[A-Za-z0-9]+")


def _is_roman(word: str) -> bool:
    return re.fullmatch("[IVXLC]+", word) is not None


def _begins_sentence(text: str, start: int) -> bool:
    before = text[:start].rstrip(" \t\"'“„«‘’(¿¡-–—*•")
    return not before or before[-1] in ".!?:…\n;"


class Words:
    """The words of evidence, with which names are compared.

    Args:
        texts: the evidence, and what else a statement may take words from.
        lang: the language of the statement.
    """

    def __init__(self, texts: Sequence[str], lang: str) -> None:
        self._lang = lang
        self._text = folded("\n".join(texts), lang)
        self._dense = "".join(self._text.split())
        found = {self._text[start:end] for start, end in words(self._text)}
        self._words = found | {_ELIDED.sub("", word) for word in found}
        self._stems = {analyzer(lang).stem(word) for word in self._words}

    def hold(self, text: str, kind: Kind) -> bool:
        """Whether the evidence holds a name."""
        form = folded(text, self._lang)
        if kind == "name" or (kind == "foreign" and scripts.script_of(text[0]) == "Latin"):
            return self._word(form)
        if "".join(form.split()) in self._dense:
            return True
        if kind == "quotation":
            return self._quotation(form)
        return kind == "code" and form.isalpha() and self._word(form)

    def _word(self, form: str) -> bool:
        form = _ELIDED.sub("", form)
        if form in self._words or analyzer(self._lang).stem(form) in self._stems:
            return True
        changed = _ENDS.get(self._lang, 1)
        return any(_same_name(form, word, changed) for word in self._words)

    def _quotation(self, form: str) -> bool:
        if scripts.counts_characters(self._lang):
            pairs = [form[at : at + 2] for at in range(len(form) - 1)]
            return sum(pair in self._dense for pair in pairs) >= _PARTLY * len(pairs)
        every = [form[start:end] for start, end in words(form)]
        return bool(every) and all(map(self._word, every))


def _same_name(one: str, other: str, changed: int) -> bool:
    """Whether two words may be one name with different endings.

    >>> _same_name("москве", "москва", 3), _same_name("german", "germany", 1)
    (True, True)
    >>> _same_name("johnson", "jackson", 1)
    False
    """
    shorter, longer = sorted((len(one), len(other)))
    common = max(_SHORTEST, shorter - changed)
    return longer - shorter <= _ENDING and one[:common] == other[:common] and shorter >= common


@lru_cache(maxsize=4096)
def folded(text: str, lang: str) -> str:
    """The text as it is compared: normalised, without case, digits as 0-9."""
    return ascii_digits(analyzer(lang).fold(normalize(text))).replace("’", "'")
