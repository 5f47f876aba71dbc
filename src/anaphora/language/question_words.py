"""What a question asks for, told from its question word.

In the sixteen target languages, by the closed tables of `question_tables`. Where a language puts
the question word first, the leftmost one counts, since the same words join clauses further on
("What did the man who …"); where it leaves the word in place, that is the only one there is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, cast

from anaphora.language.analysis import normalize
from anaphora.language.question_tables import (
    BEFORE,
    VERBS,
    WORDS,
    YES_NO_ENDINGS,
    YES_NO_SIGNS,
)
from anaphora.language.sentences import sentences
from anaphora.records import UNKNOWN

QuestionType = Literal[
    "who", "what", "which", "when", "where", "why", "how", "how many", "yes/no", "other"
]

# Where nothing but the mark tells: at least three words, so that "¿Y en 2013?" is none.
_BARE: Final = r"(?:\S+\s+){2,}\S+\s*\?$"
_BARE_LANGUAGES: Final = frozenset({"de", "es", "fr", "it", "pt", "ru"})
# "Can you tell me who …" asks who.
_INDIRECT: Final = (
    r"(?:can|could|would|will|do) (?:you|we) (?:please )?"
    r"(?:know|tell|explain|say|describe|show|give|list|find|help|provide)\b"
)

# "When the war ended, who …": the first clause says when, the second asks.
_WHEN_JOINS: Final = frozenset({"en", "fr", "it", "pt"})

_UNSPACED: Final = frozenset({"ja", "th", "zh"})
_LETTER: Final = r"[\w\u0300-\u036f\u0900-\u0963]"
_CLAUSE: Final = re.compile(r"(?:^|[¿¡,;:،、–—(\"“«]+)\s*")
_OUTSIDE: Final = " \t\r\n\"'“”„«»‹›()[]¿¡-–—"
_NEVER: Final = r"(?!)"

# Letters that are written in several ways.
_LETTERS: Final = {
    "ar": str.maketrans("أإآىة", "ااايه"),
    "ru": str.maketrans("ё", "е"),
    "zh": str.maketrans(
        "誰麼甚為時處裡裏兒幾種點個樣長遠嗎沒會對無號間紀歲國寬",
        "谁么什为时处里里儿几种点个样长远吗没会对无号间纪岁国宽",
    ),
}


def question_type(text: str, lang: str) -> QuestionType:
    """What the question asks for; "other" where it has no question word, or the language no table.

    Quantities are "how many": how long, how old, how much; years and days are "when": in which
    year. Of several sentences the last one with a question mark counts. A question whose language
    is unknown is looked up in English.

    >>> question_type("In which year did they disband?", "en"), question_type("首都在哪里？", "zh")
    ('when', 'where')
    >>> question_type("Peki Ankara?", "tr")
    'other'
    """
    if lang == UNKNOWN:
        lang = "en"
    if lang not in WORDS:
        return "other"
    asked = [
        text[start:end]
        for start, end in sentences(text, lang)
        if set("?？؟") & set(text[start:end])
    ]
    return _table(lang).type_of(_folded(asked[-1] if asked else text, lang))


def _folded(text: str, lang: str) -> str:
    text = normalize(text).replace("’", "'").replace("؟", "?")
    if lang == "tr":
        text = text.replace("İ", "i").replace("I", "ı")
    text = text.casefold().replace("i\u0307", "i")
    return text.translate(_LETTERS.get(lang, {})).strip(_OUTSIDE)


Found = tuple[int, int, QuestionType]
"""Where a question word begins, less its length, and its type: the smallest is the one to take."""


@dataclass(frozen=True)
class _Words:
    """An expression with one group a word, and the type of each."""

    pattern: re.Pattern[str]
    types: tuple[str, ...]

    def found(self, match: re.Match[str] | None) -> Found | None:
        if match is None or match.lastindex is None:
            return None
        start, end = match.span(match.lastindex)
        type = self.types[match.lastindex - 1]
        return None if type == "skip" else (start, start - end, cast(QuestionType, type))


@dataclass(frozen=True)
class _Table:
    """One language's expressions."""

    lang: str
    anywhere: _Words
    initial: _Words
    yes_no: re.Pattern[str]
    yes_no_else: re.Pattern[str]
    """For a question that has no question word."""

    def type_of(self, question: str) -> QuestionType:
        if self.yes_no.search(question):
            return "yes/no"
        starts = [clause.end() for clause in _CLAUSE.finditer(question)]
        first = self._first(question, starts)
        if first:
            place, _, type = first
            if type == "when" and place == starts[0] and self.lang in _WHEN_JOINS:
                later = [self._at(question, start) for start in starts[1:]]
                return next((found[2] for found in later if found), type)
            return type
        return "yes/no" if self.yes_no_else.search(question) else "other"

    def _first(self, question: str, starts: Sequence[int]) -> Found | None:
        anywhere = map(self.anywhere.found, self.anywhere.pattern.finditer(question))
        found = [each for each in anywhere if each][:1]
        for start in starts:
            initial = self.initial.found(self.initial.pattern.match(question, start))
            if initial:
                found.append(initial)
        return min(found, default=None)

    def _at(self, question: str, start: int) -> Found | None:
        """The question word that a clause begins with."""
        found = [
            words.found(words.pattern.match(question, start))
            for words in (self.anywhere, self.initial)
        ]
        return min((each for each in found if each), default=None)


@lru_cache(maxsize=len(WORDS))
def _table(lang: str) -> _Table:
    listed = [
        (_folded(word, lang), type) for type, words in WORDS[lang].items() for word in words.split()
    ]
    listed.sort(key=lambda entry: -len(entry[0]))
    anywhere = [(word, type) for word, type in listed if word[0] != "^"]
    initial = [(word[1:], type) for word, type in listed if word[0] == "^"]
    before = _either(BEFORE.get(lang, ""), lang)
    # A few of them: without a bound, hostile input would take quadratic time.
    begins = f"(?:{before}[\\s,]+){{0,3}}"
    # "And …" is one word in Arabic.
    glued = "[وف]?" if lang == "ar" else ""
    indirect = rf"(?!{_INDIRECT})" if lang == "en" else ""
    verbs = rf"{begins}{indirect}{_either(VERBS.get(lang, ''), lang)}"
    bare = rf"^(?!{before}){_BARE}" if lang in _BARE_LANGUAGES else _NEVER
    return _Table(
        lang,
        _words(anywhere, lang, glued),
        _words(initial, lang, begins + glued),
        re.compile(f"^{verbs}|{YES_NO_SIGNS.get(lang, _NEVER)}"),
        # "Besides the bridge, is there …"
        re.compile(rf"[,;:]\s*{verbs}|{YES_NO_ENDINGS.get(lang, bare)}"),
    )


def _words(listed: Sequence[tuple[str, str]], lang: str, before: str) -> _Words:
    """The longest first: the first alternative that fits is taken."""
    words = "|".join(f"({_expression(word, lang)})" for word, _ in listed) or _NEVER
    within = "" if lang in _UNSPACED else f"(?<!{_LETTER})"
    return _Words(re.compile(f"{within}{before}(?:{words})"), tuple(type for _, type in listed))


def _either(words: str, lang: str) -> str:
    """An expression for any of the words, or for none where there are none."""
    listed = sorted((_folded(word, lang) for word in words.split()), key=len, reverse=True)
    return f"(?:{'|'.join(_expression(word, lang) for word in listed) or _NEVER})"


def _expression(word: str, lang: str) -> str:
    expression = re.escape(word).replace("_", r"[\s-]*" if lang in _UNSPACED else r"[\s-]+")
    expression = expression.replace(r"\*", f"{_LETTER}*")
    return expression if lang in _UNSPACED else f"{expression}(?!{_LETTER})"
